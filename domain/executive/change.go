package executive

import (
	"context"

	"rostrum/dbx"
	"rostrum/llm/text/speaker"
	"rostrum/model"
	"rostrum/optional"
)

// Follow updates data derived from a document in the transaction that changes the document: a new text deletes its signals, a new
// company or another form of the executive's name updates them, and comparisons that cite a deleted document are deleted. An owned document may enqueue a search for the chief
// executive.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if after == nil {
		return dropComparisons(ctx, tx, before)
	}
	if before != nil {
		if err := s.handleChange(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return s.enqueueChiefSearch(ctx, tx, after)
}

func (s *Service) handleChange(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if optional.ValueOr(before.Content, "") != optional.ValueOr(after.Content, "") {
		return dropExtraction(ctx, tx, after.ID)
	}
	if optional.ValueOr(before.Company, "") != optional.ValueOr(after.Company, "") {
		_, err := tx.NewUpdate().Model((*model.Signal)(nil)).Set("company = ?, company_id = ?", after.Company, after.CompanyID).
			Where("workspace_id = ? AND document_id = ? AND attributed", after.WorkspaceID, after.ID).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
	}
	return renameSpeaker(ctx, tx, before, after)
}

// renameSpeaker writes the executive's name as the document has it, if the change is only another form of the same name.
func renameSpeaker(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	old, name := optional.ValueOr(before.Executive, ""), optional.ValueOr(after.Executive, "")
	if old == name || !speaker.SameName(old, name) {
		return nil
	}
	_, err := tx.NewUpdate().Model((*model.Signal)(nil)).Set("executive = ?, executive_id = ?", name, after.ExecutiveID).
		Where("workspace_id = ? AND document_id = ? AND executive = ?", after.WorkspaceID, after.ID, old).Exec(ctx)
	return dbx.Err(err)
}

// dropComparisons deletes the comparisons that cite a deleted document.
func dropComparisons(ctx context.Context, tx dbx.Tx, gone *model.Document) error {
	citing := tx.NewSelect().Model((*model.InsightSource)(nil)).Column("insight_id").Where("document_id = ?", gone.ID)
	_, err := tx.NewDelete().Model((*model.Insight)(nil)).
		Where("workspace_id = ? AND id IN (?)", gone.WorkspaceID, citing).Exec(ctx)
	return dbx.Err(err)
}
