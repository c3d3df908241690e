package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"rostrum/errs"
)

// lockFolder makes this process the only one that serves the data directory's SQLite file, until
// release is called. It returns an error if another one does. Operator commands need no lock.
func lockFolder(config Config) (release func() error, err error) {
	if config.Database != "" {
		return func() error { return nil }, nil
	}
	lock := flock.New(filepath.Join(config.DataDir, "rostrum.lock"), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock the data directory: %w", err)
	case !locked:
		return nil, fmt.Errorf("another rostrum process uses the data directory %s; stop it, or set DATABASE_URL so that several processes share a Postgres database", config.DataDir)
	}
	return lock.Unlock, nil
}

// schemaInterval is the time between two checks for a newer schema.
const schemaInterval = 5 * time.Second

// watchSchema checks the schema until the context ends. After a newer version of the program has
// migrated the database, this process refuses writes, works no jobs and is not ready on /readyz.
func (a *App) watchSchema(ctx context.Context) {
	ticker := time.NewTicker(schemaInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if a.stopIfOutdated(ctx) {
				return
			}
		}
	}
}

// stopIfOutdated reports whether it has stopped writes. It ignores an error of reading the database
// until the next check.
func (a *App) stopIfOutdated(ctx context.Context) bool {
	failure, ok := errors.AsType[*errs.Error](a.db.CheckSchema(ctx))
	if !ok {
		return false
	}
	slog.ErrorContext(ctx, "this process writes no more", "error", failure.Message)
	a.outdated.Store(failure)
	if err := a.jobs.Stop(ctx); err != nil {
		slog.ErrorContext(ctx, "stop jobs", "error", err)
	}
	return true
}
