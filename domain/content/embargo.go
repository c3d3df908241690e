package content

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/visibility"
)

// AuditReads stores an audit entry for each subject that the caller has read.
type AuditReads func(ctx context.Context, action string, subjectIDs []string) error

// readAction is the action of an audit entry of a read of a draft under embargo.
const readAction = "draft.read"

// auditReads notes in the audit log that the caller reads the title, the text or the excerpt of drafts under embargo. Without such a draft it runs no
// statement. It returns an error if the reads cannot be noted; then the drafts must not be returned.
func (s *Service) auditReads(ctx context.Context, drafts ...*model.Draft) error {
	var ids []string
	now := s.db.Now()
	for _, draft := range drafts {
		isEmbargoed := draft.Visibility == model.VisibilityEmbargoed && visibility.Current(draft.Visibility, draft.EmbargoedUntil, now) == model.VisibilityEmbargoed
		if isEmbargoed && (draft.Title != "" || draft.Content != nil || draft.Excerpt != "") {
			ids = append(ids, draft.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.audit(ctx, readAction, ids)
}

// maxEmbargoed is the number of drafts under embargo that shared material is compared with.
const maxEmbargoed = 200

// EmbargoWarnings returns the warnings of each material: it leads to a document under embargo, or has a part of a document or draft under embargo. It
// runs two statements.
func (s *Service) EmbargoWarnings(ctx context.Context, workspaceID string, shared []visibility.Material) ([][]string, error) {
	warnings, err := s.documents.EmbargoWarnings(ctx, workspaceID, shared)
	if err != nil {
		return nil, err
	}
	var drafts []*model.Draft
	err = s.db.NewSelect().Model(&drafts).Column("id", "title", "content", "content_type", "embargoed_until").Where("workspace_id = ?", workspaceID).
		Where("?", visibility.Condition("draft", model.VisibilityEmbargoed, s.db.Now())).
		Order("embargoed_until", "id").Limit(maxEmbargoed).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	texts := make([]visibility.Embargoed, len(drafts))
	for i, draft := range drafts {
		texts[i] = visibility.Embargoed{
			Name: "draft " + draft.ID, Title: draft.Title, Content: visibleText(optional.ValueOr(draft.Content, ""), draft.ContentType), Until: *draft.EmbargoedUntil,
		}
	}
	for i, more := range visibility.Warnings(shared, texts) {
		warnings[i] = append(warnings[i], more...)
	}
	return warnings, nil
}
