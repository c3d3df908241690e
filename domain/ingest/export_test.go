package ingest

import (
	"context"
	"errors"
	"time"

	"rostrum/model"
)

// SetClock replaces the clock of sources, and removes jitter from their schedule.
func (s *Service) SetClock(now func() time.Time) { s.now, s.jitter = now, func() float64 { return 0 } }

// PollDue polls the sources that are due, one after another.
func (s *Service) PollDue(ctx context.Context) error {
	claimed, err := s.ClaimDue(ctx, maxSubscriptions)
	for _, src := range claimed {
		err = errors.Join(err, s.pollClaimed(ctx, src))
	}
	return err
}

// StoreDue stores the new entries of the sources that are due, and leaves the rest of the poll, as a
// process does that is killed.
func (s *Service) StoreDue(ctx context.Context) error {
	claimed, err := s.ClaimDue(ctx, maxSubscriptions)
	for _, src := range claimed {
		found, failure := s.readSourceListing(ctx, src)
		err = errors.Join(err, failure)
		if found != nil {
			err = errors.Join(err, s.storeListing(ctx, src, found))
		}
	}
	return err
}

// ReadDue reads the mailboxes that are due, and leaves the rest of the poll, as a process does that is
// killed.
func (s *Service) ReadDue(ctx context.Context) error {
	claimed, err := s.ClaimDue(ctx, maxSubscriptions)
	for _, src := range claimed {
		_, failure := s.pollMailbox(ctx, src)
		err = errors.Join(err, failure)
	}
	return err
}

// ClaimDue leases up to limit sources that are due.
func (s *Service) ClaimDue(ctx context.Context, limit int) (claimed []*model.Source, err error) {
	for len(claimed) < limit {
		src, err := s.claimSource(ctx, nil)
		if src == nil || err != nil {
			return claimed, err
		}
		claimed = append(claimed, src)
	}
	return claimed, nil
}

// ClaimNext leases the source that is polled next, beside these polls under way by workspace.
func (s *Service) ClaimNext(ctx context.Context, underWay map[string]int) (*model.Source, error) {
	return (&poller{Service: s, byOwner: underWay}).claimNext(ctx)
}

// The limits of polls.
const (
	MaxPolls    = maxPolls
	MaxOwnPolls = maxOwnPolls
	PollLease   = pollLease
)

// SourceErrorOf returns the reason for a failed poll, given its context.
func SourceErrorOf(ctx context.Context, failure error) *model.SourceError {
	return sourceErrorOf(pollFailure(ctx, failure))
}
