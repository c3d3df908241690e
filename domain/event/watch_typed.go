package event

import (
	"context"
	"slices"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
)

// WatchTyped returns a channel of the workspace's events of every kind, as Watch does; no types
// mean all. It returns errs.ValidationFailed for a type that no stored event has.
func (s *Service) WatchTyped(ctx context.Context, workspaceID string, after *string,
	types []model.EventName) (<-chan model.WorkspaceEvent, error) {
	names, err := storedNames(types)
	if err != nil {
		return nil, err
	}
	reader := s.typed.Join(ctx, s.typedSource(workspaceID))
	start, err := s.startPosition(ctx, workspaceID, after)
	if err != nil {
		reader.Cancel()
		return nil, err
	}
	return reader.Start(ctx, live.StartPosition[model.WorkspaceEvent]{
		AfterPosition: start.AfterPosition, HasMore: start.HasMore, First: typedEvents(start.First),
		Wants: func(e model.WorkspaceEvent) bool { return slices.Contains(names, e.Stored().Event) },
		Read:  s.readTyped(workspaceID, names),
	}), nil
}

// storedNames returns the names that the feed stores for the types; no types mean all.
func storedNames(types []model.EventName) ([]string, error) {
	if len(types) == 0 {
		types = model.StoredEventNames
	}
	if slices.Contains(types, model.EventNameStale) || slices.Contains(types, model.EventNameOther) {
		return nil, errs.Invalid(errs.QueryField("enum",
			"must not have STALE or OTHER, which are the names of no stored event", "types"))
	}
	return model.Names(types), nil
}

// typedSource returns the source of the workspace's events as typed events.
func (s *Service) typedSource(workspaceID string) live.FeedSource[model.WorkspaceEvent] {
	names, _ := storedNames(nil)
	return live.FeedSource[model.WorkspaceEvent]{
		Topic: topicName(workspaceID),
		Decode: func(payload []byte) live.Batch[model.WorkspaceEvent] {
			return typedBatch(decodeNotification(payload))
		},
		Read:       s.readTyped(workspaceID, names),
		PositionOf: func(e model.WorkspaceEvent) int64 { return e.Stored().Position },
		IsLast:     func(model.WorkspaceEvent) bool { return false },
	}
}

// typedEvents returns the events as typed events, without ones that this version does not know.
func typedEvents(events []*model.Event) []model.WorkspaceEvent {
	out := make([]model.WorkspaceEvent, 0, len(events))
	for _, e := range events {
		if typed := e.Typed(); typed != nil {
			out = append(out, typed)
		}
	}
	return out
}

// readTyped returns a function that reads the events of the names after a position from the
// database.
func (s *Service) readTyped(workspaceID string, names []string) func(context.Context,
	int64) (live.Batch[model.WorkspaceEvent], error) {
	read := s.readAfter(workspaceID, names)
	return func(ctx context.Context, after int64) (live.Batch[model.WorkspaceEvent], error) {
		batch, err := read(ctx, after)
		return typedBatch(batch), err
	}
}

func typedBatch(b live.Batch[*model.Event]) live.Batch[model.WorkspaceEvent] {
	return live.Batch[model.WorkspaceEvent]{AfterPosition: b.AfterPosition, To: b.To, Entries: typedEvents(b.Entries),
		Partial: b.Partial}
}
