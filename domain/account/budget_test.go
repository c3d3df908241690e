package account_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/testkit"
)

// ledger is a workspace with a budget.
type ledger struct {
	*account.Service
	t         *testing.T
	db        *dbx.DB
	workspace string
}

func newLedger(t *testing.T, db *dbx.DB, limit int) *ledger {
	t.Helper()
	s := setup(t, db)
	w, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Budget", RunLimit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return &ledger{s.Service, t, db, w.ID}
}

// job makes the row that a reservation stands on.
func (l *ledger) job() string {
	l.t.Helper()
	return l.jobIn(l.t.Context(), l.db)
}

func (l *ledger) jobIn(ctx context.Context, db bun.IDB) string {
	l.t.Helper()
	row := &model.Job{
		ID: model.NewID(model.JobPrefix), WorkspaceID: l.workspace, JobType: "test", Status: model.JobStatusQueued,
		CreatedAt: model.Now(), UpdatedAt: model.Now(),
	}
	if _, err := db.NewInsert().Model(row).Exec(ctx); err != nil {
		l.t.Fatal(err)
	}
	return row.ID
}

func (l *ledger) reserve(ctx context.Context, job string, runs int) error {
	return l.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return l.Reserve(ctx, tx, l.workspace, "ingestDocument", job, runs)
	})
}

// settle runs Commit or Return in a transaction of its own.
func (l *ledger) settle(how func(context.Context, dbx.Tx, string) error, job string) {
	l.t.Helper()
	err := l.db.InTx(l.t.Context(), func(ctx context.Context, tx dbx.Tx) error { return how(ctx, tx, job) })
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *ledger) budget() *model.RunBudget {
	l.t.Helper()
	w, err := l.Workspace(model.WithPrincipal(l.t.Context(), model.Principal{WorkspaceID: l.workspace}))
	if err != nil {
		l.t.Fatal(err)
	}
	return w.RunBudget()
}

func (l *ledger) wantUsed(used int) {
	l.t.Helper()
	if got := l.budget().Used; got != used {
		l.t.Errorf("%d runs are used, want %d", got, used)
	}
}

// expire moves the budget's reset into the past.
func (l *ledger) expire(at time.Time) {
	l.t.Helper()
	_, err := l.db.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_reset_at = ?", at).Where("id = ?", l.workspace).Exec(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestReserve(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("200_at_once_on_50_run_exactly_50", func(t *testing.T) {
			l := newLedger(t, db, 50)
			var took, refused atomic.Int64
			var all sync.WaitGroup
			for range 200 {
				job := l.job()
				all.Go(func() {
					switch err := l.reserve(t.Context(), job, 1); {
					case err == nil:
						took.Add(1)
					case errs.Is(err, errs.BudgetExhausted):
						refused.Add(1)
					default:
						t.Error(err)
					}
				})
			}
			all.Wait()
			if took.Load() != 50 || refused.Load() != 150 {
				t.Errorf("%d were taken and %d refused", took.Load(), refused.Load())
			}
			l.wantUsed(50)
		})
		t.Run("more_than_is_left_takes_nothing", func(t *testing.T) {
			l := newLedger(t, db, 3)
			if err := l.reserve(t.Context(), l.job(), 2); err != nil {
				t.Fatal(err)
			}
			wantCode(t, l.reserve(t.Context(), l.job(), 2), errs.BudgetExhausted)
			l.wantUsed(2)
		})
		t.Run("what_rolls_back_was_never_taken", func(t *testing.T) {
			l := newLedger(t, db, 3)
			wantCode(t, l.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				if err := l.Reserve(ctx, tx, l.workspace, "ingestDocument", l.jobIn(ctx, tx), 1); err != nil {
					return err
				}
				return errs.New(errs.Conflict, "changed its mind")
			}), errs.Conflict)
			l.wantUsed(0)
		})
		t.Run("a_new_period_keeps_what_still_runs", func(t *testing.T) {
			l := newLedger(t, db, 3)
			spent, going := l.job(), l.job()
			for _, job := range []string{spent, going} {
				if err := l.reserve(t.Context(), job, 1); err != nil {
					t.Fatal(err)
				}
			}
			l.settle(l.Commit, spent)
			l.expire(model.Now().AddDate(0, -3, -1))
			if b := l.budget(); b.Used != 1 || b.ResetsAt == nil || !b.ResetsAt.After(model.Now()) || b.ResetsAt.After(model.Now().AddDate(0, 1, 1)) {
				t.Errorf("the budget is %+v", b)
			}
			l.settle(l.Return, going)
			l.wantUsed(0)
		})
		t.Run("a_period_that_is_over_refuses_nobody", func(t *testing.T) {
			l := newLedger(t, db, 1)
			first := l.job()
			if err := l.reserve(t.Context(), first, 1); err != nil {
				t.Fatal(err)
			}
			l.settle(l.Commit, first)
			l.expire(model.Now().Add(-time.Hour))
			if err := l.reserve(t.Context(), l.job(), 1); err != nil {
				t.Error(err)
			}
			l.wantUsed(1)
		})
	})
}

