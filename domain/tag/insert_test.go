package tag

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

const insertedDocuments = 120 // a server gets so many rows by COPY

var insertedAt = time.Date(2026, 11, 27, 12, 0, 0, 123000, time.UTC)

// TestInsertRows stores the rows of one auto-tag at once and another's one by one, and compares
// them.
func TestInsertRows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		insertRows(t, db, []*model.Workspace{{ID: "w", MarketLanguage: "en", CreatedAt: insertedAt}})
		for i := range insertedDocuments {
			insertRows(t, db, []*model.Document{{ID: documentName(i), WorkspaceID: "w", Tags: []string{},
				CreatedAt: insertedAt}})
		}
		for _, id := range []string{"many", "few"} {
			insertRows(t, db, []*model.AutoTag{{ID: id, WorkspaceID: "w", Name: id, NameKey: id,
				AllowedValues: []string{}, CreatedAt: insertedAt, UpdatedAt: insertedAt}})
		}
		compareInserts(t, db, func(tag string, i int) *model.AppliedAutoTag {
			row := &model.AppliedAutoTag{
				ID: fmt.Sprint(tag, i), WorkspaceID: "w", AutoTagID: tag, DocumentID: documentName(i),
				ExtractedValue: "Köln\t\\N", Source: model.AutoTagSourceModel,
			}
			if i%2 == 0 {
				row.TagType, row.ConfidenceScore, row.CreatedAt, row.Model = new("topic"), new(0.1), new(insertedAt),
					new("")
				row.Quote, row.Start, row.End, row.ExampleID, row.Similarity = new("\"q\"\n"), new(0), new(7), new("e"),
					new(1.0)
			}
			return row
		}, func(row *model.AppliedAutoTag) { row.ID, row.AutoTagID = "", "" })
		compareInserts(t, db, func(tag string, i int) *model.AutoTagReview {
			row := &model.AutoTagReview{ID: fmt.Sprint(tag, i), WorkspaceID: "w", AutoTagID: tag,
				DocumentID: documentName(i), State: "pending", CreatedAt: insertedAt}
			if i%2 == 0 {
				row.ConfidenceScore, row.Model, row.Quote, row.Start, row.End, row.Similarity = new(0.1), new("m"),
					new(`\.`), new(0), new(7), new(0.0)
			}
			return row
		}, func(row *model.AutoTagReview) { row.ID, row.AutoTagID = "", "" })
		compareInserts(t, db, func(tag string, i int) *model.AutoTagExample {
			row := &model.AutoTagExample{
				ID: fmt.Sprint(tag, i), WorkspaceID: "w", AutoTagID: tag, DocumentID: new(documentName(i)), Value: "v",
				Source: model.AutoTagExampleSourceGiven, AddedAt: insertedAt,
			}
			if i%2 == 0 {
				row.AddedBy, row.Snippet = new("u"), "s"
			}
			return row
		}, func(row *model.AutoTagExample) { row.ID, row.AutoTagID = "", "" })
	})
}

func documentName(i int) string { return fmt.Sprintf("doc_%03d", i) }

func insertRows[T any](t *testing.T, db *dbx.DB, rows []*T) {
	t.Helper()
	if err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return dbx.InsertRows(ctx, tx, rows)
	}); err != nil {
		t.Fatal(err)
	}
}

// compareInserts stores a row per document for both auto-tags and compares what is stored, without
// the values that reset removes.
func compareInserts[T any](t *testing.T, db *dbx.DB, newRow func(tag string, i int) *T, reset func(*T)) {
	t.Helper()
	var many []*T
	for i := range insertedDocuments {
		many = append(many, newRow("many", i))
		insertRows(t, db, []*T{newRow("few", i)})
	}
	insertRows(t, db, many)
	stored := func(tag string) (rows []*T) {
		if err := db.NewSelect().Model(&rows).Where("auto_tag_id = ?", tag).Order("document_id").
			Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			reset(row)
		}
		return rows
	}
	got, want := stored("many"), stored("few")
	if len(got) != insertedDocuments || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows of one statement differ from %d rows of a statement each", len(got), len(want))
	}
}
