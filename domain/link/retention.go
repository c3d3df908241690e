package link

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/dbx"
	"rostrum/model"
)

const (
	// deleteInterval is the time between two deletions of old sessions.
	deleteInterval = 10 * time.Minute
	// deleteBatch is the number of sessions that one statement deletes.
	deleteBatch = 1000
)

// deletePeriodically deletes old sessions, at once and then every deleteInterval until the context ends. Errors are logged.
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

// DeleteSessions deletes the viewer sessions that were opened before a time, 1,000 per statement. The counts of links and variants,
// conversions and submissions are not changed.
func (s *Service) DeleteSessions(ctx context.Context, before time.Time) error {
	// The ids begin with the time of their creation, so that the primary key finds old sessions without another index.
	var end ulid.ULID
	if err := end.SetTime(ulid.Timestamp(before)); err != nil {
		return err
	}
	endID := model.ViewerPrefix + "_" + strings.ToLower(end.String())
	for {
		old := s.db.NewSelect().Model((*model.LinkSession)(nil)).Column("id").
			Where("id < ? AND opened_at < ?", endID, before).Order("id").Limit(deleteBatch)
		result, err := s.db.NewDelete().Model((*model.LinkSession)(nil)).Where("id IN (?)", old).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n < deleteBatch {
			return dbx.Err(err)
		}
	}
}
