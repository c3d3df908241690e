package dbx_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

func nestedDocuments(order dbx.Order) dbx.Nested[model.Document] {
	list := documentList(order)
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("title = ?", "Title") }
	return dbx.Nested[model.Document]{List: list, Parent: "workspace_id"}
}

// TestNested_pages_equal_single_lists reads three parents' pages together and each list alone, in
// both directions.
func TestNested_pages_equal_single_lists(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		parents := []string{"w", "none", "v", "w"}
		for id, n := range map[string]int{"v": 7, "w": 25, "other": 3} {
			addWorkspace(t, db, id)
			addDocuments(t, db, id, n)
		}
		for _, order := range listOrders {
			nested, single := nestedDocuments(order), documentList(order)
			middle := mustPage(t, db, single, model.PageArgs{First: new(9)}).PageInfo().EndCursor
			for _, args := range []model.PageArgs{
				{First: new(10)}, {First: new(7)}, {Last: new(4)}, {First: new(5), After: middle},
				{Last: new(5), Before: middle},
			} {
				pages, err := nested.Pages(t.Context(), db, parents, args)
				if err != nil || len(pages) != len(parents) {
					t.Fatalf("%d pages, %v", len(pages), err)
				}
				for i, parent := range parents {
					single.Where = func(q *bun.SelectQuery) *bun.SelectQuery {
						return q.Where("workspace_id = ?", parent)
					}
					want := mustPage(t, db, single, args)
					if got := idsOf(pages[i]); !slices.Equal(got, idsOf(want)) || pages[i].Before != want.Before ||
						pages[i].Behind != want.Behind {
						t.Errorf("%+v of %s in the order of %s: %v, %t, %t; want %v, %t, %t",
							args, parent, order.Column, got, pages[i].Before, pages[i].Behind, idsOf(want), want.Before,
							want.Behind)
					}
				}
			}
		}
	})
}

func idsOf(page *model.Connection[model.Document]) []string {
	ids := []string{}
	for _, d := range page.Nodes {
		ids = append(ids, d.ID)
	}
	return ids
}

// TestNested_statements counts the statements of all parents' pages and totals.
func TestNested_statements(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		want := map[string]int{"v": 3, "w": 8, "none": 0}
		for _, id := range []string{"v", "w"} {
			addWorkspace(t, db, id)
			addDocuments(t, db, id, want[id])
		}
		ctx, statements := dbx.WithCounter(t.Context())
		parents := []string{"v", "w", "none", "w"}
		for _, args := range []model.PageArgs{{First: new(2)}, {First: new(2), WithoutRows: true}} {
			before := statements.Load()
			pages, err := nestedDocuments(listOrders[0]).Pages(ctx, db, parents, args)
			if err != nil {
				t.Fatal(err)
			}
			for i, parent := range parents {
				if n, err := pages[i].TotalCount(ctx); n != want[parent] || err != nil {
					t.Errorf("the total of %s is %d (%v), want %d", parent, n, err, want[parent])
				}
			}
			wanted := int64(2)
			if args.WithoutRows {
				wanted = 1
			}
			if n := statements.Load() - before; n != wanted {
				t.Errorf("%+v: %d statements, want %d", args, n, wanted)
			}
		}
	})
}

// TestNested_texts reads the long texts of nested pages.
func TestNested_texts(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		addDocuments(t, db, "w", 2)
		nested := nestedDocuments(listOrders[0])
		nested.Text, nested.Columns = "content", []string{"content"}
		pages, err := nested.Pages(t.Context(), db, []string{"w"}, model.PageArgs{})
		if err != nil || len(pages[0].Nodes) != 2 {
			t.Errorf("%v, %v", pages, err)
		}
		if _, err := nested.Pages(t.Context(), db, []string{"w"}, model.PageArgs{After: new("?")}); err == nil {
			t.Error("a cursor of another list is accepted")
		}
	})
}

// TestTexts_of_several_rows reads rows with texts of exactly the largest total, and with more.
func TestTexts_of_several_rows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		addDocuments(t, db, "w", 2)
		nested := nestedDocuments(listOrders[0])
		nested.Text, nested.Columns = "content", []string{"content"}
		for size, fits := range map[int]bool{dbx.MaxPageText / 2: true, dbx.MaxPageText/2 + 1: false} {
			if _, err := db.NewUpdate().Table("document").Set("content = ?", strings.Repeat("x", size)).
				Where("workspace_id = 'w'").Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
			pages, err := nested.Pages(t.Context(), db, []string{"w"}, model.PageArgs{})
			if fits && (err != nil || len(pages[0].Nodes) != 2) || !fits && !errs.Is(err, errs.LimitExceeded) {
				t.Errorf("a page of two texts of %d bytes: %v, %v", size, pages, err)
			}
			ids := idsOf(mustPage(t, db, documentList(listOrders[0]), model.PageArgs{}))
			for _, c := range []struct {
				ids     []string
				columns []string
				fits    bool
			}{{ids, nil, fits}, {ids, []string{"id", "content"}, fits}, {ids, []string{"id"}, true},
				{ids[:1], nil, true}, {nil, nil, true}} {
				rows, err := dbx.TextsByIDs[model.Document](t.Context(), db, "w", c.ids, "content", c.columns...)
				if c.fits && (err != nil || len(rows) != len(c.ids)) || !c.fits && !errs.Is(err, errs.LimitExceeded) {
					t.Errorf("columns %v of %d rows with texts of %d bytes: %d rows, %v", c.columns, len(c.ids), size,
						len(rows), err)
				}
			}
			if rows, err := dbx.TextsByIDs[model.Document](t.Context(), db, "other", ids, "content"); err != nil ||
				len(rows) != 0 {
				t.Errorf("rows of another workspace: %v, %v", rows, err)
			}
		}
	})
}
