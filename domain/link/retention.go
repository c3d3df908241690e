package link

import (
	"context"
	"log/slog"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// deleteInterval is the time between two deletions of old sessions.
const deleteInterval = 10 * time.Minute

// deletePeriodically deletes old sessions at once and then every deleteInterval. Errors are logged.
func (s *Service) deletePeriodically(ctx context.Context) {
	if s.config.Retention == 0 {
		return
	}
	ticker := time.NewTicker(deleteInterval)
	defer ticker.Stop()
	for {
		if err := s.DeleteSessions(ctx, model.Now().Add(-s.config.Retention)); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "cannot delete old viewer sessions", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// DeleteSessions deletes the viewer sessions opened before a time, 1,000 per statement. Counts,
// conversions and submissions stay.
func (s *Service) DeleteSessions(ctx context.Context, before time.Time) error {
	return dbx.DeleteBefore[model.LinkSession](ctx, s.db, model.ViewerPrefix, "opened_at", before)
}
