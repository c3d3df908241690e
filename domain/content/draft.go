package content

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// The fields of a draft that says nothing (shared/spec/workspace-api.md, "Draft save request").
const (
	knowledgebase = "content-drafts"
	contentType   = "text"
	sourceMode    = "freeform"
	untitled      = "Untitled"
)

// The longest excerpt and the longest title that is taken from a text, in code points.
const (
	longestExcerpt = 200
	longestTitle   = 120
)

// Save stores a new draft or changes the one that is named. A draft that the workspace does not have fails with not_found, one whose
// version is not among those given with precondition_failed.
func (s *Service) Save(ctx context.Context, in model.SaveDraftInput, versions []string) (*model.SaveDraftPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkDraft(ctx, in); err != nil {
		return nil, err
	}
	var draft *model.Draft
	message := "Draft saved successfully"
	if id := in.DraftID.Value(); id == nil {
		draft, err = s.create(ctx, p.WorkspaceID, in, versions)
	} else {
		draft, err = s.change(ctx, p.WorkspaceID, *id, in, versions)
		message = "Draft updated successfully"
	}
	if err != nil {
		return nil, fmt.Errorf("save draft: %w", err)
	}
	attached := draft.ProjectID != nil
	return &model.SaveDraftPayload{Message: message, Draft: draft, KnowledgebaseName: &draft.Knowledgebase, ProjectAttached: &attached}, nil
}

// checkDraft names every field that the draft cannot have.
func (s *Service) checkDraft(ctx context.Context, in model.SaveDraftInput) error {
	var bad []errs.Field
	for i, entry := range in.TestHistory.Value() {
		if !strings.HasPrefix(string(entry), "{") {
			bad = append(bad, errs.BodyField("dict_type", "must be an object", "testHistory", i))
		}
	}
	if id := in.SourceDocumentID.Value(); id != nil && *id != "" {
		doc, err := s.documents.Get(ctx, *id, "id")
		if err != nil {
			return err
		}
		if doc == nil {
			bad = append(bad, errs.BodyField("not_found", "names no document of this workspace", "sourceDocumentId"))
		}
	}
	unknown, err := casting{
		given(in.TonePersonaID.Value()), given(in.VoiceProfileID.Value()), in.AudiencePersonaIds.Value(),
	}.check(ctx, s.personas)
	if err != nil {
		return err
	}
	if bad = append(bad, unknown...); len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

func (s *Service) create(ctx context.Context, workspaceID string, in model.SaveDraftInput, versions []string) (*model.Draft, error) {
	if len(versions) > 0 {
		return nil, errs.New(errs.PreconditionFailed, "a version is asked for, but without draft_id there is no stored draft to have one")
	}
	now, mode := model.Now(), sourceMode
	draft := &model.Draft{
		ID: model.NewID(model.DraftPrefix), WorkspaceID: workspaceID, CreatedAt: now, UpdatedAt: now,
		Metadata: &model.DraftMetadata{
			AudiencePersonaIDs: []string{}, PullThroughPriorities: []*model.DraftPriority{}, TestHistory: []json.RawMessage{},
			Themes: []string{}, SourceMode: &mode,
		},
	}
	s.amend(draft, in)
	return draft, s.insertDraft(ctx, draft)
}

func (s *Service) change(ctx context.Context, workspaceID, id string, in model.SaveDraftInput, versions []string) (*model.Draft, error) {
	var draft *model.Draft
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if draft, err = s.lockDraft(ctx, tx, workspaceID, id, versions); err != nil {
			return err
		}
		s.amend(draft, in)
		draft.UpdatedAt = model.Now()
		return writeDraft(ctx, tx, draft)
	})
	return draft, err
}

// lockDraft reads a draft under its row's lock and holds it against the versions that the caller accepts.
func (s *Service) lockDraft(ctx context.Context, tx dbx.Tx, workspaceID, id string, versions []string) (*model.Draft, error) {
	draft, err := s.draftForUpdate(ctx, tx, workspaceID, id)
	switch {
	case errs.Is(err, errs.NotFound):
		return nil, errs.New(errs.NotFound, "there is no draft %s in this workspace", id)
	case err != nil:
		return nil, err
	case versions != nil && !slices.Contains(versions, draft.Version) && !slices.Contains(versions, "*"):
		return nil, errs.New(errs.PreconditionFailed, "the draft was saved by somebody else meanwhile: read it again and save over its present version")
	}
	return draft, nil
}

// Plain is a draft's text without markup, as a reader has it.
func Plain(draft *model.Draft) string {
	return unmarked(model.ValueOr(draft.Content, ""), draft.ContentType)
}

// Note adds an entry to a draft's test history, in the caller's transaction, unless the history has it already. It fails with not_found.
func (s *Service) Note(ctx context.Context, tx dbx.Tx, workspaceID, id string, entry json.RawMessage, same func(json.RawMessage) bool) error {
	draft, err := s.lockDraft(ctx, tx, workspaceID, id, nil)
	if err != nil || slices.ContainsFunc(draft.Metadata.TestHistory, same) {
		return err
	}
	draft.Metadata.TestHistory = append(draft.Metadata.TestHistory, entry)
	draft.UpdatedAt, draft.Version = model.Now(), model.NewID(model.VersionPrefix)
	return writeDraft(ctx, tx, draft)
}

