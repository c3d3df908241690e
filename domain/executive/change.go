package executive

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/optional"
)

// Follow updates data derived from a document in the transaction that changes the document: a new text deletes its signals, a new
// attribution updates them, and comparisons that cite a deleted document are deleted. An owned document may enqueue a search for the chief
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
	switch {
	case optional.ValueOr(before.Content, "") != optional.ValueOr(after.Content, ""):
		return dropExtraction(ctx, tx, after.ID)
	case optional.ValueOr(before.Executive, "") != optional.ValueOr(after.Executive, "") || optional.ValueOr(before.Company, "") != optional.ValueOr(after.Company, ""):
		_, err := tx.NewUpdate().Model((*model.Signal)(nil)).Set("executive = ?, company = ?", after.Executive, after.Company).
			Where("document_id = ? AND attributed", after.ID).Exec(ctx)
		return dbx.Err(err)
	}
	return nil
}

// dropComparisons deletes the comparisons that cite a deleted document.
func dropComparisons(ctx context.Context, tx dbx.Tx, gone *model.Document) error {
	citing := tx.NewSelect().Model((*model.InsightSource)(nil)).Column("insight_id").Where("document_id = ?", gone.ID)
	_, err := tx.NewDelete().Model((*model.Insight)(nil)).
		Where("workspace_id = ? AND id IN (?)", gone.WorkspaceID, citing).Exec(ctx)
	return dbx.Err(err)
}
