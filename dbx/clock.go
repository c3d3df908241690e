package dbx

import (
	"context"
	"time"

	"rostrum/model"
)

// Now returns the time of the database's clock, as SyncClock last compared it, so that processes
// with different clocks agree on leases.
func (db *DB) Now() time.Time { return model.Now().Add(time.Duration(db.clock.Load())) }

// SyncClock compares the clock of the database's server with that of this process. A difference
// below half the time of the query, which cannot be measured, counts as none. A file has the
// process's clock.
func (db *DB) SyncClock(ctx context.Context) error {
	if db.InProcess() {
		return nil
	}
	var there time.Time
	began := time.Now()
	if err := db.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		return Err(err)
	}
	half := time.Since(began) / 2
	ahead := there.Sub(began.Add(half))
	if ahead.Abs() <= half {
		ahead = 0
	}
	db.clock.Store(int64(ahead))
	return nil
}
