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

// sessionFolder has the viewer sessions that were accepted in an outage of the database, one file
// per batch. Processes may share it and store each other's files, because storing a session again
// changes nothing.
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
	found, _ := filepath.Glob(filepath.Join(string(f), "*.json")) // only of a malformed pattern
	return found
}

// keep writes new sessions to a file, so that they outlive the process, and reports whether it did.
// Sessions that are in a file or the journal are not written again.
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

// storeFilesPeriodically stores the files at once and then every recoverInterval, or every
// retryInterval while the database is unavailable.
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

// storeFiles stores the sessions of all files. It stops early if the process stops in an outage.
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

// storeFile stores the sessions of a file and removes it. It logs and removes a file that cannot be
// decoded. A file stays if it cannot be read or the database does not store it in time. It reports
// false if the process stops in an outage.
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
