package tag

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Documents is the part of the document service that this package uses.
type Documents interface {
	// Hide removes documents from the list of communications and adds others, in the caller's
	// transaction.
	Hide(ctx context.Context, tx dbx.Tx, workspaceID string, hide, show []string) error
	// SelectIn returns a query of the workspace's documents under the alias d.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// FindByID returns the named columns of a document, or errs.NotFound.
	FindByID(ctx context.Context, db dbx.Reader, workspaceID, id string, columns ...string) (*model.Document, error)
	// FindByIDs returns the named columns of the documents with the ids, in no order. Unknown ids
	// are left out.
	FindByIDs(ctx context.Context, db dbx.Reader, workspaceID string, ids []string,
		columns ...string) ([]*model.Document, error)
}

// Accounts is the run budget and the lock of workspaces.
type Accounts interface {
	job.Budget
	// LockWorkspace locks and returns a workspace. It returns errs.NotFound.
	LockWorkspace(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
}

// AuditFunc adds an entry to the workspace's audit log.
type AuditFunc func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error

// Config holds the dependencies of a Service.
type Config struct {
	DB        *dbx.DB
	Jobs      *job.Service
	Documents Documents
	Accounts  Accounts
	Engine    llm.Engine
	Audit     AuditFunc
	// RecordDocuments records in the transaction that documents' values of auto-tags changed, or
	// whether comms filters hide them; optional.
	RecordDocuments func(tx dbx.Tx, workspaceID string, documentIDs []string)
}

// Service implements the use cases of auto-tags and comms filters. It is safe for concurrent use.
type Service struct {
	db        *dbx.DB
	jobs      *job.Service
	metered   *job.Metered
	documents Documents
	accounts  Accounts
	engine    llm.Engine
	audit     AuditFunc
	record    func(tx dbx.Tx, workspaceID string, documentIDs []string)
}

// New returns a Service and registers its jobs.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, jobs: c.Jobs, metered: job.NewMetered(c.Jobs, c.Accounts), documents: c.Documents,
		accounts: c.Accounts,
		engine:   c.Engine, audit: c.Audit, record: c.RecordDocuments,
	}
	if s.record == nil {
		s.record = func(dbx.Tx, string, []string) {}
	}
	s.registerTagJobs()
	return s
}

// The limits of a definition.
const (
	maxAllowed  = 500
	maxExamples = 100
	maxValue    = 500 // characters
)

// byName is the order of auto-tags.
var byName = dbx.Order{Column: "name"}

