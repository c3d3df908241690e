package dbx_test

import (
	"fmt"
	"slices"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

type namedRow struct{ name string }

func namedRows(names ...string) []*namedRow {
	rows := make([]*namedRow, len(names))
	for i, name := range names {
		rows[i] = &namedRow{name}
	}
	return rows
}

func pageOf(rows []*namedRow, args model.PageArgs) (*model.Connection[namedRow], error) {
	return dbx.PageOf(rows, "name", func(row *namedRow) (text, id string) { return row.name, "id_" + row.name }, args)
}

// TestPageOf reads all rows page by page in both directions, and removes the row of a cursor.
func TestPageOf(t *testing.T) {
	t.Parallel()
	all := namedRows("a", "b", "c", "d", "e")
	for _, size := range []int{1, 2, 4, 5, 7} {
		for _, backward := range []bool{false, true} {
			t.Run(fmt.Sprint(size, backward), func(t *testing.T) {
				t.Parallel()
				checkPages(t, all, size, backward)
			})
		}
	}
	first, err := pageOf(all, model.PageArgs{First: new(2)})
	if err != nil {
		t.Fatal(err)
	}
	after := first.Cursor(first.Nodes[1])
	rest, err := pageOf(namedRows("a", "c", "d"), model.PageArgs{After: &after})
	if err != nil || len(rest.Nodes) != 2 || rest.Nodes[0].name != "c" {
		t.Errorf("after the cursor of a removed row come %v, error %v", rest.Nodes, err)
	}
	if whole, err := pageOf(all, model.PageArgs{All: true}); err != nil || !slices.Equal(whole.Nodes, all) ||
		whole.Behind {
		t.Errorf("the whole list has %d rows, error %v", len(whole.Nodes), err)
	}
}

// checkPages reads all rows with cursors and compares each page's info with the rows around it.
func checkPages(t *testing.T, all []*namedRow, size int, backward bool) {
	t.Helper()
	var read []*namedRow
	args := model.PageArgs{First: &size}
	if backward {
		args = model.PageArgs{Last: &size}
	}
	for {
		page, err := pageOf(all, args)
		if err != nil {
			t.Fatal(err)
		}
		total, err := page.TotalCount(t.Context())
		if err != nil || total != len(all) {
			t.Fatalf("the total is %d, error %v", total, err)
		}
		if backward {
			read = append(slices.Clone(page.Nodes), read...)
		} else {
			read = append(read, page.Nodes...)
		}
		info := page.PageInfo()
		more := len(read) < len(all)
		if next := info.HasNextPage && !backward || info.HasPreviousPage && backward; next != more {
			t.Fatalf("after %d rows another page follows: %v", len(read), next)
		}
		if !more {
			break
		}
		if args = (model.PageArgs{First: &size, After: info.EndCursor}); backward {
			args = model.PageArgs{Last: &size, Before: info.StartCursor}
		}
	}
	if !slices.Equal(read, all) {
		t.Errorf("the pages have %d rows, not the %d in their order", len(read), len(all))
	}
}

func TestPageOf_invalid(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]model.PageArgs{
		"a cursor that is none":                   {After: new("!")},
		"a size of zero":                          {First: new(0)},
		"both directions":                         {First: new(1), Last: new(1)},
		"a cursor with a number in place of text": {After: new("eyJpZCI6ImEiLCJ2Ijo1fQ")},
	} {
		if _, err := pageOf(namedRows("a"), args); !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
