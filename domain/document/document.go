package document

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/blob"
	"rostrum/platform/job"
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
	IsRestricted       bool       // the text's head says that it is confidential, internal or under embargo
	RestrictedUntil    *time.Time // the end of the embargo that the head names
}

// AnalyzeFunc analyzes a document's title and text.
type AnalyzeFunc func(title, content string) TextAnalysis

// ChangeHook runs for every change in its transaction. before is nil for a new document, after for
// a deleted one. A document has at least its id and workspace. An error rolls the change back.
type ChangeHook func(ctx context.Context, tx dbx.Tx, before, after *model.Document) error

// CanonicalFunc returns the workspace's main name for each name of a company or an executive.
type CanonicalFunc func(ctx context.Context, workspaceID string, kind model.PartyKind, names ...string) ([]string, error)

// Service implements the use cases of documents.
type Service struct {
	db     *dbx.DB
	read   AnalyzeFunc
	attach AttachFunc
	hooks  []ChangeHook

	kept         []dbx.KeptTable
	restoreHooks []RestoreHook

	related Related
	audit   visibility.AuditReads
	prints  *visibility.Prints // of documents under embargo

	files     *blob.Store // of originals
	publicURL string

	jobs           *job.Service
	canonical      CanonicalFunc
	findStatements FindStatementsFunc
	tagValues      TagValues
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
	// Files has the originals; nil if no document has one.
	Files *blob.Store
	// PublicURL is the base URL of originals, without a slash at its end.
	PublicURL string
	// Jobs runs bulk updates; nil if there are none.
	Jobs *job.Service
	// Canonical resolves names in previews of bulk updates; nil leaves them as they are.
	Canonical CanonicalFunc
}

// New returns a Service. It registers the types of its jobs.
func New(c Config) *Service {
	s := &Service{db: c.DB, read: c.Analyze, attach: c.Attach, audit: c.Audit, prints: visibility.NewPrints(),
		kept: slices.Clone(ownTables), files: c.Files, publicURL: c.PublicURL, jobs: c.Jobs, canonical: c.Canonical}
	if s.jobs != nil {
		s.registerBulk()
	}
	return s
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
	return doc, s.setVisibility(doc, in, found)
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

// Update changes the given fields. Null clears a field, but keeps the title and the text. It returns
// errs.NotFound for an unknown document, and errs.InvalidState for a text while the document is
// read.
func (s *Service) Update(ctx context.Context, in api.UpdateDocumentInput) (*api.UpdateDocumentPayload, error) {
	p, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	var doc *model.Document
	ended := slot.Compute(ctx, len(optional.ValueOr(in.Content.Value(), "")), func() {
		err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
			doc, err = s.Amend(ctx, tx, p.WorkspaceID, in.DocumentID, func(doc *model.Document) error {
				return s.applyUpdate(ctx, tx, doc, in)
			})
			return err
		})
	})
	if err = cmp.Or(ended, err); err != nil {
		return nil, fmt.Errorf("update document: %w", err)
	}
	return &api.UpdateDocumentPayload{Document: doc}, doc.AfterScanRow(ctx)
}

// applyUpdate sets the given fields. An author that the title named is found anew. It returns
// errs.ValidationFailed unless an embargo and its end are set together.
func (s *Service) applyUpdate(ctx context.Context, tx dbx.Tx, doc *model.Document, in api.UpdateDocumentInput) error {
	if text := in.Content.Value(); text != nil {
		if err := s.correctText(ctx, tx, doc, *text); err != nil {
			return err
		}
	}
	if err := applyAttributes(doc, in); err != nil {
		return err
	}
	if in.Title.Value() != nil && doc.Origins.Author.IsOfText() {
		doc.Author, doc.Origins.Author = nil, nil
		model.SetPart(&doc.Author, &doc.Origins.Author, s.read(doc.Title, optional.ValueOr(doc.Content, "")).Author,
			model.AttributionOriginText)
	}
	return nil
}

// applyAttributes sets the given fields but the text. It returns errs.ValidationFailed unless an
// embargo and its end are set together.
func applyAttributes(doc *model.Document, in api.UpdateDocumentInput) error {
	correctAttribution(doc, in)
	if in.Tags.IsSet() {
		tags, err := readTags(doc, in.Tags.Value())
		if err != nil {
			return err
		}
		doc.Tags = tags
	}
	change := visibility.Change{Visibility: in.Visibility, Until: in.EmbargoedUntil}
	change.SetOrigin(doc, model.AttributionOriginCorrected)
	return change.Apply(&doc.Visibility, &doc.EmbargoedUntil, model.VisibilityPublic)
}

// maxTags limits the labels of a document, maxTag the characters of each.
const maxTags, maxTag = 20, 100

// readTags returns the labels that a document gets, each once. The one of texts by personas stays as it
// is. It returns errs.ValidationFailed naming every invalid one.
func readTags(doc *model.Document, wanted []string) ([]string, error) {
	var invalid errs.FieldErrors
	if len(wanted) > maxTags {
		invalid.Body("too_long", fmt.Sprintf("must have at most %d entries", maxTags), "tags")
	}
	tags := []string{}
	if slices.Contains(doc.Tags, model.TagGenerated) {
		tags = append(tags, model.TagGenerated)
	}
	for i, tag := range wanted {
		tag = strings.TrimSpace(tag)
		switch n := utf8.RuneCountInString(tag); {
		case n == 0 || n > maxTag:
			invalid.Body("length", fmt.Sprintf("must have 1 to %d characters", maxTag), "tags", i)
		case tag == model.TagGenerated && !slices.Contains(doc.Tags, tag):
			invalid.Body("value_error", "marks texts by personas and cannot be given", "tags", i)
		case !slices.Contains(tags, tag):
			tags = append(tags, tag)
		}
	}
	return tags, invalid.Err()
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
	if before.Original != nil && (doc.Original == nil || doc.Original.Key != before.Original.Key) {
		s.deleteAfterCommit(ctx, tx, before.Original)
	}
	if err := countStatus(ctx, tx, workspaceID, before.ProcessingStatus, doc.ProcessingStatus); err != nil {
		return nil, err
	}
	if indexVersion(&before) != indexVersion(doc) {
		s.index(tx, doc)
	}
	return doc, s.notifyHooks(ctx, tx, &before, doc)
}
