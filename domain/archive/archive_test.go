package archive_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/archive"
	"rostrum/errs"
	"rostrum/platform/blob"
	"rostrum/platform/job"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
)

// TestRestore_older_schema restores the archive of a database that an earlier release migrated, and then migrates
// it. A database that is migrated further is refused.
func TestRestore_older_schema(t *testing.T) {
	t.Parallel()
	const earlier, later = "20270430000100", "20270440000100"
	for _, from := range dbtest.Backends(t) {
		path := filepath.Join(t.TempDir(), "old.zip")
		db := openEmpty(t, from, earlier)
		if _, err := db.Writer().ExecContext(t.Context(), "INSERT INTO workspace (id, name, plan, is_demo, market_language, default_model, run_limit, runs_used, document_count, created_at, runs_since) VALUES ('wsp_1', 'Old', 'free', false, 'en', 'm', 1, 0, 0, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)"); err != nil {
			t.Fatal(err)
		}
		writeArchive(t, db, path)
		for _, to := range dbtest.Backends(t) {
			t.Run(from.Name+" to "+to.Name, func(t *testing.T) {
				t.Parallel()
				reader, err := archive.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer reader.Close()
				reader.IsUsed = func(context.Context, dbx.Reader) (bool, error) { return false, nil }
				if err := reader.Restore(t.Context(), openEmpty(t, to, later), openFiles(t)); !errs.Is(err, errs.Unavailable) {
					t.Errorf("a database of %s takes an archive of %s: %v", later, earlier, err)
				}
				restored := openEmpty(t, to, "")
				if err := reader.Restore(t.Context(), restored, openFiles(t)); err != nil {
					t.Fatal(err)
				}
				if version, err := restored.SchemaVersion(t.Context()); err != nil || version != earlier {
					t.Errorf("the schema is %s, want %s (%v)", version, earlier, err)
				}
				if _, err := restored.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				var name string
				if err := restored.SelectRaw("SELECT name FROM workspace").Scan(t.Context(), &name); err != nil || name != "Old" {
					t.Errorf("the workspace is %q (%v)", name, err)
				}
			})
		}
	}
}

// openEmpty opens a new database and migrates it up to the named migration; it stays empty without a name.
func openEmpty(t *testing.T, b dbtest.Backend, last string) *dbx.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), b.EmptyAddress(t), slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if last == "" {
		return db
	}
	if _, err := db.MigrateUntil(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return db
}

func openFiles(t *testing.T) *blob.Store {
	t.Helper()
	files, err := blob.Open(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return files
}

func writeArchive(t *testing.T, db *dbx.DB, path string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (archive.Source{DB: db, Files: openFiles(t), Release: "test"}).Write(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
