package event

import (
	"context"
	"slices"
	"time"

	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// Stale is the name of what a watcher is given, under the id that it asked behind, in place of events that are kept no longer.
const Stale = "stale"

// readAtOnce is how many events a watcher reads at a time.
const readAtOnce = 500

// Watch follows the workspace's feed until the context ends: each event that has one of the types, or any without types, once and in order.
// With after it begins behind that event, else with the next one that happens. Where events behind after are kept no longer it gives
// one named [Stale], and goes on with the oldest. A reader may be as slow as it likes. It fails with errs.ValidationFailed as Page does.
func (s *Service) Watch(ctx context.Context, workspaceID string, after *string, types []string) (<-chan *model.Event, error) {
	if err := checkTypes(types); err != nil {
		return nil, err
	}
	reader := s.feeds.Enter(ctx, s.source(workspaceID))
	at, err := s.begin(ctx, workspaceID, after)
	if err != nil {
		reader.Leave()
		return nil, err
	}
	if len(types) > 0 {
		at.Wants = func(e *model.Event) bool { return slices.Contains(types, e.Event) }
		at.Read = s.reading(workspaceID, types)
	}
	return reader.Follow(ctx, at), nil
}

// begin finds the place to follow from, and what to say first when it is not the one that was asked for.
func (s *Service) begin(ctx context.Context, workspaceID string, after *string) (at live.Place[*model.Event], err error) {
	if after == nil {
		end, err := s.end(ctx, workspaceID)
		if err == nil {
			at.Seen = end.Position
		}
		return at, err
	}
	at.Behind = true
	at.Seen, err = s.place(ctx, workspaceID, *after)
	if errs.Is(err, errs.CursorGone) {
		stale := &model.Event{ID: *after, WorkspaceID: workspaceID, Event: Stale, Timestamp: model.Now()}
		at.Seen, at.First, err = 0, []*model.Event{stale}, nil
	}
	return at, err
}

// source is where the watchers of a workspace have its events from.
func (s *Service) source(workspaceID string) live.Source[*model.Event] {
	return live.Source[*model.Event]{
		Topic: topic(workspaceID), Open: open, Read: s.reading(workspaceID, nil),
		At:   func(e *model.Event) int64 { return e.Position },
		Last: func(*model.Event) bool { return false },
	}
}

// reading reads what the database has behind a position.
func (s *Service) reading(workspaceID string, types []string) func(context.Context, int64) (live.Stretch[*model.Event], error) {
	return func(ctx context.Context, behind int64) (live.Stretch[*model.Event], error) {
		read := live.Stretch[*model.Event]{Behind: behind, To: behind}
		end, err := s.end(ctx, workspaceID)
		if err != nil || end.Position <= behind {
			return read, err
		}
		read.Entries, err = s.between(ctx, workspaceID, behind, end.Position, types, readAtOnce)
		if err != nil {
			return read, err
		}
		read.To, read.Partial = end.Position, len(read.Entries) == readAtOnce
		if read.Partial {
			read.To = read.Entries[readAtOnce-1].Position
		}
		return read, nil
	}
}

// pollInterval is how long watchers wait for news before the database is read.
func (s *Service) pollInterval() time.Duration { return s.live.Pause(s.timing.check, s.timing.poll) }
