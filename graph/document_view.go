package graph

import (
	"context"
	"encoding/json"
	"strings"

	"rostrum/api"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/model"
)

// documentView returns the list of the workspace's documents that match the filter, with the columns that the subscription selects.
func (r *Resolver) documentView(ctx context.Context, filter *api.DocumentFilter) event.DocumentView {
	workspaceID, columns := workspaceOf(ctx), documentColumns.Selected(ctx, "document")
	text, _ := json.Marshal(filter) //nolint:errchkjson // texts, numbers, times and lists of them
	return event.DocumentView{
		StaleAfter: document.RenamingEvents(filter),
		Name:       strings.Join(columns, " ") + "\n" + string(text),
		Read: func(ctx context.Context, ids []string) ([]*model.Document, error) {
			return r.Services.Document.MatchingByIDs(ctx, workspaceID, ids, filter, columns...)
		},
	}
}
