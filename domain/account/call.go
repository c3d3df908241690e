package account

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// FinishFunc stores the result of a call, in the transaction that spends its runs.
type FinishFunc = func(ctx context.Context, tx dbx.Tx) error

// Spend runs work with a model but without a job. It reserves the runs, and spends them together
// with finish. If work or finish fails, it returns them. If the process dies, Run returns them. The
// reservation ignores the context's dbx.CommitHook, because it is no effect of the request. It
// returns errs.BudgetExhausted.
func (s *Service) Spend(
	ctx context.Context, workspaceID, operation string, runs int, work func(ctx context.Context) (FinishFunc, error),
) error {
	call := &model.RunReservation{
		ID: model.NewID(model.ReservationPrefix), WorkspaceID: workspaceID, Operation: operation,
		Runs: runs, State: model.RunReserved, CreatedAt: model.Now(),
	}
	unhooked := dbx.WithCommitHook(ctx, nil)
	err := s.db.InTx(unhooked, func(ctx context.Context, tx dbx.Tx) error { return s.reserveRuns(ctx, tx, call) })
	if err != nil {
		return err
	}
	settling := context.WithoutCancel(ctx)
	kept := false
	defer func() { // also after a panic
		if !kept {
			s.returnCall(context.WithoutCancel(unhooked), call)
		}
	}()
	finish, err := work(ctx)
	if err != nil {
		return err
	}
	err = s.db.InTx(settling, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := settleCall(ctx, tx, call.ID, model.RunCommitted); err != nil {
			return err
		}
		return finish(ctx, tx)
	})
	kept = err == nil
	return err
}

// returnCall returns a call's runs. If that fails, Run returns them later.
func (s *Service) returnCall(ctx context.Context, call *model.RunReservation) {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		row, err := settleCall(ctx, tx, call.ID, model.RunReturned)
		if err != nil || row == nil {
			return err
		}
		return giveBack(ctx, tx, row)
	})
	if err == nil {
		_ = s.ReportRunsRemaining(ctx, call.WorkspaceID)
	}
}

const (
	sweepEvery = time.Minute
	callTime   = 15 * time.Minute // longer than any call: the process has died
)

// returnAbandoned returns the reservations of dead processes' calls. It returns an error if they
// cannot be read.
func (s *Service) returnAbandoned(ctx context.Context) error {
	left, err := s.openCalls(ctx, model.Now().Add(-callTime))
	if err != nil {
		return fmt.Errorf("look for calls that were left behind: %w", err)
	}
	for _, call := range left {
		s.returnCall(ctx, call)
	}
	return nil
}
