package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/errs"
)

// maxTenantSlots limits the concurrent transactions of one workspace. More would hold connections
// without being faster, because most transactions lock the workspace's row.
const maxTenantSlots = 4

// Limiter limits concurrent work per workspace of the context. Acquire blocks until the work may
// begin, or returns the context's error. Call release once.
type Limiter interface {
	Acquire(ctx context.Context) (release func(), err error)
}

// DB is an open database. It is safe for concurrent use. It does not embed bun.DB, because every
// method has to choose the pool for its statement: only the writer can change a file.
type DB struct {
	reader *bun.DB
	// writer is the pool for all writes. For a file it has one connection, so writers queue for it.
	// Readers do not.
	writer  *bun.DB
	dialect sqlDialect
	pool    *pgxpool.Pool
	queue   *pgxpool.Pool
	// isPooled is true behind a pooler, which gives each transaction another session.
	isPooled bool
	slots    Limiter                    // of transactions
	txConns  int                        // connections that transactions may hold; reads have the others
	path     string                     // of the file; empty for a server
	clock    atomic.Int64               // nanoseconds by which the server's clock is ahead of this process's
	refused  atomic.Pointer[errs.Error] // why writes are refused; nil if they are not

	commitWait time.Duration // of a server
}

// Reader starts queries: a DB or a Tx.
type Reader interface {
	NewSelect() *bun.SelectQuery
}

// ReadWriter starts statements of any kind: a DB or a Tx.
type ReadWriter interface {
	Reader
	NewInsert() *bun.InsertQuery
	NewUpdate() *bun.UpdateQuery
	NewDelete() *bun.DeleteQuery
	NewValues(model any) *bun.ValuesQuery
}

var (
	_ ReadWriter = (*DB)(nil)
	_ ReadWriter = Tx{}
)

// Tx is a transaction that InTx has begun.
type Tx struct {
	bun.Tx
	native pgx.Tx
	after  *[]func()
	before *commitBatches
}

// Every model names its table, so this returns the name unchanged. By default bun derives the
// plural first, which takes longer than the rest of a model's set-up.
func init() { schema.SetTableNameInflector(func(name string) string { return name }) }

