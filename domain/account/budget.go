package account

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Reserve takes runs of the workspace's budget for an operation, in the caller's transaction: they are used from then on, until
// Commit keeps them so or Return gives them back by the job's id. It fails with budget_exhausted, and the figures, when not all of
// them are left. A job has one open reservation at a time.
func (s *Service) Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error {
	return s.reserve(ctx, tx, &model.RunReservation{
		ID: model.NewID(model.ReservationPrefix), WorkspaceID: workspaceID, Operation: operation, JobID: &jobID,
		Runs: runs, State: model.RunReserved, CreatedAt: model.Now(),
	})
}

func (s *Service) reserve(ctx context.Context, tx dbx.Tx, row *model.RunReservation) error {
	left, err := s.use(ctx, tx, row.WorkspaceID, row.Runs)
	if err != nil {
		return err
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("reserve runs: %w", dbx.Err(err))
	}
	tx.AfterCommit(func() { model.TellRunsLeft(ctx, left) })
	return nil
}

// Commit spends what is reserved for a job. It may be called again: what is settled stays as it is.
func (s *Service) Commit(ctx context.Context, tx dbx.Tx, jobID string) error {
	_, err := settle(ctx, tx, jobID, model.RunCommitted)
	return err
}

// Return gives back what is reserved for a job. It may be called again: what is settled stays as it is.
func (s *Service) Return(ctx context.Context, tx dbx.Tx, jobID string) error {
	rows, err := settle(ctx, tx, jobID, model.RunReturned)
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

// Settle spends so many of the runs that are reserved for a job and gives back the rest: for a job of many parts of which not all
// were done. It may be called again: what is settled stays as it is.
func (s *Service) Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error {
	rows, err := settle(ctx, tx, jobID, model.RunCommitted)
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

// TellBudget says beside the answer how many runs are left, for a model-backed operation that reserves none.
func (s *Service) TellBudget(ctx context.Context, workspaceID string) error {
	w, err := s.current(ctx, workspaceID)
	if err != nil {
		return err
	}
	model.TellRunsLeft(ctx, w.RunBudget().Remaining)
	return nil
}

// Budget is what an operator sets of a workspace's budget.
type Budget struct {
	Limit    int
	ResetsAt *time.Time // nil leaves what is
}

// SetBudget changes a workspace's run limit and, when given, the date of its next reset; it is the operator's to call. A demo
// workspace's budget is fixed and takes no date.
func (s *Service) SetBudget(ctx context.Context, workspaceID string, in Budget) (*model.RunBudget, error) {
	w, err := s.current(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	switch {
	case in.Limit < 0:
		return nil, errs.Invalid(errs.BodyField("greater_than_equal", "must be at least 0", "limit"))
	case in.ResetsAt != nil && w.IsDemo:
		return nil, errs.Invalid(errs.BodyField("value_error", "cannot be set: a demo workspace's budget is fixed", "resetsAt"))
	case in.ResetsAt != nil && !in.ResetsAt.After(model.Now()):
		return nil, errs.Invalid(errs.BodyField("out_of_range", "lies in the past", "resetsAt"))
	}
	if err := s.writeBudget(ctx, workspaceID, in); err != nil {
		return nil, fmt.Errorf("set run budget: %w", err)
	}
	if w, err = s.current(ctx, workspaceID); err != nil {
		return nil, err
	}
	return w.RunBudget(), nil
}

// use counts runs as used and tells how many are left.
func (s *Service) use(ctx context.Context, tx dbx.Tx, workspaceID string, runs int) (left int, err error) {
	w, err := useRuns(ctx, tx, workspaceID, runs)
	if !errs.Is(err, errs.NotFound) {
		return w.RunBudget().Remaining, err
	}
	if w, err = s.renew(ctx, tx, workspaceID); err != nil {
		return 0, err
	}
	if w, err := useRuns(ctx, tx, workspaceID, runs); !errs.Is(err, errs.NotFound) {
		return w.RunBudget().Remaining, err
	}
	model.TellRunsLeft(ctx, w.RunBudget().Remaining)
	return 0, exhausted(w.RunBudget(), runs)
}

// figures are a budget as a failure shows it on both faces.
type figures struct {
	Limit     int        `json:"limit"`
	Used      int        `json:"used"`
	Remaining int        `json:"remaining"`
	ResetsAt  *time.Time `json:"resets_at"`
}

func exhausted(b *model.RunBudget, runs int) error {
	until := "; it does not start anew by itself"
	if b.ResetsAt != nil {
		until = " until it starts anew at budget.resets_at"
	}
	return errs.New(errs.BudgetExhausted, "the workspace's run budget does not cover this: %d needed, %d of %d left%s", runs, b.Remaining, b.Limit, until).
		With("budget", figures{b.Limit, b.Used, b.Remaining, b.ResetsAt})
}

// current is the workspace with the budget of the present period.
func (s *Service) current(ctx context.Context, id string) (*model.Workspace, error) {
	w, err := s.workspace(ctx, id)
	if err != nil || !resetDue(w) {
		return w, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		w, err = s.renew(ctx, tx, id)
		return err
	})
	return w, err
}

// renew starts a new period when the old one is over. What is still reserved counts to the new one, so that giving it back
// later takes away nothing that was never counted.
func (s *Service) renew(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error) {
	w, err := s.workspaceForUpdate(ctx, tx, id)
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
	w.RunsResetAt = &next
	return w, startPeriod(ctx, tx, w)
}

func resetDue(w *model.Workspace) bool {
	return !w.IsDemo && w.RunsResetAt != nil && !w.RunsResetAt.After(model.Now())
}

// monthAfter is the same day of the next month, or that month's last day when it is shorter.
func monthAfter(t time.Time) time.Time {
	next := t.AddDate(0, 1, 0)
	if next.Day() < t.Day() {
		next = next.AddDate(0, 0, -next.Day())
	}
	return next
}
