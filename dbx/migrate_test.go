package dbx_test

import (
	"context"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
	"rostrum/testkit/dbtest"
)

// TestMigrate_at_two_first_starts opens and migrates one empty database several times at once.
func TestMigrate_at_two_first_starts(t *testing.T) {
	t.Parallel()
	for _, b := range dbtest.Backends(t) {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			address := b.EmptyAddress(t)
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					db, err := dbx.Open(t.Context(), address)
					if err != nil {
						t.Error(err)
						return
					}
					defer db.Close()
					if _, err := db.Migrate(t.Context()); err != nil {
						t.Error(err)
					}
					if err := job.Migrate(t.Context(), db); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		})
	}
}

// TestMigrate_newer_schema adds a migration of a later version to the database.
func TestMigrate_newer_schema(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		if err := db.CheckSchema(t.Context()); err != nil {
			t.Fatal(err)
		}
		addWorkspace(t, db, "before")
		if _, err := db.Writer().ExecContext(t.Context(), "INSERT INTO bun_migrations (name, group_id) VALUES ('29990101000000', 99)"); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Migrate(t.Context()); !errs.Is(err, errs.Unavailable) {
			t.Errorf("a start is not refused: %v", err)
		}
		if err := db.CheckSchema(t.Context()); !errs.Is(err, errs.Unavailable) {
			t.Errorf("the check returns %v", err)
		}
		_, err := db.NewInsert().Model(&model.Workspace{ID: "after", CreatedAt: model.Now()}).Exec(t.Context())
		if got := errs.From(dbx.Err(err)).Code; got != errs.Unavailable {
			t.Errorf("an insert ends with %v", err)
		}
		if err := db.InTx(t.Context(), func(context.Context, dbx.Tx) error { return nil }); !errs.Is(err, errs.Unavailable) {
			t.Errorf("a transaction ends with %v", err)
		}
		if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Count(t.Context()); err != nil || n != 1 {
			t.Errorf("reads %d rows, %v", n, err)
		}
	})
}
