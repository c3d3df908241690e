package dbx

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun/schema"
)

const (
	// copiedRows is the number of rows from which COPY is cheaper for a server than INSERT.
	copiedRows = 50
	// insertedRows limits the rows of one INSERT, because its text holds their values.
	insertedRows = 500
)

// InsertRows stores rows of one model with all their columns. A server receives many rows by COPY,
// so a row that exists already ends the transaction. It returns the errors of Err.
func InsertRows[T any](ctx context.Context, tx Tx, rows []*T) error {
	native, ok := tx.Native()
	if ok && len(rows) >= copiedRows {
		return copyRows(ctx, tx, native, rows)
	}
	for batch := range slices.Chunk(rows, insertedRows) {
		if _, err := tx.NewInsert().Model(&batch).Exec(ctx); err != nil {
			return Err(err)
		}
	}
	return nil
}

// copyRows stores rows by COPY; see InsertRows.
func copyRows[T any](ctx context.Context, tx Tx, native pgx.Tx, rows []*T) error {
	table := tx.Dialect().Tables().Get(reflect.TypeFor[T]())
	columns, values := make([]string, len(table.Fields)), make([]any, len(table.Fields))
	for i, f := range table.Fields {
		columns[i] = f.Name
	}
	source := pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		row := reflect.ValueOf(rows[i]).Elem()
		for j, f := range table.Fields {
			var err error
			if values[j], err = copiedValue(f, row); err != nil {
				return nil, err
			}
		}
		return values, nil
	})
	_, err := native.CopyFrom(ctx, pgx.Identifier{table.Name}, columns, source)
	return Err(err)
}

// copiedValue returns the value of a field as COPY takes it: JSON is a text, and a nil pointer is NULL,
// as an INSERT stores it.
func copiedValue(f *schema.Field, row reflect.Value) (any, error) {
	value := f.Value(row)
	if value.Kind() == reflect.Pointer && value.IsNil() || f.NullZero && f.HasZeroValue(row) {
		return nil, nil
	}
	if f.UserSQLType != "jsonb" {
		return value.Interface(), nil
	}
	text, err := json.Marshal(value.Interface())
	return string(text), err
}
