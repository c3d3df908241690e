package content

import (
	"context"
	"slices"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
)

// readAction is the action of an audit entry of a read of a draft under embargo.
const readAction = "draft.read"

// AuditQuotes notes in the audit log that the caller reads words of the drafts with the ids, as far
// as they are under embargo. It returns the documents that the drafts were made from. If it returns
// an error, the words must not be returned.
func (s *Service) AuditQuotes(ctx context.Context, workspaceID string, ids []string) (sources []string, err error) {
	drafts, err := dbx.ByIDs[model.Draft](ctx, s.db, workspaceID, ids, "id", "visibility", "embargoed_until", "metadata")
	if err != nil {
		return nil, err
	}
	for _, draft := range drafts {
		sources = append(sources, draft.Metadata.SourceIDs()...)
	}
	return sources, visibility.NoteReads(ctx, s.audit, readAction, s.db.Now(), drafts,
		func(draft *model.Draft) visibility.Read {
			return visibility.Read{ID: draft.ID, Visibility: draft.Visibility, Until: draft.EmbargoedUntil}
		})
}

// EmbargoWarnings returns the warnings of each material that quotes a document or draft under
// embargo, was made from one, or leads to such a document.
func (s *Service) EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string,
	error) {
	if err := s.addSources(ctx, workspaceID, shared); err != nil {
		return nil, err
	}
	warnings, err := s.documents.EmbargoWarnings(ctx, workspaceID, shared)
	if err != nil {
		return nil, err
	}
	ctx = model.WithReads(ctx, nil) // no words of the drafts leave it
	var drafts []*model.Draft
	err = s.db.NewSelect().Model(&drafts).Column("id", "version", "character_count", "embargoed_until").
		Where("workspace_id = ?", workspaceID).
		Where("?", visibility.Condition("draft", model.VisibilityEmbargoed, s.db.Now())).
		Order("embargoed_until", "id").Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	stored, texts := make([]visibility.StoredText, len(drafts)), make([]visibility.Embargoed, len(drafts))
	for i, draft := range drafts {
		stored[i] = visibility.StoredText{ID: draft.ID, Key: draft.ID + draft.Version, Size: draft.CharacterCount}
		texts[i] = visibility.Embargoed{Kind: "draft", ID: draft.ID, Until: *draft.EmbargoedUntil}
	}
	prints, err := s.prints.Of(ctx, stored,
		func(ctx context.Context, ids []string) (map[string][]visibility.Print, error) {
			return s.readPrints(ctx, workspaceID, ids)
		})
	for i, draft := range drafts {
		texts[i].Prints = prints[draft.ID]
	}
	for i, more := range visibility.Warnings(shared, texts) {
		warnings[i] = append(warnings[i], more...)
	}
	return warnings, err
}

// addSources adds the documents that the drafts were made from to the sources of each material.
func (s *Service) addSources(ctx context.Context, workspaceID string, shared []visibility.Material) error {
	var ids []string
	for _, m := range shared {
		ids = append(ids, m.Sources...)
	}
	drafts, err := dbx.ByIDs[model.Draft](ctx, s.db, workspaceID, ids, "id", "metadata")
	if err != nil {
		return err
	}
	for i, m := range shared {
		for _, draft := range drafts {
			if slices.Contains(m.Sources, draft.ID) {
				shared[i].Sources = append(shared[i].Sources, draft.Metadata.SourceIDs()...)
			}
		}
	}
	return nil
}

func (s *Service) readPrints(ctx context.Context, workspaceID string, ids []string) (map[string][]visibility.Print,
	error) {
	drafts, err := dbx.ByIDs[model.Draft](ctx, s.db, workspaceID, ids, "id", "title", "content", "content_type")
	prints := make(map[string][]visibility.Print, len(drafts))
	for _, draft := range drafts {
		prints[draft.ID] = visibility.PrintsOf(draft.Title,
			visibleText(optional.ValueOr(draft.Content, ""), draft.ContentType))
	}
	return prints, err
}
