package link

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/periodic"
)

// deleteInterval is the time between two deletions of old sessions.
const deleteInterval = 10 * time.Minute

// deletePeriodically deletes old sessions at once and then every deleteInterval. Errors are logged.
func (s *Service) deletePeriodically(ctx context.Context) {
	if s.config.Retention == 0 {
		return
	}
	periodic.Now(ctx, deleteInterval, "delete old viewer sessions", func(ctx context.Context) error {
		return s.DeleteSessions(ctx, model.Now().Add(-s.config.Retention))
	})
}

// DeleteSessions deletes the viewer sessions opened before a time, 1,000 per statement. Counts,
// conversions and submissions stay.
func (s *Service) DeleteSessions(ctx context.Context, before time.Time) error {
	return dbx.DeleteBefore[model.LinkSession](ctx, s.db, model.ViewerPrefix, "opened_at", before)
}
