package dbx_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// rowsOfEvents returns n events of a workspace. Every second one has only the required values.
func rowsOfEvents(workspaceID string, n int) []*model.Event {
	rows := make([]*model.Event, n)
	for i := range rows {
		link := "lnk_1"
		rows[i] = &model.Event{
			ID: fmt.Sprint("evt_", workspaceID, i), WorkspaceID: workspaceID, Position: int64(i) + 1,
			Event:     model.EventLinkOpened,
			Timestamp: time.Date(2026, 11, 27, 12, 0, 0, i*1000, time.UTC),
		}
		if i%2 == 0 {
			rows[i].LinkID, rows[i].SubjectID = &link, &rows[i].ID
			rows[i].Link = &model.LinkSummary{ID: link, Slug: "s", Title: "T\t\"<b>\\N\n"}
			rows[i].Viewer, rows[i].Data = json.RawMessage(`{"city":"Köln"}`), json.RawMessage(`[1, null]`)
		}
	}
	return rows
}

// TestInsertRows stores few and many rows alike, which a server gets by different statements.
func TestInsertRows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		insert := func(rows []*model.Event) error {
			return db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				return dbx.InsertRows(ctx, tx, rows)
			})
		}
		stored := func(workspaceID string) (rows []*model.Event) {
			if err := db.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Order("position").
				Scan(t.Context()); err != nil {
				t.Fatal(err)
			}
			return rows
		}
		for _, id := range []string{"many", "few", "again"} {
			if _, err := db.NewInsert().Model(&model.Workspace{ID: id, MarketLanguage: "en", CreatedAt: model.Now()}).
				Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		many := rowsOfEvents("many", 200)
		if err := insert(many); err != nil {
			t.Fatal(err)
		}
		for _, row := range rowsOfEvents("few", len(many)) {
			if err := insert([]*model.Event{row}); err != nil {
				t.Fatal(err)
			}
		}
		got, want := stored("many"), stored("few")
		if len(got) != len(many) || len(want) != len(many) {
			t.Fatalf("%d and %d rows, want %d", len(got), len(want), len(many))
		}
		for i := range got {
			want[i].ID, want[i].WorkspaceID = got[i].ID, got[i].WorkspaceID
			if want[i].SubjectID != nil {
				want[i].SubjectID = &got[i].ID
			}
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("one of many is\n%+v, by itself\n%+v", got[i], want[i])
			}
		}
		again := append(rowsOfEvents("again", 100), many[0])
		if err := insert(again); !errs.Is(err, errs.Conflict) {
			t.Errorf("a row that is stored already: %v", err)
		}
		if rows := stored("again"); len(rows) != 0 {
			t.Errorf("%d rows beside one that is stored already", len(rows))
		}
	})
}

// TestInsertRows_null stores rows whose JSON is absent, which is NULL however many there are.
func TestInsertRows_null(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		if err := db.InTx(t.Context(), insertWorkspace("w")); err != nil {
			t.Fatal(err)
		}
		rows := make([]*model.Source, 200)
		for i := range rows {
			rows[i] = &model.Source{ID: fmt.Sprint("src_", i), WorkspaceID: "w", Kind: model.SourceKindFeed, URL: fmt.Sprint("https://a.example/", i),
				Visibility: model.VisibilityPublic, TitleIncludes: []string{}, TitleExcludes: []string{}, Tags: []string{}, CreatedAt: model.Now()}
		}
		if err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return dbx.InsertRows(ctx, tx, rows) }); err != nil {
			t.Fatal(err)
		}
		n, err := db.NewSelect().Model((*model.Source)(nil)).Where("mailbox IS NULL AND last_error IS NULL").Count(t.Context())
		if err != nil || int(n) != len(rows) {
			t.Errorf("%d of %d rows have no value (%v)", n, len(rows), err)
		}
	})
}
