package dbx

import (
	"context"
	"time"

	"rostrum/model"
)

// Now returns the database's time as of the last SyncClock. Leases use it, because the clocks of
// processes differ.
func (db *DB) Now() time.Time { return model.Now().Add(time.Duration(db.clock.Load())) }

// SyncClock measures how far the server's clock is from this process's. A difference below half the
// query's duration counts as none, because it cannot be measured. It does nothing for a file.
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
