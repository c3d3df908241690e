package audience

import (
	"context"
	"encoding/json"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// ordered reads what a job was asked for.
func ordered(of *model.Job) (*order, error) {
	o, err := job.Parameters[order](of)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(o.Filters)
	o.Key = string(raw)
	return &o, err
}

func (s *Service) workSummary(ctx context.Context, run *job.Run) (any, error) {
	o, err := ordered(run.Job)
	if err != nil {
		return nil, err
	}
	c, before, _, err := s.dueSummary(ctx, run.Job.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	mine := before != nil && model.ValueOr(before.MadeBy, "") == run.Job.ID // by an earlier try of this job
	if mine || s.holds(c, before, o) {
		return before, nil
	}
	if err := run.Progress(ctx, 30, "summing up the reactions"); err != nil {
		return nil, err
	}
	made, err := s.make(ctx, run.Job.WorkspaceID, o, c, before, jobTime)
	if err != nil {
		return nil, err
	}
	made.MadeBy = &run.Job.ID
	return made, run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return replace(ctx, tx, made) })
}

// endedSummary spends the run of a summary that was made, and gives it back where none was.
func (s *Service) endedSummary(ctx context.Context, tx dbx.Tx, of *model.Job) error {
	made, err := madeBy(ctx, tx, of.ID)
	if err != nil {
		return err
	}
	spent := 0
	if made {
		spent = summaryRun
	}
	return s.Runs.Settle(ctx, tx, of.ID, spent)
}

// retriedSummary is what a summary costs that a caller runs again.
func (s *Service) retriedSummary(ctx context.Context, again *model.Job) (int, error) {
	o, err := ordered(again)
	if err != nil {
		return 0, err
	}
	_, _, runs, err := s.dueSummary(ctx, again.WorkspaceID, o)
	return runs, err
}
