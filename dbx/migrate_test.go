package dbx_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
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
					db, err := dbx.Open(t.Context(), address, slot.New)
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
		if _, err := db.Writer().ExecContext(t.Context(),
			"INSERT INTO bun_migrations (name, group_id) VALUES ('29990101000000', 99)"); err != nil {
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
		if err := db.InTx(t.Context(), func(context.Context, dbx.Tx) error { return nil }); !errs.Is(err,
			errs.Unavailable) {
			t.Errorf("a transaction ends with %v", err)
		}
		if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Count(t.Context()); err != nil || n != 1 {
			t.Errorf("reads %d rows, %v", n, err)
		}
	})
}

// lastFreeMigration is the last migration that could also contract the schema. Later ones only
// expand it.
const lastFreeMigration = "20261129000200_webhook_names"

// contractions maps each later migration that removes something from the schema to the first
// release that did not use it.
var contractions = map[string]string{
	// only of a file, which one process has
	"20270101000100_search": "no release shares a file with the one before"}

// contraction matches statements that make the rows or statements of the release before invalid.
var contraction = regexp.MustCompile(`(?is)\bDROP\s+(TABLE|COLUMN|VIEW)\b|\bALTER\s+TABLE\s+\S+\s+DROP\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b|\bADD\s+(CONSTRAINT|CHECK)\b`)

// requiredColumn matches a new column that the release before would have to set.
var requiredColumn = regexp.MustCompile(`(?is)\bADD\s+(COLUMN\s+)?\S+\s+[^,]*\bNOT\s+NULL\b`)

// contracts reports whether a statement does more than expand the schema.
func contracts(statement string) bool {
	return contraction.MatchString(statement) || requiredColumn.MatchString(statement) &&
		!strings.Contains(strings.ToUpper(statement), "DEFAULT")
}

// TestMigrations_expand checks that the release before can use the schema after every migration.
func TestMigrations_expand(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]bool{
		"ALTER TABLE a ADD COLUMN b text":                     false,
		"ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT ''": false,
		"CREATE TABLE a (b text NOT NULL)":                    false,
		"DROP INDEX a":                                        false,
		"alter table a add column b text not null":            true,
		"DROP TABLE a":                                        true,
		"ALTER TABLE a DROP COLUMN b":                         true,
		"ALTER TABLE a\nDROP b":                               true,
		"ALTER TABLE a RENAME COLUMN b TO c":                  true,
		"ALTER TABLE a ALTER COLUMN b SET NOT NULL":           true,
		"ALTER TABLE a ALTER COLUMN b TYPE text":              true,
		"ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)":        true,
	} {
		if got := contracts(statement); got != want {
			t.Errorf("%q contracts the schema: %t, want %t", statement, got, want)
		}
	}
	paths, err := filepath.Glob("migrations/*.up.sql")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".tx.up.sql")
		if name <= lastFreeMigration || contractions[name] != "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.SplitSeq(withoutComments(string(text)), ";") {
			if contracts(statement) {
				t.Errorf("%s contracts the schema, which the release before still uses; list it with the release that does not: %s", name, strings.TrimSpace(statement))
			}
		}
	}
}

// withoutComments returns SQL text without its lines of comments.
func withoutComments(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			out.WriteString(line)
		}
	}
	return out.String()
}
