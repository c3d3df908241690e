package bulk

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"rostrum/platform/blob"
	"rostrum/platform/periodic"
)

const (
	// tidyPause is the time between two searches for old files.
	tidyPause = time.Hour
	// deleteTime limits the deletion of a blob.
	deleteTime = 5 * time.Second
)

// Run deletes old files periodically until the context ends. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	periodic.Every(ctx, tidyPause, "delete old files of bulk jobs, and parts without a job", func(ctx context.Context) error {
		_, failed := s.DeleteOld(ctx, s.DB.Now())
		_, err := s.Sweep(ctx, time.Now().Add(-blob.OrphanAge))
		return errors.Join(failed, err)
	})
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
