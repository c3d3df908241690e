package document

import (
	"context"
	"encoding/json"
	"time"

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
	s.live.Publish(context.WithoutCancel(ctx), topic(workspaceID), encode(kind, id))
}

// catchUp is how often a watcher looks into the database while Redis is down.
const catchUp = time.Second

// Events follows the caller's workspace's documents, or one of them, until the context ends. News that was lost on its way is
// made up for by the rows that changed meanwhile, as updates. A document that the workspace does not have fails with not_found.
func (s *Service) Events(ctx context.Context, documentID *string, columns ...string) (<-chan *model.DocumentEvent, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if documentID != nil {
		if _, err := s.byID(ctx, p.WorkspaceID, *documentID, []string{"id"}); err != nil {
			return nil, err
		}
	}
	w := &watch{service: s, workspaceID: p.WorkspaceID, only: documentID, columns: columns, seen: model.Now(), out: make(chan *model.DocumentEvent)}
	subscription := s.live.Subscribe(topic(p.WorkspaceID))
	go func() {
		defer close(w.out)
		defer subscription.Close()
		w.run(ctx, subscription.C(), subscription.Missed())
	}()
	return w.out, nil
}

// watch is one follower of a workspace's documents.
type watch struct {
	service     *Service
	workspaceID string
	only        *string
	columns     []string
	seen        time.Time // changes up to here were delivered or lie before the watching
	out         chan *model.DocumentEvent
}

func (w *watch) run(ctx context.Context, told <-chan []byte, missed <-chan struct{}) {
	ticker := time.NewTicker(catchUp)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case payload := <-told:
			w.hear(ctx, payload)
		case <-missed:
			w.makeUp(ctx)
		case <-ticker.C:
			if !w.service.live.Connected() {
				w.makeUp(ctx)
			}
		}
	}
}

func (w *watch) hear(ctx context.Context, payload []byte) {
	var n news
	if err := json.Unmarshal(payload, &n); err != nil || w.only != nil && *w.only != n.ID {
		return
	}
	event := &model.DocumentEvent{Kind: n.Kind, DocumentID: n.ID}
	if n.Kind != model.DocumentEventKindDeleted {
		doc, err := w.service.byID(ctx, w.workspaceID, n.ID, w.columns)
		if err != nil {
			return // deleted since, which has news of its own
		}
		event.Document = doc
		w.see(doc)
	}
	w.send(ctx, event)
}

// makeUp delivers what changed while no news came through.
func (w *watch) makeUp(ctx context.Context) {
	rows, err := w.service.changedSince(ctx, w.workspaceID, w.seen)
	if err != nil {
		return // the next look finds them
	}
	for _, doc := range rows {
		w.see(doc)
		if w.only == nil || *w.only == doc.ID {
			w.hear(ctx, encode(model.DocumentEventKindUpdated, doc.ID))
		}
	}
}

func encode(kind model.DocumentEventKind, id string) []byte {
	payload, _ := json.Marshal(news{kind, id}) //nolint:errchkjson // two strings
	return payload
}

func (w *watch) see(doc *model.Document) {
	if doc.UpdatedAt.After(w.seen) {
		w.seen = doc.UpdatedAt
	}
}

func (w *watch) send(ctx context.Context, event *model.DocumentEvent) {
	select {
	case w.out <- event:
	case <-ctx.Done():
	}
}
