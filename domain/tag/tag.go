// Package tag says what documents are about, by auto-tags, and which of them stay out of the list of communications, by comms filters.
package tag

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Documents is what the room needs of the documents' room.
type Documents interface {
	Hide(ctx context.Context, tx dbx.Tx, workspaceID string, hide, show []string) error
}

// Runs is what the room needs of the workspace's run budget.
type Runs interface {
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error
	TellBudget(ctx context.Context, workspaceID string) error
}

// Note writes a line of the workspace's audit log.
type Note func(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	jobs      *job.Service
	documents Documents
	runs      Runs
	engine    llm.Engine
	note      Note
}

// New makes the room and registers its jobs.
func New(db *dbx.DB, jobs *job.Service, documents Documents, runs Runs, engine llm.Engine, note Note) *Service {
	s := &Service{db: db, jobs: jobs, documents: documents, runs: runs, engine: engine, note: note}
	s.register()
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

// List reads one page of the caller's auto-tags.
func (s *Service) List(ctx context.Context, args model.PageArgs) (*model.AutoTagConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, byName)
	if err != nil {
		return nil, err
	}
	rows, err := s.page(ctx, p.WorkspaceID, window)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(t *model.AutoTag) (any, string) { return t.Name, t.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.countTags(ctx, p.WorkspaceID) }
	return &model.AutoTagConnection{Connection: page}, nil
}

// Get reads one auto-tag; nil when the workspace has none of that id. A manual filter is none.
func (s *Service) Get(ctx context.Context, id string) (*model.AutoTag, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	t, err := s.tagByID(ctx, s.db, p.WorkspaceID, id)
	if errs.Is(err, errs.NotFound) || err == nil && t.Manual {
		return nil, nil
	}
	return t, err
}

// Create defines an auto-tag. It fails with conflict when its name is taken.
func (s *Service) Create(ctx context.Context, in model.CreateAutoTagInput) (*model.CreateAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	t := fresh(p.WorkspaceID, in.Name, model.ValueOr(in.Description.Value(), ""))
	t.TagType = strings.TrimSpace(in.TagType)
	t.AllowedValues = distinct(in.AllowedValues.Value())
	t.MinConfidence, t.Enabled = model.ValueOr(in.MinConfidence.Value(), t.MinConfidence), model.ValueOr(in.Enabled.Value(), true)
	examples := in.Examples.Value()
	if err := checkDefinition(t, in.AllowedValues.Value(), examples); err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if err := s.insertTag(ctx, tx, t); err != nil {
			return err
		}
		if err := insertExamples(ctx, tx, given(t, examples, p.Actor())); err != nil {
			return err
		}
		return s.note(ctx, tx, p.WorkspaceID, "auto_tag.created", t.ID, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("create auto-tag: %w", err)
	}
	return &model.CreateAutoTagPayload{AutoTag: t}, nil
}

// gate is how sure a value must be to be applied without review, unless the auto-tag says otherwise.
const gate = 0.5

func fresh(workspaceID, name, description string) *model.AutoTag {
	now := model.Now()
	name = strings.TrimSpace(name)
	return &model.AutoTag{
		ID: model.NewID(model.AutoTagPrefix), WorkspaceID: workspaceID, Name: name, NameKey: keyOf(name), Description: strings.TrimSpace(description),
		AllowedValues: []string{}, MinConfidence: gate, Enabled: true, Revision: 1, CreatedAt: now, UpdatedAt: now,
	}
}

func given(t *model.AutoTag, examples []*model.AutoTagExampleInput, actor string) []*model.AutoTagExample {
	rows := make([]*model.AutoTagExample, len(examples))
	for i, e := range examples {
		rows[i] = example(t, strings.TrimSpace(e.Value), strings.TrimSpace(e.Snippet), model.TagSourceGiven, actor)
	}
	return rows
}

func example(t *model.AutoTag, value, snippet, source, actor string) *model.AutoTagExample {
	return &model.AutoTagExample{
		ID: model.NewID(model.ExamplePrefix), WorkspaceID: t.WorkspaceID, AutoTagID: t.ID, Value: value, Snippet: snippet,
		Source: source, AddedBy: &actor, AddedAt: model.Now(),
	}
}

