package content

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Defaults of a draft's fields.
const (
	defaultKnowledgebase = "content-drafts"
	defaultContentType   = "text"
	defaultSourceMode    = "freeform"
	untitled             = "Untitled"
)

// Maximum lengths of an excerpt and a title derived from a text, in code points.
const (
	maxExcerpt = 200
	maxTitle   = 120
)

// Save stores a new draft or updates the named one. It fails with not_found, validation_failed, and
// with precondition_failed if the stored version is not among the input's.
func (s *Service) Save(ctx context.Context, in api.SaveDraftInput) (*api.SaveDraftPayload, error) {
	p := principal.Must(ctx)
	if err := s.checkDraft(ctx, in); err != nil {
		return nil, err
	}
	var draft *model.Draft
	var err error
	message := "Draft saved successfully"
	if id := in.DraftID.Value(); id == nil {
		draft, err = s.createDraft(ctx, p, in)
	} else {
		draft, err = s.updateDraft(ctx, p.WorkspaceID, *id, in)
		message = "Draft updated successfully"
	}
	if err != nil {
		return nil, fmt.Errorf("save draft: %w", err)
	}
	attached := draft.ProjectID != nil
	return &api.SaveDraftPayload{Message: message, Draft: draft, ProjectAttached: &attached}, draft.AfterScanRow(ctx)
}

// checkDraft returns all invalid fields of a draft as one error.
func (s *Service) checkDraft(ctx context.Context, in api.SaveDraftInput) error {
	var invalid errs.FieldErrors
	for i, entry := range in.TestHistory.Value() {
		if !strings.HasPrefix(string(entry), "{") {
			invalid.Body("dict_type", "must be an object", "testHistory", i)
		}
	}
	if id := in.SourceDocumentID.Value(); id != nil && *id != "" {
		doc, err := s.documents.Get(ctx, *id, "id")
		if err != nil {
			return err
		}
		if doc == nil {
			invalid.Body("not_found", "names no document of this workspace", "sourceDocumentId")
		}
	}
	if _, err := s.moreSources(ctx, in.MoreSourceDocumentIds.Value(), &invalid, "id"); err != nil {
		return err
	}
	cast := personaChoice{nonBlank(in.TonePersonaID.Value()), nonBlank(in.VoiceProfileID.Value()),
		in.AudiencePersonaIds.Value()}
	if err := cast.checkPersonas(ctx, s.personas, &invalid); err != nil {
		return err
	}
	return invalid.Err()
}

func (s *Service) createDraft(ctx context.Context, p principal.Principal, in api.SaveDraftInput) (*model.Draft, error) {
	if len(in.IfVersion.Value()) > 0 {
		return nil, errs.New(errs.PreconditionFailed, "a version requires draft_id: a new draft has no stored version")
	}
	now, mode := model.Now(), defaultSourceMode
	draft := &model.Draft{
		ID: model.NewID(model.DraftPrefix), WorkspaceID: p.WorkspaceID, AuthorID: nonBlank(&p.UserID), CreatedAt: now,
		UpdatedAt: now, State: model.DraftStateDraft,
		Metadata: &model.DraftMetadata{
			AudiencePersonaIDs: []string{}, PullThroughPriorities: []*model.DraftPriority{},
			TestHistory: []json.RawMessage{},
			Themes:      []string{}, SourceMode: &mode,
		},
	}
	if err := s.applyInput(draft, in); err != nil {
		return nil, err
	}
	return draft, s.insertDraft(ctx, draft, newVersion(p, draft, 1))
}

func (s *Service) updateDraft(ctx context.Context, workspaceID, id string, in api.SaveDraftInput) (*model.Draft,
	error) {
	var draft *model.Draft
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if draft, err = s.lockDraft(ctx, tx, workspaceID, id, in.IfVersion.Value()); err != nil {
			return err
		}
		sources := draft.Metadata.SourceIDs()
		change := textChange{continues: continues(in.IfVersion.Value(), draft)}
		if err := s.changeDraft(ctx, tx, draft, change, func() error { return s.applyInput(draft, in) }); err != nil {
			return err
		}
		if err := s.checkSources(ctx, tx, draft, sources); err != nil {
			return err
		}
		return s.holdPage(ctx, tx, draft)
	})
	return draft, err
}

// lockDraft returns a draft under a row lock. It fails with not_found, and with precondition_failed
// if its version is not among versions; nil accepts any.
func (s *Service) lockDraft(ctx context.Context, tx dbx.Tx, workspaceID, id string, versions []string) (*model.Draft,
	error) {
	draft, err := s.draftForUpdate(ctx, tx, workspaceID, id)
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, errs.New(errs.NotFound, "there is no draft %s in this workspace", id)
	case err != nil:
		return nil, err
	case !model.IsAmong(draft.Version, versions):
		return nil, errs.New(errs.PreconditionFailed,
			"the draft has changed since this version: read it again and save with its current version")
	}
	return draft, nil
}

