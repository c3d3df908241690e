package dbx_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// TestOpen_on_a_full_server opens a pool of 10 connections as a user limited to 3. Statements wait
// for one of them.
func TestOpen_on_a_full_server(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		limited := openAs(t, db, 3)
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if _, err := limited.SelectRaw("SELECT pg_sleep(0.01)").Exec(t.Context()); err != nil {
					t.Errorf("a query: %v", err)
				}
			})
			all.Go(func() {
				if _, err := dbx.Read[model.Workspace](t.Context(), limited,
					limited.NewSelect().Model((*model.Workspace)(nil))); err != nil {
					t.Errorf("a prepared query: %v", err)
				}
			})
			all.Go(func() {
				if err := limited.InTx(t.Context(), func(context.Context, dbx.Tx) error { return nil }); err != nil {
					t.Errorf("a transaction: %v", err)
				}
			})
		}
		all.Wait()
	})
}

// openAs opens the database again as a new user with a limited number of connections.
func openAs(t *testing.T, db *dbx.DB, limit int) *dbx.DB {
	t.Helper()
	name := databaseName(t, db)
	user := "u_" + name
	run := func(ctx context.Context, statement string) {
		if _, err := db.Writer().ExecContext(ctx, statement); err != nil {
			t.Error(err)
		}
	}
	run(t.Context(), fmt.Sprintf("CREATE ROLE %s LOGIN CONNECTION LIMIT %d", user, limit))
	run(t.Context(), fmt.Sprintf("GRANT pg_read_all_data TO %s", user))
	t.Cleanup(func() { run(context.Background(), "DROP ROLE "+user) })
	return openAgain(t, name, func(address *url.URL, query url.Values) {
		address.User = url.User(user)
		query.Set("pool_max_conns", "16")
	})
}

// openAgain opens the database of that name on the test's server with a changed address.
func openAgain(t *testing.T, name string, change func(*url.URL, url.Values)) *dbx.DB {
	t.Helper()
	address, err := url.Parse(dbtest.PostgresAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	address.Path = "/" + name
	query := address.Query()
	change(address, query)
	address.RawQuery = query.Encode()
	db, err := dbx.Open(t.Context(), address.String(), slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// smallPool is the size of openSmall's pool. The queue has half of it, and one connection is left
// to reads.
const smallPool = 12

// openSmall opens the database again with a pool of 12 connections, which the server lists under
// the name application. Transactions may be idle for any time.
func openSmall(t *testing.T, db *dbx.DB, application string) *dbx.DB {
	t.Helper()
	dbtest.ReserveConns(t, 1)
	return openAgain(t, databaseName(t, db), func(_ *url.URL, query url.Values) {
		query.Set("pool_max_conns", strconv.Itoa(smallPool))
		query.Set("application_name", application)
		query.Set("idle_in_transaction_session_timeout", "0")
	})
}

func databaseName(t *testing.T, db *dbx.DB) (name string) {
	t.Helper()
	if err := db.SelectRaw("SELECT current_database()").Scan(t.Context(), &name); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOpen_obeys_the_size_of_the_pool runs 60 reads, transactions and queue statements at once and
// counts the server's connections.
func TestOpen_obeys_the_size_of_the_pool(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		const application = "rostrum_pool_size"
		small := openSmall(t, db, application)
		queue, _ := small.QueuePool()
		var all sync.WaitGroup
		repeat := func(work func() error) {
			for range 60 {
				all.Go(func() {
					if err := work(); err != nil {
						t.Error(err)
					}
				})
			}
		}
		repeat(func() error { _, err := small.SelectRaw("SELECT pg_sleep(0.02)").Exec(t.Context()); return err })
		repeat(func() error {
			_, err := dbx.Read[model.Workspace](t.Context(), small, small.NewSelect().Model((*model.Workspace)(nil)))
			return err
		})
		repeat(func() error {
			return small.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				_, err := tx.NewSelect().ColumnExpr("pg_sleep(0.02)").Exec(ctx)
				return err
			})
		})
		repeat(func() error { _, err := queue.Exec(t.Context(), "SELECT pg_sleep(0.02)"); return err })
		finished := make(chan struct{})
		go func() { defer close(finished); all.Wait() }()
		most := 0
		for done := false; !done; time.Sleep(time.Millisecond) {
			select {
			case <-finished:
				done = true // the pool keeps its connections, so the last count has all of them
			default:
			}
			var n int
			if err := db.SelectRaw("SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND datname = current_database()", application).Scan(t.Context(), &n); err != nil {
				t.Fatal(err)
			}
			most = max(most, n)
		}
		if most == 0 || most > smallPool {
			t.Errorf("the server has %d connections, want at most %d", most, smallPool)
		}
	})
}

// TestInTx_leaves_connections_to_reads holds transactions of 20 workspaces, more than there are
// connections, and reads.
func TestInTx_leaves_connections_to_reads(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		small := openSmall(t, db, "rostrum_reads")
		running := holdTransactions(t, small, 20, func(i int) string { return fmt.Sprint("tenant", i) })
		poll.Until(t, func() bool { return running.Load() >= smallPool/2-1 }, "the transactions do not run")
		ctx, cancel := context.WithTimeout(t.Context(), poll.Patience)
		defer cancel()
		for range 20 {
			if _, err := small.NewSelect().Model((*model.Workspace)(nil)).Count(ctx); err != nil {
				t.Fatalf("a query: %v", err)
			}
			if _, err := dbx.Read[model.Workspace](ctx, small,
				small.NewSelect().Model((*model.Workspace)(nil))); err != nil {
				t.Fatalf("a prepared query: %v", err)
			}
		}
	})
}

// TestInTx_deadlock lets two transactions wait for each other's row. The server ends one, whose
// error says that it may be sent again.
func TestInTx_deadlock(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		for _, id := range []string{"a", "b"} {
			if err := db.InTx(t.Context(), insertWorkspace(id)); err != nil {
				t.Fatal(err)
			}
		}
		var both sync.WaitGroup
		both.Add(2)
		rename := func(ctx context.Context, tx dbx.Tx, id string) error {
			_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("name = 'new'").Where("id = ?", id).Exec(ctx)
			return err
		}
		ended := make(chan error, 2)
		for _, ids := range [][]string{{"a", "b"}, {"b", "a"}} {
			go func() {
				ended <- db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
					err := rename(ctx, tx, ids[0])
					both.Done()
					both.Wait()
					if err != nil {
						return err
					}
					return rename(ctx, tx, ids[1])
				})
			}()
		}
		if err := errors.Join(<-ended, <-ended); !errs.Is(err, errs.Unavailable) {
			t.Errorf("the transactions end with %v, want one unavailable", err)
		}
	})
}
