package dbx

import (
	"context"
	"database/sql"
	"reflect"
	"strconv"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
)

// Read runs a query whose text repeats from request to request. A server gets strings and instants beside the text, so that it
// prepares the statement once for each connection, and its rows are read in its own format without database/sql between.
func Read[T any](ctx context.Context, db *DB, q *bun.SelectQuery) ([]*T, error) {
	return ReadBeside[T](ctx, db, q, nil)
}

// ReadBeside does as Read, and puts the columns of these names, which the struct lacks, where beside points, so that one statement reads what
// otherwise takes two; without rows nothing is put there. Only a server reads so: see Near.
func ReadBeside[T any](ctx context.Context, db *DB, q *bun.SelectQuery, beside map[string]any) ([]*T, error) {
	rows := []*T{}
	if db.pool == nil {
		return rows, Err(q.Scan(ctx, &rows))
	}
	apart := &arguments{Dialect: db.Dialect()}
	text, err := q.AppendQuery(schema.NewQueryGen(apart), nil)
	if err != nil {
		return nil, err
	}
	counted(ctx)
	found, err := db.pool.Query(ctx, string(text), apart.values...)
	if err != nil {
		return nil, Err(err)
	}
	rows, err = collect(rows, found, db.Table(reflect.TypeFor[T]()), beside)
	return rows, Err(err)
}

// ReadOne does as Read for the one row that a query finds; it fails with errs.NotFound when there is none.
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

// OrNone makes a row that is not there nothing.
func OrNone[T any](row *T, err error) (*T, error) {
	if err = Err(err); errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return row, err
}

// Equal keeps the rows whose column has the value, if there is one.
func Equal[T any](q *bun.SelectQuery, column string, value *T) *bun.SelectQuery {
	if value == nil {
		return q
	}
	return q.Where("? = ?", bun.Ident(column), *value)
}

// Deal gives each of the ids its rows, in their order, as batches of a graph's lists want them; one without any has an empty list.
func Deal[T any](ids []string, rows []*T, of func(*T) string) [][]*T {
	lists := make(map[string][]*T, len(ids))
	for _, row := range rows {
		lists[of(row)] = append(lists[of(row)], row)
	}
	out := make([][]*T, len(ids))
	for i, id := range ids {
		out[i] = append([]*T{}, lists[id]...)
	}
	return out
}

// Near reports whether statements run in this process, so that several small ones cost less than one large one.
func (db *DB) Near() bool { return db.dialect.near }

// Snapshot runs fn where every statement sees the database as it was at the first.
func (db *DB) Snapshot(ctx context.Context, fn func(context.Context, bun.IDB) error) error {
	options := &sql.TxOptions{ReadOnly: true}
	if !db.Near() {
		options.Isolation = sql.LevelRepeatableRead
	}
	return Err(db.RunInTx(ctx, options, func(ctx context.Context, tx bun.Tx) error { return fn(ctx, tx) }))
}

// arguments writes a query with places where strings and instants stand, and keeps those.
type arguments struct {
	schema.Dialect
	values []any
}

// AppendString leaves a place for the string.
func (a *arguments) AppendString(b []byte, s string) []byte { return a.place(b, s) }

// AppendTime leaves a place for the instant.
func (a *arguments) AppendTime(b []byte, t time.Time) []byte { return a.place(b, t) }

func (a *arguments) place(b []byte, value any) []byte {
	a.values = append(a.values, value)
	return strconv.AppendInt(append(b, '$'), int64(len(a.values)), 10)
}
