package event

import (
	"context"
	"log/slog"
	"time"

	"rostrum/model"
)

const (
	// keptFor is how long an event is kept. The newest of a workspace stays, so that a cursor at a quiet feed's end stays good.
	keptFor = 30 * 24 * time.Hour
	// tidyEvery is the time between two looks for old events.
	tidyEvery = 10 * time.Minute
	// tidyBatch is how many events one statement deletes.
	tidyBatch = 1000
)

// Run drops old events until the context ends.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(tidyEvery)
	defer ticker.Stop()
	for {
		if err := s.Tidy(ctx, model.Now()); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "old events cannot be dropped now", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Tidy drops the events that are more than 30 days old at the instant, a thousand to a statement.
func (s *Service) Tidy(ctx context.Context, now time.Time) error {
	for {
		n, err := s.drop(ctx, now.Add(-keptFor), tidyBatch)
		if err != nil || n < tidyBatch {
			return err
		}
	}
}
