package link

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"rostrum/model"
)

// sessionFolder has the viewer sessions that were accepted while the database was unavailable, one
// file for each batch. Processes may share it, and each stores the files of all: storing a session
// again changes nothing.
type sessionFolder string

// write adds a file, which is on the disk when write returns.
func (f sessionFolder) write(sessions []*pendingSession) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(string(f), "new-*")
	if err != nil {
		return err
	}
	err = json.NewEncoder(file).Encode(sessions)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(string(f), model.NewID("jnl")+".json"))
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// paths returns the files, the oldest first.
func (f sessionFolder) paths() []string {
	found, _ := filepath.Glob(filepath.Join(string(f), "*.json")) //nolint:errcheck // only of a malformed pattern
	return found
}

// keep writes new sessions to a file, so that they outlive the process, and reports whether that
// succeeded. Sessions that a file or the journal has are not written again.
func (c *committer) keep(ctx context.Context, sessions []*pendingSession) bool {
	if len(sessions) == 0 || sessions[0].kept {
		return false
	}
	err := c.outages.write(sessions)
	if failed := c.unkept.Swap(err != nil); err != nil && !failed {
		slog.ErrorContext(ctx, "viewer sessions wait in memory for the database because they cannot be written to a file", "error", err)
	}
	return err == nil
}

// storeFilesPeriodically stores the files at once and every recoverInterval, or every retryInterval
// while the database is unavailable, until the context ends.
func (c *committer) storeFilesPeriodically(ctx context.Context) {
	for {
		c.storeFiles(ctx)
		interval := recoverInterval
		if c.unavailable.Load() {
			interval = retryInterval
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(interval):
		}
	}
}

// storeFiles stores the sessions of all files, unless the process stops while the database is
// unavailable.
func (c *committer) storeFiles(ctx context.Context) {
	for _, path := range c.outages.paths() {
		if !c.storeFile(ctx, path) {
			return
		}
	}
	if c.unavailable.Load() && withCommitTimeout(ctx, c.checkWritable) == nil {
		c.reportAvailable(ctx)
	}
}

// storeFile stores the sessions of a file and removes it. A file that cannot be decoded is logged
// and removed; one that cannot be read, or that the database does not store in time, stays. It
// reports false if the process stops while the database is unavailable.
func (c *committer) storeFile(ctx context.Context, path string) bool {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // another process has stored it
		return true
	case err != nil:
		slog.ErrorContext(ctx, "read a file of viewer sessions", "error", err)
		return true
	}
	sessions, err := decodeSessions(text)
	if err != nil {
		slog.ErrorContext(ctx, "a file of viewer sessions is discarded because it cannot be decoded", "file", path,
			"error", err)
	} else if err := c.storeOrSplit(ctx, sessions); err != nil {
		return errors.Is(err, errBusy)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.ErrorContext(ctx, "remove a file of viewer sessions", "error", err)
	}
	return true
}
