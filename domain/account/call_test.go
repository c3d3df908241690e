package account_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/testkit"
)

func (l *ledger) used() int {
	l.t.Helper()
	w := new(model.Workspace)
	if err := l.db.NewSelect().Model(w).Where("id = ?", l.workspace).Scan(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	return w.RunsUsed
}

// TestSpend/… hold that a call's run is kept with what it stores, and given back whatever else happens.
func TestSpend(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newLedger(t, db, 1)
		broken := errors.New("broken")
		keep := func(context.Context, dbx.Tx) error { return nil }
		spend := func(finish account.Finish, failure error) error {
			return l.Spend(t.Context(), l.workspace, "interact", 1, func(context.Context) (account.Finish, error) {
				if n := l.used(); n != 1 {
					t.Errorf("%d runs are used while it works", n)
				}
				return finish, failure
			})
		}
		if err := spend(nil, broken); !errors.Is(err, broken) || l.used() != 0 {
			t.Errorf("failed work leaves %d used, error %v", l.used(), err)
		}
		if err := spend(func(context.Context, dbx.Tx) error { return broken }, nil); !errors.Is(err, broken) || l.used() != 0 {
			t.Errorf("failed storing leaves %d used, error %v", l.used(), err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = l.Spend(t.Context(), l.workspace, "interact", 1, func(context.Context) (account.Finish, error) { panic("broken") })
		}()
		if l.used() != 0 {
			t.Errorf("a panic leaves %d used", l.used())
		}
		if err := spend(keep, nil); err != nil || l.used() != 1 {
			t.Errorf("good work leaves %d used, error %v", l.used(), err)
		}
		if err := spend(keep, nil); !errs.Is(err, errs.BudgetExhausted) {
			t.Errorf("without a run left it gives %v", err)
		}
	})
}

// TestRun_gives_back_what_a_dead_process_reserved holds that an old open call is settled, and a young one is left.
func TestRun_gives_back_what_a_dead_process_reserved(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newLedger(t, db, 10)
		for _, age := range []time.Duration{time.Hour, time.Second} {
			row := &model.RunReservation{
				ID: model.NewID(model.ReservationPrefix), WorkspaceID: l.workspace, Operation: "interact", Runs: 1,
				State: model.RunReserved, CreatedAt: model.Now().Add(-age),
			}
			if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_used = 2").Where("id = ?", l.workspace).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go l.Run(ctx)
		for deadline := time.Now().Add(30 * time.Second); l.used() != 1; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d runs are used", l.used())
			}
		}
	})
}