// Open opens a postgres:// address or a file's path, and returns an error if the database does not
// respond. newLimiter creates the limiter of transactions, for example slot.New (see [Limiter]).
func Open[L Limiter](ctx context.Context, address string, newLimiter func(all, each int) L) (*DB, error) {
	db, err := openAny(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db.slots = newLimiter(db.txConns, min(db.txConns/2, maxTenantSlots))
	return db, nil
}

func openAny(ctx context.Context, address string) (*DB, error) {
	open := openFile
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		open = openServer
	}
	db, err := open(ctx, address)
	if err != nil {
		return nil, err
	}
	err = db.pingPools(ctx)
	if err == nil {
		err = db.SyncClock(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// newPool returns connections with a counter of statements.
func newPool(connections *sql.DB, dialect schema.Dialect) *bun.DB {
	return bun.NewDB(connections, dialect, bun.WithDiscardUnknownColumns()).WithQueryHook(countHook{})
}

// pingPools connects to the writer first, which creates a missing file.
func (db *DB) pingPools(ctx context.Context) error {
	for _, pool := range db.bunPools() {
		if err := pool.PingContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Ping returns an error if the database cannot be read.
func (db *DB) Ping(ctx context.Context) error { return db.reader.PingContext(ctx) }

func (db *DB) bunPools() []*bun.DB {
	if db.writer == db.reader {
		return []*bun.DB{db.writer}
	}
	return []*bun.DB{db.writer, db.reader}
}

// Close closes all connections.
func (db *DB) Close() error {
	var err error
	for _, pool := range db.bunPools() {
		err = errors.Join(pool.Close(), err)
	}
	if db.pool != nil {
		db.pool.Close()
		db.queue.Close()
	}
	return err
}

// QueuePool returns the job queue's own connections to a server; ok is false for a file. Commits on
// them are asynchronous: after a crash the server may have lost the last half second, in order. Use
// them only for work that is repeated then, for example fetching jobs or reporting completion.
func (db *DB) QueuePool() (pool *pgxpool.Pool, ok bool) { return db.queue, db.queue != nil }

// IsPooled reports whether a pooler gives each transaction another session of the server, so that a
// session cannot wait for notifications.
func (db *DB) IsPooled() bool { return db.isPooled }

// Writer returns the pool for writes, for libraries that use database/sql. A file has one
// connection.
func (db *DB) Writer() *sql.DB { return db.writer.DB }

// NewSelect starts a query on the pool for reads.
func (db *DB) NewSelect() *bun.SelectQuery { return db.reader.NewSelect() }

// SelectRaw starts a query on the pool for reads from SQL text. For a file, text that writes fails.
func (db *DB) SelectRaw(text string, args ...any) *bun.RawQuery {
	return db.reader.NewRaw(text, args...)
}

// PrepareRead prepares a query on the pool for reads. Use it for a text that runs many times a
// second, because SQLite parses an unprepared text each time.
func (db *DB) PrepareRead(ctx context.Context, text string) (*sql.Stmt, error) {
	return db.reader.DB.PrepareContext(ctx, text)
}

// NewInsert starts an INSERT on the pool for writes.
func (db *DB) NewInsert() *bun.InsertQuery { return db.writer.NewInsert().Err(db.writeError()) }

// NewUpdate starts an UPDATE on the pool for writes.
func (db *DB) NewUpdate() *bun.UpdateQuery { return db.writer.NewUpdate().Err(db.writeError()) }

// NewDelete starts a DELETE on the pool for writes.
func (db *DB) NewDelete() *bun.DeleteQuery { return db.writer.NewDelete().Err(db.writeError()) }

// NewValues starts a list of rows that a statement of NewUpdate or NewInsert reads from.
func (db *DB) NewValues(model any) *bun.ValuesQuery { return db.writer.NewValues(model) }

// InTx runs fn in a transaction. If fn returns nil, it commits and runs the AfterCommit functions;
// otherwise it rolls back and returns the error. If a server does not confirm the commit, it
// returns errs.Unavailable and IsUnconfirmed is true. It blocks until the workspace has a free slot
// (see maxTenantSlots). fn must not call InTx, because the two transactions would wait for each
// other.
func (db *DB) InTx(ctx context.Context, fn func(context.Context, Tx) error) error {
	var after []func()
	if err := db.runInSlot(ctx, &after, fn); err != nil {
		return Err(err)
	}
	for _, f := range after {
		f()
	}
	return nil
}

func (db *DB) runInSlot(ctx context.Context, after *[]func(), fn func(context.Context, Tx) error) error {
	if err := db.writeError(); err != nil {
		return err
	}
	release, err := db.slots.Acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return db.runTx(ctx, after, fn)
}

func (db *DB) runTx(ctx context.Context, after *[]func(), fn func(context.Context, Tx) error) error {
	if db.pool == nil {
		return db.writer.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			return runHooked(ctx, Tx{Tx: tx, after: after, before: &commitBatches{}}, fn)
		})
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	whole, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	begun := context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	unconfirmed := time.AfterFunc(math.MaxInt64, func() { end(errUnconfirmed) })
	defer unconfirmed.Stop()
	isCommitting := false
	var failure error // of the work, after which the transaction is rolled back
	err = conn.RunInTx(whole, nil, func(_ context.Context, tx bun.Tx) error {
		// database/sql would roll back as soon as the context ends, on a connection that a native
		// statement may be using.
		if !begun() {
			return context.Cause(ctx)
		}
		native, err := nativeTx(conn)
		if err != nil {
			return err
		}
		failure = runHooked(ctx, Tx{Tx: tx, native: native, after: after, before: &commitBatches{}}, fn)
		isCommitting = failure == nil
		unconfirmed.Reset(db.commitWait)
		return failure
	})
	if isCommitting && isUnanswered(err) {
		return fmt.Errorf("%w (%w)", errUnconfirmed, err)
	}
	if failure == nil && errors.Is(err, context.Canceled) && whole.Err() != nil {
		return context.Cause(whole)
	}
	return err
}

// maxCommitWait limits how long a commit or rollback waits for a server that does not answer.
const maxCommitWait = 20 * time.Second

// errUnconfirmed reports a transaction that may or may not have been committed.
var errUnconfirmed = errs.New(errs.Unavailable, "the database did not confirm the change in time; read what it changed before you send it again")

// IsUnconfirmed reports whether a transaction may have been committed although it returned this
// error: the server did not answer the commit.
func IsUnconfirmed(err error) bool { return errors.Is(err, errUnconfirmed) }

// runHooked runs fn, then the context's CommitHook, and then what fn passed to BeforeCommit.
func runHooked(ctx context.Context, tx Tx, fn func(context.Context, Tx) error) error {
	if err := fn(ctx, tx); err != nil {
		return err
	}
	if hook, ok := ctx.Value(commitHookKey{}).(CommitHook); ok && hook != nil {
		if err := hook(ctx, tx); err != nil {
			return err
		}
	}
	if err := tx.before.flush(ctx, tx); err != nil {
		return err
	}
	return ctx.Err()
}

type commitHookKey struct{}

// CommitHook runs before the commit of every transaction of its context, for example to mark an
// Idempotency-Key. Its error rolls the transaction back.
type CommitHook func(context.Context, Tx) error

// WithCommitHook returns a context that runs the hook in its transactions; nil runs none.
func WithCommitHook(ctx context.Context, hook CommitHook) context.Context {
	return context.WithValue(ctx, commitHookKey{}, hook)
}

// AfterCommit registers a function to run after the commit, for example to publish a notification.
// A rollback drops it.
func (tx Tx) AfterCommit(fn func()) { *tx.after = append(*tx.after, fn) }

// Native returns the transaction for libraries that use pgx; ok is false for a file. Its Commit and
// Rollback do nothing, because InTx ends the transaction.
func (tx Tx) Native() (native pgx.Tx, ok bool) { return tx.native, tx.native != nil }

// SQLTx returns the transaction for libraries that use database/sql.
func (tx Tx) SQLTx() *sql.Tx { return tx.Tx.Tx }
