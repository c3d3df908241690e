package account

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// WorkspaceIDs returns the ids of all workspaces. It is for the operator.
func (s *Service) WorkspaceIDs(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.db.NewSelect().Model((*model.Workspace)(nil)).Column("id").Order("created_at", "id").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// Recount compares the workspace's used runs with its reservations under the workspace's lock, and
// corrects them if repair is set. It counts reservations that are open or were spent in the period.
// A period without a stored start is not compared. It is for the operator.
func (s *Service) Recount(ctx context.Context, workspaceID string, repair bool) ([]*model.CountDifference, error) {
	var found []*model.CountDifference
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.LockWorkspace(ctx, tx, workspaceID)
		if err != nil || w.RunsSince == nil {
			return err
		}
		var counted int
		err = tx.NewSelect().Model((*model.RunReservation)(nil)).ColumnExpr("coalesce(sum(runs), 0)").
			Where("workspace_id = ?", workspaceID).
			Where("(state = ? OR state = ? AND settled_at >= ?)", model.RunReserved, model.RunCommitted, *w.RunsSince).
			Scan(ctx, &counted)
		if err != nil || counted == w.RunsUsed {
			return dbx.Err(err)
		}
		found = append(found, &model.CountDifference{WorkspaceID: workspaceID, Subject: "runs_used", Stored: w.RunsUsed,
			Counted: counted})
		if !repair {
			return nil
		}
		_, err = tx.NewUpdate().Model(w).Set("runs_used = ?", counted).WherePK().Exec(ctx)
		return dbx.Err(err)
	})
	return found, err
}
