package account_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// budgetBundle is the account service with a workspace that has a run limit.
type budgetBundle struct {
	*account.Service
	t         *testing.T
	db        *dbx.DB
	workspace string
	told      <-chan int
}

func newBudgetBundle(t *testing.T, db *dbx.DB, limit int) *budgetBundle {
	t.Helper()
	s := setup(t, db)
	w, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Budget", RunLimit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return &budgetBundle{s.Service, t, db, w.ID, s.budgetTold}
}

// insertJob inserts the job row that a reservation references.
func (l *budgetBundle) insertJob() string {
	l.t.Helper()
	return l.insertJobIn(l.t.Context(), l.db)
}

func (l *budgetBundle) insertJobIn(ctx context.Context, db dbx.ReadWriter) string {
	l.t.Helper()
	row := &model.Job{
		ID: model.NewID(model.JobPrefix), WorkspaceID: l.workspace, JobTypeText: "test", Status: model.JobStatusQueued,
		CreatedAt: model.Now(), UpdatedAt: model.Now(),
	}
	if _, err := db.NewInsert().Model(row).Exec(ctx); err != nil {
		l.t.Fatal(err)
	}
	return row.ID
}

func (l *budgetBundle) reserve(ctx context.Context, job string, runs int) error {
	return l.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return l.Reserve(ctx, tx, l.workspace, "ingestDocument", job, runs)
	})
}

// settleRun runs Commit or Return in its own transaction.
func (l *budgetBundle) settleRun(commitOrReturn func(context.Context, dbx.Tx, string) error, job string) {
	l.t.Helper()
	err := l.db.InTx(l.t.Context(), func(ctx context.Context, tx dbx.Tx) error { return commitOrReturn(ctx, tx, job) })
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *budgetBundle) runBudget() *model.RunBudget {
	l.t.Helper()
	w, err := l.Workspace(principal.With(l.t.Context(), principal.Principal{WorkspaceID: l.workspace}))
	if err != nil {
		l.t.Fatal(err)
	}
	return w.RunBudget()
}

func (l *budgetBundle) wantUsed(used int) {
	l.t.Helper()
	if got := l.runBudget().Used; got != used {
		l.t.Errorf("%d runs are used, want %d", got, used)
	}
}

// setResetTime sets the time at which the budget resets.
func (l *budgetBundle) setResetTime(at time.Time) {
	l.t.Helper()
	_, err := l.db.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_reset_at = ?", at).Where("id = ?", l.workspace).
		Exec(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestReserve(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("200 concurrent reservations of 50 runs succeed 50 times", func(t *testing.T) {
			l := newBudgetBundle(t, db, 50)
			var reserved, refused atomic.Int64
			var group sync.WaitGroup
			for range 200 {
				job := l.insertJob()
				group.Go(func() {
					switch err := l.reserve(t.Context(), job, 1); {
					case err == nil:
						reserved.Add(1)
					case errs.Is(err, errs.BudgetExhausted):
						refused.Add(1)
					default:
						t.Error(err)
					}
				})
			}
			group.Wait()
			if reserved.Load() != 50 || refused.Load() != 150 {
				t.Errorf("%d succeeded and %d were rejected, want 50 and 150", reserved.Load(), refused.Load())
			}
			l.wantUsed(50)
		})
		t.Run("a reservation above the remaining runs reserves none", func(t *testing.T) {
			l := newBudgetBundle(t, db, 3)
			if err := l.reserve(t.Context(), l.insertJob(), 2); err != nil {
				t.Fatal(err)
			}
			wantCode(t, l.reserve(t.Context(), l.insertJob(), 2), errs.BudgetExhausted)
			l.wantUsed(2)
		})
		t.Run("a rollback returns the reservation", func(t *testing.T) {
			l := newBudgetBundle(t, db, 3)
			wantCode(t, l.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				if err := l.Reserve(ctx, tx, l.workspace, "ingestDocument", l.insertJobIn(ctx, tx), 1); err != nil {
					return err
				}
				return errs.New(errs.Conflict, "rolled back")
			}), errs.Conflict)
			l.wantUsed(0)
		})
		t.Run("a new period keeps open reservations", func(t *testing.T) {
			l := newBudgetBundle(t, db, 3)
			spent, going := l.insertJob(), l.insertJob()
			for _, job := range []string{spent, going} {
				if err := l.reserve(t.Context(), job, 1); err != nil {
					t.Fatal(err)
				}
			}
			l.settleRun(l.Commit, spent)
			l.setResetTime(model.Now().AddDate(0, -3, -1))
			if b := l.runBudget(); b.Used != 1 || b.ResetsAt == nil || !b.ResetsAt.After(model.Now()) ||
				b.ResetsAt.After(model.Now().AddDate(0, 1, 1)) {
				t.Errorf("the budget is %+v", b)
			}
			l.settleRun(l.Return, going)
			l.wantUsed(0)
		})
		t.Run("an expired period does not reject reservations", func(t *testing.T) {
			l := newBudgetBundle(t, db, 1)
			first := l.insertJob()
			if err := l.reserve(t.Context(), first, 1); err != nil {
				t.Fatal(err)
			}
			l.settleRun(l.Commit, first)
			l.setResetTime(model.Now().Add(-time.Hour))
			if err := l.reserve(t.Context(), l.insertJob(), 1); err != nil {
				t.Error(err)
			}
			l.wantUsed(1)
		})
	})
}

