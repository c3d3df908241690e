package graph

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/errs"
	"rostrum/model"
)

// watchDocuments returns a channel of the events of all documents or of one. It returns
// errs.NotFound for an unknown document, unless earlier events are wanted, because these may have
// its deletion.
func (r *Resolver) watchDocuments(ctx context.Context, documentID, after *string) (<-chan *model.DocumentEvent, error) {
	if documentID != nil && after == nil {
		doc, err := r.Services.Document.Get(ctx, *documentID, "id")
		if err != nil {
			return nil, err
		}
		if doc == nil {
			return nil, errs.New(errs.NotFound, "there is no document %s in this workspace", *documentID)
		}
	}
	return r.Services.Event.WatchDocumentEvents(ctx, workspaceOf(ctx), after, documentID)
}

// watchJobs returns a channel of the workspace's jobs. Jobs that changed since a position come
// first.
func (r *Resolver) watchJobs(ctx context.Context, after *string) (<-chan *model.Job, error) {
	var since time.Time
	if after != nil {
		var err error
		if since, err = r.Services.Event.CursorTime(ctx, workspaceOf(ctx), *after); err != nil {
			return nil, err
		}
	}
	return r.Services.Job.WatchWorkspace(ctx, workspaceOf(ctx), since)
}

// documentView returns the documents that match the filter, with the columns that the subscription
// selects.
func (r *Resolver) documentView(ctx context.Context, filter *api.DocumentFilter) event.DocumentView {
	workspaceID, columns := workspaceOf(ctx), documentColumns.Selected(ctx, "document")
	text, _ := json.Marshal(filter) //nolint:errchkjson // texts, numbers, times and lists of them
	view := event.DocumentView{
		StaleAfter: document.RenamingEvents(filter),
		Name:       strings.Join(columns, " ") + "\n" + string(text),
		Match: func(ctx context.Context, ids []string) ([]string, error) {
			return r.Services.Document.MatchingIDs(ctx, workspaceID, ids, filter)
		},
		Read: func(ctx context.Context, ids []string) ([]*model.Document, error) {
			return r.Services.Document.SharedByIDs(ctx, workspaceID, ids, columns...)
		},
	}
	if filter != nil && string(text) != "{}" {
		view.Filter = string(text)
	}
	return view
}
