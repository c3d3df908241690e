package dbx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
)

func addWorkspace(t *testing.T, db *dbx.DB, id string) {
	t.Helper()
	if _, err := db.NewInsert().Model(&model.Workspace{ID: id, CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestInTx(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		boom := errors.New("boom")
		err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			if _, err := tx.NewInsert().Model(&model.Workspace{ID: "w1", CreatedAt: model.Now()}).
				Exec(ctx); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) {
			t.Fatalf("InTx returned %v, want the function's own error", err)
		}
		if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Count(t.Context()); err != nil || n != 0 {
			t.Fatalf("%d rows after a rollback, error %v", n, err)
		}
	})
}

// TestInTx_does_not_block_readers checks that waiting writers take no connections from readers.
func TestInTx_does_not_block_readers(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w0")
		var writers sync.WaitGroup
		holding, release := make(chan struct{}), make(chan struct{})
		writers.Go(func() {
			if err := db.InTx(t.Context(), func(context.Context, dbx.Tx) error {
				close(holding)
				<-release
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
		<-holding
		for i := range 50 {
			writers.Go(func() { addWorkspace(t, db, fmt.Sprint("w", i+1)) })
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		for began := time.Now(); time.Since(began) < 300*time.Millisecond; { // until the writers wait for the lock
			if there, err := db.NewSelect().Model((*model.Workspace)(nil)).Where("id = 'w0'").Exists(ctx); err != nil ||
				!there {
				t.Fatal("a reader waits for the writers", err)
			}
		}
		close(release)
		writers.Wait()
		if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Count(t.Context()); n != 51 || err != nil {
			t.Errorf("%d rows were written (%v)", n, err)
		}
	})
}

func TestAfterCommit(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		boom := errors.New("boom")
		for _, end := range []error{nil, boom} {
			runs := 0
			err := db.InTx(t.Context(), func(_ context.Context, tx dbx.Tx) error {
				tx.AfterCommit(func() { runs++ })
				if runs != 0 {
					t.Error("the hook ran before the commit")
				}
				return end
			})
			if want := map[error]int{nil: 1, boom: 0}[end]; runs != want || !errors.Is(err, end) {
				t.Errorf("the hook ran %d times after %v, want %d (%v)", runs, end, want, err)
			}
		}
	})
}

func TestErr(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w1")
		_, err := db.NewInsert().Model(&model.Workspace{ID: "w1", CreatedAt: model.Now()}).Exec(t.Context())
		if got := errs.From(dbx.Err(err)).Code; got != errs.Conflict {
			t.Errorf("a second row of one id is %s, want conflict (%v)", got, err)
		}
		err = db.NewSelect().Model(new(model.Workspace)).Where("id = ?", "nobody").Scan(t.Context())
		if got := errs.From(dbx.Err(err)).Code; got != errs.NotFound {
			t.Errorf("no row is %s, want not_found", got)
		}
	})
}

// TestErr_disconnected closes connections before and while a statement runs.
func TestErr_disconnected(t *testing.T) {
	dbtest.SkipPooled(t)
	for _, b := range dbtest.Backends(t) {
		if b.Name != "postgres" {
			continue
		}
		config, err := pgxpool.ParseConfig(b.EmptyAddress(t))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.ConnectConfig(t.Context(), config.ConnConfig)
		if err != nil {
			t.Fatal(err)
		}
		_, ended := conn.Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())")
		_, closed := conn.Exec(t.Context(), "SELECT 1")
		for _, err := range []error{ended, closed, fmt.Errorf("read: %w", io.ErrUnexpectedEOF)} {
			if got := errs.From(dbx.Err(err)).Code; got != errs.Unavailable {
				t.Errorf("%v is %s, want unavailable", err, got)
			}
		}
	}
}

