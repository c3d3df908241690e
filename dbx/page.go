package dbx

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/errs"
	"rostrum/model"
)

// DefaultPerPage and MaxPerPage bound a page (shared/spec/operations.md, "Lists").
const (
	DefaultPerPage = 20
	MaxPerPage     = 100
)

// DefaultLimit and MaxLimit bound a page that is asked for by limit and offset (the same, "Sort").
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Order sorts a list by one column and then by id; rows without the value come last in either direction.
type Order struct {
	Column   string
	Time     bool // the column holds instants
	Number   bool // the column holds whole numbers
	Desc     bool
	Nullable bool
}

// Window is a checked request for one page in one order.
type Window struct {
	order    Order
	number   int
	size     int
	skip     int // rows before the page
	cursor   *cursor
	backward bool
	byCursor bool
}

// cursor is a row's place: its value in the order's column, and its id.
type cursor struct {
	Value any    `json:"v"`
	ID    string `json:"id"`
}

// NewWindow checks the arguments; it fails with errs.ValidationFailed naming every bad one.
func NewWindow(args model.PageArgs, order Order) (Window, error) {
	w := Window{order: order, number: 1, size: DefaultPerPage}
	var bad []errs.Field
	number := func(name string, n *int, least, most int, into *int) {
		if n == nil {
			return
		}
		if *n < least || (most > 0 && *n > most) {
			bad = append(bad, errs.QueryField("out_of_range", rangeSentence(least, most), name))
		}
		*into = *n
	}
	number("page", args.Page, 1, maxPage, &w.number)
	number("perPage", args.PerPage, 1, MaxPerPage, &w.size)
	number("first", args.First, 1, MaxPerPage, &w.size)
	number("last", args.Last, 1, MaxPerPage, &w.size)
	byOffset := args.Limit != nil || args.Offset != nil
	if byOffset {
		w.size = DefaultLimit
	}
	number("limit", args.Limit, 1, MaxLimit, &w.size)
	number("offset", args.Offset, 0, maxPage, &w.skip)
	w.byCursor = args.First != nil || args.Last != nil || args.After != nil || args.Before != nil
	if w.byCursor && (args.Page != nil || args.PerPage != nil) {
		bad = append(bad, errs.QueryField("mixed_paging", "page and perPage do not go together with cursors", "page"))
	}
	if byOffset && (w.byCursor || args.Page != nil || args.PerPage != nil) {
		bad = append(bad, errs.QueryField("mixed_paging", "limit and offset do not go together with pages or cursors", "limit"))
	}
	if (args.First != nil || args.After != nil) && (args.Last != nil || args.Before != nil) {
		bad = append(bad, errs.QueryField("mixed_paging", "first and after do not go together with last and before", "last"))
	}
	name, text := "after", args.After
	if w.backward = args.Last != nil || args.Before != nil; w.backward {
		name, text = "before", args.Before
	}
	if text != nil {
		c, err := order.decode(*text)
		if err != nil {
			bad = append(bad, errs.QueryField("bad_cursor", "is not a cursor of this list", name))
		}
		w.cursor = c
	}
	if len(bad) > 0 {
		return w, errs.Invalid(bad...)
	}
	if !byOffset {
		w.skip = (w.number - 1) * w.size
	}
	return w, nil
}

// maxPage keeps the offset within what both databases count with.
const maxPage = 10_000_000

func rangeSentence(least, most int) string {
	text, _ := json.Marshal([]int{least, most})
	return "must lie in " + string(text)
}

// Apply orders and cuts the query; it asks for one row more than the page has, to know whether another follows.
func (w Window) Apply(q *bun.SelectQuery) *bun.SelectQuery {
	if w.cursor != nil {
		q = w.beyond(q)
	}
	direction := "ASC"
	if w.order.Desc != w.backward {
		direction = "DESC"
	}
	column := bun.Ident(w.order.Column)
	if w.order.Nullable {
		nulls := "ASC"
		if w.backward {
			nulls = "DESC"
		}
		q = q.OrderExpr("(? IS NULL) "+nulls, column)
	}
	q = q.OrderExpr("? "+direction+", ? "+direction, column, bun.Ident("id")).Limit(int64(w.size) + 1)
	if w.Skip() > 0 {
		q = q.Offset(int64(w.skip))
	}
	return q
}

