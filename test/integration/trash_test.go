package integration

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/audience"
	"rostrum/domain/executive"
	"rostrum/domain/tag"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/dbtest"
)

// updatedTime finds what a restored document has anew.
var updatedTime = regexp.MustCompile(`"updatedAt":"[^"]*"`)

// TestTrash_brings_everything_back deletes and restores a document with rows of every kind: each
// field of it is what it was.
func TestTrash_brings_everything_back(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		rows := newScreenRows(t, a, a.OpenDB(t), "Mine")
		rows.add()
		rows.index()
		id := rows.ids[model.DocumentPrefix]
		a.Do(t, http.MethodPatch, "/api/v1/documents/"+id, nil, `{"visibility": "internal"}`)
		before := walkDocument(t, a, id)
		for _, kind := range []string{model.ReactionPrefix, model.SignalPrefix, model.AppliedPrefix, model.TextPrefix} {
			if !strings.Contains(before, `"`+kind+"_") {
				t.Fatalf("the document has no %s: %s", kind, before)
			}
		}
		for _, call := range [][2]string{{http.MethodDelete, ""}, {http.MethodPost, "/restore"}} {
			if answer := a.Do(t, call[0], "/api/v1/documents/"+id+call[1], nil, ""); answer.Status >= 300 {
				t.Fatalf("%s %s: %d %s", call[0], call[1], answer.Status, answer.Body)
			}
		}
		if after := walkDocument(t, a, id); after != before {
			t.Errorf("before it was deleted:\n%s\nafter it was restored:\n%s", before, after)
		}
	})
}

// walkDocument returns every field of a document and of the rows in it.
func walkDocument(t *testing.T, a *kit.App, id string) string {
	t.Helper()
	schema := graph.Schema()
	var walked strings.Builder
	for _, field := range schema.Types["Document"].Fields {
		selection, ok := fieldText(schema, field, walkDepth)
		if !ok || slices.Contains([]string{"workspace", "executive", "__typename"}, field.Name) { // they tell times and sums
			continue
		}
		walked.Write(walkField(t, a, schema.Types["Document"], field, selection, []string{id}))
		walked.WriteByte('\n')
	}
	return updatedTime.ReplaceAllString(walked.String(), "")
}

// TestTrash_knows_every_table compares the tables whose rows are deleted with a document with those
// that are kept.
func TestTrash_knows_every_table(t *testing.T) {
	// made anew from the restored text, tags and filters
	derived := []string{"document_hidden", "document_index", "passage", "passage_set"}
	known := append(derived, "document_version")
	for _, table := range slices.Concat(tag.DocumentTables, audience.DocumentTables, executive.DocumentTables) {
		known = append(known, table.Name)
	}
	slices.Sort(known)
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var found []string
		for next := []string{"document"}; len(next) > 0; next = next[1:] {
			for _, table := range cascadingFrom(t, db, next[0]) {
				if !slices.Contains(found, table) {
					found, next = append(found, table), append(next, table)
				}
			}
		}
		if slices.Sort(found); !slices.Equal(found, known) {
			t.Errorf("deleted with a document are the rows of\n%v\nknown are\n%v", found, known)
		}
	})
}

// cascadingFrom returns the tables whose rows are deleted with those of a table.
func cascadingFrom(t *testing.T, db *dbx.DB, table string) (names []string) {
	t.Helper()
	q := `SELECT m.name FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
		WHERE m.type = 'table' AND f."table" = ? AND f.on_delete = 'CASCADE'`
	if !db.InProcess() {
		q = `SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'
			AND confrelid = ?::regclass AND connamespace = current_schema()::regnamespace`
	}
	if err := db.SelectRaw(q, table).Scan(t.Context(), &names); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", table, err))
	}
	return names
}
