package executive

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// Follow keeps what was derived from documents in step with them, in the transaction that changes one: with another text its signals are
// forgotten, with another attribution they follow it, and what cites a document goes with it. An owned document lets the chief executive be
// looked for.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	if after == nil {
		return dropCiting(ctx, tx, before)
	}
	if before != nil {
		if err := s.amended(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return s.lookForChief(ctx, tx, after)
}

func (s *Service) amended(ctx context.Context, tx dbx.Tx, before, after *model.Document) error {
	switch {
	case model.ValueOr(before.Content, "") != model.ValueOr(after.Content, ""):
		return dropExtraction(ctx, tx, after.ID)
	case model.ValueOr(before.Executive, "") != model.ValueOr(after.Executive, "") || model.ValueOr(before.Company, "") != model.ValueOr(after.Company, ""):
		_, err := tx.NewUpdate().Model((*model.Signal)(nil)).Set("executive = ?, company = ?", after.Executive, after.Company).
			Where("document_id = ? AND attributed", after.ID).Exec(ctx)
		return dbx.Err(err)
	}
	return nil
}

// dropCiting removes the comparisons that cite a document that is gone.
func dropCiting(ctx context.Context, tx dbx.Tx, gone *model.Document) error {
	citing := tx.NewSelect().Model((*model.InsightSource)(nil)).Column("insight_id").Where("document_id = ?", gone.ID)
	_, err := tx.NewDelete().Model((*model.Insight)(nil)).
		Where("workspace_id = ? AND id IN (?)", gone.WorkspaceID, citing).Exec(ctx)
	return dbx.Err(err)
}
