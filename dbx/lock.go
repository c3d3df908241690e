package dbx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gofrs/flock"
	"github.com/uptrace/bun"

	"rostrum/errs"
)

const (
	// migrationLockKey is the key of a server's advisory lock for migrations.
	migrationLockKey = 0x726f7374
	// serverLockPause and fileLockPause are the pauses between two attempts to lock.
	serverLockPause, fileLockPause = 250 * time.Millisecond, 20 * time.Millisecond
	// maxMigrationWait limits the wait for another process that migrates.
	maxMigrationWait = 10 * time.Minute
)

var errMigrating = errs.New(errs.Unavailable, "another process has been migrating the database for %d minutes; "+
	"end it or wait until it has finished, and start again", maxMigrationWait/time.Minute)

// withServerLock holds the lock by a transaction, as a pooler gives a session to others. A process
// that ends loses it.
func withServerLock(ctx context.Context, db *DB, fn func(context.Context) error) error {
	tx, err := lockServer(ctx, db)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errMigrating) {
		tx, err = lockServer(ctx, db) // the pool may have had a broken connection, which it drops
	}
	if err != nil {
		return fmt.Errorf("wait to migrate: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // it has changed nothing
	return fn(ctx)
}

func lockServer(ctx context.Context, db *DB) (bun.Tx, error) {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return tx, err
	}
	_, err = tx.ExecContext(ctx, "SET LOCAL "+idleTimeoutParam+" = 0")
	if err == nil {
		err = awaitServerLock(ctx, tx)
	}
	if err != nil {
		return tx, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// awaitServerLock logs that it waits. It returns errMigrating after maxMigrationWait.
func awaitServerLock(ctx context.Context, tx bun.Tx) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxMigrationWait, errMigrating)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var isLocked bool
		err := tx.NewRaw("SELECT pg_try_advisory_xact_lock(?)", migrationLockKey).Scan(ctx, &isLocked)
		if err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		if isLocked {
			return nil
		}
		if attempt == 4 {
			slog.InfoContext(ctx, "waiting for another process that migrates the database")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(serverLockPause):
		}
	}
}

func withFileLock(ctx context.Context, db *DB, fn func(context.Context) error) error {
	lock := flock.New(db.path+".migrate", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, fileLockPause); err != nil {
		return fmt.Errorf("wait to migrate: %w", err)
	}
	return errors.Join(fn(ctx), lock.Unlock())
}
