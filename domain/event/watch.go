package event

import (
	"context"
	"slices"
	"time"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
)

// Stale is the name of the event that a watcher receives if events after its cursor have been
// deleted. Its id is the cursor.
const Stale = "stale"

// readLimit is the number of events that a watcher reads per query.
const readLimit = 500

// Watch returns a channel of events until the context is canceled: each event of one of the types
// once, in order; no types mean all. It starts after the given event, or with the next one if after
// is nil. If events after it have been deleted, it sends an event named [Stale] and continues with
// the oldest. A slow reader loses no event. It returns the same validation errors as Page.
func (s *Service) Watch(ctx context.Context, workspaceID string, after *string,
	types []model.EventType) (<-chan *model.Event, error) {
	if err := checkTypes(types); err != nil {
		return nil, err
	}
	reader := s.feeds.Join(ctx, s.newSource(workspaceID))
	at, err := s.startPosition(ctx, workspaceID, after)
	if err != nil {
		reader.Cancel()
		return nil, err
	}
	names := wantedNames(types)
	at.Wants = func(e *model.Event) bool { return slices.Contains(names, e.Event) }
	at.Read = s.readAfter(workspaceID, names)
	return reader.Start(ctx, at), nil
}

// startPosition returns where to start. If that is not the requested position, it adds an event
// named Stale.
func (s *Service) startPosition(ctx context.Context, workspaceID string,
	after *string) (at live.StartPosition[*model.Event], err error) {
	if after == nil {
		end, err := s.readEnd(ctx, workspaceID)
		if err == nil {
			at.AfterPosition = end.Position
		}
		return at, err
	}
	at.HasMore = true
	at.AfterPosition, err = s.cursorPosition(ctx, workspaceID, *after, "after")
	if errs.Is(err, errs.CursorGone) {
		stale := &model.Event{ID: *after, WorkspaceID: workspaceID, Event: Stale, Timestamp: model.Now()}
		at.AfterPosition, at.First, err = 0, []*model.Event{stale}, nil
	}
	return at, err
}

// newSource returns the source of the workspace's events.
func (s *Service) newSource(workspaceID string) live.FeedSource[*model.Event] {
	return live.FeedSource[*model.Event]{
		Topic: topicName(workspaceID), Decode: decodeNotification, Read: s.readAfter(workspaceID, nil),
		PositionOf: func(e *model.Event) int64 { return e.Position },
		IsLast:     func(*model.Event) bool { return false },
	}
}

// readAfter returns a function that reads the events after a position from the database.
func (s *Service) readAfter(workspaceID string, types []string) func(context.Context, int64) (live.Batch[*model.Event],
	error) {
	return func(ctx context.Context, after int64) (live.Batch[*model.Event], error) {
		return s.readUpTo(ctx, workspaceID, after, types, readLimit)
	}
}

// readUpTo reads the events of the types after a position, at most limit.
func (s *Service) readUpTo(ctx context.Context, workspaceID string, after int64, types []string,
	limit int) (live.Batch[*model.Event], error) {
	read := live.Batch[*model.Event]{AfterPosition: after, To: after}
	end, err := s.readEnd(ctx, workspaceID)
	if err != nil || end.Position <= after {
		return read, err
	}
	read.Entries, err = s.eventsBetween(ctx, workspaceID, after, end.Position, types, limit)
	if err != nil {
		return read, err
	}
	read.To, read.Partial = end.Position, len(read.Entries) == limit
	if read.Partial {
		read.To = read.Entries[limit-1].Position
	}
	return read, nil
}

// pollInterval returns how long watchers wait for notifications before they read the database.
func (s *Service) pollInterval() time.Duration {
	return s.live.PollInterval(s.timing.check, s.timing.poll)
}
