package account

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// seenInterval is how often the use of a session is stored.
const seenInterval = time.Minute

// seenMember is a session that was used, and the membership in the workspace that it acted in.
type seenMember struct{ session, member string }

// recordSeen queues that a session was used, at most once in seenInterval. If the queue is full it
// drops the use, and records a later one.
func (s *Service) recordSeen(seen seenMember) {
	if _, ok := s.seenLately.Get(seen); ok {
		return
	}
	select {
	case s.seen <- seen:
		s.seenLately.Add(seen, true)
	default:
	}
}

// storeSeen stores when a session and a member were last seen, never an earlier time.
func (s *Service) storeSeen(ctx context.Context, seen seenMember) error {
	now := model.Now()
	_, err := s.db.NewUpdate().Model((*model.SignIn)(nil)).Set("last_seen_at = ?", now).
		Where("id = ? AND last_seen_at < ?", seen.session, now).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = s.db.NewUpdate().Model((*model.Membership)(nil)).Set("last_seen_at = ?", now).
		Where("id = ?", seen.member).Where("last_seen_at IS NULL OR last_seen_at < ?", now).Exec(ctx)
	return dbx.Err(err)
}
