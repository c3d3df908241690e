package document_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// allFacets are the names of the facets.
var allFacets = []string{"autoTags", "communicationTypes", "companies", "executives", "languages", "states"}

// checkFacets compares kept counts with the documents: in the rows, and in facets with a filter
// that matches all.
func (b *facetBundle) checkFacets(t *testing.T, after string) {
	t.Helper()
	for _, d := range b.facetDifferences(t) {
		t.Errorf("after %s %s is %d, want %d", after, d.Subject, d.Stored, d.Counted)
	}
	every := &api.DocumentFilter{States: graphql.OmittableOf([]model.DocumentState{
		model.DocumentStateProcessing, model.DocumentStateFailed, model.DocumentStateReady, model.DocumentStateHidden,
	})}
	for name, read := range map[string]facetReader{
		"documents": func(f *api.DocumentFilter) (*api.DocumentFacets,
			error) {
			return b.Facets(b.ctx, f, allFacets...)
		},
		"communications": func(f *api.DocumentFilter) (*api.DocumentFacets, error) {
			return b.CommunicationFacets(b.ctx, f, false, allFacets...)
		},
		"all of them": func(f *api.DocumentFilter) (*api.DocumentFacets, error) {
			return b.CommunicationFacets(b.ctx, f, true, allFacets...)
		},
	} {
		kept, counted := facetText(t, read, nil), facetText(t, read, every)
		if kept != counted {
			t.Errorf("after %s the facets of %s are\n%s\nwant\n%s", after, name, kept, counted)
		}
	}
}

// checkSelections reads some of the facets.
func (b *facetBundle) checkSelections(t *testing.T) {
	t.Helper()
	all, err := b.Facets(b.ctx, nil, allFacets...)
	if err != nil || len(all.States) < 2 {
		t.Fatalf("facets are %+v (%v)", all, err)
	}
	states, err := b.Facets(b.ctx, nil, "states", "states")
	if err != nil || !reflect.DeepEqual(states.States, all.States) || len(states.Companies)+len(states.AutoTags) > 0 {
		t.Errorf("states are %+v (%v)", states, err)
	}
	if none, err := b.Facets(b.ctx, nil, "unknown"); err != nil || len(none.Companies)+len(none.States) > 0 {
		t.Errorf("an unknown facet is %+v (%v)", none, err)
	}
}

// facetReader reads facets with a filter.
type facetReader func(*api.DocumentFilter) (*api.DocumentFacets, error)

func facetText(t *testing.T, read facetReader, filter *api.DocumentFilter) string {
	t.Helper()
	facets, err := read(filter)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(facets)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// facetDifferences returns the kept counts that are wrong.
func (b *facetBundle) facetDifferences(t *testing.T) []*model.CountDifference {
	t.Helper()
	found, err := b.Recount(b.ctx, b.workspaceID, false)
	if err != nil {
		t.Error(err)
	}
	return slices.DeleteFunc(found, func(d *model.CountDifference) bool {
		return !strings.HasPrefix(d.Subject, "document_facet ")
	})
}

// TestFacets_kept makes random changes and compares the kept counts with the documents after each.
func TestFacets_kept(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		ours, theirs := newFacetBundle(t, db, "ours", seed), newFacetBundle(t, db, "theirs", seed+1)
		seen := map[string]int{}
		for i := range 150 {
			steps := singleSteps
			if i%3 == 2 {
				steps = manySteps
			}
			name, err := ours.runStep(steps)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if seen[name]++; i%10 == 0 {
				_, err = theirs.runStep(singleSteps)
			}
			if err != nil {
				t.Fatal(err)
			}
			if ours.checkFacets(t, name); t.Failed() {
				return
			}
		}
		t.Log(seen)
		ours.checkSelections(t)
		theirs.checkFacets(t, "changes of another workspace")
		ours.checkCorrection(t)
		ours.checkDeletion(t)
		theirs.checkFacets(t, "the deletion of another workspace")
	})
}

// checkCorrection makes kept counts wrong and corrects them.
func (b *facetBundle) checkCorrection(t *testing.T) {
	t.Helper()
	if _, err := b.db.Writer().ExecContext(b.ctx, "UPDATE document_facet SET change = change + 1 WHERE workspace_id = 'ours' AND facet = 'companies'"); err != nil {
		t.Fatal(err)
	}
	wrong := b.facetDifferences(t)
	if len(wrong) == 0 {
		t.Error("no wrong count is found")
	}
	if found, err := b.Recount(b.ctx, b.workspaceID, true); err != nil || len(found) < len(wrong) {
		t.Errorf("%d of %d wrong counts are corrected (%v)", len(found), len(wrong), err)
	}
	b.checkFacets(t, "the correction")
}

