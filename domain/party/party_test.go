package party_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/party"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// setup returns the service of a database with two workspaces.
func setup(t *testing.T, db *dbx.DB) *party.Service {
	t.Helper()
	for _, id := range []string{"w", "v"} {
		row := &model.Workspace{ID: id, MarketLanguage: "en", CreatedAt: model.Now()}
		if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s := party.New(party.Config{
		DB: db, Accounts: account.New(account.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{})}),
		RecordChange: func(dbx.Tx, string, model.PartyKind, string) {},
	})
	s.AddRows(party.Rows{
		Select:    func(db dbx.Reader) *bun.SelectQuery { return db.NewSelect().Model((*model.Document)(nil)) },
		Update:    func(tx dbx.Tx) *bun.UpdateQuery { return tx.NewUpdate().Model((*model.Document)(nil)) },
		ChangedAt: "updated_at",
	})
	return s
}

// insertNamed stores documents with names and without parties, as the previous release did, and
// returns their ids.
func insertNamed(t *testing.T, db *dbx.DB, workspace string, executives ...string) []string {
	t.Helper()
	ids := make([]string, len(executives))
	for i, name := range executives {
		now := model.Now()
		ids[i] = fmt.Sprint("doc_", workspace, i)
		row := &model.Document{ID: ids[i], WorkspaceID: workspace, Executive: &name, Visibility: model.VisibilityPublic,
			CreatedAt: now, UpdatedAt: now}
		if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// TestBackfill attributes rows without a party once, although two processes run it. It takes the
// most frequent spelling.
func TestBackfill(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		ids := insertNamed(t, db, "w", "ana lima", "Ana Lima", "Ana Lima", "Ana  Lima ", "Raj Menon", " ")
		insertNamed(t, db, "v", "Ana Lima")
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if err := s.Backfill(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		found := map[string]string{}
		for i, id := range ids {
			row := new(model.Document)
			if err := db.NewSelect().Model(row).Where("id = ?", id).Scan(t.Context()); err != nil {
				t.Fatal(err)
			}
			if (row.ExecutiveID == nil) != (i == 5) {
				t.Fatalf("the document of %q has the executive %v", *row.Executive, row.ExecutiveID)
			}
			if row.ExecutiveID != nil {
				found[*row.ExecutiveID] = *row.Executive
			}
		}
		names := map[string]int{}
		for _, name := range found {
			names[name]++
		}
		if len(found) != 2 || names["Ana Lima"] != 1 || names["Raj Menon"] != 1 {
			t.Errorf("the executives are %v", found)
		}
		if n, err := db.NewSelect().Model((*model.Executive)(nil)).Count(t.Context()); err != nil || n != 3 {
			t.Errorf("%d executives in two workspaces, want 3: %v", n, err)
		}
	})
}

// TestBackfill_manyRows attributes more rows of a name than one transaction may. The server
// believes the table to be empty, and its plan for few rows must not take quadratic time.
func TestBackfill_manyRows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		insertMany(t, db, "deleted")
		for _, statement := range []string{"DELETE FROM document", "ANALYZE document"} {
			err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				_, err := tx.NewRaw(statement).Exec(ctx)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		insertMany(t, db, "first")
		insertMany(t, db, "second")
		if err := s.Backfill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := db.NewSelect().Model((*model.Document)(nil)).Where("executive_id IS NULL").
			Count(t.Context()); err != nil || n != 0 {
			t.Errorf("%d documents have no executive: %v", n, err)
		}
	})
}

// insertMany inserts more than half of the rows that one transaction attributes.
func insertMany(t *testing.T, db *dbx.DB, prefix string) {
	t.Helper()
	name, now := "Ana Lima", model.Now()
	rows := make([]*model.Document, party.AttributedRows/2+1)
	for i := range rows {
		rows[i] = &model.Document{
			ID: fmt.Sprint(prefix, "_", i), WorkspaceID: "w", Executive: &name, Visibility: model.VisibilityPublic,
			CreatedAt: now, UpdatedAt: now,
		}
	}
	if _, err := db.NewInsert().Model(&rows).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestAttach_concurrently attributes the same new names in several transactions. Each name gets one
// company.
func TestAttach_concurrently(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		var all sync.WaitGroup
		for i := range 8 {
			names := []string{"Kestrel Foods", "KESTREL foods", fmt.Sprint("Own ", i)}
			all.Go(func() {
				err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
					found, err := s.Attach(ctx, tx, "w", model.PartyKindCompany, names...)
					if err == nil && (len(found) != 3 || found[names[0]] != found[names[1]]) {
						t.Errorf("names stand for %v", found)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n, err := db.NewSelect().Model((*model.Company)(nil)).Count(t.Context()); err != nil || n != 9 {
			t.Errorf("%d companies, want 9: %v", n, err)
		}
	})
}
