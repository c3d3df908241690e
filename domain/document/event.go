package document

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
	"rostrum/principal"
)

// changeNotification notifies other processes of a changed document; subscribers read the row.
type changeNotification struct {
	Kind model.DocumentEventKind `json:"kind"`
	ID   string                  `json:"id"`
}

func topicName(workspaceID string) string { return "document." + workspaceID }

// publishChange publishes a committed change to all processes. Watchers find a change whose notification is lost in the database.
func (s *Service) publishChange(ctx context.Context, kind model.DocumentEventKind, workspaceID, id string) {
	payload, _ := json.Marshal(changeNotification{kind, id}) //nolint:errchkjson // two strings
	s.live.Publish(context.WithoutCancel(ctx), topicName(workspaceID), payload)
}

// The poll intervals for changes whose notifications were lost: while Redis is down, and while it is connected.
const (
	pollWithoutRedis = time.Second
	pollWithRedis    = 5 * time.Second
)

func (s *Service) pollInterval() time.Duration {
	return s.live.PollInterval(pollWithRedis, pollWithoutRedis)
}

// Events returns a channel of changes to the caller's documents, or to one of them, until the context is canceled. A change whose notification was
// lost is read from the row and sent as an update. It returns errs.NotFound for an unknown document.
func (s *Service) Events(ctx context.Context, documentID *string, columns ...string) (<-chan *api.DocumentEvent, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	w := eventSource{service: s, workspaceID: p.WorkspaceID, columns: columns}
	if documentID != nil {
		if _, err := s.byID(ctx, p.WorkspaceID, *documentID, []string{"id"}); err != nil {
			return nil, err
		}
		w.only = *documentID
	}
	if len(columns) > 0 {
		w.columns = append(columns, "id", "updated_at")
	}
	return s.states.Read(ctx, live.LatestState[*api.DocumentEvent]{
		Topic: topicName(p.WorkspaceID), Name: w.only + " " + strings.Join(columns, " "),
		Decode: w.decodeNotification, Changed: w.readChanges, ChangeOf: changeOf, SendRepeats: true,
	})
}

// eventSource reads the named columns of a workspace's documents for its subscribers.
type eventSource struct {
	service     *Service
	workspaceID string
	only        string // the only document to watch; all if empty
	columns     []string
}

func (w eventSource) decodeNotification(ctx context.Context, payload []byte) (*api.DocumentEvent, error) {
	var n changeNotification
	if err := json.Unmarshal(payload, &n); err != nil {
		return nil, err
	}
	event := &api.DocumentEvent{Kind: n.Kind, DocumentID: n.ID}
	switch {
	case w.only != "" && w.only != n.ID:
		return nil, errs.New(errs.NotFound, "notification of another document")
	case n.Kind == model.DocumentEventKindDeleted:
		return event, nil
	}
	var err error
	event.Document, err = w.service.byID(ctx, w.workspaceID, n.ID, w.columns) // not found: deleted since, which has its own notification
	return event, err
}

func (w eventSource) readChanges(ctx context.Context, after live.Change, limit int) ([]*api.DocumentEvent, error) {
	q := w.service.db.NewSelect().Model((*model.Document)(nil)).Column(w.columns...).
		Where("workspace_id = ? AND (updated_at, id) > (?, ?)", w.workspaceID, after.At, after.ID)
	if w.only != "" {
		q = q.Where("id = ?", w.only)
	}
	rows, err := dbx.Read[model.Document](ctx, w.service.db, q.Order("updated_at", "id").Limit(int64(limit)))
	events := make([]*api.DocumentEvent, len(rows))
	for i, doc := range rows {
		events[i] = &api.DocumentEvent{Kind: model.DocumentEventKindUpdated, DocumentID: doc.ID, Document: doc}
	}
	return events, err
}

func changeOf(e *api.DocumentEvent) live.Change {
	if e.Document == nil {
		return live.Change{ID: e.DocumentID}
	}
	return live.Change{ID: e.DocumentID, Version: e.Document.UpdatedAt.UnixMicro(), At: e.Document.UpdatedAt}
}
