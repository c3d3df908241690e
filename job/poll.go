package job

import (
	"context"
	"database/sql"
	"errors"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"rostrum/dbx"
)

// sqliteDriver is River's driver whose polls read before they write. SQLite notifies nobody, so each queue is polled several times a second;
// River's statement locks the writer and is parsed every time, which costs an idle program more than all its other work.
type sqliteDriver struct {
	*riversqlite.Driver
	db *dbx.DB
}

func newSQLiteDriver(db *dbx.DB) sqliteDriver {
	return sqliteDriver{riversqlite.New(db.Writer()), db}
}

// GetExecutor returns an executor outside a transaction.
func (d sqliteDriver) GetExecutor() riverdriver.Executor {
	return pollingExecutor{d.Driver.GetExecutor(), d.db}
}

type pollingExecutor struct {
	riverdriver.Executor
	db *dbx.DB
}

// dueRow finds a row that JobGetAvailable would take, by River's own condition without a time.
const dueRow = `SELECT 1 FROM river_job WHERE state = 'available' AND queue = ? AND priority >= 0
	AND scheduled_at <= datetime('now', 'subsec') LIMIT 1`

// JobGetAvailable takes waiting rows of a queue. It writes nothing if none is due, and returns the error of the database.
func (e pollingExecutor) JobGetAvailable(ctx context.Context, of *riverdriver.JobGetAvailableParams) ([]*rivertype.JobRow, error) {
	if of.Now == nil {
		var found int
		err := e.db.SelectRaw(dueRow, of.Queue).Scan(ctx, &found)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, dbx.Err(err)
		}
	}
	return e.Executor.JobGetAvailable(ctx, of)
}
