package account

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

// Reserve takes runs from the workspace's budget for an operation, in the caller's transaction.
// They count as used until Commit spends them or Return puts them back. A job has one open
// reservation at a time. It returns errs.BudgetExhausted with the figures if too few runs remain.
func (s *Service) Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error {
	return s.reserveRuns(ctx, tx, &model.RunReservation{
		ID: model.NewID(model.ReservationPrefix), WorkspaceID: workspaceID, Operation: operation, JobID: &jobID,
		Runs: runs, State: model.RunReserved, CreatedAt: model.Now(),
	})
}

func (s *Service) reserveRuns(ctx context.Context, tx dbx.Tx, row *model.RunReservation) error {
	left, err := s.takeRuns(ctx, tx, row.WorkspaceID, row.Runs)
	if err != nil {
		return err
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("reserve runs: %w", dbx.Err(err))
	}
	tx.AfterCommit(func() { web.SetRunsRemaining(ctx, left) })
	return nil
}

// Commit spends a job's open reservation. Repeated calls do nothing.
func (s *Service) Commit(ctx context.Context, tx dbx.Tx, jobID string) error {
	_, err := settleReservations(ctx, tx, jobID, model.RunCommitted)
	return err
}

// Return puts a job's open reservation back into the budget. Repeated calls do nothing.
func (s *Service) Return(ctx context.Context, tx dbx.Tx, jobID string) error {
	rows, err := settleReservations(ctx, tx, jobID, model.RunReturned)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := giveBack(ctx, tx, row); err != nil {
			return err
		}
	}
	return nil
}

// Settle spends some runs of a job's open reservation and returns the rest. Repeated calls do
// nothing.
func (s *Service) Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error {
	rows, err := settleReservations(ctx, tx, jobID, model.RunCommitted)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := spendLess(ctx, tx, row, spent); err != nil {
			return err
		}
	}
	return nil
}

// ReportRunsRemaining sets the remaining runs in the response metadata. Use it for an operation
// with a model that reserves no runs.
func (s *Service) ReportRunsRemaining(ctx context.Context, workspaceID string) error {
	w, err := s.currentWorkspace(ctx, workspaceID)
	if err != nil {
		return err
	}
	web.SetRunsRemaining(ctx, w.RunBudget().Remaining)
	return nil
}

// BudgetSettings is the input of SetBudget.
type BudgetSettings struct {
	Limit    int
	ResetsAt *time.Time // nil keeps the date
}

// SetBudget changes a workspace's run limit and optionally its next reset, for the operator. It
// returns errs.ValidationFailed, for example for a reset of a demo workspace, because its budget is
// fixed.
func (s *Service) SetBudget(ctx context.Context, workspaceID string, in BudgetSettings) (*model.RunBudget, error) {
	w, err := s.currentWorkspace(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	switch {
	case in.Limit < 0:
		return nil, errs.Invalid(errs.BodyField("greater_than_equal", "must be at least 0", "limit"))
	case in.ResetsAt != nil && w.IsDemo:
		return nil, errs.Invalid(errs.BodyField("value_error", "cannot be set: a demo workspace's budget is fixed",
			"resetsAt"))
	case in.ResetsAt != nil && !in.ResetsAt.After(model.Now()):
		return nil, errs.Invalid(errs.BodyField("out_of_range", "lies in the past", "resetsAt"))
	}
	w.RunLimit = in.Limit
	if err := s.writeBudget(ctx, w, in); err != nil {
		return nil, fmt.Errorf("set run budget: %w", err)
	}
	if w, err = s.currentWorkspace(ctx, workspaceID); err != nil {
		return nil, err
	}
	return w.RunBudget(), nil
}

// takeRuns counts runs as used and returns how many are left. It returns errs.BudgetExhausted.
func (s *Service) takeRuns(ctx context.Context, tx dbx.Tx, workspaceID string, runs int) (left int, err error) {
	w, err := s.useRuns(ctx, tx, workspaceID, runs)
	if !errs.Is(err, errs.NotFound) {
		return w.RunBudget().Remaining, err
	}
	if w, err = s.renewPeriod(ctx, tx, workspaceID); err != nil {
		return 0, err
	}
	if w, err := s.useRuns(ctx, tx, workspaceID, runs); !errs.Is(err, errs.NotFound) {
		return w.RunBudget().Remaining, err
	}
	web.SetRunsRemaining(ctx, w.RunBudget().Remaining)
	return 0, exhaustedError(w.RunBudget(), runs)
}

// budgetFigures are the figures of a budget in an error's extension.
type budgetFigures struct {
	Limit     int        `json:"limit"`
	Used      int        `json:"used"`
	Remaining int        `json:"remaining"`
	ResetsAt  *time.Time `json:"resets_at"`
}

func exhaustedError(b *model.RunBudget, runs int) error {
	until := "; it does not reset"
	if b.ResetsAt != nil {
		until = " until it resets at budget.resets_at"
	}
	return errs.New(errs.BudgetExhausted, "the workspace's run budget does not cover this: %d needed, %d of %d left%s",
		runs, b.Remaining, b.Limit, until).
		With("budget", budgetFigures{b.Limit, b.Used, b.Remaining, b.ResetsAt})
}

// currentWorkspace returns the workspace with the budget of the current period.
func (s *Service) currentWorkspace(ctx context.Context, id string) (*model.Workspace, error) {
	w, err := s.readWorkspace(ctx, id)
	if err != nil || !resetDue(w) {
		return w, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		w, err = s.renewPeriod(ctx, tx, id)
		return err
	})
	return w, err
}

// renewPeriod starts a new period if the current one has ended. Open reservations count in the new
// period; otherwise returning them would subtract runs that were never added.
func (s *Service) renewPeriod(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error) {
	w, err := s.LockWorkspace(ctx, tx, id)
	if err != nil || !resetDue(w) {
		return w, err
	}
	if w.RunsUsed, err = openRuns(ctx, tx, id); err != nil {
		return nil, err
	}
	now, next := model.Now(), *w.RunsResetAt
	for !next.After(now) {
		next = monthAfter(next)
	}
	w.RunsSince, w.RunsResetAt, w.BudgetTold = &now, &next, 0
	return w, startPeriod(ctx, tx, w)
}

func resetDue(w *model.Workspace) bool {
	return !w.IsDemo && w.RunsResetAt != nil && !w.RunsResetAt.After(model.Now())
}

// monthAfter returns the same day of the next month, or its last day if it is shorter.
func monthAfter(t time.Time) time.Time {
	next := t.AddDate(0, 1, 0)
	if next.Day() < t.Day() {
		next = next.AddDate(0, 0, -next.Day())
	}
	return next
}
