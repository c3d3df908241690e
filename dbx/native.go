package dbx

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"
)

// joinedTx implements pgx.Tx for libraries, inside bun's transaction on the same connection.
type joinedTx struct{ conn *pgx.Conn }

func nativeTx(conn bun.Conn) (pgx.Tx, error) {
	var tx pgx.Tx
	err := conn.Raw(func(driverConn any) error {
		std, ok := driverConn.(inlineConn)
		if !ok {
			return fmt.Errorf("unexpected driver connection %T", driverConn)
		}
		tx = joinedTx{std.Conn.Conn()}
		return nil
	})
	return tx, err
}

func (t joinedTx) Begin(ctx context.Context) (pgx.Tx, error) {
	if _, err := t.conn.Exec(ctx, "SAVEPOINT joined"); err != nil {
		return nil, err
	}
	return nestedTx{t}, nil
}

func (joinedTx) Commit(context.Context) error   { return nil }
func (joinedTx) Rollback(context.Context) error { return nil }

func (t joinedTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64,
	error) {
	return t.conn.CopyFrom(ctx, table, columns, rows)
}

func (t joinedTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return t.conn.SendBatch(ctx, b)
}

func (joinedTx) LargeObjects() pgx.LargeObjects { panic("large objects are not used") }

func (t joinedTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return t.conn.Prepare(ctx, name, sql)
}

func (t joinedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.conn.Exec(ctx, sql, args...)
}

func (t joinedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.conn.Query(ctx, sql, args...)
}

func (t joinedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return t.conn.QueryRow(ctx, sql, args...)
}

func (t joinedTx) Conn() *pgx.Conn { return t.conn }

// nestedTx is a savepoint inside a joinedTx; unlike it, it can be rolled back.
type nestedTx struct{ joinedTx }

func (s nestedTx) Commit(ctx context.Context) error {
	_, err := s.conn.Exec(ctx, "RELEASE SAVEPOINT joined")
	return err
}

func (s nestedTx) Rollback(ctx context.Context) error {
	_, err := s.conn.Exec(ctx, "ROLLBACK TO SAVEPOINT joined")
	return err
}
