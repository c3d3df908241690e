package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// selectNames adds the names of a review's tag and document to the query.
func (s *Service) selectNames(q *bun.SelectQuery, workspaceID string) *bun.SelectQuery {
	title := s.documents.SelectIn(s.db, workspaceID).ColumnExpr("d.title").Where("d.id = review.document_id")
	return q.ColumnExpr("review.*").
		ColumnExpr("coalesce((SELECT name FROM auto_tag WHERE id = review.auto_tag_id AND workspace_id = review.workspace_id), '') AS name").
		ColumnExpr("coalesce((SELECT tag_type FROM auto_tag WHERE id = review.auto_tag_id AND workspace_id = review.workspace_id), '') AS tag_type").
		ColumnExpr("coalesce((?), '') AS document_title", title)
}

func wherePending(q *bun.SelectQuery, workspaceID string, autoTagID, documentID *string) *bun.SelectQuery {
	q = q.Where("workspace_id = ? AND state = 'pending'", workspaceID)
	if autoTagID != nil {
		q = q.Where("auto_tag_id = ?", *autoTagID)
	}
	if documentID != nil {
		q = q.Where("document_id = ?", *documentID)
	}
	return q
}

func (s *Service) reviewByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.AutoTagReview, error) {
	r := new(model.AutoTagReview)
	err := db.NewSelect().Model(r).Where("workspace_id = ? AND id = ? AND state = ?", workspaceID, id,
		model.ReviewPending).Scan(ctx)
	return r, dbx.Err(err)
}

func (s *Service) rejectReview(ctx context.Context, workspaceID, id string) error {
	var documentID string
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		err := tx.NewUpdate().Model((*model.AutoTagReview)(nil)).Set("state = ?", model.ReviewRejected).
			Where("workspace_id = ? AND id = ? AND state = ?", workspaceID, id, model.ReviewPending).
			Returning("document_id").Scan(ctx, &documentID)
		s.record(tx, workspaceID, []string{documentID})
		return dbx.Err(err)
	})
}

func deleteReview(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) error {
	_, err := tx.NewDelete().Model((*model.AutoTagReview)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", workspaceID, tagID, documentID).Exec(ctx)
	return dbx.Err(err)
}

func deleteApplied(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) error {
	_, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", workspaceID, tagID, documentID).Exec(ctx)
	return dbx.Err(err)
}

// replaceApplied updates all columns of an existing value.
func replaceApplied(ctx context.Context, tx dbx.Tx, row *model.AppliedAutoTag) error {
	_, err := tx.NewUpdate().Model(row).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// saveDecision stores the value that a person decided on, in place of the applied or pending value.
func (s *Service) saveDecision(ctx context.Context, tx dbx.Tx, row *model.AppliedAutoTag) error {
	if err := deleteReview(ctx, tx, row.WorkspaceID, row.AutoTagID, row.DocumentID); err != nil {
		return err
	}
	if err := deleteApplied(ctx, tx, row.WorkspaceID, row.AutoTagID, row.DocumentID); err != nil {
		return err
	}
	return dbx.InsertRows(ctx, tx, []*model.AppliedAutoTag{row})
}

func (s *Service) appliedByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.AppliedAutoTag,
	error) {
	row := new(model.AppliedAutoTag)
	err := db.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return row, dbx.Err(err)
}