// List returns one page of the auto-tags. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) List(ctx context.Context, args model.PageArgs) (*model.AutoTagConnection, error) {
	p := principal.Must(ctx)
	page, err := dbx.List[model.AutoTag]{
		Order: byName,
		Key:   func(t *model.AutoTag) (any, string) { return t.Name, t.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("workspace_id = ? AND NOT manual", p.WorkspaceID)
		},
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Get returns an auto-tag; nil if the workspace has none with this id or if it is a manual filter.
func (s *Service) Get(ctx context.Context, id string) (*model.AutoTag, error) {
	p := principal.Must(ctx)
	t, err := s.tagByID(ctx, s.db, p.WorkspaceID, id)
	if errs.Is(err, errs.NotFound) || err == nil && t.Manual {
		return nil, nil
	}
	return t, err
}

// Create creates an auto-tag. It returns errs.ValidationFailed, and errs.Conflict if the name is
// taken.
func (s *Service) Create(ctx context.Context, in api.CreateAutoTagInput) (*api.CreateAutoTagPayload, error) {
	p := principal.Must(ctx)
	t := newTag(p.WorkspaceID, in.Name, optional.ValueOr(in.Description.Value(), ""))
	t.TagType = strings.TrimSpace(in.TagType)
	t.AllowedValues = distinctValues(in.AllowedValues.Value())
	t.MinConfidence, t.Enabled = optional.ValueOr(in.MinConfidence.Value(), t.MinConfidence),
		optional.ValueOr(in.Enabled.Value(), true)
	examples := in.Examples.Value()
	if err := checkDefinition(t, in.AllowedValues.Value(), examples); err != nil {
		return nil, err
	}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if err := s.insertTag(ctx, tx, t); err != nil {
			return err
		}
		if err := dbx.InsertRows(ctx, tx, newGivenExamples(t, examples, p.Actor())); err != nil {
			return err
		}
		return s.audit(ctx, tx, p.WorkspaceID, "auto_tag.created", t.ID, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("create auto-tag: %w", err)
	}
	return &api.CreateAutoTagPayload{AutoTag: t}, nil
}

// defaultConfidence is the default minimum confidence to apply a value without review.
const defaultConfidence = 0.5

func newTag(workspaceID, name, description string) *model.AutoTag {
	now := model.Now()
	name = strings.TrimSpace(name)
	return &model.AutoTag{
		ID: model.NewID(model.AutoTagPrefix), WorkspaceID: workspaceID, Name: name, NameKey: keyOf(name),
		Description:   strings.TrimSpace(description),
		AllowedValues: []string{}, MinConfidence: defaultConfidence, Enabled: true, Revision: 1, CreatedAt: now,
		UpdatedAt: now,
	}
}

func newGivenExamples(t *model.AutoTag, examples []*api.AutoTagExampleInput, actor string) []*model.AutoTagExample {
	rows := make([]*model.AutoTagExample, len(examples))
	for i, e := range examples {
		rows[i] = newExample(t, strings.TrimSpace(e.Value), strings.TrimSpace(e.Snippet),
			model.AutoTagExampleSourceGiven, actor)
	}
	return rows
}

func newExample(t *model.AutoTag, value, snippet string, source model.AutoTagExampleSource,
	actor string) *model.AutoTagExample {
	return &model.AutoTagExample{
		ID: model.NewID(model.ExamplePrefix), WorkspaceID: t.WorkspaceID, AutoTagID: t.ID, Value: value,
		Snippet: snippet,
		Source:  source, AddedBy: &actor, AddedAt: model.Now(),
	}
}

// checkDefinition returns an error for all invalid fields of a definition. values are the allowed
// ones as given.
func checkDefinition(t *model.AutoTag, values []string, examples []*api.AutoTagExampleInput) error {
	var invalid errs.FieldErrors
	refuse := func(msg string, path ...any) { invalid.Body("value_error", msg, path...) }
	if t.TagType == model.ContentFilter {
		refuse("is reserved for manual comms filters", "tagType")
	}
	if t.MinConfidence < 0 || t.MinConfidence > 1 {
		refuse("must be between 0 and 1", "minConfidence")
	}
	if len(t.AllowedValues) > maxAllowed {
		refuse(fmt.Sprintf("must have at most %d values", maxAllowed), "allowedValues")
	}
	for i, v := range values {
		if sanitizeText(v) == "" {
			refuse("must not be blank", "allowedValues", i)
		}
		if len([]rune(strings.TrimSpace(v))) > maxValue {
			refuse(fmt.Sprintf("must have at most %d characters", maxValue), "allowedValues", i)
		}
	}
	if len(examples) > maxExamples {
		refuse(fmt.Sprintf("must have at most %d examples", maxExamples), "examples")
	}
	for i, e := range examples {
		if _, reason := readValue(t, e.Value); reason != "" {
			refuse(reason, "examples", i, "value")
		}
	}
	return invalid.Err()
}

// Update changes the given fields. It returns errs.NotFound, errs.ValidationFailed, and
// errs.Conflict if the name is taken.
func (s *Service) Update(ctx context.Context, in api.UpdateAutoTagInput) (*api.UpdateAutoTagPayload, error) {
	p := principal.Must(ctx)
	var t *model.AutoTag
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if t, err = s.lockTag(ctx, tx, p.WorkspaceID, in.AutoTagID, false); err != nil {
			return err
		}
		if err := applyUpdate(t, in); err != nil {
			return err
		}
		if in.Examples.Value() != nil {
			if err := replaceExamples(ctx, tx, t, newGivenExamples(t, in.Examples.Value(), p.Actor())); err != nil {
				return err
			}
		}
		if err := s.saveTag(ctx, tx, t); err != nil {
			return err
		}
		return s.audit(ctx, tx, p.WorkspaceID, "auto_tag.updated", t.ID, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("update auto-tag: %w", err)
	}
	return &api.UpdateAutoTagPayload{AutoTag: t}, nil
}

func applyUpdate(t *model.AutoTag, in api.UpdateAutoTagInput) error {
	renameTag(t, in.Name.Value(), in.Description.Value())
	t.TagType = strings.TrimSpace(optional.ValueOr(in.TagType.Value(), t.TagType))
	if values := in.AllowedValues.Value(); values != nil {
		t.AllowedValues = distinctValues(values)
	}
	t.MinConfidence, t.Enabled = optional.ValueOr(in.MinConfidence.Value(), t.MinConfidence),
		optional.ValueOr(in.Enabled.Value(), t.Enabled)
	t.Revision++
	return checkDefinition(t, in.AllowedValues.Value(), in.Examples.Value())
}

func renameTag(t *model.AutoTag, name, description *string) {
	t.Name = strings.TrimSpace(optional.ValueOr(name, t.Name))
	t.NameKey, t.Description = keyOf(t.Name), strings.TrimSpace(optional.ValueOr(description, t.Description))
	t.UpdatedAt = model.Now()
}

// Delete deletes an auto-tag and its values. It returns errs.NotFound, and errs.Conflict while it
// is linked as a comms filter.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteAutoTagPayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		t, err := s.lockTag(ctx, tx, p.WorkspaceID, id, false)
		if err != nil {
			return err
		}
		if filter, err := s.filterByID(ctx, tx, p.WorkspaceID, id); err != nil || filter != nil {
			return orElse(err, errs.New(errs.Conflict, "the auto-tag is linked as a comms filter; unlink it first"))
		}
		if err := s.deleteTag(ctx, tx, t); err != nil {
			return err
		}
		return s.audit(ctx, tx, p.WorkspaceID, "auto_tag.deleted", id, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("delete auto-tag: %w", err)
	}
	return &api.DeleteAutoTagPayload{DeletedID: id}, nil
}

