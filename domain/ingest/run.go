package ingest

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// The graph's fields that runs are reserved for.
const (
	opIngest   = "ingestDocument"
	opAuto     = "ingestAuto"
	opBackload = "backload"
	opRetry    = "documentRetry"
	opJob      = "retryJob"
)

// ingestRuns is what making one document of a source costs.
const ingestRuns = 1

// cost is what a job of these parameters takes of the budget: a text that the client supplied costs nothing but being looked through for
// auto-tags, where the workspace has any.
func (s *Service) cost(ctx context.Context, tx dbx.Tx, workspaceID string, in parameters) (int, error) {
	if !in.Supplied {
		return ingestRuns, nil
	}
	wanted, err := s.tags.Wanted(ctx, tx, workspaceID)
	if err != nil || !wanted {
		return 0, err
	}
	return ingestRuns, nil
}

// start queues a job together with the reservation of its run.
func (s *Service) start(ctx context.Context, tx dbx.Tx, operation, workspaceID, userID string, in parameters) (*model.Job, error) {
	started, err := s.jobs.Enqueue(ctx, tx, job.Request{
		Type: JobType, WorkspaceID: workspaceID, DocumentID: in.DocumentID, UserID: userID, Parameters: in,
	})
	if err != nil {
		return nil, err
	}
	return started, s.reserve(ctx, tx, operation, started, in)
}

func (s *Service) reserve(ctx context.Context, tx dbx.Tx, operation string, started *model.Job, in parameters) error {
	runs, err := s.cost(ctx, tx, started.WorkspaceID, in)
	if err != nil || runs == 0 {
		return err
	}
	return s.runs.Reserve(ctx, tx, started.WorkspaceID, operation, started.ID, runs)
}

// settled spends the run of a job that made its document and gives back that of one that did not.
func (s *Service) settled(ctx context.Context, tx dbx.Tx, ended *model.Job) error {
	if ended.Status == model.JobStatusCompleted {
		return s.runs.Commit(ctx, tx, ended.ID)
	}
	return s.runs.Return(ctx, tx, ended.ID)
}

// retried reserves anew for a job that a caller runs again.
func (s *Service) retried(ctx context.Context, tx dbx.Tx, again *model.Job) error {
	in, err := job.Parameters[parameters](again)
	if err != nil {
		return err
	}
	return s.reserve(ctx, tx, opJob, again, in)
}

// estimate tells what begin would reserve, and begins nothing.
func (s *Service) estimate(ctx context.Context, r request) (*model.Estimate, error) {
	if err := s.runs.TellBudget(ctx, r.workspaceID); err != nil {
		return nil, err
	}
	out := &model.Estimate{}
	if r.refusal != nil {
		return out, nil
	}
	known, err := s.find(ctx, s.db, r)
	if err != nil {
		return nil, fmt.Errorf("estimate ingestion: %w", err)
	}
	if known == nil || failed(known) {
		out.Runs = ingestRuns
	}
	return out, nil
}
