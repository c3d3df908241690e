package job

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// Cancel cancels a job that has not ended. A waiting job never starts. A running job's context ends
// in any process, and its worker can no longer write. It returns errs.InvalidState if the job has
// ended.
func (s *Service) Cancel(ctx context.Context, workspaceID, id, by, reason string) (*model.Job, error) {
	job, err := s.changeInWorkspace(ctx, workspaceID, id, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		if job.Ended() {
			return errs.New(errs.InvalidState, "the job is already %s", job.Status)
		}
		endJob(job, model.JobStatusCancelled)
		job.CancelledBy, job.CancelReason = optional.NonEmpty(by), optional.NonEmpty(reason)
		if job.QueueID == nil {
			return nil
		}
		return dbx.Err(s.queue.cancelRow(ctx, tx, *job.QueueID))
	})
	if err == nil {
		s.held.cancelJob(id)
	}
	return job, err
}

// Retry queues a failed or cancelled job again; its events continue after the old ones. It returns
// errs.InvalidState in any other state, and the error of the kind's OnRetry or BeforeRetry.
func (s *Service) Retry(ctx context.Context, workspaceID, id string) (*model.Job, error) {
	onRetry, err := s.onRetry(ctx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	return s.changeInWorkspace(ctx, workspaceID, id, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		if err := checkRetryable(job); err != nil {
			return err
		}
		job.RetryCount++
		job.RescueCount = 0
		job.Progress, job.Note, job.ResultText, job.ErrorCode, job.ErrorMessage = 0, nil, nil, nil, nil
		job.CancelledBy, job.CancelReason, job.FetchAt, job.DismissedAt = nil, nil, nil, nil
		setWaiting(job)
		job.Status = model.JobStatusQueued
		if onRetry != nil {
			if err := onRetry(ctx, tx, job); err != nil {
				return err
			}
		}
		return s.queueDelivery(ctx, tx, job, 0)
	})
}

// onRetry returns the function that runs in the transaction of a retry, or nil for none.
func (s *Service) onRetry(ctx context.Context, workspaceID, id string) (func(context.Context, dbx.Tx, *model.Job) error,
	error) {
	job, err := s.Get(ctx, workspaceID, id)
	if err != nil || job == nil {
		return nil, err
	}
	kind := s.kinds[job.JobTypeText]
	if kind.BeforeRetry == nil {
		return kind.OnRetry, nil
	}
	if err := checkRetryable(job); err != nil {
		return nil, err
	}
	return kind.BeforeRetry(ctx, job)
}

func checkRetryable(job *model.Job) error {
	if job.Status != model.JobStatusFailed && job.Status != model.JobStatusCancelled {
		return errs.New(errs.InvalidState, "only a failed or cancelled job can be retried; this job is %s", job.Status)
	}
	return nil
}

// changeInWorkspace changes a job for a caller of its workspace. It returns errs.NotFound if the
// job belongs to another one.
func (s *Service) changeInWorkspace(ctx context.Context, workspaceID, id string,
	alter func(context.Context, dbx.Tx, *model.Job) error) (*model.Job, error) {
	var job *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		job, err = s.changeJob(ctx, tx, id, model.JobEventKindState, nil, func(job *model.Job) error {
			if job.WorkspaceID != workspaceID {
				return errMissing()
			}
			return alter(ctx, tx, job)
		})
		return err
	})
	if errs.Is(err, errs.NotFound) {
		return nil, errMissing()
	}
	if err != nil {
		return nil, err
	}
	return job, nil
}

func errMissing() error { return errs.New(errs.NotFound, "there is no such job in this workspace") }
