package bulk

import (
	"context"
	"log/slog"
	"time"
)

const (
	// tidyPause is the time between two searches for old files.
	tidyPause = time.Hour
	// orphanAge is the age from which a blob without a row is deleted. Every job that could still
	// store it has ended by then.
	orphanAge = 24 * time.Hour
	// deleteTime limits the deletion of a blob.
	deleteTime = 5 * time.Second
)

// Run deletes old files periodically until the context ends. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(tidyPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if _, err := s.DeleteOld(ctx, s.DB.Now()); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "cannot delete old files of bulk jobs", "error", err)
		}
		if _, err := s.Sweep(ctx, time.Now().Add(-orphanAge)); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "cannot delete parts of files without a job", "error", err)
		}
	}
}

// Sweep deletes the blobs that were stored before the time and that no row has, and returns their
// number.
func (s *Service) Sweep(ctx context.Context, before time.Time) (int, error) {
	return s.Files.Sweep(ctx, blobPrefix, before, s.unusedBlobs)
}

// deleteBlob deletes blobs. An error is logged, as Sweep deletes them later.
func (s *Service) deleteBlob(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTime)
	defer cancel()
	if err := s.Files.Delete(ctx, key); err != nil {
		slog.WarnContext(ctx, "cannot delete a part of a file; it is deleted within days", "key", key, "error", err)
	}
}
