package dbx

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
	"rostrum/model"
)

// DefaultPerPage and MaxPerPage are the limits of a page by number or cursor.
const (
	DefaultPerPage = 20
	MaxPerPage     = 100
)

// DefaultLimit and MaxLimit are the limits of a page by limit and offset.
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Order sorts a list by one column and then by id. NULL values come last in either direction.
type Order struct {
	Column   string
	Time     bool // the column holds times
	Number   bool // the column holds integers
	Float    bool // the column holds numbers with fractions
	Desc     bool
	Nullable bool
}

// pageWindow is a validated request for one page in one order.
type pageWindow struct {
	order    Order
	number   int
	size     int
	skip     int // rows before the page
	cursor   *rowCursor
	backward bool
	byCursor bool
	isExact  bool // neither cursors nor whether another page follows are asked for
}

// name returns the name of the order in cursors.
func (o Order) name() string {
	if o.Desc {
		return "-" + o.Column
	}
	return o.Column
}

// rowCursor is the position of a row: its value in the order's column, and its id. Old cursors have
// no order, because it could not be chosen then.
type rowCursor struct {
	Order string `json:"o,omitempty"`
	Value any    `json:"v"`
	ID    string `json:"id"`
}

// newWindow validates the arguments. It returns errs.ValidationFailed naming every invalid
// argument.
func newWindow(args model.PageArgs, order Order) (pageWindow, error) {
	w := pageWindow{order: order, number: 1, size: DefaultPerPage, isExact: args.NodesOnly}
	var invalid errs.FieldErrors
	setNumber := func(name string, n *int, least, most int, into *int) {
		if n == nil {
			return
		}
		if *n < least || (most > 0 && *n > most) {
			invalid.Query("out_of_range", rangeSentence(least, most), name)
		}
		*into = *n
	}
	setNumber("page", args.Page, 1, maxPage, &w.number)
	setNumber("perPage", args.PerPage, 1, MaxPerPage, &w.size)
	setNumber("first", args.First, 1, MaxPerPage, &w.size)
	setNumber("last", args.Last, 1, MaxPerPage, &w.size)
	byOffset := args.Limit != nil || args.Offset != nil
	if byOffset {
		w.size = DefaultLimit
	}
	setNumber("limit", args.Limit, 1, MaxLimit, &w.size)
	setNumber("offset", args.Offset, 0, maxPage, &w.skip)
	if args.All {
		w.size = maxPage
	}
	w.byCursor = args.First != nil || args.Last != nil || args.After != nil || args.Before != nil
	CheckMixedPaging(args, &invalid)
	name, text := "after", args.After
	if w.backward = args.Last != nil || args.Before != nil; w.backward {
		name, text = "before", args.Before
	}
	if text != nil {
		c, err := order.decodeCursor(*text)
		switch {
		case errors.Is(err, errOtherOrder):
			invalid.Query("bad_cursor", "is a cursor of another order of this list; start again without a cursor", name)
		case err != nil:
			invalid.Query("bad_cursor", "is not a cursor of this list", name)
		}
		w.cursor = c
	}
	if err := invalid.Err(); err != nil {
		return w, err
	}
	if !byOffset {
		w.skip = (w.number - 1) * w.size
	}
	return w, nil
}

// CheckMixedPaging adds a field error for every pair of ways to page that exclude each other.
func CheckMixedPaging(args model.PageArgs, invalid *errs.FieldErrors) {
	forward, backward := args.First != nil || args.After != nil, args.Last != nil || args.Before != nil
	byNumber, byOffset := args.Page != nil || args.PerPage != nil, args.Limit != nil || args.Offset != nil
	if byNumber && (forward || backward) {
		invalid.Query("mixed_paging", "page and perPage cannot be combined with cursors", "page")
	}
	if byOffset && (forward || backward || byNumber) {
		invalid.Query("mixed_paging", "limit and offset cannot be combined with pages or cursors", "limit")
	}
	if forward && backward {
		invalid.Query("mixed_paging", "first and after cannot be combined with last and before", "last")
	}
}

// maxPage limits the offset, and the rows of a whole list, to the integer range of both databases.
const maxPage = 10_000_000

func rangeSentence(least, most int) string {
	return fmt.Sprintf("must lie in [%d,%d]", least, most)
}

// limit returns the number of rows to read. It is one more than the page has, to learn whether
// another page follows, unless the page is exact.
func (w pageWindow) limit() int64 {
	if w.isExact {
		return int64(w.size)
	}
	return int64(w.size) + 1
}

// selectPart sorts and limits the query, and keeps the rows of a part of the page.
func (w pageWindow) selectPart(q *bun.SelectQuery, part schema.QueryWithArgs, limit int64) *bun.SelectQuery {
	if w.cursor != nil {
		q = q.Where("?", part)
	}
	q = w.orderRows(q).Limit(limit)
	if w.Skip() > 0 {
		q = q.Offset(int64(w.skip))
	}
	return q
}

// orderRows sorts the query in reading order: reversed for a page before a cursor.
func (w pageWindow) orderRows(q *bun.SelectQuery) *bun.SelectQuery {
	return q.OrderExpr("?", w.orderTerms())
}

