package dbx

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
)

// Read runs a query that is repeated in many requests. On a server, strings and times are sent as
// parameters, so each connection prepares the statement once. Rows are decoded from the binary
// format without database/sql.
func Read[T any](ctx context.Context, db *DB, q *bun.SelectQuery) ([]*T, error) {
	return ReadWithExtra[T](ctx, db, q, nil)
}

// ReadWithExtra is Read for queries with columns that T does not have. It stores them in the
// variables that extra points to; without rows it stores nothing. Only a server supports it: see
// InProcess.
func ReadWithExtra[T any](ctx context.Context, db *DB, q *bun.SelectQuery, extra map[string]any) ([]*T, error) {
	rows := []*T{}
	if db.InProcess() {
		return rows, Err(q.Scan(ctx, &rows))
	}
	s, err := newStatement(db, q, &rows, extra)
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return rows, Err(err)
	}
	return rows, callHooks(ctx, rows)
}

// callHooks calls the rows' hook, as bun does for the rows that it reads itself.
func callHooks[T any](ctx context.Context, rows []*T) error {
	for _, row := range rows {
		hook, ok := any(row).(schema.AfterScanRowHook)
		if !ok {
			return nil
		}
		if err := hook.AfterScanRow(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ReadOne returns the only row of a query, or an error with the code errs.NotFound.
func ReadOne[T any](ctx context.Context, db *DB, q *bun.SelectQuery) (*T, error) {
	rows, err := Read[T](ctx, db, q)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, Err(sql.ErrNoRows)
	}
	return rows[0], nil
}

// NilIfNotFound returns (nil, nil) for errs.NotFound.
func NilIfNotFound[T any](row *T, err error) (*T, error) {
	if err = Err(err); errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return row, err
}

// Equal adds a condition on the column if value is not nil.
func Equal[T any](q *bun.SelectQuery, column string, value *T) *bun.SelectQuery {
	if value == nil {
		return q
	}
	return q.Where("? = ?", bun.Ident(column), *value)
}

// GroupByKey returns the rows of each id in their order, for example the tags of each document, as
// batch resolvers need them. An id without rows has an empty list; equal ids share one list.
func GroupByKey[T any](ids []string, rows []*T, keyOf func(*T) string) [][]*T {
	sizes := make(map[string]int, len(ids))
	for _, row := range rows {
		sizes[keyOf(row)]++
	}
	lists, free := make(map[string][]*T, len(sizes)), make([]*T, len(rows))
	for _, row := range rows {
		key := keyOf(row)
		list, started := lists[key]
		if !started {
			list, free = free[:0:sizes[key]], free[sizes[key]:]
		}
		lists[key] = append(list, row)
	}
	out := make([][]*T, len(ids))
	for i, id := range ids {
		if out[i] = lists[id]; out[i] == nil {
			out[i] = []*T{}
		}
	}
	return out
}

// InProcess reports whether statements run in this process. Several small statements then cost less
// than one large statement.
func (db *DB) InProcess() bool { return db.dialect.inProcess }

// argumentDialect writes placeholders for strings and times, and collects their values.
type argumentDialect struct {
	schema.Dialect
	values []any
}

// AppendString appends a placeholder for the string.
func (a *argumentDialect) AppendString(b []byte, s string) []byte { return a.addArgument(b, s) }

// AppendTime appends a placeholder for the time.
func (a *argumentDialect) AppendTime(b []byte, t time.Time) []byte { return a.addArgument(b, t) }

func (a *argumentDialect) addArgument(b []byte, value any) []byte {
	a.values = append(a.values, value)
	return strconv.AppendInt(append(b, '$'), int64(len(a.values)), 10)
}