// TestInTx_idle checks that the transaction of a stopped process loses its locks. Its error may be
// retried.
func TestInTx_idle(t *testing.T) {
	dbtest.SkipPooled(t)
	for _, b := range dbtest.Backends(t) {
		if b.Name != "postgres" {
			continue
		}
		address, err := url.Parse(b.Address(t))
		if err != nil {
			t.Fatal(err)
		}
		query := address.Query()
		query.Set("idle_in_transaction_session_timeout", "200ms")
		address.RawQuery = query.Encode()
		db, err := dbx.Open(t.Context(), address.String(), slot.New)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		addWorkspace(t, db, "w1")
		rename := func(ctx context.Context, tx dbx.Tx) error {
			_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("name = 'x'").Where("id = 'w1'").Exec(ctx)
			return err
		}
		err = db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			if err := rename(ctx, tx); err != nil {
				return err
			}
			// waits for the row until the server ends this transaction
			if err := db.InTx(t.Context(), rename); err != nil {
				t.Errorf("the row stays locked: %v", err)
			}
			return rename(ctx, tx)
		})
		if got := errs.From(err).Code; got != errs.Unavailable {
			t.Errorf("the idle transaction ended with %v, want unavailable", err)
		}
	}
}

func TestSearch(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w1")
		text := "Ines Okafor spoke about tidal power"
		doc := &model.Document{ID: "d1", WorkspaceID: "w1", Title: "Tidewall", Content: &text, Tags: []string{"energy"},
			CreatedAt: model.Now()}
		if _, err := db.NewInsert().Model(doc).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		indexed := dbx.IndexedText{ID: "d1", WorkspaceID: "w1", Version: "1", Title: []string{"tidewall"},
			Content: strings.Fields(strings.ToLower(text))}
		if err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			return db.IndexText(ctx, tx, "document", indexed)
		}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			match dbx.Match
			want  int64
		}{
			{dbx.Match{Words: [][]string{{"tidal"}, {"wind", "power"}}}, 1},
			{dbx.Match{Words: [][]string{{"power"}, {"tidal"}}}, 0},
			{dbx.Match{Words: [][]string{{"tid"}}}, 0},
			{dbx.Match{Words: [][]string{{"tid"}}, Prefix: true}, 1},
			{dbx.Match{Words: [][]string{{"tidal"}}, InTitle: true}, 0},
			{dbx.Match{Words: [][]string{{"tidewall"}, {"ines"}}}, 0}, // the title and the text are apart
			{dbx.Match{Any: []dbx.Match{{Words: [][]string{{`x" OR '`}}}, {Words: [][]string{{"ines"}}}}}, 1},
		} {
			q := db.NewSelect().Model((*model.Document)(nil)).Where("?", db.Matched("document", "w1", c.match))
			if n, err := q.Count(t.Context()); err != nil || n != c.want {
				t.Errorf("%+v matches %d, want %d, error %v", c.match, n, c.want, err)
			}
		}
		for tag, want := range map[string]int64{"energy": 1, "ener": 0} {
			q := db.Containing(db.NewSelect().Model((*model.Document)(nil)), "tags", tag)
			if n, err := q.Count(t.Context()); err != nil || n != want {
				t.Errorf("tag %q on %d, want %d, error %v", tag, n, want, err)
			}
			without := db.Lacking(db.NewSelect().Model((*model.Document)(nil)), "tags", tag)
			if n, err := without.Count(t.Context()); err != nil || n != 1-want {
				t.Errorf("%d without the tag %q, want %d, error %v", n, tag, 1-want, err)
			}
		}
	})
}

func TestOpen_too_few_connections(t *testing.T) {
	_, err := dbx.Open(t.Context(), "postgres://postgres@127.0.0.1:1/none?pool_max_conns=7", slot.New)
	if want := "open database: pool_max_conns is 7: at least 8 connections are needed"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOpen_path_with_uri_characters(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a#b%20c?d")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "rostrum.db")
	db, err := dbx.Open(t.Context(), path, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file is not at the given path: %v", err)
	}
}
