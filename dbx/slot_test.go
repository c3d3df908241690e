package dbx_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

func asTenant(ctx context.Context, id string) context.Context {
	return principal.With(ctx, principal.Principal{WorkspaceID: id})
}

// holdTransactions starts n transactions that run until the test ends; workspace returns the
// workspace of each. It returns how many have begun.
func holdTransactions(t *testing.T, db *dbx.DB, n int, workspace func(i int) string) (running *atomic.Int64) {
	t.Helper()
	running = new(atomic.Int64)
	var held sync.WaitGroup
	release := make(chan struct{})
	for i := range n {
		held.Go(func() {
			if err := db.InTx(asTenant(context.WithoutCancel(t.Context()), workspace(i)),
				func(context.Context, dbx.Tx) error {
					running.Add(1)
					<-release
					return nil
				}); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { close(release); held.Wait() })
	return running
}

// TestInTx_leaves_connections_to_other_workspaces holds 100 transactions of one workspace. Another
// workspace still writes and reads.
func TestInTx_leaves_connections_to_other_workspaces(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		running := holdTransactions(t, db, 100, func(int) string { return "a" })
		poll.Until(t, func() bool { return running.Load() > 0 }, "no transaction runs")
		ctx, cancel := context.WithTimeout(asTenant(t.Context(), "b"), 30*time.Second)
		defer cancel()
		for i := range 20 {
			if err := db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
				_, err := tx.NewInsert().Model(&model.Workspace{ID: fmt.Sprint("w", i), CreatedAt: model.Now()}).
					Exec(ctx)
				return err
			}); err != nil {
				t.Fatalf("a write of another workspace: %v", err)
			}
			if _, err := db.NewSelect().Model((*model.Workspace)(nil)).Count(ctx); err != nil {
				t.Fatalf("a read: %v", err)
			}
		}
	})
}

// TestInTx_takes_turns checks that a workspace waits for few transactions of a busy one, even if
// only one runs at a time.
func TestInTx_takes_turns(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var all sync.WaitGroup
		// transactions of the busy workspace: all, and those that finished before the other workspace's
		var finished, earlier atomic.Int64
		run := func(tenant string, do func()) {
			all.Go(func() {
				if err := db.InTx(asTenant(t.Context(), tenant),
					func(context.Context, dbx.Tx) error { do(); return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		started, release := make(chan struct{}), make(chan struct{})
		run("a", func() { close(started); <-release })
		<-started
		for range 200 {
			run("a", func() { <-release; finished.Add(1) })
		}
		poll.Until(t, func() bool { return dbx.Waiting(db, "a") >= 201 }, "the transactions do not wait")
		var done atomic.Bool
		run("b", func() { earlier.Store(finished.Load()); done.Store(true) })
		// A server has connections left for it; a file runs one transaction at a time.
		poll.Until(t, func() bool { return done.Load() || db.InProcess() && dbx.Waiting(db, "b") == 1 },
			"the other transaction does not wait, or waits for ever")
		close(release)
		all.Wait()
		if n := earlier.Load(); n > 20 {
			t.Errorf("the other workspace waited for %d transactions", n)
		}
	})
}
