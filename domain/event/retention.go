package event

import (
	"context"
	"time"

	"rostrum/model"
	"rostrum/platform/periodic"
)

const (
	// retention is how long events are stored. The newest event of a workspace is never deleted, so
	// that a cursor at the end of its feed stays valid.
	retention = 30 * 24 * time.Hour
	// tidyInterval is the time between two deletions of old events.
	tidyInterval = 10 * time.Minute
	// tidyBatch is the number of events that one statement deletes.
	tidyBatch = 1000
)

// Run deletes old events until the context is canceled. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	periodic.Now(ctx, tidyInterval, "delete old events", func(ctx context.Context) error {
		return s.DeleteOld(ctx, model.Now())
	})
}

// DeleteOld deletes the events that are older than 30 days at the given time, 1,000 per statement.
func (s *Service) DeleteOld(ctx context.Context, now time.Time) error {
	for {
		n, err := s.dropBefore(ctx, now.Add(-retention), tidyBatch)
		if err != nil || n < tidyBatch {
			return err
		}
	}
}
