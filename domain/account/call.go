package account

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// Finish stores what came of a call, in the transaction that keeps its runs.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// Spend does model-backed work for which there is no job. Its runs are reserved first, kept together with what finish stores, and given back
// when the work or finish fails. What a process leaves behind that dies meanwhile is given back by Run. It fails with budget_exhausted.
func (s *Service) Spend(
	ctx context.Context, workspaceID, operation string, runs int, work func(ctx context.Context) (Finish, error),
) error {
	call := &model.RunReservation{
		ID: model.NewID(model.ReservationPrefix), WorkspaceID: workspaceID, Operation: operation,
		Runs: runs, State: model.RunReserved, CreatedAt: model.Now(),
	}
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.reserve(ctx, tx, call) })
	if err != nil {
		return err
	}
	settling := context.WithoutCancel(ctx)
	kept := false
	defer func() { // also when the work panics
		if !kept {
			s.giveUp(settling, call)
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

// giveUp gives a call's runs back. One that cannot be given back now is found by Run later.
func (s *Service) giveUp(ctx context.Context, call *model.RunReservation) {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		row, err := settleCall(ctx, tx, call.ID, model.RunReturned)
		if err != nil || row == nil {
			return err
		}
		return giveBack(ctx, tx, row)
	})
	if err == nil {
		_ = s.TellBudget(ctx, call.WorkspaceID)
	}
}

const (
	sweepEvery = time.Minute
	callTime   = 15 * time.Minute // no call takes so long: its process has died
)

// sweep gives back what calls have reserved whose process died.
func (s *Service) sweep(ctx context.Context) error {
	left, err := s.openCalls(ctx, model.Now().Add(-callTime))
	if err != nil {
		return fmt.Errorf("look for calls that were left behind: %w", err)
	}
	for _, call := range left {
		s.giveUp(ctx, call)
	}
	return nil
}