func TestSettle(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("replays_settle_once", func(t *testing.T) {
			l := newLedger(t, db, 10)
			kept, back := l.job(), l.job()
			for _, job := range []string{kept, back} {
				if err := l.reserve(t.Context(), job, 2); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				l.settle(l.Return, back)
				l.settle(l.Commit, back)
				l.settle(l.Commit, kept)
				l.settle(l.Return, kept)
			}
			l.wantUsed(2)
		})
		t.Run("a_job_of_many_parts_spends_what_it_did", func(t *testing.T) {
			l := newLedger(t, db, 100)
			for spent, used := range map[int]int{0: 0, 3: 3, 5: 5, 9: 5} {
				job := l.job()
				if err := l.reserve(t.Context(), job, 5); err != nil {
					t.Fatal(err)
				}
				before := l.budget().Used - 5
				for range 2 {
					l.settle(func(ctx context.Context, tx dbx.Tx, job string) error { return l.Settle(ctx, tx, job, spent) }, job)
				}
				l.wantUsed(before + used)
			}
		})
		t.Run("a_job_that_runs_again_reserves_anew", func(t *testing.T) {
			l := newLedger(t, db, 10)
			job := l.job()
			for range 2 {
				if err := l.reserve(t.Context(), job, 1); err != nil {
					t.Fatal(err)
				}
				l.wantUsed(1)
				l.settle(l.Return, job)
				l.wantUsed(0)
			}
		})
	})
}

func TestSetBudget(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newLedger(t, db, 10)
		if b := l.budget(); b.ResetsAt == nil {
			t.Error("the budget of a contract has no reset date")
		}
		soon := model.Now().AddDate(0, 0, 3)
		if b, err := l.SetBudget(t.Context(), l.workspace, account.Budget{Limit: 7, ResetsAt: &soon}); err != nil || b.Limit != 7 || !b.ResetsAt.Equal(soon) {
			t.Errorf("the budget is %+v, error %v", b, err)
		}
		past := model.Now().Add(-time.Hour)
		for _, wrong := range []account.Budget{{Limit: -1}, {Limit: 1, ResetsAt: &past}} {
			_, err := l.SetBudget(t.Context(), l.workspace, wrong)
			wantCode(t, err, errs.ValidationFailed)
		}
		_, err := l.SetBudget(t.Context(), "wsp_none", account.Budget{Limit: 1})
		wantCode(t, err, errs.NotFound)

		demo, err := l.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Demo", Demo: true, RunLimit: 5})
		if err != nil || demo.RunBudget().ResetsAt != nil {
			t.Errorf("the demo's budget is %+v, error %v", demo.RunBudget(), err)
		}
		_, err = l.SetBudget(t.Context(), demo.ID, account.Budget{Limit: 5, ResetsAt: &soon})
		wantCode(t, err, errs.ValidationFailed)
	})
}
