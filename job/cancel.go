package job

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Cancel stops a job that has not ended: the row says so at once, a waiting job never starts, and the worker of a running one, in
// whatever process, finds its context ended and can write no more. It fails with errs.InvalidState when the job has ended.
func (s *Service) Cancel(ctx context.Context, workspaceID, id, by, reason string) (*model.Job, error) {
	job, err := s.command(ctx, workspaceID, id, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		if job.Ended() {
			return errs.New(errs.InvalidState, "the job is already %s", job.Status)
		}
		end(job, model.JobStatusCancelled)
		job.CancelledBy, job.CancelReason = model.Optional(by), model.Optional(reason)
		if job.QueueID == nil {
			return nil
		}
		return dbx.Err(s.queue.cancel(ctx, tx, *job.QueueID))
	})
	if err == nil {
		s.held.drop(id)
	}
	return job, err
}

// Retry queues a failed or cancelled job again; its positions go on. It fails with errs.InvalidState in any other state, and with
// whatever the kind's OnRetry refuses it for.
func (s *Service) Retry(ctx context.Context, workspaceID, id string) (*model.Job, error) {
	onRetry, err := s.onRetry(ctx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	return s.command(ctx, workspaceID, id, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		if err := retryable(job); err != nil {
			return err
		}
		job.RetryCount++
		job.Progress, job.Note, job.Result, job.ErrorCode, job.ErrorMessage = 0, nil, nil, nil, nil
		job.CancelledBy, job.CancelReason = nil, nil
		wait(job)
		job.Status = model.JobStatusQueued
		if onRetry != nil {
			if err := onRetry(ctx, tx, job); err != nil {
				return err
			}
		}
		return s.deliver(ctx, tx, job, 0)
	})
}

// onRetry is what the job's kind does in the transaction that queues it again; nil when it does nothing.
func (s *Service) onRetry(ctx context.Context, workspaceID, id string) (func(context.Context, dbx.Tx, *model.Job) error, error) {
	job, err := s.Get(ctx, workspaceID, id)
	if err != nil || job == nil {
		return nil, err
	}
	kind := s.kinds[job.JobType]
	if kind.BeforeRetry == nil {
		return kind.OnRetry, nil
	}
	if err := retryable(job); err != nil {
		return nil, err
	}
	return kind.BeforeRetry(ctx, job)
}

func retryable(job *model.Job) error {
	if job.Status != model.JobStatusFailed && job.Status != model.JobStatusCancelled {
		return errs.New(errs.InvalidState, "only a failed or cancelled job is run again; this one is %s", job.Status)
	}
	return nil
}

// command changes a job on behalf of a caller of its workspace.
func (s *Service) command(ctx context.Context, workspaceID, id string, alter func(context.Context, dbx.Tx, *model.Job) error) (*model.Job, error) {
	var job *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		job, err = s.change(ctx, tx, id, model.JobEventKindState, nil, func(job *model.Job) error {
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
