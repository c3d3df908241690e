package dbx

import (
	"context"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// statement is a query on a server, with its arguments apart from its text.
type statement struct {
	db     *DB
	text   string
	values []any
	decode func(pgx.Rows) error
	isRead bool          // all rows were decoded
	sent   chan struct{} // closed when the batch that it waits for was sent; nil if it is not part of one
}

// newStatement returns the statement of a query. It decodes rows into rows, and the columns named
// in extra into the variables that extra points to.
func newStatement[T any](db *DB, q *bun.SelectQuery, rows *[]*T, extra map[string]any) (*statement, error) {
	separated := &argumentDialect{Dialect: db.reader.Dialect()}
	text, err := q.AppendQuery(schema.NewQueryGen(separated), nil)
	if err != nil {
		return nil, err
	}
	table := db.reader.Table(reflect.TypeFor[T]())
	decode := func(found pgx.Rows) (err error) {
		*rows, err = decodeRows[T](found, table, extra)
		return err
	}
	return &statement{db: db, text: string(text), values: separated.values, decode: decode}, nil
}

// run sends the statement alone.
func (s *statement) run(ctx context.Context) error {
	countStatement(ctx)
	defer observeStatement("SELECT", time.Now())
	return retryWhileFull(ctx, func() error {
		found, err := s.db.pool.Query(ctx, s.text, s.values...)
		if err != nil {
			return err
		}
		return s.decode(found)
	})
}
