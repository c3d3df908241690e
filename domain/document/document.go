package document

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

// TextAnalysis is the result of analyzing a text; nil fields were not found.
type TextAnalysis struct {
	Words, Characters  int
	Language           *string // BCP-47
	Author             *string
	Company, Executive *string
	CommunicationType  *string
	Published          *time.Time
}

// AnalyzeFunc analyzes a document's title and text.
type AnalyzeFunc func(title, content string) TextAnalysis

// ChangeHook runs for every change in its transaction. before is nil for a new document, after for
// a deleted one. A document has at least its id and workspace. An error rolls the change back.
type ChangeHook func(ctx context.Context, tx dbx.Tx, before, after *model.Document) error

// Service implements the use cases of documents.
type Service struct {
	db     *dbx.DB
	read   AnalyzeFunc
	attach AttachFunc
	hooks  []ChangeHook

	related Related
	audit   visibility.AuditReads
	prints  *visibility.Prints // of documents under embargo
}

// AddHook adds a hook for all changes. It must not be called after the first change.
func (s *Service) AddHook(hook ChangeHook) { s.hooks = append(s.hooks, hook) }

func (s *Service) notifyHooks(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	for _, hook := range s.hooks {
		if err := hook(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return nil
}

// Config holds the dependencies of the Service.
type Config struct {
	DB      *dbx.DB
	Analyze AnalyzeFunc // counts words and finds the attribution of a text
	// finds the companies and executives of documents; nil leaves documents with names only
	Attach AttachFunc
	Audit  visibility.AuditReads // notes reads of documents under embargo
}

// New returns a Service.
func New(c Config) *Service {
	return &Service{db: c.DB, read: c.Analyze, attach: c.Attach, audit: c.Audit, prints: visibility.NewPrints()}
}

// Create stores a text and searches it for attribution that is not given. It returns
// errs.ValidationFailed unless an embargo and its end are given together.
func (s *Service) Create(ctx context.Context, in api.CreateDocumentInput) (*api.CreateDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	var doc *model.Document
	ended := slot.Compute(ctx, len(in.Content), func() { // the database computes too, as it indexes the words
		if doc, err = s.newDocument(p.WorkspaceID, in); err == nil {
			err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.Insert(ctx, tx, doc) })
		}
	})
	if ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, fmt.Errorf("create document: %w", err)
	}
	return &api.CreateDocumentPayload{Document: doc}, nil
}

func (s *Service) newDocument(workspaceID string, in api.CreateDocumentInput) (*model.Document, error) {
	now := model.Now()
	title := strings.TrimSpace(in.Title)
	found := s.read(title, in.Content)
	kind := "text"
	doc := &model.Document{
		ID: model.NewID(model.DocumentPrefix), WorkspaceID: workspaceID, Title: title, Content: &in.Content,
		ContentType: cmp.Or(in.ContentType.Value(), &kind), Language: found.Language, SourceURL: in.SourceURL.Value(),
		Tags:      distinctLabels(in.Tags.Value()),
		WordCount: &found.Words, CharacterCount: &found.Characters,
		CreatedAt: now, UpdatedAt: now, ExtractedAt: &now,
	}
	setAttribution(doc, in, found)
	return doc, setVisibility(doc, in)
}

// distinctLabels returns each label once, in the order given, without blank labels.
func distinctLabels(given []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, label := range given {
		if label = strings.TrimSpace(label); label != "" && !seen[label] {
			seen[label] = true
			out = append(out, label)
		}
	}
	return out
}

// Get returns one document, or nil if the workspace has none with this id. If columns are named, it
// reads only these.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Document, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	return dbx.NilIfNotFound(s.byID(ctx, p.WorkspaceID, id, columns))
}

// Update changes the given fields. Null clears a field, but keeps the title. It returns
// errs.NotFound for an unknown document.
func (s *Service) Update(ctx context.Context, in api.UpdateDocumentInput) (*api.UpdateDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	var doc *model.Document
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		doc, err = s.Amend(ctx, tx, p.WorkspaceID, in.DocumentID, func(doc *model.Document) error {
			return s.applyUpdate(doc, in)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("update document: %w", err)
	}
	return &api.UpdateDocumentPayload{Document: doc}, doc.AfterScanRow(ctx)
}

// applyUpdate sets the given fields. An author that the title named is found anew. It returns
// errs.ValidationFailed unless an embargo and its end are set together.
func (s *Service) applyUpdate(doc *model.Document, in api.UpdateDocumentInput) error {
	correctAttribution(doc, in)
	if in.Title.Value() != nil && doc.Origins.Author.IsOfText() {
		doc.Author, doc.Origins.Author = nil, nil
		model.SetPart(&doc.Author, &doc.Origins.Author, s.read(doc.Title, optional.ValueOr(doc.Content, "")).Author,
			model.AttributionOriginText)
	}
	change := visibility.Change{Visibility: in.Visibility, Until: in.EmbargoedUntil}
	return change.Apply(&doc.Visibility, &doc.EmbargoedUntil, model.VisibilityPublic)
}

// Amend changes a document under the row's lock in the caller's transaction, and calls the hooks.
// It returns the error of change, and errs.NotFound for an unknown document.
func (s *Service) Amend(
	ctx context.Context, tx dbx.Tx, workspaceID, id string, change func(*model.Document) error,
) (*model.Document, error) {
	doc, err := s.FindForUpdate(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	before := *doc
	if err := change(doc); err != nil {
		return nil, err
	}
	if err := s.attachParties(ctx, tx, &before, doc); err != nil {
		return nil, err
	}
	doc.UpdatedAt = model.Now()
	if err := saveDocument(ctx, tx, doc); err != nil {
		return nil, err
	}
	if err := countStatus(ctx, tx, workspaceID, before.ProcessingStatus, doc.ProcessingStatus); err != nil {
		return nil, err
	}
	return doc, s.notifyHooks(ctx, tx, &before, doc)
}

// Delete removes a document and the data derived from it. It returns errs.NotFound for an unknown
// one.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := removeDocument(ctx, tx, p.WorkspaceID, id); err != nil {
			return err
		}
		return s.notifyHooks(ctx, tx, &model.Document{ID: id, WorkspaceID: p.WorkspaceID}, nil)
	})
	if err != nil {
		return nil, fmt.Errorf("delete document: %w", err)
	}
	return &api.DeleteDocumentPayload{DeletedID: id}, nil
}
