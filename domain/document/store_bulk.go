package document

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// bulkRows are the documents of an update or of its undoing: the rows with the job in the column.
type bulkRows struct {
	column string // job_id or undo_job_id
	jobID  string
	state  model.BulkState // of the rows that wait for the job
	left   model.BulkState // of the rows that it leaves alone
}

func (r bulkRows) where(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("? = ?", bun.Ident(r.column), r.jobID)
}

// countBulk returns the number of the rows, and of those that wait.
func (s *Service) countBulk(ctx context.Context, rows bulkRows) (total, waiting int, err error) {
	q := s.db.NewSelect().Model((*model.BulkChange)(nil)).
		ColumnExpr("count(*), coalesce(sum(CASE WHEN state = ? THEN 1 ELSE 0 END), 0)", rows.state)
	err = rows.where(q).Scan(ctx, &total, &waiting)
	return total, waiting, dbx.Err(err)
}

// nextRows returns the ids of the first rows that wait.
func (s *Service) nextRows(ctx context.Context, rows bulkRows, most int64) ([]string, error) {
	var ids []string
	q := s.db.NewSelect().Model((*model.BulkChange)(nil)).Column("id").Where("state = ?", rows.state)
	err := rows.where(q).Order("position").Limit(most).Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// claimRow locks and returns a row that waits; nil if it no longer does.
func (s *Service) claimRow(ctx context.Context, tx dbx.Tx, rows bulkRows, id string) (*model.BulkChange, error) {
	row := new(model.BulkChange)
	q := tx.NewSelect().Model(row).Where("id = ? AND state = ?", id, rows.state)
	return dbx.NilIfNotFound(row, dbx.Err(s.db.ForUpdate(rows.where(q)).Scan(ctx)))
}

// saveRow stores what became of a document.
func saveRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
	_, err := tx.NewUpdate().Model(row).Column("state", "reason", "message", "old", "new").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// assignUndo gives the changed rows of an update to the job that undoes them, and returns their
// number.
func assignUndo(ctx context.Context, tx dbx.Tx, workspaceID, jobID, undoJobID string) (int64, error) {
	result, err := tx.NewUpdate().Model((*model.BulkChange)(nil)).Set("undo_job_id = ?", undoJobID).
		Where("workspace_id = ? AND job_id = ? AND state = ?", workspaceID, jobID, model.BulkStateChanged).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n, dbx.Err(err)
}

// undoJobs returns the jobs that were to undo the changes of an update that are still there.
func (s *Service) undoJobs(ctx context.Context, workspaceID, jobID string) ([]string, error) {
	var ids []string
	err := s.db.NewSelect().Model((*model.BulkChange)(nil)).Distinct().Column("undo_job_id").
		Where("workspace_id = ? AND job_id = ? AND state = ? AND undo_job_id IS NOT NULL", workspaceID, jobID,
			model.BulkStateChanged).Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// resultOf counts what became of the rows, and returns the first ones that were left alone.
func (s *Service) resultOf(ctx context.Context, tx dbx.Tx, rows bulkRows) (*model.BulkUpdateResult, error) {
	var counts []struct {
		State model.BulkState
		Count int
	}
	q := tx.NewSelect().Model((*model.BulkChange)(nil)).ColumnExpr("state, count(*) AS count").Group("state")
	if err := rows.where(q).Scan(ctx, &counts); err != nil {
		return nil, dbx.Err(err)
	}
	result := &model.BulkUpdateResult{Skips: []model.BulkSkip{}}
	for _, c := range counts {
		result.DocumentCount += c.Count
		*countOf(result, rows, c.State) += c.Count
	}
	var skipped []*model.BulkChange
	q = tx.NewSelect().Model(&skipped).Column("document_id", "reason", "message").Where("state = ?", rows.left)
	if err := rows.where(q).Order("position").Limit(maxBulkSkips).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	for _, row := range skipped {
		result.Skips = append(result.Skips,
			model.BulkSkip{DocumentID: row.DocumentID, Reason: *row.Reason, Message: row.Message})
	}
	return result, nil
}

// countOf returns the count of a result that a row in the state belongs to. For an undoing a changed
// row is one that it has not reached.
func countOf(result *model.BulkUpdateResult, rows bulkRows, state model.BulkState) *int {
	isUndo := rows.left == model.BulkStateLeft
	switch {
	case state == rows.left:
		return &result.SkippedCount
	case state == model.BulkStateUnchanged:
		return &result.UnchangedCount
	case state == model.BulkStateWaiting, isUndo && state == model.BulkStateChanged:
		return &result.UnreachedCount
	}
	return &result.ChangedCount
}

// DeleteOldBulk deletes the old values of the bulk updates from before the time.
func (s *Service) DeleteOldBulk(ctx context.Context, before time.Time) error {
	return dbx.DeleteBefore[model.BulkChange](ctx, s.db, model.BulkChangePrefix, "created_at", before)
}
