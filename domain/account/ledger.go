package account

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// ReservationPages returns a page of the ledger per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) ReservationPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.RunReservationConnection, error) {
	list := dbx.List[model.RunReservation]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.RunReservation) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.RunReservation]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// ReservationsByID returns the workspace's ledger entries with the ids (see dbx.ByIDs).
func (s *Service) ReservationsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.RunReservation, error) {
	return dbx.ByIDs[model.RunReservation](ctx, s.db, workspaceID, ids, columns...)
}

// useRuns adds used runs in one statement, and tells the feed once in a period of each share of the
// budget that is reached. It returns errs.NotFound if the period has ended or too few runs remain.
func (s *Service) useRuns(ctx context.Context, tx dbx.Tx, workspaceID string, runs int) (*model.Workspace, error) {
	w := new(model.Workspace)
	err := tx.NewUpdate().Model(w).Set("runs_used = runs_used + ?", runs).
		Where("id = ? AND runs_used + ? <= run_limit", workspaceID, runs).
		Where("(is_demo OR runs_reset_at IS NULL OR runs_reset_at > ?)", model.Now()).
		Returning("id, run_limit, runs_used, runs_reset_at, budget_told").Scan(ctx)
	percent := w.RunBudget().PercentReached()
	if err != nil || percent <= w.BudgetTold {
		return w, dbx.Err(err)
	}
	s.recordBudget(tx, w, percent)
	_, err = tx.NewUpdate().Model(w).Set("budget_told = ?", percent).WherePK().Exec(ctx)
	return w, dbx.Err(err)
}

// settleReservations ends a job's open reservation and returns it; without one the list is empty.
func settleReservations(ctx context.Context, tx dbx.Tx, jobID string, state model.RunState) ([]*model.RunReservation,
	error) {
	var rows []*model.RunReservation
	err := tx.NewUpdate().Model(&rows).Set("state = ?", state).Set("settled_at = ?", model.Now()).
		Where("job_id = ? AND state = ?", jobID, model.RunReserved).
		Returning("id, workspace_id, runs").Scan(ctx)
	return rows, dbx.Err(err)
}

// settleCall ends an open reservation by its id and returns it, or nil if it is settled.
func settleCall(ctx context.Context, tx dbx.Tx, id string, state model.RunState) (*model.RunReservation, error) {
	row := new(model.RunReservation)
	err := tx.NewUpdate().Model(row).Set("state = ?", state).Set("settled_at = ?", model.Now()).
		Where("id = ? AND state = ?", id, model.RunReserved).Returning("id, workspace_id, runs").Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// openCalls returns the open reservations without a job that were created before a time.
func (s *Service) openCalls(ctx context.Context, before time.Time) ([]*model.RunReservation, error) {
	var rows []*model.RunReservation
	err := s.db.NewSelect().Model(&rows).
		Where("state = ? AND job_id IS NULL AND created_at < ?", model.RunReserved, before).Limit(100).Scan(ctx)
	return rows, dbx.Err(err)
}

func giveBack(ctx context.Context, tx dbx.Tx, r *model.RunReservation) error {
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_used = runs_used - ?", r.Runs).
		Where("id = ?", r.WorkspaceID).Exec(ctx)
	return dbx.Err(err)
}

// spendLess returns the unused runs of a reservation to the budget.
func spendLess(ctx context.Context, tx dbx.Tx, r *model.RunReservation, spent int) error {
	if spent >= r.Runs {
		return nil
	}
	rest := *r
	rest.Runs -= spent
	if err := giveBack(ctx, tx, &rest); err != nil {
		return err
	}
	_, err := tx.NewUpdate().Model(r).Set("runs = ?", spent).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// openRuns returns the number of reserved runs that are not settled.
func openRuns(ctx context.Context, tx dbx.Tx, workspaceID string) (int, error) {
	var n int
	err := tx.NewSelect().Model((*model.RunReservation)(nil)).ColumnExpr("coalesce(sum(runs), 0)").
		Where("workspace_id = ? AND state = ?", workspaceID, model.RunReserved).Scan(ctx, &n)
	return n, dbx.Err(err)
}

func startPeriod(ctx context.Context, tx dbx.Tx, w *model.Workspace) error {
	_, err := tx.NewUpdate().Model(w).Column("runs_used", "runs_since", "runs_reset_at", "budget_told").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// writeBudget stores a limit and a reset. Shares that are not reached under the limit are told again.
func (s *Service) writeBudget(ctx context.Context, w *model.Workspace, b BudgetSettings) error {
	reached := w.RunBudget().PercentReached()
	q := s.db.NewUpdate().Model(w).Set("run_limit = ?", b.Limit).
		Set("budget_told = CASE WHEN budget_told > ? THEN ? ELSE budget_told END", reached, reached).WherePK()
	if b.ResetsAt != nil {
		q.Set("runs_reset_at = ?", *b.ResetsAt)
	}
	_, err := q.Exec(ctx)
	return dbx.Err(err)
}
