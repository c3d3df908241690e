package dbx

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/uptrace/bun"

	"rostrum/model"
)

// Nested is a list per parent, for example the reactions of each document on a page. Its pages are
// read by cursor only. From, if set, must have the column Parent. Read and Count are not used.
type Nested[T any] struct {
	List[T]
	// Parent is the column with the key of a row's parent.
	Parent string
}

// childRow is a row with its parent's key.
type childRow[T any] struct {
	ParentKey string `bun:"parent_key"`
	Row       T      `bun:"embed:"`
}

// Pages returns one page per key, in the order of the keys. It sends one statement for all keys,
// and a second one for totals. It returns errs.ValidationFailed naming every invalid argument, and
// errs.LimitExceeded for texts over MaxPageText.
func (l Nested[T]) Pages(ctx context.Context, db *DB, keys []string, args model.PageArgs) ([]*model.Connection[T],
	error) {
	window, err := newWindow(args, l.Order)
	if err != nil {
		return nil, err
	}
	distinct := sortedDistinct(slices.Clone(keys))
	rows := map[string][]*T{}
	if len(distinct) > 0 && !args.WithoutRows {
		if rows, err = l.read(ctx, db, window, distinct); err != nil {
			return nil, err
		}
	}
	totals := &parentTotals{count: func(ctx context.Context) (map[string]int,
		error) {
		return l.totals(ctx, db, distinct)
	}}
	pages, cursor := make([]*model.Connection[T], len(keys)), cursorOf(l.Order, l.Key)
	for i, key := range keys {
		list := rows[key]
		if len(distinct) < len(keys) {
			list = slices.Clone(list) // another page has the same rows
		}
		pages[i] = connectPage(window, list, cursor)
		pages[i].Count = func(ctx context.Context) (int, error) { return totals.of(ctx, key) }
	}
	return pages, nil
}

// read returns the rows of each parent's page, in the order in which the page is read.
func (l Nested[T]) read(ctx context.Context, db *DB, w pageWindow, keys []string) (map[string][]*T, error) {
	if l.readsText() {
		sizes := l.query(db, w, keys, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Column("id", l.Order.Column).ColumnExpr("octet_length(?) AS size", bun.Ident(l.Text))
		}).ColumnExpr("page.*")
		if err := checkSizes(ctx, db, sizes, l.Text, new(int64)); err != nil {
			return nil, err
		}
	}
	columns := l.Columns
	if len(columns) == 0 {
		columns = storedColumns[T](db)
	}
	own, edges := splitColumns(db, l.Joined, columns)
	inner := append([]string{"id", l.Order.Column}, own...)
	for _, edge := range edges {
		inner = append(inner, edge.Key)
	}
	q := l.query(db, w, keys, func(q *bun.SelectQuery) *bun.SelectQuery {
		if q = q.Column(sortedDistinct(inner)...); l.Select != nil {
			q = l.Select(q)
		}
		return q
	})
	found, err := ReadTogether[childRow[T]](ctx, db, selectJoined(l.selectRows(q, w, own), edges))
	if err != nil {
		return nil, err
	}
	rows := make([]*T, len(found))
	for i, row := range found {
		rows[i] = &row.Row
	}
	return groupRows(found, rows, len(keys)), callHooks(ctx, rows)
}

// storedColumns returns the columns of T's table that T has.
func storedColumns[T any](db *DB) []string {
	fields := db.reader.Dialect().Tables().Get(reflect.TypeFor[T]()).Fields
	columns := make([]string, len(fields))
	for i, field := range fields {
		columns[i] = field.Name
	}
	return columns
}

// selectRows selects the rows' columns from the page. An exact page leaves out the columns that
// only sort or join it.
func (l Nested[T]) selectRows(page *bun.SelectQuery, w pageWindow, own []string) *bun.SelectQuery {
	if l.Select != nil || !w.isExact {
		return page.ColumnExpr("page.*")
	}
	for _, column := range sortedDistinct(append([]string{"parent_key", "id"}, own...)) {
		page = page.Column("page." + column)
	}
	return page
}

// sortedDistinct sorts the names in place and returns them without repetitions.
func sortedDistinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// groupRows returns the rows of each parent, which follow one another in list.
func groupRows[T any](found []*childRow[T], list []*T, parents int) map[string][]*T {
	rows := make(map[string][]*T, parents)
	first := 0
	for i, row := range found {
		if last := i + 1; last == len(found) || found[last].ParentKey != row.ParentKey {
			rows[row.ParentKey] = list[first:last:last]
			first = last
		}
	}
	return rows
}

// query selects the pages of all parents as the table page with the column parent_key. A parent
// with more rows has one row beyond its page, unless the page is exact. A server reads one index
// range per parent; SQLite has no LATERAL, so it numbers each parent's rows.
func (l Nested[T]) query(db *DB, w pageWindow, keys []string,
	withColumns func(*bun.SelectQuery) *bun.SelectQuery) *bun.SelectQuery {
	rows := withColumns(l.matchingRows(db))
	if w.cursor != nil {
		rows = w.whereAfter(rows)
	}
	parent := bun.Ident(l.Parent)
	if db.InProcess() {
		rows = rows.ColumnExpr("? AS parent_key", parent).Where("? ?", parent, AnyOf(keys)).
			ColumnExpr("row_number() OVER (PARTITION BY ? ORDER BY ?) AS place", parent, w.orderTerms())
		return db.NewSelect().TableExpr("(?) AS page", rows).Where("place <= ?", w.limit()).
			OrderExpr("parent_key, place")
	}
	rows = w.orderRows(rows.ColumnExpr("parent.parent_key").Where("? = parent.parent_key", parent)).Limit(w.limit())
	pages := db.NewSelect().TableExpr("unnest(?) WITH ORDINALITY AS parent (parent_key, place)", textArray(keys))
	return w.orderRows(pages.Join("CROSS JOIN LATERAL (?) AS page", rows).OrderExpr("parent.place"))
}

// totals returns the number of each parent's rows.
func (l Nested[T]) totals(ctx context.Context, db *DB, keys []string) (map[string]int, error) {
	var counts []struct {
		ParentKey string
		Total     int
	}
	parent := bun.Ident(l.Parent)
	q := l.matchingRows(db).ColumnExpr("? AS parent_key, count(*) AS total", parent).Where("? ?", parent, AnyOf(keys))
	if err := q.GroupExpr("?", parent).Scan(ctx, &counts); err != nil {
		return nil, Err(err)
	}
	totals := make(map[string]int, len(counts))
	for _, c := range counts {
		totals[c.ParentKey] = c.Total
	}
	return totals, nil
}

// parentTotals counts the rows of all parents at the first call.
type parentTotals struct {
	count  func(context.Context) (map[string]int, error)
	mu     sync.Mutex
	totals map[string]int
}

// of returns the number of a parent's rows.
func (t *parentTotals) of(ctx context.Context, key string) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.totals == nil {
		totals, err := t.count(ctx)
		if err != nil {
			return 0, err
		}
		t.totals = totals
	}
	return t.totals[key], nil
}