// PlainText returns the text of a draft without markup.
func PlainText(draft *model.Draft) string {
	return visibleText(optional.ValueOr(draft.Content, ""), draft.ContentType)
}

// AddTestEntry adds an entry to a draft's test history in the caller's transaction, unless an entry
// matches same. It fails with not_found.
func (s *Service) AddTestEntry(ctx context.Context, tx dbx.Tx, workspaceID, id string, entry json.RawMessage,
	same func(json.RawMessage) bool) error {
	draft, err := s.lockDraft(ctx, tx, workspaceID, id, nil)
	if err != nil || slices.ContainsFunc(draft.Metadata.TestHistory, same) {
		return err
	}
	draft.Metadata.TestHistory = append(draft.Metadata.TestHistory, entry)
	draft.UpdatedAt, draft.Version = model.Now(), model.NewID(model.VersionPrefix)
	return s.saveDraft(ctx, tx, draft, model.EventDraftUpdated)
}

// applyInput sets the given fields and derives the dependent ones. It returns errs.ValidationFailed
// unless an embargo and its end are set together.
func (s *Service) applyInput(draft *model.Draft, in api.SaveDraftInput) error {
	if in.Content.IsSet() {
		draft.Content = in.Content.Value()
	}
	if in.SourceURL.IsSet() {
		draft.SourceURL = nonBlank(in.SourceURL.Value())
	}
	if in.ProjectID.IsSet() {
		draft.ProjectID = nonBlank(in.ProjectID.Value())
	}
	if in.KnowledgebaseID.IsSet() {
		draft.Knowledgebase = strings.TrimSpace(optional.ValueOr(in.KnowledgebaseID.Value(), ""))
	}
	if in.ContentType.IsSet() {
		draft.ContentType = strings.TrimSpace(optional.ValueOr(in.ContentType.Value(), ""))
	}
	if in.Title.IsSet() {
		draft.Title = strings.TrimSpace(optional.ValueOr(in.Title.Value(), ""))
	}
	s.deriveFields(draft)
	amendMetadata(draft.Metadata, in)
	draft.Version = model.NewID(model.VersionPrefix)
	change := visibility.Change{Visibility: in.Visibility, Until: in.EmbargoedUntil}
	return change.Apply(&draft.Visibility, &draft.EmbargoedUntil, model.VisibilityInternal)
}

// deriveFields sets what follows from a draft's title, text and text format.
func (s *Service) deriveFields(draft *model.Draft) {
	draft.Knowledgebase, draft.ContentType = cmp.Or(draft.Knowledgebase, defaultKnowledgebase),
		cmp.Or(draft.ContentType, defaultContentType)
	plain := visibleText(optional.ValueOr(draft.Content, ""), draft.ContentType)
	draft.WordCount, draft.CharacterCount = s.count(plain)
	draft.Excerpt = newExcerpt(plain)
	draft.Title = cmp.Or(draft.Title, firstLine(plain), untitled)
}

func amendMetadata(m *model.DraftMetadata, in api.SaveDraftInput) {
	if in.AudiencePersonaIds.IsSet() {
		m.AudiencePersonaIDs = optional.Distinct(in.AudiencePersonaIds.Value())
	}
	if in.Themes.IsSet() {
		m.Themes = optional.Distinct(in.Themes.Value())
	}
	if in.TestHistory.IsSet() {
		m.TestHistory = append([]json.RawMessage{}, in.TestHistory.Value()...)
	}
	if in.Prompt.IsSet() {
		m.Prompt = optional.ValueOr(in.Prompt.Value(), "")
	}
	if in.PullThroughPriorities.IsSet() {
		m.PullThroughPriorities = newPriorities(in.PullThroughPriorities.Value())
	}
	if in.ContentTypeValue.IsSet() {
		m.ContentTypeValue = nonBlank(in.ContentTypeValue.Value())
	}
	if in.SourceDocumentID.IsSet() {
		m.SourceDocumentID = nonBlank(in.SourceDocumentID.Value())
	}
	if in.MoreSourceDocumentIds.IsSet() {
		m.MoreSourceDocumentIDs = optional.Distinct(in.MoreSourceDocumentIds.Value())
	}
	if in.SourceMode.IsSet() {
		m.SourceMode = nonBlank(in.SourceMode.Value())
	}
	if in.TonePersonaID.IsSet() {
		m.TonePersonaID = nonBlank(in.TonePersonaID.Value())
	}
	if in.VoiceProfileID.IsSet() {
		m.VoiceProfileID = nonBlank(in.VoiceProfileID.Value())
	}
}

// newPriorities returns the priorities with their ids; missing and repeated ids are replaced.
func newPriorities(in []*api.DraftPriorityInput) []*model.DraftPriority {
	out := make([]*model.DraftPriority, len(in))
	seen := map[string]bool{"": true}
	for i, p := range in {
		id := optional.ValueOr(p.ID.Value(), "")
		if seen[id] {
			id = model.NewID(model.PriorityPrefix)
		}
		seen[id] = true
		out[i] = &model.DraftPriority{Key: id, Text: strings.TrimSpace(p.Text), Level: levelOf(p.Level.Value()),
			FromKb: optional.ValueOr(p.FromKb.Value(), false)}
	}
	return out
}