// checkDefinition names every bad field of a definition at once; values are the allowed ones as they are given.
func checkDefinition(t *model.AutoTag, values []string, examples []*model.AutoTagExampleInput) error {
	var bad []errs.Field
	refuse := func(msg string, path ...any) { bad = append(bad, errs.BodyField("value_error", msg, path...)) }
	if t.TagType == model.ContentFilter {
		refuse("is the type of manual comms filters, which have routes of their own", "tagType")
	}
	if t.MinConfidence < 0 || t.MinConfidence > 1 {
		refuse("must lie between 0 and 1", "minConfidence")
	}
	if len(t.AllowedValues) > maxAllowed {
		refuse(fmt.Sprintf("must have at most %d values", maxAllowed), "allowedValues")
	}
	for i, v := range values {
		if clean(v) == "" {
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
		if _, ok := allowed(t, e.Value); !ok {
			refuse("is none of the allowed values", "examples", i, "value")
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

// Update changes what is given. It fails with not_found, and with conflict when the name is taken.
func (s *Service) Update(ctx context.Context, id string, in model.UpdateAutoTagInput) (*model.UpdateAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var t *model.AutoTag
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if t, err = s.forUpdate(ctx, tx, p.WorkspaceID, id, false); err != nil {
			return err
		}
		if err := amend(t, in); err != nil {
			return err
		}
		if in.Examples.Value() != nil {
			if err := replaceExamples(ctx, tx, t, given(t, in.Examples.Value(), p.Actor())); err != nil {
				return err
			}
		}
		if err := s.saveTag(ctx, tx, t); err != nil {
			return err
		}
		return s.note(ctx, tx, p.WorkspaceID, "auto_tag.updated", t.ID, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("update auto-tag: %w", err)
	}
	return &model.UpdateAutoTagPayload{AutoTag: t}, nil
}

func amend(t *model.AutoTag, in model.UpdateAutoTagInput) error {
	rename(t, in.Name.Value(), in.Description.Value())
	t.TagType = strings.TrimSpace(model.ValueOr(in.TagType.Value(), t.TagType))
	if values := in.AllowedValues.Value(); values != nil {
		t.AllowedValues = distinct(values)
	}
	t.MinConfidence, t.Enabled = model.ValueOr(in.MinConfidence.Value(), t.MinConfidence), model.ValueOr(in.Enabled.Value(), t.Enabled)
	t.Revision++
	return checkDefinition(t, in.AllowedValues.Value(), in.Examples.Value())
}

func rename(t *model.AutoTag, name, description *string) {
	t.Name = strings.TrimSpace(model.ValueOr(name, t.Name))
	t.NameKey, t.Description = keyOf(t.Name), strings.TrimSpace(model.ValueOr(description, t.Description))
	t.UpdatedAt = model.Now()
}

// Delete removes an auto-tag and its values. It fails with not_found, and with conflict while it is linked as a comms filter.
func (s *Service) Delete(ctx context.Context, id string) (*model.DeleteAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		t, err := s.forUpdate(ctx, tx, p.WorkspaceID, id, false)
		if err != nil {
			return err
		}
		if filter, err := s.filterByID(ctx, tx, p.WorkspaceID, id); err != nil || filter != nil {
			return orElse(err, errs.New(errs.Conflict, "the auto-tag is linked as a comms filter; unlink it first"))
		}
		if err := deleteTag(ctx, tx, t); err != nil {
			return err
		}
		return s.note(ctx, tx, p.WorkspaceID, "auto_tag.deleted", id, map[string]any{"name": t.Name})
	})
	if err != nil {
		return nil, fmt.Errorf("delete auto-tag: %w", err)
	}
	return &model.DeleteAutoTagPayload{ID: id}, nil
}

// Examples reads the examples of auto-tags, all with one statement, in the order of the auto-tags.
func (s *Service) Examples(ctx context.Context, tags []*model.AutoTag) ([][]*model.AutoTagExample, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := examplesOf(ctx, s.db, p.WorkspaceID, idsOf(tags))
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

// distinct keeps each value once, by its key, in the order given, without blank ones.
func distinct(values []string) []string {
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
