// Package dbx is the door to the database: opening it, transactions, paging, search, migrations, and driver errors as errs.
package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/uptrace/bun"
)

// DB is an open database. Queries go through bun; Pool and Writer are there for the queue.
type DB struct {
	*bun.DB
	// writer is where everything is written: a file has one connection for it, so that writers wait in line, each for its turn, and leave
	// the others to those who read.
	writer  *bun.DB
	dialect dialect
	pool    *pgxpool.Pool
	queue   *pgxpool.Pool
}

// Tx is a transaction of InTx.
type Tx struct {
	bun.Tx
	native pgx.Tx
	after  *[]func()
}

// Open opens the database at a postgres:// address, or else the file of that path, and checks that it answers.
func Open(ctx context.Context, address string) (*DB, error) {
	open := openFile
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		open = openServer
	}
	db, err := open(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := db.check(ctx); err != nil {
		return nil, fmt.Errorf("open database: %w", errors.Join(err, db.Close()))
	}
	return db, nil
}

// check asks for an answer, of the writer first: it makes the file.
func (db *DB) check(ctx context.Context) error {
	for _, part := range db.parts() {
		part.AddQueryHook(countHook{})
		if err := part.PingContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) parts() []*bun.DB {
	if db.writer == db.DB {
		return []*bun.DB{db.DB}
	}
	return []*bun.DB{db.writer, db.DB}
}

// Close closes the database and its pool.
func (db *DB) Close() error {
	var err error
	for _, part := range db.parts() {
		err = errors.Join(part.Close(), err)
	}
	if db.pool != nil {
		db.pool.Close()
		db.queue.Close()
	}
	return err
}

// Pool gives the queue's own connections to a database that several processes share; ok is false for a file, which one process owns.
// What is committed over them is lost, in order, when the server itself dies in the next half a second, so that they are for
// nothing but what may come again: taking work and telling that it is done.
func (db *DB) Pool() (pool *pgxpool.Pool, ok bool) { return db.queue, db.queue != nil }

// Writer is where everything is written, for what speaks database/sql; of a file it is the one connection that writes.
func (db *DB) Writer() *sql.DB { return db.writer.DB }

// NewInsert begins an INSERT where writes go.
func (db *DB) NewInsert() *bun.InsertQuery { return db.writer.NewInsert() }

// NewUpdate begins an UPDATE where writes go.
func (db *DB) NewUpdate() *bun.UpdateQuery { return db.writer.NewUpdate() }

// NewDelete begins a DELETE where writes go.
func (db *DB) NewDelete() *bun.DeleteQuery { return db.writer.NewDelete() }

// InTx runs fn in a transaction that commits when fn returns nil and rolls back otherwise. What fn leaves with AfterCommit runs behind it.
func (db *DB) InTx(ctx context.Context, fn func(context.Context, Tx) error) error {
	var after []func()
	if err := db.inTx(ctx, &after, fn); err != nil {
		return Err(err)
	}
	for _, f := range after {
		f()
	}
	return nil
}

func (db *DB) inTx(ctx context.Context, after *[]func(), fn func(context.Context, Tx) error) error {
	if db.pool == nil {
		return db.writer.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return fn(ctx, Tx{Tx: tx, after: after}) })
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		native, err := nativeTx(conn)
		if err != nil {
			return err
		}
		return fn(ctx, Tx{Tx: tx, native: native, after: after})
	})
}

// AfterCommit leaves something to do once the transaction has committed, such as telling others of it; a rollback drops it.
func (tx Tx) AfterCommit(fn func()) { *tx.after = append(*tx.after, fn) }

// Native gives the transaction to libraries that speak the server's own protocol; ok is false for a file.
// Its Commit and Rollback do nothing: InTx decides.
func (tx Tx) Native() (native pgx.Tx, ok bool) { return tx.native, tx.native != nil }

// Standard gives the transaction to libraries that speak database/sql.
func (tx Tx) Standard() *sql.Tx { return tx.Tx.Tx }