// Examples returns the examples of auto-tags with one statement, in the order of the auto-tags.
func (s *Service) Examples(ctx context.Context, tags []*model.AutoTag) ([][]*model.AutoTagExample, error) {
	p := principal.Must(ctx)
	rows, err := examplesByTag(ctx, s.db, p.WorkspaceID, idsOf(tags))
	if err != nil {
		return nil, err
	}
	out := make([][]*model.AutoTagExample, len(tags))
	for i, t := range tags {
		out[i] = append([]*model.AutoTagExample{}, rows[t.ID]...)
	}
	return out, nil
}

func idsOf(tags []*model.AutoTag) []string {
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.ID
	}
	return ids
}

// distinctValues returns the values with distinct keys in the given order, without blank ones.
func distinctValues(values []string) []string {
	seen, out := []string{}, []string{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if key := keyOf(v); v != "" && !slices.Contains(seen, key) {
			seen, out = append(seen, key), append(out, v)
		}
	}
	return out
}

func orElse(err, fallback error) error {
	if err != nil {
		return err
	}
	return fallback
}

// ByIDs returns the workspace's auto-tags with the ids (see dbx.ByIDs), without manual filters.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.AutoTag,
	error) {
	return dbx.ReadTogether[model.AutoTag](ctx, s.db, s.shownTags(workspaceID).Column(columns...).
		Where("id ?", dbx.AnyOf(ids)))
}

// shownTags returns a query of the workspace's auto-tags without manual filters.
func (s *Service) shownTags(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().Model((*model.AutoTag)(nil)).Where("workspace_id = ? AND NOT manual", workspaceID)
}