// nonBlank returns s, or nil if it is blank.
func nonBlank(s *string) *string {
	if s == nil || strings.TrimSpace(*s) == "" {
		return nil
	}
	return s
}

// Draft returns a draft, or nil if the workspace has none with this id. If columns are named, it
// reads only these.
func (s *Service) Draft(ctx context.Context, id string, columns ...string) (*model.Draft, error) {
	p := principal.Must(ctx)
	return dbx.NilIfNotFound(s.readDraft(ctx, p.WorkspaceID, id, columns))
}

// latestFirst is the order of drafts.
var latestFirst = dbx.Order{Column: "updated_at", Time: true, Desc: true}

// draftOrders are the orders that callers can choose.
var draftOrders = dbx.NewOrders[model.DraftOrderField, model.Draft](map[model.DraftOrderField]string{
	model.DraftOrderFieldSavedAt: "updated_at", model.DraftOrderFieldTitle: "title",
	model.DraftOrderFieldDueAt: "due_at",
})

// Drafts returns a page of the drafts that match the filter, latest saved first unless an order is
// given. If columns are named, it reads only these. It returns errs.ValidationFailed for invalid
// arguments, and errs.LimitExceeded for texts over dbx.MaxPageText.
func (s *Service) Drafts(
	ctx context.Context, args model.PageArgs, filter *api.DraftFilter, order *model.DraftOrder, columns ...string,
) (*model.DraftConnection, error) {
	p := principal.Must(ctx)
	choices := dbx.Choices[model.Draft, api.DraftFilter, model.DraftOrderField]{Filter: s.draftFilter(p.UserID),
		Orders: draftOrders}
	list, err := choices.Apply(dbx.List[model.Draft]{
		Order: latestFirst, Columns: columns, Text: "content",
		Key:   func(d *model.Draft) (any, string) { return d.UpdatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}, filter, order)
	if err != nil {
		return nil, err
	}
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	out := &model.DraftConnection{Connection: page, Knowledgebase: defaultKnowledgebase}
	if filter != nil {
		out.Knowledgebase = optional.ValueOr(nonBlank(filter.KnowledgebaseID.Value()), defaultKnowledgebase)
	}
	return out, nil
}

// DraftPages returns a page of the drafts about each document, latest saved first. The parent is
// always source_document_id. It returns errs.ValidationFailed for invalid page arguments, and
// errs.LimitExceeded for texts over dbx.MaxPageText.
func (s *Service) DraftPages(
	ctx context.Context, workspaceID, parent string, documentIDs []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Draft], error) {
	list := dbx.List[model.Draft]{
		Order: latestFirst, Columns: columns, Text: "content",
		Key:   func(d *model.Draft) (any, string) { return d.UpdatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
		From: func() *bun.SelectQuery {
			named := s.db.NewSelect().Table("draft").ColumnExpr("*, metadata ->> 'source_document_id' AS ?",
				bun.Ident(parent))
			return s.db.NewSelect().TableExpr("(?) AS draft", named)
		},
	}
	return dbx.Nested[model.Draft]{List: list, Parent: parent}.Pages(ctx, s.db, documentIDs, args)
}

// DeleteDraft deletes a draft. It fails with not_found, with invalid_state while it is published and
// under embargo, and with precondition_failed if its version is not among versions.
func (s *Service) DeleteDraft(ctx context.Context, id string, versions []string) (*api.DeleteDraftPayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		draft, err := s.lockDraft(ctx, tx, p.WorkspaceID, id, versions)
		if err != nil {
			return err
		}
		if err := p.CheckOwner("draft", draft.AuthorID); err != nil {
			return err
		}
		if err := s.checkDeletable(ctx, tx, draft); err != nil {
			return err
		}
		return s.deleteDraft(ctx, tx, draft)
	})
	if err != nil {
		return nil, fmt.Errorf("delete draft: %w", err)
	}
	return &api.DeleteDraftPayload{DeletedID: id}, nil
}

// DraftsByID returns the workspace's drafts with the ids (see dbx.TextsByIDs). It returns
// errs.LimitExceeded for texts over dbx.MaxPageText.
func (s *Service) DraftsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Draft,
	error) {
	return dbx.TextsByIDs[model.Draft](ctx, s.db, workspaceID, ids, "content", columns...)
}

// Visibilities returns the present visibility of each draft.
func (s *Service) Visibilities(drafts []*model.Draft) []model.Visibility {
	now, out := s.db.Now(), make([]model.Visibility, len(drafts))
	for i, draft := range drafts {
		out[i] = visibility.Current(draft.Visibility, draft.EmbargoedUntil, now)
	}
	return out
}
