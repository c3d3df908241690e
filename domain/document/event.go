package document

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// news is what processes tell each other of a document; who hears it reads the row.
type news struct {
	Kind model.DocumentEventKind `json:"kind"`
	ID   string                  `json:"id"`
}

func topic(workspaceID string) string { return "document." + workspaceID }

// announce carries the news of a committed change to every process; a lost one is made up for by the watchers themselves.
func (s *Service) announce(ctx context.Context, kind model.DocumentEventKind, workspaceID, id string) {
	payload, _ := json.Marshal(news{kind, id}) //nolint:errchkjson // two strings
	s.live.Publish(context.WithoutCancel(ctx), topic(workspaceID), payload)
}

// How often watchers look into the database for changes whose news were lost: while Redis is down, and while it is not.
const (
	catchUp = time.Second
	check   = 5 * time.Second
)

func (s *Service) pollInterval() time.Duration { return s.live.Pause(check, catchUp) }

// Events follows the caller's workspace's documents, or one of them, until the context ends. News that was lost on its way is
// made up for by the rows that changed meanwhile, as updates. A document that the workspace does not have fails with not_found.
func (s *Service) Events(ctx context.Context, documentID *string, columns ...string) (<-chan *model.DocumentEvent, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	w := watch{service: s, workspaceID: p.WorkspaceID, columns: columns}
	if documentID != nil {
		if _, err := s.byID(ctx, p.WorkspaceID, *documentID, []string{"id"}); err != nil {
			return nil, err
		}
		w.only = *documentID
	}
	if len(columns) > 0 {
		w.columns = append(columns, "id", "updated_at")
	}
	return s.boards.Read(ctx, live.Board[*model.DocumentEvent]{
		Topic: topic(p.WorkspaceID), Name: w.only + " " + strings.Join(columns, " "),
		Open: w.open, Changed: w.changed, Of: changeOf, Each: true,
	})
}

// watch is what some readers follow: the named columns of a workspace's documents.
type watch struct {
	service     *Service
	workspaceID string
	only        string // the one document that is followed; all when empty
	columns     []string
}

func (w watch) open(ctx context.Context, payload []byte) (*model.DocumentEvent, error) {
	var n news
	if err := json.Unmarshal(payload, &n); err != nil {
		return nil, err
	}
	event := &model.DocumentEvent{Kind: n.Kind, DocumentID: n.ID}
	switch {
	case w.only != "" && w.only != n.ID:
		return nil, errs.New(errs.NotFound, "the news are of another document")
	case n.Kind == model.DocumentEventKindDeleted:
		return event, nil
	}
	var err error
	event.Document, err = w.service.byID(ctx, w.workspaceID, n.ID, w.columns) // not found: deleted since, which has news of its own
	return event, err
}

func (w watch) changed(ctx context.Context, behind live.Change, most int) ([]*model.DocumentEvent, error) {
	q := w.service.db.NewSelect().Model((*model.Document)(nil)).Column(w.columns...).
		Where("workspace_id = ? AND (updated_at, id) > (?, ?)", w.workspaceID, behind.At, behind.ID)
	if w.only != "" {
		q = q.Where("id = ?", w.only)
	}
	rows, err := dbx.Read[model.Document](ctx, w.service.db, q.Order("updated_at", "id").Limit(int64(most)))
	events := make([]*model.DocumentEvent, len(rows))
	for i, doc := range rows {
		events[i] = &model.DocumentEvent{Kind: model.DocumentEventKindUpdated, DocumentID: doc.ID, Document: doc}
	}
	return events, err
}

func changeOf(e *model.DocumentEvent) live.Change {
	if e.Document == nil {
		return live.Change{ID: e.DocumentID}
	}
	return live.Change{ID: e.DocumentID, Version: e.Document.UpdatedAt.UnixMicro(), At: e.Document.UpdatedAt}
}
