package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/live"
)

// AppendHook runs for the events that webhooks may receive, in the transaction that appends them. They have their
// ids, positions and timestamps. An error rolls the transaction back.
type AppendHook func(ctx context.Context, tx dbx.Tx, events []*model.Event) error

// FollowFunc runs after changes of documents were added to the workspaces' feeds, in the same
// transaction. An error rolls it back.
type FollowFunc func(ctx context.Context, tx dbx.Tx, workspaceIDs []string) error

// Service reads and appends events.
type Service struct {
	db        *dbx.DB
	live      *live.Live
	feeds     *live.SourceFeeds[*model.Event]
	documents *live.SourceFeeds[*model.DocumentEvent]
	typed     *live.SourceFeeds[model.WorkspaceEvent]
	views     *live.SourceFeeds[*model.DocumentChange]
	filters   *filters
	hooks     []AppendHook
	follow    FollowFunc
	publicURL string
	timing    pollTiming
}

// pollTiming holds the poll intervals, which tests shorten.
type pollTiming struct {
	poll  time.Duration // while Redis is down
	check time.Duration // while Redis is connected, for notifications that were lost unnoticed
}

var standardTiming = pollTiming{poll: 500 * time.Millisecond, check: 5 * time.Second}

// Config holds the dependencies of the Service.
type Config struct {
	DB    *dbx.DB
	Live  *live.Live
	Hooks []AppendHook // called for events that webhooks may receive, in this order
	// Follow is called after changes of documents; nil if nothing follows them.
	Follow FollowFunc
	// PublicURL is the base URL of the console, without a slash at its end.
	PublicURL string
}

// New returns a Service. Run must be called to delete old events.
func New(c Config) *Service {
	s := &Service{db: c.DB, live: c.Live, hooks: c.Hooks, follow: c.Follow, publicURL: c.PublicURL, timing: standardTiming, filters: newFilters()}
	s.feeds = live.NewSourceFeeds[*model.Event](c.Live, s.pollInterval)
	s.documents = live.NewSourceFeeds[*model.DocumentEvent](c.Live, s.pollInterval)
	s.typed = live.NewSourceFeeds[model.WorkspaceEvent](c.Live, s.pollInterval)
	s.views = live.NewSourceFeeds[*model.DocumentChange](c.Live, s.pollInterval)
	return s
}

// Append adds events to the ends of their workspaces' feeds, in the order given and in the caller's
// transaction. It sets positions, missing ids and missing timestamps, and calls the hooks. Watchers
// are notified after the commit. Call it once and late in a transaction, because it locks the feeds
// until the commit. It sends two statements for any number of events, not counting the hooks'. It
// returns errors of the database and the hooks.
func (s *Service) Append(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	if len(events) == 0 {
		return nil
	}
	if err := s.storeEvents(ctx, tx, events); err != nil {
		return err
	}
	return s.callHooks(ctx, tx, events)
}

// callHooks calls the hooks for the events that webhooks may receive.
func (s *Service) callHooks(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	sent := slices.DeleteFunc(slices.Clone(events), func(e *model.Event) bool {
		return e.IsUnsent || !slices.Contains(model.EventTypes, model.EventType(e.Event))
	})
	if len(sent) == 0 {
		return nil
	}
	for _, hook := range s.hooks {
		if err := hook(ctx, tx, sent); err != nil {
			return err
		}
	}
	return nil
}

// storeEvents adds events to the ends of their feeds, and publishes them after the commit.
func (s *Service) storeEvents(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	ends, err := extendFeeds(ctx, tx, feedGrowth(events))
	if err != nil {
		return fmt.Errorf("extend feeds: %w", err)
	}
	completeEvents(events, ends)
	if err := dbx.InsertRows(ctx, tx, events); err != nil {
		return fmt.Errorf("append events: %w", err)
	}
	tx.AfterCommit(func() { s.publishEvents(ctx, events) })
	return nil
}

// feedGrowth returns each workspace's number of events, in the order in which feeds are locked.
func feedGrowth(events []*model.Event) []*feedEnd {
	byID := map[string]*feedEnd{}
	var all []*feedEnd
	for _, e := range events {
		f := byID[e.WorkspaceID]
		if f == nil {
			f = &feedEnd{WorkspaceID: e.WorkspaceID}
			byID[e.WorkspaceID], all = f, append(all, f)
		}
		f.Position++
	}
	slices.SortFunc(all, func(a, b *feedEnd) int { return cmp.Compare(a.WorkspaceID, b.WorkspaceID) })
	return all
}

// completeEvents sets the missing fields of events. ends are the last positions of the extended
// feeds.
func completeEvents(events []*model.Event, ends map[string]int64) {
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
