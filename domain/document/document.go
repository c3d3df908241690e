// Package document keeps a workspace's documents: creating, reading, listing, changing and removing them.
package document

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"rostrum/dbx"
	"rostrum/live"
	"rostrum/model"
)

// Reading is what can be told of a text by reading it; a nil field was not found.
type Reading struct {
	Words, Characters  int
	Language           *string // BCP-47
	Company, Executive *string
	CommunicationType  *string
}

// Read reads a document's text.
type Read func(content string) Reading

// Follow hears of a change in its transaction: before is nil for a new document, after for one that is removed, and the one of the two that is
// left then has its id and its workspace at least. An error undoes the change.
type Follow func(ctx context.Context, tx dbx.Tx, before, after *model.Document) error

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	live      *live.Live
	boards    *live.Boards[*model.DocumentEvent]
	read      Read
	followers []Follow
}

// Followed adds who hears of every change; it comes before the first one.
func (s *Service) Followed(by Follow) { s.followers = append(s.followers, by) }

func (s *Service) tell(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	for _, hear := range s.followers {
		if err := hear(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return nil
}

// New makes the room; read is how it counts words and finds who a text is attributed to.
func New(db *dbx.DB, l *live.Live, read Read) *Service {
	s := &Service{db: db, live: l, read: read}
	s.boards = live.NewBoards[*model.DocumentEvent](l, s.pollInterval)
	return s
}

// Create stores a text; attribution that the caller does not give is looked for in the text.
func (s *Service) Create(ctx context.Context, in model.CreateDocumentInput) (*model.CreateDocumentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	doc := s.fresh(p.WorkspaceID, in)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.Insert(ctx, tx, doc) })
	if err != nil {
		return nil, fmt.Errorf("create document: %w", err)
	}
	return &model.CreateDocumentPayload{
		Document: &model.CreatedDocumentRef{
			ID: doc.ID, Title: doc.Title, ContentType: *doc.ContentType, WordCount: *doc.WordCount,
			CharacterCount: *doc.CharacterCount, CreatedAt: doc.CreatedAt,
		},
		Message: "Document created successfully",
	}, nil
}

func (s *Service) fresh(workspaceID string, in model.CreateDocumentInput) *model.Document {
	now := model.Now()
	title := strings.TrimSpace(in.Title)
	found := s.read(in.Content)
	kind := "text"
	return &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: workspaceID, Title: title, Content: &in.Content,
		ContentType:       cmp.Or(in.ContentType.Value(), &kind),
		CommunicationType: cmp.Or(model.Trimmed(in.CommunicationType.Value()), found.CommunicationType),
		Company:           cmp.Or(model.Trimmed(in.Company.Value()), found.Company),
		Executive:         cmp.Or(model.Trimmed(in.Executive.Value()), found.Executive),
		Language:          found.Language,
		MediaProvenance:   in.MediaProvenance.Value(), SourceURL: in.SourceURL.Value(), Tags: labels(in.Tags.Value()),
		WordCount: &found.Words, CharacterCount: &found.Characters,
		CreatedAt: now, UpdatedAt: now, ExtractedAt: &now, ExtractedDate: in.ExtractedDate.Value(),
	}
}

// labels keeps each label once, in the order given, without blank ones.
func labels(given []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, label := range given {
		if label = strings.TrimSpace(label); label != "" && !seen[label] {
			seen[label] = true
			out = append(out, label)
		}
	}
	return out
}

// Get reads one document's columns (all when none is named); nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Document, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	doc, err := s.byID(ctx, p.WorkspaceID, id, columns)
	return dbx.OrNone(doc, err)
}

// Update changes what is given: a null title leaves it, a null in any other field clears it. It fails with not_found.
func (s *Service) Update(ctx context.Context, id string, in model.UpdateDocumentInput) (*model.UpdateDocumentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var doc *model.Document
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		doc, err = s.Amend(ctx, tx, model.DocumentEventKindUpdated, p.WorkspaceID, id, func(doc *model.Document) error {
			amend(doc, in)
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("update document: %w", err)
	}
	return &model.UpdateDocumentPayload{Document: doc}, nil
}

func amend(doc *model.Document, in model.UpdateDocumentInput) {
	if title := in.Title.Value(); title != nil {
		doc.Title = strings.TrimSpace(*title)
	}
	if in.ExtractedDate.IsSet() {
		doc.ExtractedDate = in.ExtractedDate.Value()
	}
	if in.Company.IsSet() {
		doc.Company = model.Trimmed(in.Company.Value())
	}
	if in.Executive.IsSet() {
		doc.Executive = model.Trimmed(in.Executive.Value())
	}
	if in.CommunicationType.IsSet() {
		doc.CommunicationType = model.Trimmed(in.CommunicationType.Value())
	}
}

// Amend changes a document under its row's lock, in the caller's transaction, and tells the watchers when that has committed;
// change may refuse with an error. It fails with not_found.
func (s *Service) Amend(
	ctx context.Context, tx dbx.Tx, kind model.DocumentEventKind, workspaceID, id string, change func(*model.Document) error,
) (*model.Document, error) {
	doc, err := s.forUpdate(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	before := *doc
	if err := change(doc); err != nil {
		return nil, err
	}
	doc.UpdatedAt = model.Now()
	tx.AfterCommit(func() { s.announce(ctx, kind, workspaceID, id) })
	if err := save(ctx, tx, doc); err != nil {
		return nil, err
	}
	if err := countStatus(ctx, tx, workspaceID, before.ProcessingStatus, doc.ProcessingStatus); err != nil {
		return nil, err
	}
	return doc, s.tell(ctx, tx, &before, doc)
}

// Delete removes a document and what was derived from it. It fails with not_found.
func (s *Service) Delete(ctx context.Context, id string) (*model.DeleteDocumentPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		tx.AfterCommit(func() { s.announce(ctx, model.DocumentEventKindDeleted, p.WorkspaceID, id) })
		if err := remove(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		return s.tell(ctx, tx, &model.Document{ID: id, WorkspaceID: p.WorkspaceID}, nil)
	})
	if err != nil {
		return nil, fmt.Errorf("delete document: %w", err)
	}
	return &model.DeleteDocumentPayload{ID: id}, nil
}
