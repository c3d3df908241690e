package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/slot"
)

// settleTries limits how often the end of a run is written while the database is unavailable. The
// pause doubles each time.
const settleTries = 6

// panicMessage is the error message that callers see after a panic.
const panicMessage = "something went wrong on our side"

// workDelivery runs the job of a valid delivery until it ends or is queued again. It returns an
// error if the job could not be read.
func (s *Service) workDelivery(ctx context.Context, d deliveryArgs, delivered int64) error {
	run := &Run{service: s}
	ctx, run.cancel = context.WithCancelCause(ctx)
	defer run.cancel(nil)
	s.held.addRun(run, d.JobID)
	defer s.held.removeRun(run)
	job, err := s.beginRun(context.WithoutCancel(ctx), d, delivered)
	if err != nil || job == nil {
		return err
	}
	s.held.setJob(run, job)
	ctx = context.WithValue(slot.WithTenant(ctx, job.WorkspaceID), runningKey{}, job.ID)

	kind := s.kinds[job.JobTypeText]
	limit := errs.New(errs.Unavailable, "the job took longer than %v", kind.Timeout)
	limited, cancel := context.WithTimeoutCause(ctx, kind.Timeout, limit)
	defer cancel()
	result, err := performWork(limited, run, kind)
	if cause := context.Cause(limited); err != nil && cause != nil {
		err = cause // more specific than the error that Work made of its ended context
	}
	if err := s.concludeRun(context.WithoutCancel(ctx), run, result, err); err != nil && !errors.Is(err, ErrLost) {
		slog.ErrorContext(ctx, "the end of a job could not be stored; it runs again when its lease is over", "job",
			d.JobID, "error", err)
	}
	return nil
}

// errSnoozed ends the transaction of a postponed job.
var errSnoozed = errors.New("the job is snoozed")

// beginRun assigns the job to this worker. It returns nil if the delivery is void or the job was
// snoozed.
func (s *Service) beginRun(ctx context.Context, d deliveryArgs, delivered int64) (*model.Job, error) {
	var job *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		job, err = s.changeJob(ctx, tx, d.JobID, model.JobEventKindState, nil, func(job *model.Job) error {
			if job.QueueID == nil || *job.QueueID != delivered || !isWaiting(job) {
				return errUnchanged
			}
			kind, ok := s.kinds[job.JobTypeText]
			if !ok {
				return fmt.Errorf("no kind is registered for %q", job.JobTypeText)
			}
			if pause := kind.Snooze(job, d.Snoozed); pause > 0 {
				return cmp.Or(s.snoozeJob(ctx, tx, job, pause), errSnoozed)
			}
			now := model.Now()
			job.Status, job.StartedAt = model.JobStatusRunning, &now
			job.LeaseUntil, job.LeaseToken = s.leaseEnd(), job.LeaseToken+1
			job.ErrorCode, job.ErrorMessage = nil, nil
			return nil
		})
		if errors.Is(err, errSnoozed) {
			return nil
		}
		return err
	})
	if errors.Is(err, errUnchanged) || errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return job, err
}

// performWork calls the kind's Work. A panic is logged and returned as errs.Internal.
func performWork(ctx context.Context, run *Run, kind Kind) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "a job panicked", "job", run.Job.ID, "type", run.Job.JobTypeText, "panic", p,
				"stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", p), errs.Internal, panicMessage)
		}
	}()
	return kind.Work(ctx, run)
}

// Ending is a result of Work that is computed in the transaction that ends the job, for rows that
// must commit with it. Its error counts as an error of Work, but after errs.Unavailable it is
// called again.
type Ending func(ctx context.Context, tx dbx.Tx) (result any, err error)

// endingError is the error of an Ending.
type endingError struct{ error }

// Unwrap returns the cause for errors.Is and errors.As.
func (e *endingError) Unwrap() error { return e.error }

// concludeRun settles a run. If the database or OnEnd refuses the end for good, it settles the run
// as a failure.
func (s *Service) concludeRun(ctx context.Context, run *Run, result any, failure error) error {
	err := s.settleRun(ctx, run, result, failure)
	if refused, ok := errors.AsType[*endingError](err); ok {
		return s.settleRun(ctx, run, nil, refused.error)
	}
	if err == nil || errors.Is(err, ErrLost) || errors.Is(failure, errShutdown) || errs.Is(err, errs.Unavailable) {
		return err
	}
	return s.settleRun(ctx, run, nil, Permanent(fmt.Errorf("store the end of a job: %w", err)))
}

// settleRun stores the outcome of a run. It retries while the database is unavailable, because the
// work may have been long.
func (s *Service) settleRun(ctx context.Context, run *Run, result any, failure error) error {
	if errors.Is(failure, errShutdown) {
		return run.returnToQueue(ctx)
	}
	ending, computed := result.(Ending)
	if !computed {
		ending = func(context.Context, dbx.Tx) (any, error) { return result, nil }
	}
	pause := 100 * time.Millisecond
	for try := 1; ; try++ {
		err := run.changeJob(ctx, model.JobEventKindState, failure,
			func(ctx context.Context, tx dbx.Tx, job *model.Job) (err error) {
				if failure != nil {
					err = s.failJob(ctx, tx, job, failure)
				} else {
					err = completeJob(ctx, tx, job, ending)
				}
				jobType, outcome, start := job.JobTypeText, job.Status, run.Job.StartedAt
				tx.AfterCommit(func() { observeRun(jobType, outcome, *start) })
				return err
			})
		if try == settleTries || !errs.Is(err, errs.Unavailable) {
			return err
		}
		time.Sleep(pause)
		pause *= 2
	}
}

// completeJob computes the result of a job and sets the fields of its end.
func completeJob(ctx context.Context, tx dbx.Tx, job *model.Job, ending Ending) error {
	result, err := ending(ctx, tx)
	if err != nil {
		return &endingError{err}
	}
	output, err := encodeJSON(result)
	if err != nil {
		return &endingError{Permanent(fmt.Errorf("encode the result of a job: %w", err))}
	}
	endJob(job, model.JobStatusCompleted)
	job.Progress, job.Note, job.ResultText = 100, nil, output
	return nil
}

// failJob queues the job for a retry, or ends it.
func (s *Service) failJob(ctx context.Context, tx dbx.Tx, job *model.Job, failure error) error {
	// through River's own pages; Cancel would have ended the lease
	if errors.Is(failure, rivertype.ErrJobCancelledRemotely) {
		endJob(job, model.JobStatusCancelled)
		job.CancelledBy = optional.NonEmpty("system")
		return nil
	}
	e := errs.From(failure)
	if e.Code == errs.Internal {
		slog.ErrorContext(ctx, "a job failed", "job", job.ID, "type", job.JobTypeText, "error", failure)
	}
	setError(job, e)
	if !mayRetry(failure) || job.RetryCount >= job.MaxRetries {
		endJob(job, model.JobStatusFailed)
		return nil
	}
	job.RetryCount++
	setWaiting(job)
	return s.queueDelivery(ctx, tx, job, s.kinds[job.JobTypeText].Backoff(job.RetryCount))
}

// setError stores the error that callers see.
func setError(job *model.Job, e *errs.Error) {
	job.ErrorCode, job.ErrorMessage = optional.NonEmpty(string(e.Code)), optional.NonEmpty(storableText(e.Message))
}

// storableText removes characters that the databases cannot store.
func storableText(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
}
