package audience

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
)

// orderFrom returns the input of a summary job with the parties' present names. It returns an error
// if it cannot be decoded.
func (s *Service) orderFrom(ctx context.Context, of *model.Job) (*summaryOrder, error) {
	o, err := job.Parameters[summaryOrder](of)
	if err != nil {
		return nil, err
	}
	o.Key, err = s.resolveNames(ctx, of.WorkspaceID, o.Filters)
	return &o, err
}

func (s *Service) workSummary(ctx context.Context, run *job.Run) (any, error) {
	o, err := s.orderFrom(ctx, run.Job)
	if err != nil {
		return nil, err
	}
	c, before, _, err := s.dueSummary(ctx, run.Job.WorkspaceID, o)
	if err != nil {
		return nil, err
	}
	mine := before != nil && optional.ValueOr(before.MadeBy, "") == run.Job.ID // by an earlier attempt of this job
	if mine || s.isCurrent(c, before, o) {
		return before, nil
	}
	if err := run.Progress(ctx, 30, "summing up the reactions"); err != nil {
		return nil, err
	}
	made, err := s.makeSummary(ctx, run.Job.WorkspaceID, o, c, before, jobTime)
	if err != nil {
		return nil, err
	}
	made.MadeBy = &run.Job.ID
	return made, run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.saveSummary(ctx, tx, made) })
}

// spentOnSummary returns the run of a job that stored a summary, else 0.
func spentOnSummary(ctx context.Context, tx dbx.Tx, ended *model.Job, _ error) (int, error) {
	made, err := madeBy(ctx, tx, ended.ID)
	if err != nil || !made {
		return 0, err
	}
	return summaryRun, nil
}

// summaryRetryRuns returns the runs that retrying a summary job costs now.
func (s *Service) summaryRetryRuns(ctx context.Context, failed *model.Job) (int, error) {
	o, err := s.orderFrom(ctx, failed)
	if err != nil {
		return 0, err
	}
	_, _, runs, err := s.dueSummary(ctx, failed.WorkspaceID, o)
	return runs, err
}
