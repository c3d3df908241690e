package dbx

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/errs"
	"rostrum/model"
)

// List describes a list of rows that is read by page number, by cursor, or by limit and offset.
// Order and Key are required. T must have a unique column id.
type List[T any] struct {
	// Order is the order of the rows.
	Order Order
	// Key returns a row's value in the column of Order, and its id. Both form the row's cursor.
	Key func(*T) (value any, id string)
	// Where adds the conditions of the list, usually the workspace and a filter; nil lists the
	// whole table.
	Where func(*bun.SelectQuery) *bun.SelectQuery
	// Columns are the columns to read; empty reads all. The columns of the cursor are always read.
	Columns []string
	// Joined are the rows that columns such as "persona.name" are read from, by edge; optional.
	Joined map[string]Joined
	// Text is a column with long texts, which count toward MaxPageText if they are read; optional.
	Text string
	// From starts a query without columns for rows that do not come from T's table alone; optional.
	From func() *bun.SelectQuery
	// Select adds computed columns, for example a count, when rows are read, but not when they are
	// counted; optional.
	Select func(*bun.SelectQuery) *bun.SelectQuery
	// Read runs the query for the rows; Read[T] by default.
	Read func(context.Context, *bun.SelectQuery) ([]*T, error)
	// Count returns the number of rows on all pages. By default the rows matching Where are
	// counted.
	Count func(context.Context) (int, error)
}

// MaxPageText is the largest number of bytes that the texts of a page may have.
const MaxPageText = 16 << 20

// farOffset is the offset from which a page is read by the cursor of the row before it, because the
// database skips index entries faster than rows. It also skips them once instead of in each query
// of the page.
const farOffset = 100

// Page returns one page. It counts the rows only when the total is asked for. It returns
// errs.ValidationFailed naming every invalid argument, and errs.LimitExceeded for texts over
// MaxPageText.
func (l List[T]) Page(ctx context.Context, db *DB, args model.PageArgs) (*model.Connection[T], error) {
	window, err := newWindow(args, l.Order)
	if err != nil {
		return nil, err
	}
	rows, err := l.readPage(ctx, db, window)
	if err != nil {
		return nil, err
	}
	page := connectPage(window, rows, cursorOf(l.Order, l.Key))
	if page.Count = l.Count; l.Count == nil {
		page.Count = func(ctx context.Context) (int, error) {
			n, err := l.matchingRows(db).Count(ctx)
			return int(n), Err(err)
		}
	}
	return page, nil
}

// readPage returns the rows of a page, and one row more if another page follows.
func (l List[T]) readPage(ctx context.Context, db *DB, w pageWindow) ([]*T, error) {
	if w.Skip() >= farOffset {
		before, err := l.rowBefore(ctx, db, w)
		if before == nil || err != nil {
			return []*T{}, err
		}
		if w.cursor, err = l.Order.decodeCursor(cursorOf(l.Order, l.Key)(before)); err != nil {
			return nil, err
		}
		w.byCursor = true
	}
	var rows []*T
	var size int64
	for _, part := range w.parts() {
		limit := w.limit() - int64(len(rows))
		if limit == 0 {
			break
		}
		found, err := l.readPart(ctx, db, func() *bun.SelectQuery {
			return w.selectPart(l.matchingRows(db), part, limit)
		}, &size)
		if err != nil {
			return nil, err
		}
		if rows == nil {
			rows = found // the only part of most pages
			continue
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// readPart returns the rows of the query that start returns. If their texts are read, it adds the
// texts' size to size.
func (l List[T]) readPart(ctx context.Context, db *DB, start func() *bun.SelectQuery, size *int64) ([]*T, error) {
	if l.readsText() {
		if err := checkSizes(ctx, db, start().ColumnExpr("octet_length(?) AS size", bun.Ident(l.Text)), l.Text,
			size); err != nil {
			return nil, err
		}
	}
	if l.Read != nil {
		return l.Read(ctx, l.withColumns(db, start()))
	}
	return Read[T](ctx, db, l.withColumns(db, start()))
}

// rowBefore returns the cursor's columns of the row before a numbered page; nil if there are fewer
// rows.
func (l List[T]) rowBefore(ctx context.Context, db *DB, w pageWindow) (*T, error) {
	columns := sortedDistinct([]string{"id", l.Order.Column})
	rows, err := Read[T](ctx, db, w.orderRows(l.matchingRows(db).Column(columns...)).Limit(1).Offset(int64(w.skip-1)))
	if len(rows) == 0 {
		return nil, err
	}
	return rows[0], err
}

// readsText reports whether the list's column of long texts is read.
func (l List[T]) readsText() bool {
	return l.Text != "" && (len(l.Columns) == 0 || slices.Contains(l.Columns, l.Text))
}

// checkSizes adds the query's column size to total, and returns errs.LimitExceeded if the total is
// more than MaxPageText. text names the column in the error.
func checkSizes(ctx context.Context, db *DB, sizes *bun.SelectQuery, text string, total *int64) error {
	var size int64
	if err := db.NewSelect().TableExpr("(?) AS page", sizes).ColumnExpr("coalesce(sum(size), 0)").
		Scan(ctx, &size); err != nil {
		return Err(err)
	}
	if *total += size; *total > MaxPageText {
		return errs.New(errs.LimitExceeded, "the texts of these rows have %d bytes, more than the %d that are read at once; read fewer rows, or leave %s out",
			*total, MaxPageText, text).With("limit", MaxPageText)
	}
	return nil
}

func (l List[T]) startQuery(db *DB) *bun.SelectQuery {
	if l.From != nil {
		return l.From()
	}
	return db.NewSelect().Model((*T)(nil))
}

func (l List[T]) matchingRows(db *DB) *bun.SelectQuery {
	q := l.startQuery(db)
	if l.Where != nil {
		q = l.Where(q)
	}
	return q
}

func (l List[T]) withColumns(db *DB, q *bun.SelectQuery) *bun.SelectQuery {
	if len(l.Columns) > 0 {
		q = SelectWith(db, q.Column("id", l.Order.Column), l.Joined, l.Columns...)
	}
	if l.Select != nil {
		q = l.Select(q)
	}
	return q
}
