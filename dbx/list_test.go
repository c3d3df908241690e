package dbx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// addDocuments stores n documents of the workspace, two per instant. Every third has no word count.
func addDocuments(t *testing.T, db *dbx.DB, workspaceID string, n int) {
	t.Helper()
	docs := make([]*model.Document, n)
	for i := range docs {
		at := time.Date(2026, 1, 2, 3, 4, i/2, 0, time.UTC)
		docs[i] = &model.Document{
			ID: fmt.Sprintf("%s%05d", workspaceID, i), WorkspaceID: workspaceID, Title: "Title", Tags: []string{},
			CreatedAt: at, UpdatedAt: at,
		}
		if i%3 > 0 {
			docs[i].WordCount = new(i % 7)
		}
	}
	if _, err := db.NewInsert().Model(&docs).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func documentList(order dbx.Order) dbx.List[model.Document] {
	return dbx.List[model.Document]{
		Order: order, Columns: []string{"title"},
		Key: func(d *model.Document) (any, string) {
			switch {
			case order.Column == "created_at":
				return d.CreatedAt, d.ID
			case d.WordCount == nil:
				return nil, d.ID
			}
			return *d.WordCount, d.ID
		},
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", "w") },
	}
}

var listOrders = []dbx.Order{
	{Column: "created_at", Time: true}, {Column: "created_at", Time: true, Desc: true},
	{Column: "word_count", Number: true, Nullable: true},
	{Column: "word_count", Number: true, Nullable: true, Desc: true},
}

// TestList_pages_are_complete reads the whole list by page number and by cursor in both directions.
func TestList_pages_are_complete(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		const documents, size = 260, 20
		for _, id := range []string{"v", "w"} {
			addWorkspace(t, db, id)
			addDocuments(t, db, id, documents)
		}
		for _, order := range listOrders {
			list, after := documentList(order), (*string)(nil)
			seen := map[string]bool{}
			for number := 1; number <= documents/size+1; number++ {
				byNumber := mustPage(t, db, list, model.PageArgs{Page: &number, PerPage: new(size)})
				byCursor := mustPage(t, db, list, model.PageArgs{First: new(size), After: after})
				if want := min(size, documents-len(seen)); len(byNumber.Nodes) != want {
					t.Fatalf("page %d has %d rows, want %d", number, len(byNumber.Nodes), want)
				}
				for i, row := range byNumber.Nodes {
					if seen[row.ID] || row.ID != byCursor.Nodes[i].ID || row.WorkspaceID != "" || row.Title != "Title" {
						t.Fatalf("page %d of %v, row %d: %+v; by cursor %s", number, order, i, row,
							byCursor.Nodes[i].ID)
					}
					seen[row.ID] = true
				}
				if byNumber.Behind != (len(seen) < documents) || byNumber.Before != (number > 1) {
					t.Errorf("page %d has more: %t, has previous: %t", number, byNumber.Behind, byNumber.Before)
				}
				if len(byNumber.Nodes) > 0 {
					after = byNumber.PageInfo().EndCursor
				}
			}
			if n, err := mustPage(t, db, list, model.PageArgs{}).TotalCount(t.Context()); n != documents || err != nil {
				t.Errorf("total %d (%v), want %d", n, err, documents)
			}
			last := mustPage(t, db, list, model.PageArgs{Last: new(30), Before: after})
			if len(last.Nodes) != 30 || !last.Before || !last.Behind || last.Cursor(last.Nodes[29]) == *after {
				t.Errorf("the page before the last cursor is wrong: %d rows", len(last.Nodes))
			}
		}
	})
}

func mustPage(t *testing.T, db *dbx.DB, list dbx.List[model.Document],
	args model.PageArgs) *model.Connection[model.Document] {
	t.Helper()
	page, err := list.Page(t.Context(), db, args)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// TestList_options covers From, Select, Read and Count.
func TestList_options(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		addDocuments(t, db, "w", 120)
		type day struct {
			ID    string
			Total int
			Twice int
		}
		reads := 0
		list := dbx.List[day]{
			Order: dbx.Order{Column: "id"},
			Key:   func(d *day) (any, string) { return d.ID, d.ID },
			From: func() *bun.SelectQuery {
				all := db.NewSelect().Table("document").ColumnExpr("id, 1 AS total")
				return db.NewSelect().TableExpr("(?) AS day", all)
			},
			Columns: []string{"total"},
			Select:  func(q *bun.SelectQuery) *bun.SelectQuery { return q.ColumnExpr("total * 2 AS twice") },
			Read: func(ctx context.Context, q *bun.SelectQuery) ([]*day, error) {
				reads++
				return dbx.Read[day](ctx, db, q)
			},
		}
		for _, number := range []int{1, 6} {
			page, err := list.Page(t.Context(), db, model.PageArgs{Page: &number, PerPage: new(20)})
			if err != nil || len(page.Nodes) != 20 || page.Nodes[0].Twice != 2 || page.Nodes[0].Total != 1 {
				t.Fatalf("page %d: %v, %+v", number, err, page)
			}
			if n, err := page.TotalCount(t.Context()); n != 120 || err != nil {
				t.Errorf("total %d, %v", n, err)
			}
		}
		list.Count = func(context.Context) (int, error) { return 7, nil }
		page, err := list.Page(t.Context(), db, model.PageArgs{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := page.TotalCount(t.Context()); n != 7 || err != nil || reads != 3 {
			t.Errorf("total %d, %v; %d reads", n, err, reads)
		}
		if _, err := list.Page(t.Context(), db, model.PageArgs{First: new(0), After: new("x")}); !errs.Is(err,
			errs.ValidationFailed) {
			t.Errorf("invalid arguments: %v", err)
		}
	})
}

// TestList_nullable_cursor_reads_an_index checks that pages after a cursor read index ranges on a
// server, also in an order with NULL values.
func TestList_nullable_cursor_reads_an_index(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		addDocuments(t, db, "w", 150)
		var queries []string
		list := documentList(dbx.Order{Column: "word_count", Number: true, Nullable: true, Desc: true})
		list.Read = func(ctx context.Context, q *bun.SelectQuery) ([]*model.Document, error) {
			queries = append(queries, q.String())
			return dbx.Read[model.Document](ctx, db, q)
		}
		first := mustPage(t, db, list, model.PageArgs{First: new(60)})
		// 100 documents have a value
		mustPage(t, db, list, model.PageArgs{First: new(60), After: first.PageInfo().EndCursor})
		if len(queries) != 3 {
			t.Fatalf("%d queries: %q", len(queries), queries)
		}
		err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
			for _, setting := range []string{"ANALYZE document", "SET LOCAL enable_seqscan = off",
				"SET LOCAL enable_sort = off", "SET LOCAL enable_bitmapscan = off"} {
				if _, err := tx.NewRaw(setting).Exec(ctx); err != nil {
					return err
				}
			}
			for _, query := range queries {
				var plan []string
				if err := tx.NewRaw("EXPLAIN "+query).Scan(ctx, &plan); err != nil {
					return err
				}
				if text := strings.Join(plan, "\n"); !strings.Contains(text, "document_longest") ||
					strings.Contains(text, "Filter") {
					t.Errorf("%s\nis\n%s", query, text)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
