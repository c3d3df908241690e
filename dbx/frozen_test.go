package dbx_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/proxy"
)

// openThrough opens the database again through a proxy.
func openThrough(t *testing.T, db *dbx.DB) (*dbx.DB, *proxy.Proxy) {
	t.Helper()
	var server *proxy.Proxy
	again := openAgain(t, databaseName(t, db), func(address *url.URL, _ url.Values) {
		host := address.Host
		if address.Port() == "" {
			host = net.JoinHostPort(address.Hostname(), "5432")
		}
		var err error
		if server, err = proxy.New(host); err != nil {
			t.Fatal(err)
		}
		address.Host = server.Address()
	})
	t.Cleanup(server.Close)
	return again, server
}

// returned returns the error of a call, which must return although the server is frozen.
func returned(t *testing.T, call func() error) error {
	t.Helper()
	result := make(chan error, 1)
	go func() { result <- call() }()
	select {
	case err := <-result:
		return err
	case <-time.After(poll.Patience):
		t.Fatal("a transaction waits for ever for a server that answers nothing")
		return nil
	}
}

// insertWorkspace returns the work of a transaction that stores a workspace.
func insertWorkspace(id string) func(context.Context, dbx.Tx) error {
	return func(ctx context.Context, tx dbx.Tx) error {
		_, err := tx.NewInsert().Model(&model.Workspace{ID: id, Name: id, CreatedAt: model.Now()}).Exec(ctx)
		return dbx.Err(err)
	}
}

// TestInTx_frozen begins and commits transactions on a server that answers nothing.
func TestInTx_frozen(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		again, server := openThrough(t, db)
		if err := again.InTx(t.Context(), insertWorkspace("before")); err != nil {
			t.Fatal(err)
		}
		server.Freeze()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := returned(t, func() error { return again.InTx(ctx, insertWorkspace("begin")) }); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("a transaction that cannot begin: %v", err)
		}
		server.Thaw()
		// for this commit alone, as any other may take longer on a slow machine
		again.SetCommitWait(100 * time.Millisecond)
		err := returned(t, func() error {
			return again.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				err := insertWorkspace("commit")(ctx, tx)
				server.Freeze()
				return err
			})
		})
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("a commit that the server does not confirm: %v", err)
		}
		server.Thaw()
		again.SetCommitWait(poll.Patience)
		if err := again.InTx(t.Context(), insertWorkspace("after")); err != nil {
			t.Errorf("a transaction afterwards: %v", err)
		}
		found, err := db.NewSelect().Model((*model.Workspace)(nil)).Where("id = 'begin'").Count(t.Context())
		if err != nil || found != 0 {
			t.Errorf("the transaction that did not begin stored %d rows, %v", found, err)
		}
	})
}

// TestInTx_cut loses the connection while the server commits. The caller learns that the
// transaction may have been committed, as it was.
func TestInTx_cut(t *testing.T) {
	const lock = 7
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		for _, statement := range []string{
			`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$`,
			`CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON workspace DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_test()`,
		} {
			if _, err := db.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		again, server := openThrough(t, db)
		err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(?)", lock); err != nil {
				return err
			}
			committed := make(chan error, 1)
			go func() { committed <- again.InTx(t.Context(), insertWorkspace("cut")) }()
			poll.Until(t, func() bool {
				var waiting int
				err := db.NewSelect().TableExpr("pg_locks").ColumnExpr("count(*)").
					Where("locktype = 'advisory' AND NOT granted AND objid = ? AND database = (SELECT oid FROM pg_database WHERE datname = current_database())", lock).
					Scan(ctx, &waiting)
				return err == nil && waiting == 1
			}, "the commit does not wait for the lock")
			server.Close() // also to the driver's request to cancel the commit
			err := <-committed
			if !errs.Is(err, errs.Unavailable) || !dbx.IsUnconfirmed(err) {
				t.Errorf("a commit on a lost connection: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		poll.Until(t, func() bool {
			found, err := db.NewSelect().Model((*model.Workspace)(nil)).Where("id = 'cut'").Count(t.Context())
			return err == nil && found == 1
		}, "the transaction is not committed")
	})
}