// Skip is how many rows stand before the page; before one that is asked for by cursor none need be counted off.
func (w Window) Skip() int {
	if w.byCursor {
		return 0
	}
	return w.skip
}

// Left is the same page where the query begins so near to it that only n rows stand before.
func (w Window) Left(n int) Window {
	w.skip = n
	return w
}

// ApplyAt does as Apply where the query of that name, which q goes with, has found the page's first row: the page begins at its value
// and id, and nothing is counted off.
func (w Window) ApplyAt(q *bun.SelectQuery, first string) *bun.SelectQuery {
	op := ">="
	if w.order.Desc {
		op = "<="
	}
	column, id, from := bun.Ident(w.order.Column), bun.Ident("id"), bun.Ident(first)
	return w.Left(0).Apply(q.Where("(?, ?) "+op+" ((SELECT ? FROM ?), (SELECT ? FROM ?))", column, id, column, from, id, from))
}

// beyond keeps the rows on the far side of the cursor.
func (w Window) beyond(q *bun.SelectQuery) *bun.SelectQuery {
	op := ">"
	if w.order.Desc != w.backward {
		op = "<"
	}
	column, id := bun.Ident(w.order.Column), bun.Ident("id")
	switch {
	case !w.order.Nullable:
		return q.Where("(?, ?) "+op+" (?, ?)", column, id, w.cursor.Value, w.cursor.ID)
	case w.cursor.Value == nil && w.backward:
		return q.Where("(? IS NOT NULL OR ? "+op+" ?)", column, id, w.cursor.ID)
	case w.cursor.Value == nil:
		return q.Where("(? IS NULL AND ? "+op+" ?)", column, id, w.cursor.ID)
	case w.backward:
		return q.Where("(?, ?) "+op+" (?, ?)", column, id, w.cursor.Value, w.cursor.ID)
	}
	return q.Where("((?, ?) "+op+" (?, ?) OR ? IS NULL)", column, id, w.cursor.Value, w.cursor.ID, column)
}

// Connect cuts the surplus row and puts the rows into the list's order; key tells a row's value in the order's column, for its cursor.
func Connect[T any](w Window, rows []*T, key func(*T) (value any, id string)) *model.Connection[T] {
	more := len(rows) > w.size
	if more {
		rows = rows[:w.size]
	}
	if w.backward {
		slices.Reverse(rows)
	}
	c := &model.Connection[T]{Nodes: rows, Page: w.number, PerPage: w.size, Behind: more, Before: w.skip > 0 || w.cursor != nil}
	if w.backward {
		c.Behind, c.Before = w.cursor != nil, more
	}
	c.Cursor = func(row *T) string {
		value, id := key(row)
		return cursor{value, id}.encode()
	}
	return c
}

func (c cursor) encode() string {
	text, _ := json.Marshal(c) //nolint:errchkjson // a string, a number, a time or nil
	return base64.RawURLEncoding.EncodeToString(text)
}

func (o Order) decode(text string) (*cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	var c cursor
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	c.Value, err = o.typed(c.Value)
	return &c, err
}

// typed gives a cursor's value the column's type; a value of another type is not one that this list handed out.
func (o Order) typed(value any) (any, error) {
	switch v := value.(type) {
	case nil:
		if o.Nullable {
			return nil, nil
		}
	case string:
		if o.Time {
			return time.Parse(time.RFC3339Nano, v)
		}
		if !o.Number {
			return model.UnmarshalString(v)
		}
	case float64:
		if o.Number {
			return int64(v), nil
		}
	}
	return nil, fmt.Errorf("%v is not a value of %s", value, o.Column)
}
