package event

import (
	"context"

	"rostrum/model"
	"rostrum/platform/live"
)

// WatchDocumentEvents returns a channel of the events of all documents or of one, as Watch does. If
// events have been deleted, it sends an event of the kind STALE and continues with the oldest.
func (s *Service) WatchDocumentEvents(ctx context.Context, workspaceID string, after,
	documentID *string) (<-chan *model.DocumentEvent, error) {
	reader := s.documents.Join(ctx, s.documentEventSource(workspaceID))
	start, err := s.startPosition(ctx, workspaceID, after)
	if err != nil {
		reader.Cancel()
		return nil, err
	}
	return reader.Start(ctx, live.StartPosition[*model.DocumentEvent]{
		AfterPosition: start.AfterPosition, HasMore: start.HasMore, First: documentEvents(start.First),
		Wants: func(e *model.DocumentEvent) bool {
			return documentID == nil || e.SubjectID != nil && *e.SubjectID == *documentID
		},
	}), nil
}

// documentEventSource returns the source of the events of the workspace's documents.
func (s *Service) documentEventSource(workspaceID string) live.FeedSource[*model.DocumentEvent] {
	read := s.readAfter(workspaceID, model.DocumentChangeNames)
	return live.FeedSource[*model.DocumentEvent]{
		Topic: topicName(workspaceID),
		Decode: func(payload []byte) live.Batch[*model.DocumentEvent] {
			return documentBatch(decodeNotification(payload))
		},
		Read: func(ctx context.Context, after int64) (live.Batch[*model.DocumentEvent], error) {
			batch, err := read(ctx, after)
			return documentBatch(batch), err
		},
		PositionOf: func(e *model.DocumentEvent) int64 { return e.Position },
		IsLast:     func(*model.DocumentEvent) bool { return false },
	}
}

func documentBatch(b live.Batch[*model.Event]) live.Batch[*model.DocumentEvent] {
	return live.Batch[*model.DocumentEvent]{AfterPosition: b.AfterPosition, To: b.To,
		Entries: documentEvents(b.Entries), Partial: b.Partial}
}

// documentEvents returns the events of documents, and events named Stale.
func documentEvents(events []*model.Event) []*model.DocumentEvent {
	var out []*model.DocumentEvent
	for _, e := range events {
		if typed := (*model.DocumentEvent)(e); typed.Kind() != "" {
			out = append(out, typed)
		}
	}
	return out
}