// TestReserve_events checks that the feed is told once of each share of the budget, and again in a new
// period and under a higher limit.
func TestReserve_events(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newBudgetBundle(t, db, 100)
		// take reserves runs and checks which percentages were told of.
		take := func(runs int, want ...int) (job string) {
			t.Helper()
			job = l.insertJob()
			if err := l.reserve(t.Context(), job, runs); err != nil {
				t.Fatal(err)
			}
			var told []int
			for len(l.told) > 0 {
				told = append(told, <-l.told)
			}
			if !slices.Equal(told, want) {
				t.Errorf("%d more runs: told of %v, want %v", runs, told, want)
			}
			return job
		}
		take(40)
		l.settleRun(l.Return, take(20, 50))
		take(20) // reaches the half again
		take(40, 100)
		if _, err := l.SetBudget(t.Context(), l.workspace, account.BudgetSettings{Limit: 200}); err != nil {
			t.Fatal(err)
		}
		take(60, 80)
		l.setResetTime(model.Now().Add(-time.Minute))
		take(1, 80) // open reservations count in the new period
	})
}

func TestSettle(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("repeated settlements count once", func(t *testing.T) {
			l := newBudgetBundle(t, db, 10)
			committed, returned := l.insertJob(), l.insertJob()
			for _, job := range []string{committed, returned} {
				if err := l.reserve(t.Context(), job, 2); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				l.settleRun(l.Return, returned)
				l.settleRun(l.Commit, returned)
				l.settleRun(l.Commit, committed)
				l.settleRun(l.Return, committed)
			}
			l.wantUsed(2)
		})
		t.Run("a job of many parts is charged for completed parts", func(t *testing.T) {
			l := newBudgetBundle(t, db, 100)
			for spent, used := range map[int]int{0: 0, 3: 3, 5: 5, 9: 5} {
				job := l.insertJob()
				if err := l.reserve(t.Context(), job, 5); err != nil {
					t.Fatal(err)
				}
				before := l.runBudget().Used - 5
				for range 2 {
					l.settleRun(func(ctx context.Context, tx dbx.Tx, job string) error {
						return l.Settle(ctx, tx, job, spent)
					}, job)
				}
				l.wantUsed(before + used)
			}
		})
		t.Run("a retried job reserves again", func(t *testing.T) {
			l := newBudgetBundle(t, db, 10)
			job := l.insertJob()
			for range 2 {
				if err := l.reserve(t.Context(), job, 1); err != nil {
					t.Fatal(err)
				}
				l.wantUsed(1)
				l.settleRun(l.Return, job)
				l.wantUsed(0)
			}
		})
	})
}

func TestSetBudget(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newBudgetBundle(t, db, 10)
		if b := l.runBudget(); b.ResetsAt == nil {
			t.Error("the budget of a workspace has no reset date")
		}
		soon := model.Now().AddDate(0, 0, 3)
		if b, err := l.SetBudget(t.Context(), l.workspace,
			account.BudgetSettings{Limit: 7, ResetsAt: &soon}); err != nil || b.Limit != 7 || !b.ResetsAt.Equal(soon) {
			t.Errorf("the budget is %+v, error %v", b, err)
		}
		past := model.Now().Add(-time.Hour)
		for _, wrong := range []account.BudgetSettings{{Limit: -1}, {Limit: 1, ResetsAt: &past}} {
			_, err := l.SetBudget(t.Context(), l.workspace, wrong)
			wantCode(t, err, errs.ValidationFailed)
		}
		_, err := l.SetBudget(t.Context(), "wsp_none", account.BudgetSettings{Limit: 1})
		wantCode(t, err, errs.NotFound)

		demo, err := l.CreateWorkspace(t.Context(), account.NewWorkspace{Name: "Demo", Demo: true, RunLimit: 5})
		if err != nil || demo.RunBudget().ResetsAt != nil {
			t.Errorf("the demo's budget is %+v, error %v", demo.RunBudget(), err)
		}
		_, err = l.SetBudget(t.Context(), demo.ID, account.BudgetSettings{Limit: 5, ResetsAt: &soon})
		wantCode(t, err, errs.ValidationFailed)
	})
}
