package event

import (
	"context"
	"slices"

	"rostrum/model"
	"rostrum/platform/live"
)

// documentLimit is the number of changes of documents that a watcher reads per query.
const documentLimit = 100

// DocumentView is a list of documents that is watched.
type DocumentView struct {
	// Name names the view. Views of one name in a workspace must be equal, because their watchers
	// share reads.
	Name string
	// Filter names the filter of the view; empty for all documents. Views with one filter share its
	// searches.
	Filter string
	// Match returns which of the ids match the filter. With no ids it only checks the filter.
	Match func(ctx context.Context, ids []string) ([]string, error)
	// Read returns the documents with the ids as the view shows them.
	Read func(ctx context.Context, ids []string) ([]*model.Document, error)
	// StaleAfter are the names of events that may change which documents are in the view, without a
	// change of a document.
	StaleAfter []string
}

// eventNames returns the names of the events that may change the view.
func (v DocumentView) eventNames() []string {
	return slices.Concat(model.DocumentChangeNames, v.StaleAfter)
}

// WatchDocuments returns a channel of the changes of a view, until the context is canceled. It
// starts as Watch does, and returns errs.RateLimited for a filter above MaxFilters. If events have been deleted, and after an event of StaleAfter, it sends a
// change of the kind STALE: the list must be read again. A changed document that is not in the view
// is REMOVED, even if it never was in it. Changes that are read together show the documents as they
// are then.
func (s *Service) WatchDocuments(ctx context.Context, workspaceID string, after *string,
	view DocumentView) (<-chan *model.DocumentChange, error) {
	if view.Filter != "" {
		if _, err := view.Match(ctx, nil); err != nil {
			return nil, err
		}
		if err := s.filters.watch(ctx, workspaceID, view.Filter); err != nil {
			return nil, err
		}
	}
	reader := s.views.Join(ctx, s.documentSource(workspaceID, view))
	start, err := s.startPosition(ctx, workspaceID, after)
	if err != nil {
		reader.Cancel()
		return nil, err
	}
	at := live.StartPosition[*model.DocumentChange]{AfterPosition: start.AfterPosition, HasMore: start.HasMore}
	for _, e := range start.First {
		at.First = append(at.First, &model.DocumentChange{ID: e.ID, Kind: model.DocumentChangeKindStale})
	}
	return reader.Start(ctx, at), nil
}

// documentSource returns the source of a view's changes. After a document's change the feed reads
// the database once for all watchers of the view.
func (s *Service) documentSource(workspaceID string, view DocumentView) live.FeedSource[*model.DocumentChange] {
	names := view.eventNames()
	mayChange := func(e *model.Event) bool { return slices.Contains(names, e.Event) }
	return live.FeedSource[*model.DocumentChange]{
		Topic: topicName(workspaceID), Name: view.Name,
		Decode: func(payload []byte) live.Batch[*model.DocumentChange] {
			b := decodeNotification(payload)
			return live.Batch[*model.DocumentChange]{
				AfterPosition: b.AfterPosition, To: b.To, Partial: b.Partial ||
					slices.ContainsFunc(b.Entries, mayChange),
			}
		},
		Read: func(ctx context.Context, after int64) (live.Batch[*model.DocumentChange], error) {
			return s.readDocuments(ctx, workspaceID, after, view)
		},
		PositionOf: func(c *model.DocumentChange) int64 { return c.Position },
		IsLast:     func(*model.DocumentChange) bool { return false },
	}
}

// readDocuments reads the next changes of a view after a position. It skips events that change
// nothing in the view.
func (s *Service) readDocuments(ctx context.Context, workspaceID string, after int64,
	view DocumentView) (live.Batch[*model.DocumentChange], error) {
	out := live.Batch[*model.DocumentChange]{AfterPosition: after, To: after, Partial: true}
	for out.Partial && len(out.Entries) == 0 {
		batch, err := s.readUpTo(ctx, workspaceID, out.To, view.eventNames(), documentLimit)
		if err != nil {
			return live.Batch[*model.DocumentChange]{AfterPosition: after, To: after}, err
		}
		changes, err := s.viewChanges(ctx, workspaceID, batch, view)
		if err != nil {
			return live.Batch[*model.DocumentChange]{AfterPosition: after, To: after}, err
		}
		out.Entries, out.To, out.Partial = changes, batch.To, batch.Partial
	}
	return out, nil
}

// viewChanges returns the changes of a view by a batch of events. It reads their documents once.
func (s *Service) viewChanges(ctx context.Context, workspaceID string, batch live.Batch[*model.Event],
	view DocumentView) ([]*model.DocumentChange, error) {
	byID, err := s.documentsOf(ctx, workspaceID, batch, view)
	if err != nil {
		return nil, err
	}
	var changes []*model.DocumentChange
	for _, e := range batch.Entries {
		if c := changeOfView(e, byID[*e.SubjectID]); c != nil {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// documentsOf returns the documents of a batch's events that are in the view, by id.
func (s *Service) documentsOf(ctx context.Context, workspaceID string, batch live.Batch[*model.Event],
	view DocumentView) (map[string]*model.Document, error) {
	ids := subjectsOf(batch.Entries, model.DocumentChangeNames...)
	if view.Filter != "" && len(ids) > 0 {
		matching, err := s.MatchFilter(ctx, workspaceID, batch.To, ids, view.Filter, view.Match)
		if err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return !matching[id] })
	}
	if len(ids) == 0 {
		return nil, nil
	}
	docs, err := view.Read(ctx, ids)
	byID := make(map[string]*model.Document, len(docs))
	for _, doc := range docs {
		byID[doc.ID] = doc
	}
	return byID, err
}

// subjectsOf returns the ids of the subjects of the events with one of the names, sorted.
func subjectsOf(events []*model.Event, names ...string) []string {
	var ids []string
	for _, e := range events {
		if slices.Contains(names, e.Event) {
			ids = append(ids, *e.SubjectID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ChangedDocuments returns the documents that changed after a position, the deleted ones among them,
// and the position up to which this is all. hasMore reports whether events follow.
func (s *Service) ChangedDocuments(ctx context.Context, workspaceID string, after int64) (changed, deleted []string,
	to int64, hasMore bool, err error) {
	batch, err := s.readUpTo(ctx, workspaceID, after, model.DocumentChangeNames, documentLimit)
	return subjectsOf(batch.Entries, model.DocumentChangeNames...),
		subjectsOf(batch.Entries, model.EventDocumentDeleted), batch.To, batch.Partial, err
}

// End returns the position of the newest event of the feed; 0 if there is none.
func (s *Service) End(ctx context.Context, workspaceID string) (int64, error) {
	end, err := s.readEnd(ctx, workspaceID)
	return end.Position, err
}

// changeOfView returns the change of a view by an event. doc is nil if the event's document is not
// in the view. It returns nil for a new document that is not in the view.
func changeOfView(e *model.Event, doc *model.Document) *model.DocumentChange {
	c := &model.DocumentChange{ID: e.ID, Position: e.Position, DocumentID: e.SubjectID, Document: doc,
		Kind: model.DocumentChangeKindUpdated}
	switch {
	case !slices.Contains(model.DocumentChangeNames, e.Event):
		return &model.DocumentChange{ID: e.ID, Position: e.Position, Kind: model.DocumentChangeKindStale}
	case doc == nil && e.Event == model.EventDocumentCreated:
		return nil
	case doc == nil:
		c.Kind = model.DocumentChangeKindRemoved
	case e.Event == model.EventDocumentCreated:
		c.Kind = model.DocumentChangeKindCreated
	}
	return c
}
