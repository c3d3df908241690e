package content

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
)

// readAction is the action of an audit entry of a read of a draft under embargo.
const readAction = "draft.read"

// auditReads notes in the audit log that the caller reads the title, text or excerpt of drafts
// under embargo. Without such a draft it runs no statement. If it returns an error, the drafts must
// not be returned.
func (s *Service) auditReads(ctx context.Context, drafts ...*model.Draft) error {
	return visibility.NoteReads(ctx, s.audit, readAction, s.db.Now(), drafts, func(draft *model.Draft) visibility.Read {
		hasText := draft.Title != "" || draft.Content != nil || draft.Excerpt != ""
		return visibility.Read{ID: draft.ID, Visibility: draft.Visibility, Until: draft.EmbargoedUntil,
			HasText: hasText}
	})
}

// maxEmbargoed is the number of drafts under embargo that shared material is compared with.
const maxEmbargoed = 200

// EmbargoWarnings returns the warnings of each material that quotes a document or draft under
// embargo, or leads to such a document. It runs two statements.
func (s *Service) EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string,
	error) {
	warnings, err := s.documents.EmbargoWarnings(ctx, workspaceID, shared)
	if err != nil {
		return nil, err
	}
	var drafts []*model.Draft
	err = s.db.NewSelect().Model(&drafts).Column("id", "title", "content", "content_type", "embargoed_until").
		Where("workspace_id = ?", workspaceID).
		Where("?", visibility.Condition("draft", model.VisibilityEmbargoed, s.db.Now())).
		Order("embargoed_until", "id").Limit(maxEmbargoed).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	texts := make([]visibility.Embargoed, len(drafts))
	for i, draft := range drafts {
		texts[i] = visibility.Embargoed{
			Name: "draft " + draft.ID, Title: draft.Title,
			Content: visibleText(optional.ValueOr(draft.Content, ""), draft.ContentType), Until: *draft.EmbargoedUntil,
		}
	}
	for i, more := range visibility.Warnings(shared, texts) {
		warnings[i] = append(warnings[i], more...)
	}
	return warnings, nil
}
