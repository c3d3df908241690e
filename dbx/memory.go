package dbx

import (
	"context"
	"slices"
	"strings"

	"rostrum/model"
)

// PageOf returns one page of rows in memory that are sorted by a unique text. order names the text;
// key returns a row's text and id. It returns errs.ValidationFailed naming every invalid argument.
func PageOf[T any](rows []*T, order string, key func(*T) (text, id string), args model.PageArgs) (*model.Connection[T],
	error) {
	w, err := newWindow(args, Order{Column: order})
	if err != nil {
		return nil, err
	}
	page := connectPage(w, windowRows(rows, w, key), cursorOf(w.order, func(row *T) (any, string) { return key(row) }))
	page.Count = func(context.Context) (int, error) { return len(rows), nil }
	return page, nil
}

// windowRows returns the rows of the window in reading order, and one more if another page follows
// and the caller wants to know that.
func windowRows[T any](rows []*T, w pageWindow, key func(*T) (text, id string)) []*T {
	if w.cursor != nil {
		text, _ := w.cursor.Value.(string)
		at, found := slices.BinarySearchFunc(rows, text, func(row *T, text string) int {
			rowText, _ := key(row)
			return strings.Compare(rowText, text)
		})
		switch {
		case w.backward:
			rows = rows[:at]
		case found:
			rows = rows[at+1:]
		default:
			rows = rows[at:]
		}
	}
	rows = slices.Clone(rows)
	if w.backward {
		slices.Reverse(rows)
	}
	rows = rows[min(w.Skip(), len(rows)):]
	return rows[:min(int(w.limit()), len(rows))]
}