// checkDeletion deletes the workspace and its counts, also a count that a concurrent addition left.
func (b *facetBundle) checkDeletion(t *testing.T) {
	t.Helper()
	left := func() int {
		n, err := b.db.NewSelect().Table("document_facet").Where("workspace_id = ?", b.workspaceID).Count(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	if left() == 0 {
		t.Error("the workspace has no counts")
	}
	if _, err := b.db.NewDelete().Model((*model.Workspace)(nil)).Where("id = ?", b.workspaceID).
		Exec(b.ctx); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != 0 {
		t.Errorf("%d rows of a deleted workspace are left", n)
	}
	const late = "INSERT INTO document_facet (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, is_sum, change) VALUES ('ours', 'states', '', '', 'ready', FALSE, FALSE, TRUE, 1)"
	if _, err := b.db.Writer().ExecContext(b.ctx, late); err != nil {
		t.Fatal(err)
	}
	if err := b.FoldFacets(b.ctx, 1000); err != nil || left() != 0 {
		t.Errorf("%d rows of a workspace that does not exist are left (%v)", left(), err)
	}
}

// TestFacets_concurrent changes documents in several transactions while two processes replace
// changes by sums. No reader may find a wrong count.
func TestFacets_concurrent(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		b := newFacetBundle(t, db, "w", seed)
		for range 12 {
			if err := singleSteps["create"](b, ""); err != nil {
				t.Fatal(err)
			}
		}
		var writers, others sync.WaitGroup
		var isDone atomic.Bool
		for i := range 4 {
			own := b.with(seed + uint64(i))
			writers.Go(func() {
				for range 80 {
					if name, err := own.runStep(singleSteps); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
		for range 2 {
			others.Go(func() {
				for !isDone.Load() {
					if err := b.FoldFacets(b.ctx, 1); err != nil {
						t.Errorf("fold: %v", err)
						return
					}
				}
			})
		}
		others.Go(func() {
			for !isDone.Load() {
				for _, d := range b.facetDifferences(t) {
					t.Errorf("at the same time %s is %d, want %d", d.Subject, d.Stored, d.Counted)
				}
			}
		})
		writers.Wait()
		isDone.Store(true)
		others.Wait()
		b.checkFacets(t, "concurrent changes")
		if err := manySteps["fold"](b, ""); err != nil {
			t.Error(err)
		}
		b.checkFacets(t, "the last addition")
	})
}

// TestFacets_hiding adds a value to a document while another transaction hides it.
func TestFacets_hiding(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := newFacetBundle(t, db, "w", 1)
		id, added := b.createDocument(t, "T"), make(chan error, 1)
		value := b.newValue(id)
		value.TagType = nil
		err := db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			if _, err := tx.NewUpdate().Table("document").Set("hidden = ?", true).Where("id = ?", id).
				Exec(ctx); err != nil {
				return err
			}
			go func() {
				_, err := db.NewInsert().Model(value).Exec(b.ctx)
				added <- err
			}()
			if !db.InProcess() { // a file has one writer
				// a value that did not wait would be counted among the documents that are shown
				dbtest.AwaitLockedStatement(t, db)
			}
			return nil
		})
		if err := errors.Join(err, <-added); err != nil {
			t.Fatal(err)
		}
		b.checkFacets(t, "a value of a hidden document")
	})
}

// TestFacets_migration counts the documents of a database without counts while others are stored.
func TestFacets_migration(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := newFacetBundle(t, db, "w", 1)
		b.removeCounts(t)
		for range 5 {
			for _, step := range []string{"insert many", "add many values"} {
				if err := manySteps[step](b, ""); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := b.runStep(map[string]facetStep{"hide": singleSteps["hide"]}); err != nil {
				t.Fatal(err)
			}
		}
		started, ended := make(chan struct{}), make(chan error, 1)
		own := b.with(2)
		go func() {
			for i := range 60 {
				if i == 10 {
					close(started)
				}
				if _, err := own.runStep(singleSteps); err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
		<-started
		if steps, err := db.Migrate(t.Context()); err != nil || len(steps) != 1 {
			t.Fatalf("migrations %v (%v)", steps, err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		b.checkFacets(t, "the migration")
	})
}

// removeCounts undoes the migration.
func (b *facetBundle) removeCounts(t *testing.T) {
	t.Helper()
	statements := []string{"DROP TABLE document_facet", "DELETE FROM bun_migrations WHERE name = '20261224000100'"}
	for _, trigger := range []string{"insert", "update", "delete", "tag_insert", "tag_update", "tag_delete",
		"workspace_delete"} {
		drop := "DROP TRIGGER document_facet_" + trigger
		if !b.db.InProcess() {
			table := map[string]string{"tag": "document_auto_tag",
				"workspace": "workspace"}[strings.Split(trigger, "_")[0]]
			drop += " ON " + cmp.Or(table, "document")
		}
		statements = append([]string{drop}, statements...)
	}
	if !b.db.InProcess() {
		for _, function := range []string{"inserted_document", "updated_document", "deleted_document", "inserted_tags",
			"updated_tag", "deleted_tags"} {
			statements = append(statements, "DROP FUNCTION append_"+function+"()")
		}
		statements = append(statements, "DROP FUNCTION delete_workspace_facets()")
	}
	for _, statement := range statements {
		if _, err := b.db.Writer().ExecContext(b.ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