// amend changes what is given and works out what follows from it.
func (s *Service) amend(draft *model.Draft, in model.SaveDraftInput) {
	if in.Content.IsSet() {
		draft.Content = in.Content.Value()
	}
	if in.SourceURL.IsSet() {
		draft.SourceURL = given(in.SourceURL.Value())
	}
	if in.ProjectID.IsSet() {
		draft.ProjectID = given(in.ProjectID.Value())
	}
	if in.KnowledgebaseID.IsSet() {
		draft.Knowledgebase = strings.TrimSpace(model.ValueOr(in.KnowledgebaseID.Value(), ""))
	}
	if in.ContentType.IsSet() {
		draft.ContentType = strings.TrimSpace(model.ValueOr(in.ContentType.Value(), ""))
	}
	draft.Knowledgebase, draft.ContentType = cmp.Or(draft.Knowledgebase, knowledgebase), cmp.Or(draft.ContentType, contentType)
	plain := unmarked(model.ValueOr(draft.Content, ""), draft.ContentType)
	draft.WordCount, draft.CharacterCount = s.count(plain)
	draft.Excerpt = excerpt(plain)
	if in.Title.IsSet() {
		draft.Title = strings.TrimSpace(model.ValueOr(in.Title.Value(), ""))
	}
	draft.Title = cmp.Or(draft.Title, firstLine(plain), untitled)
	amendMetadata(draft.Metadata, in)
	draft.Version = model.NewID(model.VersionPrefix)
}

func amendMetadata(m *model.DraftMetadata, in model.SaveDraftInput) {
	if in.AudiencePersonaIds.IsSet() {
		m.AudiencePersonaIDs = model.Distinct(in.AudiencePersonaIds.Value())
	}
	if in.Themes.IsSet() {
		m.Themes = model.Distinct(in.Themes.Value())
	}
	if in.TestHistory.IsSet() {
		m.TestHistory = append([]json.RawMessage{}, in.TestHistory.Value()...)
	}
	if in.Prompt.IsSet() {
		m.Prompt = model.ValueOr(in.Prompt.Value(), "")
	}
	if in.PullThroughPriorities.IsSet() {
		m.PullThroughPriorities = priorities(in.PullThroughPriorities.Value())
	}
	if in.ContentTypeValue.IsSet() {
		m.ContentTypeValue = given(in.ContentTypeValue.Value())
	}
	if in.SourceDocumentID.IsSet() {
		m.SourceDocumentID = given(in.SourceDocumentID.Value())
	}
	if in.SourceMode.IsSet() {
		m.SourceMode = given(in.SourceMode.Value())
	}
	if in.TonePersonaID.IsSet() {
		m.TonePersonaID = given(in.TonePersonaID.Value())
	}
	if in.VoiceProfileID.IsSet() {
		m.VoiceProfileID = given(in.VoiceProfileID.Value())
	}
}

// priorities keeps the ids that are known and gives the others one.
func priorities(in []*model.DraftPriorityInput) []*model.DraftPriority {
	out := make([]*model.DraftPriority, len(in))
	seen := map[string]bool{"": true}
	for i, p := range in {
		id := model.ValueOr(p.ID.Value(), "")
		if seen[id] {
			id = model.NewID(model.PriorityPrefix)
		}
		seen[id] = true
		out[i] = &model.DraftPriority{ID: id, Text: strings.TrimSpace(p.Text), Level: levelOf(p.Level.Value()), FromKb: model.ValueOr(p.FromKb.Value(), false)}
	}
	return out
}

// given makes a blank text nothing.
func given(s *string) *string {
	if s == nil || strings.TrimSpace(*s) == "" {
		return nil
	}
	return s
}

// Draft reads one draft's columns (all when none is named); nil when the workspace has none of that id.
func (s *Service) Draft(ctx context.Context, id string, columns ...string) (*model.Draft, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	draft, err := s.draft(ctx, p.WorkspaceID, id, columns)
	return dbx.OrNone(draft, err)
}

// latestFirst is the order of drafts.
var latestFirst = dbx.Order{Column: "updated_at", Time: true, Desc: true}

// Drafts reads a page of the caller's drafts, of each only the named columns (all when none is named).
func (s *Service) Drafts(ctx context.Context, args model.PageArgs, filter *model.DraftFilter, columns ...string) (*model.DraftConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, latestFirst)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "id", latestFirst.Column)
	}
	rows, err := s.drafts(ctx, p.WorkspaceID, window, filter, columns)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(d *model.Draft) (any, string) { return d.UpdatedAt, d.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.countDrafts(ctx, p.WorkspaceID, filter) }
	out := &model.DraftConnection{Connection: page, Knowledgebase: knowledgebase}
	if filter != nil {
		out.Knowledgebase = model.ValueOr(given(filter.KnowledgebaseID.Value()), knowledgebase)
	}
	return out, nil
}

// DeleteDraft removes a draft. One that the workspace does not have fails with not_found, one whose version is not among those given
// with precondition_failed.
func (s *Service) DeleteDraft(ctx context.Context, id string, versions []string) (*model.DeleteDraftPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		draft, err := s.lockDraft(ctx, tx, p.WorkspaceID, id, versions)
		if err != nil {
			return err
		}
		return removeDraft(ctx, tx, draft)
	})
	if err != nil {
		return nil, fmt.Errorf("delete draft: %w", err)
	}
	return &model.DeleteDraftPayload{ID: id, Message: "Draft deleted successfully"}, nil
}
