// Package event is the workspace's feed: what happened in it, in one order without gaps, to read, to follow and to pass on.
package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"rostrum/dbx"
	"rostrum/live"
	"rostrum/model"
)

// Follow hears of events that were appended, with their ids, positions and timestamps, in the transaction that appends them. An error
// undoes the whole transaction.
type Follow func(ctx context.Context, tx dbx.Tx, events []*model.Event) error

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	live      *live.Live
	feeds     *live.Feeds[*model.Event]
	followers []Follow
	timing    timing
}

// timing holds the intervals, which tests shorten.
type timing struct {
	poll  time.Duration // how often a follower reads the database while Redis is away
	check time.Duration // and while it is not, in case news were lost unnoticed
}

var standardTiming = timing{poll: 500 * time.Millisecond, check: 5 * time.Second}

// New makes the room; the followers hear of every event, in this order. Run must be called for old events to be dropped.
func New(db *dbx.DB, l *live.Live, followers ...Follow) *Service {
	s := &Service{db: db, live: l, followers: followers, timing: standardTiming}
	s.feeds = live.NewFeeds[*model.Event](l, s.pollInterval)
	return s
}

// Append puts events at the ends of their workspaces' feeds in the caller's transaction, in the order given: it fills positions, and ids
// and timestamps where there are none, and tells the followers; watchers hear of them behind the commit. Until then it holds the
// feeds of the events' workspaces, always in one order, so it should be called late in the transaction and once. It takes two
// statements for any number of events, beside those of the followers.
func (s *Service) Append(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	if len(events) == 0 {
		return nil
	}
	ends, err := extend(ctx, tx, counts(events))
	if err != nil {
		return fmt.Errorf("extend feeds: %w", err)
	}
	fill(events, ends)
	if err := insert(ctx, tx, events); err != nil {
		return fmt.Errorf("append events: %w", err)
	}
	for _, follow := range s.followers {
		if err := follow(ctx, tx, events); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.announce(ctx, events) })
	return nil
}

// counts is by how much each workspace's feed grows, in the order in which the feeds are held.
func counts(events []*model.Event) []*feed {
	byID := map[string]*feed{}
	var all []*feed
	for _, e := range events {
		f := byID[e.WorkspaceID]
		if f == nil {
			f = &feed{WorkspaceID: e.WorkspaceID}
			byID[e.WorkspaceID], all = f, append(all, f)
		}
		f.Position++
	}
	slices.SortFunc(all, func(a, b *feed) int { return cmp.Compare(a.WorkspaceID, b.WorkspaceID) })
	return all
}

// fill gives the events what they lack; ends are the positions up to which the feeds were extended.
func fill(events []*model.Event, ends map[string]int64) {
	now := model.Now()
	for _, e := range slices.Backward(events) {
		e.Position = ends[e.WorkspaceID]
		ends[e.WorkspaceID]--
	}
	for _, e := range events {
		if e.ID == "" {
			e.ID = model.NewID(model.EventPrefix)
		}
		if e.Timestamp.IsZero() {
			e.Timestamp = now
		}
		e.Timestamp = e.Timestamp.UTC().Truncate(time.Microsecond)
	}
}
