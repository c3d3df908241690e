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
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

func (l *budgetBundle) usedRuns() int {
	l.t.Helper()
	w := new(model.Workspace)
	if err := l.db.NewSelect().Model(w).Where("id = ?", l.workspace).Scan(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	return w.RunsUsed
}

// TestSpend checks that a run is charged in the transaction that stores the result. After an error
// or a panic it is returned.
func TestSpend(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newBudgetBundle(t, db, 1)
		broken := errors.New("broken")
		keep := func(context.Context, dbx.Tx) error { return nil }
		spend := func(finish account.FinishFunc, failure error) error {
			return l.Spend(t.Context(), l.workspace, "interact", 1, func(context.Context) (account.FinishFunc, error) {
				if n := l.usedRuns(); n != 1 {
					t.Errorf("%d runs are used during the call, want 1", n)
				}
				return finish, failure
			})
		}
		if err := spend(nil, broken); !errors.Is(err, broken) || l.usedRuns() != 0 {
			t.Errorf("after failed work %d runs are used, error %v", l.usedRuns(), err)
		}
		if err := spend(func(context.Context, dbx.Tx) error { return broken }, nil); !errors.Is(err, broken) ||
			l.usedRuns() != 0 {
			t.Errorf("after a storage error %d runs are used, error %v", l.usedRuns(), err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = l.Spend(t.Context(), l.workspace, "interact", 1,
				func(context.Context) (account.FinishFunc, error) { panic("broken") })
		}()
		if l.usedRuns() != 0 {
			t.Errorf("after a panic %d runs are used", l.usedRuns())
		}
		if err := spend(keep, nil); err != nil || l.usedRuns() != 1 {
			t.Errorf("after success %d runs are used, error %v", l.usedRuns(), err)
		}
		if err := spend(keep, nil); !errs.Is(err, errs.BudgetExhausted) {
			t.Errorf("without remaining runs the error is %v", err)
		}
	})
}

// TestRun_returns_stale_reservations checks that an old open call is returned and a recent one
// stays.
func TestRun_returns_stale_reservations(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		l := newBudgetBundle(t, db, 10)
		for _, age := range []time.Duration{time.Hour, time.Second} {
			row := &model.RunReservation{
				ID: model.NewID(model.ReservationPrefix), WorkspaceID: l.workspace, Operation: "interact", Runs: 1,
				State: model.RunReserved, CreatedAt: model.Now().Add(-age),
			}
			if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_used = 2").Where("id = ?", l.workspace).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go l.Run(ctx)
		poll.Until(t, func() bool { return l.usedRuns() == 1 }, "the old reservation is not returned")
	})
}
