package link

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/link/visitor"
	"rostrum/errs"
	"rostrum/model"
)

// EndedReasons returns why each link has ended, or nil for a link that has not.
func (s *Service) EndedReasons(links []*model.Link) []*model.LinkEndedReason {
	now, out := s.db.Now(), make([]*model.LinkEndedReason, len(links))
	for i, link := range links {
		out[i] = link.EndedReason(now)
	}
	return out
}

// whereEnded selects the links that have ended at a time, or those that have not.
func whereEnded(q *bun.SelectQuery, isEnded bool, now time.Time) *bun.SelectQuery {
	return q.Where("(coalesce(expires_at <= ?, false) OR coalesce(taken_opens >= max_opens, false)) = ?", now, isEnded)
}

// setEnd sets when a link ends, if it is given. It adds an error for a time in the past, unless the link
// has it already.
func setEnd(invalid *errs.FieldErrors, link *model.Link, given graphql.Omittable[*time.Time], now time.Time) {
	if !given.IsSet() {
		return
	}
	until := given.Value()
	isNew := until != nil && (link.ExpiresAt == nil || !until.Equal(*link.ExpiresAt))
	if isNew && !until.After(now) {
		invalid.Body("bad_time", "must be in the future; to close the link now, pause it", "expiresAt")
	}
	link.ExpiresAt = until
}

// setMaxOpens sets how many opens a link allows, if it is given. The opens that it has count.
func setMaxOpens(link *model.Link, given graphql.Omittable[*int]) {
	if !given.IsSet() {
		return
	}
	if link.MaxOpens == nil {
		link.TakenOpens = link.OpenCount
	}
	link.MaxOpens = given.Value()
}

// visit is a request for the content of a link.
type visit struct {
	session viewerSession
	isKnown bool // the session is that of the request's cookie
	viewer  visitor.Visitor
}

// stateFor returns the state of a target for a request. A link whose opens are used up is open to a
// viewer who has a session.
func (s *Service) stateFor(r *http.Request, t *linkTarget) targetState {
	state := t.state(s.db.Now())
	if state == stateUsedUp {
		if _, isKnown := s.signer.readCookie(r, t.link.ID, time.Now()); isKnown {
			return stateOpen
		}
	}
	return state
}

// admit returns the visit of a request to an open link. It takes an open of a link with a limit for a
// person without a session, and reports false if none is left. It returns an error if the open cannot
// be taken, for example without the database.
func (s *Service) admit(r *http.Request, t *linkTarget, now time.Time) (v visit, ok bool, err error) {
	if v.session, v.isKnown = s.signer.readCookie(r, t.link.ID, now); v.isKnown {
		return v, true, nil
	}
	v.viewer = s.config.Visitors.Read(r)
	if !v.viewer.Human || t.link.MaxOpens == nil {
		return v, true, nil
	}
	ok, err = s.takeOpen(r.Context(), t)
	return v, ok, err
}

// takeOpen takes one of a link's opens in the database, so that all processes together take no more
// than there are. It reports false if none is left.
func (s *Service) takeOpen(ctx context.Context, t *linkTarget) (bool, error) {
	var left []int
	_, err := s.db.NewUpdate().Model((*model.Link)(nil)).Set("taken_opens = taken_opens + 1").
		Where("id = ? AND (max_opens IS NULL OR taken_opens < max_opens)", t.link.ID).
		Returning("coalesce(max_opens, taken_opens + 1) - taken_opens").Exec(ctx, &left)
	if err != nil {
		return false, dbx.Err(err)
	}
	if len(left) == 0 || left[0] == 0 {
		s.publishChange(ctx, t.link.Slug)
	}
	return len(left) > 0, nil
}

// findOpenTarget returns the target of a link whose pages may report, or errs.NotFound. A link that is
// used up takes reports of its viewers; checkReporter finds out whether they are. A page with a password
// takes reports with the cookie of the password.
func (s *Service) findOpenTarget(r *http.Request, slug string) (*linkTarget, error) {
	t, err := s.findTarget(r.Context(), slug)
	if err != nil {
		return nil, err
	}
	if state := t.state(s.db.Now()); state != stateOpen && state != stateUsedUp {
		return nil, errs.New(errs.NotFound, "no active link with this slug")
	}
	if t.link.Kind == model.LinkKindPage && !s.isUnlocked(r, t) {
		return nil, errs.New(errs.NotFound, "the page needs its password: open it again")
	}
	return t, nil
}

// checkReporter returns errs.NotFound if the link is used up and the session is not one of its
// viewers.
func (s *Service) checkReporter(t *linkTarget, sessionID string) error {
	if t.state(s.db.Now()) == stateUsedUp && !s.signer.isGenuine(bareID(sessionID), t.link.ID, time.Now()) {
		return errs.New(errs.NotFound, "the opens of the link are used up")
	}
	return nil
}
