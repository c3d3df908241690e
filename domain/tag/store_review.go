package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

func (s *Service) reviews(
	ctx context.Context, workspaceID string, w dbx.Window, autoTagID, documentID *string,
) ([]*model.AutoTagReview, error) {
	rows := []*model.AutoTagReview{}
	q := of(s.db.NewSelect().Model(&rows), workspaceID, autoTagID, documentID).
		ColumnExpr("review.*").
		ColumnExpr("(SELECT name FROM auto_tag WHERE id = review.auto_tag_id) AS name").
		ColumnExpr("(SELECT tag_type FROM auto_tag WHERE id = review.auto_tag_id) AS tag_type").
		ColumnExpr("(SELECT title FROM document WHERE id = review.document_id) AS document_title")
	return rows, dbx.Err(w.Apply(q).Scan(ctx))
}

func (s *Service) countReviews(ctx context.Context, workspaceID string, autoTagID, documentID *string) (int, error) {
	q := of(s.db.NewSelect().Model((*model.AutoTagReview)(nil)), workspaceID, autoTagID, documentID)
	n, err := q.Count(ctx)
	return int(n), dbx.Err(err)
}

func of(q *bun.SelectQuery, workspaceID string, autoTagID, documentID *string) *bun.SelectQuery {
	q = q.Where("workspace_id = ? AND state = 'pending'", workspaceID)
	if autoTagID != nil {
		q = q.Where("auto_tag_id = ?", *autoTagID)
	}
	if documentID != nil {
		q = q.Where("document_id = ?", *documentID)
	}
	return q
}

func (s *Service) reviewByID(ctx context.Context, db bun.IDB, workspaceID, id string) (*model.AutoTagReview, error) {
	r := new(model.AutoTagReview)
	err := db.NewSelect().Model(r).Where("workspace_id = ? AND id = ? AND state = ?", workspaceID, id, model.ReviewPending).Scan(ctx)
	return r, dbx.Err(err)
}

func (s *Service) reject(ctx context.Context, workspaceID, id string) error {
	var found string
	err := s.db.NewUpdate().Model((*model.AutoTagReview)(nil)).Set("state = ?", model.ReviewRejected).
		Where("workspace_id = ? AND id = ? AND state = ?", workspaceID, id, model.ReviewPending).Returning("id").Scan(ctx, &found)
	return dbx.Err(err)
}

func dropReview(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) error {
	_, err := tx.NewDelete().Model((*model.AutoTagReview)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", workspaceID, tagID, documentID).Exec(ctx)
	return dbx.Err(err)
}

// replaceApplied writes all of a value that is there.
func replaceApplied(ctx context.Context, tx dbx.Tx, row *model.AppliedAutoTag) error {
	_, err := tx.NewUpdate().Model(row).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// settle writes the value that a person has decided on, in place of what was there or waited.
func (s *Service) settle(ctx context.Context, tx dbx.Tx, row *model.AppliedAutoTag) error {
	if err := dropReview(ctx, tx, row.WorkspaceID, row.AutoTagID, row.DocumentID); err != nil {
		return err
	}
	_, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND auto_tag_id = ? AND document_id = ?", row.WorkspaceID, row.AutoTagID, row.DocumentID).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	return insertAll(ctx, tx, []*model.AppliedAutoTag{row})
}

func (s *Service) appliedByID(ctx context.Context, db bun.IDB, workspaceID, id string) (*model.AppliedAutoTag, error) {
	row := new(model.AppliedAutoTag)
	err := db.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return row, dbx.Err(err)
}