// orderTerms returns the terms of ORDER BY.
func (w pageWindow) orderTerms() schema.QueryWithArgs {
	direction := " ASC"
	if w.order.Desc != w.backward {
		direction = " DESC"
	}
	terms, args := "?"+direction+", ?"+direction, []any{bun.Ident(w.order.Column), bun.Ident("id")}
	if w.order.Nullable {
		nulls := " ASC, "
		if w.backward {
			nulls = " DESC, "
		}
		terms, args = "(? IS NULL)"+nulls+terms, slices.Insert(args, 0, args[0])
	}
	return bun.SafeQuery(terms, args...)
}

// Skip returns the number of rows to skip, which is 0 for a page that is read by cursor.
func (w pageWindow) Skip() int {
	if w.byCursor {
		return 0
	}
	return w.skip
}

// whereAfter selects the rows after the cursor, or before it for a page before a cursor.
func (w pageWindow) whereAfter(q *bun.SelectQuery) *bun.SelectQuery {
	return q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		for _, part := range w.parts() {
			q = q.WhereOr("?", part)
		}
		return q
	})
}

// parts splits the rows beyond the cursor into index-friendly conditions, in page order. Without a
// cursor it returns one empty condition. Nullable columns need two, because an index serves 'value
// > x' or 'IS NULL', not both.
func (w pageWindow) parts() []schema.QueryWithArgs {
	if w.cursor == nil {
		return make([]schema.QueryWithArgs, 1)
	}
	op := ">"
	if w.order.Desc != w.backward {
		op = "<"
	}
	column, id := bun.Ident(w.order.Column), bun.Ident("id")
	after := bun.SafeQuery("(?, ?) "+op+" (?, ?)", column, id, w.cursor.Value, w.cursor.ID)
	if !w.order.Nullable {
		return []schema.QueryWithArgs{after}
	}
	valued, missing := bun.SafeQuery("(? IS NULL) IS FALSE", column), bun.SafeQuery("? IS NULL", column)
	switch {
	case w.cursor.Value != nil && w.backward:
		return []schema.QueryWithArgs{bun.SafeQuery("? AND ?", valued, after)}
	case w.cursor.Value != nil:
		return []schema.QueryWithArgs{bun.SafeQuery("? AND ?", valued, after), missing}
	}
	after = bun.SafeQuery("? AND ? "+op+" ?", missing, id, w.cursor.ID)
	if w.backward {
		return []schema.QueryWithArgs{after, valued}
	}
	return []schema.QueryWithArgs{after}
}

// connectPage returns the rows as a connection in the list's order, without the surplus row.
func connectPage[T any](w pageWindow, rows []*T, cursor func(*T) string) *model.Connection[T] {
	more := len(rows) > w.size
	if more {
		rows = rows[:w.size]
	}
	if w.backward {
		slices.Reverse(rows)
	}
	c := &model.Connection[T]{Nodes: rows, Page: w.number, PerPage: w.size, Behind: more, Before: w.skip > 0 ||
		w.cursor != nil, Cursor: cursor}
	if w.backward {
		c.Behind, c.Before = w.cursor != nil, more
	}
	return c
}

// cursorOf returns a function that makes a row's cursor. key returns the row's value in the order's
// column and its id.
func cursorOf[T any](order Order, key func(*T) (value any, id string)) func(*T) string {
	return func(row *T) string {
		value, id := key(row)
		return rowCursor{order.name(), value, id}.encodeCursor()
	}
}

func (c rowCursor) encodeCursor() string {
	text, _ := json.Marshal(c) //nolint:errchkjson // a string, a number, a time or nil
	return base64.RawURLEncoding.EncodeToString(text)
}

// errOtherOrder is the error of a cursor of another order.
var errOtherOrder = errors.New("the cursor is of another order")

// decodeCursor parses a cursor. It returns errOtherOrder for a cursor of another order.
func (o Order) decodeCursor(text string) (*rowCursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	var c rowCursor
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	if _, err := model.UnmarshalString(c.ID); err != nil || c.ID == "" {
		return nil, errors.Join(errors.New("the cursor has no id"), err)
	}
	if c.Order != "" && c.Order != o.name() {
		return nil, errOtherOrder
	}
	c.Value, err = o.typedValue(c.Value)
	return &c, err
}

// typedValue converts a cursor's value to the column's type. It returns an error for another type,
// because no cursor of this list has it.
func (o Order) typedValue(value any) (any, error) {
	switch v := value.(type) {
	case nil:
		if o.Nullable {
			return nil, nil
		}
	case string:
		if o.Time {
			return parseCursorTime(v)
		}
		if !o.Number && !o.Float {
			return model.UnmarshalString(v)
		}
	case float64:
		if o.Float {
			return v, nil
		}
		if o.Number && v == math.Trunc(v) && math.Abs(v) <= maxCursorNumber {
			return int64(v), nil
		}
	}
	return nil, fmt.Errorf("%v is not a value of %s", value, o.Column)
}

// maxCursorNumber is the greatest integer that JSON's numbers represent exactly.
const maxCursorNumber = 1<<53 - 1

// parseCursorTime parses a time. It returns an error for years that Postgres cannot store.
func parseCursorTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if year := at.UTC().Year(); err == nil && (year < 1 || year > 9999) {
		err = fmt.Errorf("the year %d is not stored", year)
	}
	return at, err
}
