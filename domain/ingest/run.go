package ingest

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// The operations that reserve runs, as the run ledger names them.
const (
	opIngest   = "ingestDocument"
	opFiles    = "createDocuments"
	opAuto     = "ingestAuto"
	opBackload = "backload"
	opRetry    = "documentRetry"
	opSource   = "source"
)

// ingestRuns is the cost of ingesting a source.
const ingestRuns = 1

// requiredRuns returns the cost of a job. A text from the client costs a run only if the workspace
// has auto-tags.
func (s *Service) requiredRuns(ctx context.Context, db dbx.Reader, workspaceID string, in jobParameters) (int, error) {
	if !in.Supplied {
		return ingestRuns, nil
	}
	wanted, err := s.tags.HasEnabledTags(ctx, db, workspaceID)
	if err != nil || !wanted {
		return 0, err
	}
	return ingestRuns, nil
}

// retryRuns returns the runs that a retry of a job reserves.
func (s *Service) retryRuns(ctx context.Context, retried *model.Job) (int, error) {
	in, err := job.Parameters[jobParameters](retried)
	if err != nil {
		return 0, err
	}
	return s.requiredRuns(ctx, s.db, retried.WorkspaceID, in)
}

// enqueueJob queues a job and reserves its run. It returns errs.BudgetExhausted if no run is left.
func (s *Service) enqueueJob(ctx context.Context, tx dbx.Tx, operation, workspaceID, userID string,
	in jobParameters) (*model.Job, error) {
	runs, err := s.requiredRuns(ctx, tx, workspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.metered.EnqueueTx(ctx, tx, job.MeteredRequest{
		Request: job.Request{Type: JobIngest, WorkspaceID: workspaceID, DocumentID: in.DocumentID, UserID: userID,
			Parameters: in},
		Operation: operation, Runs: runs,
	})
}

// estimateRuns returns the runs that startIngestion would reserve, without starting it.
func (s *Service) estimateRuns(ctx context.Context, r ingestRequest) (*model.Estimate, error) {
	runs := 0
	if r.refusal == nil {
		known, err := s.findDuplicate(ctx, s.db, r)
		if err != nil {
			return nil, fmt.Errorf("estimate ingestion: %w", err)
		}
		if known == nil || isFailed(known) {
			runs = ingestRuns
		}
	}
	return s.metered.Estimate(ctx, runs)
}
