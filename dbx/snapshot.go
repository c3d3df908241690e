package dbx

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// Snapshot is the database as it was at one moment, while others go on writing.
type Snapshot struct {
	bun.IDB
	db *DB
}

// ReadSnapshot calls do with a snapshot, which ends with it, and returns its error unchanged. It takes
// one connection of those for reads.
func (db *DB) ReadSnapshot(ctx context.Context, do func(context.Context, Snapshot) error) error {
	var failure error
	err := db.dialect.snapshot(ctx, db, func(ctx context.Context, reader bun.IDB) error {
		failure = do(ctx, Snapshot{reader, db})
		return failure
	})
	return cmp.Or(failure, Err(err))
}

func serverSnapshot(ctx context.Context, db *DB, do func(context.Context, bun.IDB) error) error {
	options := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return db.writer.RunInTx(ctx, options, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, "SET LOCAL "+idleTimeoutParam+" = 0"); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// fileSnapshot begins a transaction that reads; one of database/sql would lock the file.
func fileSnapshot(ctx context.Context, db *DB, do func(context.Context, bun.IDB) error) error {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") //nolint:errcheck // it has only read
	return do(ctx, conn)
}

// Tables returns the tables of the program in the order of their names.
func (s Snapshot) Tables(ctx context.Context) ([]Table, error) { return s.db.tables(ctx, s.IDB) }

// Rows calls do with the values of each row of the table, in the order of its columns: nil, bool,
// int64, float64, string, []byte or time.Time. The slice is reused.
func (s Snapshot) Rows(ctx context.Context, table Table, do func([]any) error) (err error) {
	rows, err := s.QueryContext(ctx, "SELECT "+table.columnList()+" FROM "+quoteName(table.Name))
	if err != nil {
		return Err(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values, into := make([]any, len(table.Columns)), make([]any, len(table.Columns))
	for i := range into {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("read %s: %w", table.Name, err)
		}
		for i, column := range table.Columns {
			values[i] = column.read(values[i])
		}
		if err := do(values); err != nil {
			return err
		}
	}
	return Err(rows.Err())
}

// read returns a driver's value as the column's kind has it.
func (c Column) read(value any) any {
	switch v := value.(type) {
	case []byte:
		if c.Kind != KindBytes {
			return string(v)
		}
	case int64:
		if c.Kind == KindBoolean {
			return v != 0
		}
	}
	return value
}
