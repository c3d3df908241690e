package job

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"rostrum/dbx"
)

// sqliteDriver is River's driver with polls that read before they write. SQLite sends no
// notifications, so each queue is polled several times a second. River's statement locks the writer
// and is parsed each time, which would be most of an idle program's work.
type sqliteDriver struct {
	*riversqlite.Driver
	due *dueQuery
}

func newSQLiteDriver(db *dbx.DB) sqliteDriver {
	return sqliteDriver{riversqlite.New(db.Writer()), &dueQuery{db: db}}
}

// GetExecutor returns an executor outside a transaction.
func (d sqliteDriver) GetExecutor() riverdriver.Executor {
	return pollingExecutor{d.Driver.GetExecutor(), d.due}
}

type pollingExecutor struct {
	riverdriver.Executor
	due *dueQuery
}

// dueRow finds a row that JobGetAvailable would take, by River's own condition without a time.
const dueRow = `SELECT 1 FROM river_job WHERE state = 'available' AND queue = ? AND priority >= 0
	AND scheduled_at <= datetime('now', 'subsec') LIMIT 1`

// dueQuery is the prepared query for due rows.
type dueQuery struct {
	db *dbx.DB

	mu       sync.Mutex
	prepared *sql.Stmt // nil until the first poll, before which the queue's tables may not exist
}

// hasRow reports whether a queue has a row that is due, or the error of the database. It passes no
// context, because the query ends at once and the driver need not start a goroutine to watch it.
func (q *dueQuery) hasRow(queue string) (bool, error) {
	ctx := context.Background()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.prepared == nil {
		prepared, err := q.db.PrepareRead(ctx, dueRow)
		if err != nil {
			return false, dbx.Err(err)
		}
		q.prepared = prepared
	}
	var found int
	err := q.prepared.QueryRowContext(ctx, queue).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, dbx.Err(err)
}

// JobGetAvailable takes waiting rows of a queue. It writes nothing if none is due.
func (e pollingExecutor) JobGetAvailable(ctx context.Context,
	of *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	if of.Now == nil {
		if found, err := e.due.hasRow(of.Queue); err != nil || !found {
			return &riverdriver.JobGetAvailableResult{}, err
		}
	}
	return e.Executor.JobGetAvailable(ctx, of)
}
