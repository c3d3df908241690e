package link

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/periodic"
)

// sweepPause is the time between two searches for files that no link has.
const sweepPause = 6 * time.Hour

// sweepPeriodically moves the files of former releases into the store, and deletes those that no
// link has, at once and then every sweepPause. Errors are logged.
func (s *Service) sweepPeriodically(ctx context.Context) {
	periodic.Now(ctx, sweepPause, "move and clean up the files of links", func(ctx context.Context) error {
		before := time.Now().Add(-blob.OrphanAge)
		_, err := s.SweepFiles(ctx, before)
		return errors.Join(s.MoveFiles(ctx, before), err)
	})
}

// SweepFiles deletes the files that were stored before the time and that no link has, and returns
// their number.
func (s *Service) SweepFiles(ctx context.Context, before time.Time) (int, error) {
	return s.config.Files.Sweep(ctx, filePrefix, before, s.unusedFiles)
}

// unusedFiles returns the keys that no link has.
func (s *Service) unusedFiles(ctx context.Context, keys []string) (unused []string, err error) {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i], _, _ = strings.Cut(path.Base(key), ".")
	}
	var links []*model.Link
	err = s.db.NewSelect().Model(&links).Column("id", "workspace_id", "file").Where("id IN ?", bun.Tuple(ids)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	used := map[string]bool{}
	for _, l := range links {
		if l.File != nil {
			used[fileKey(l)] = true
		}
	}
	for _, key := range keys {
		if !used[key] {
			unused = append(unused, key)
		}
	}
	return unused, nil
}
