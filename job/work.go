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
)

// settleTries is how often the end of a run is written while the database cannot be reached, with a growing pause between.
const settleTries = 6

// broken is all that a caller learns of a panic.
const broken = "something went wrong on our side"

// work takes up a delivery, if it is still the valid one, and runs its job to an end or back into the queue.
func (s *Service) work(ctx context.Context, d delivery, delivered int64) error {
	run := &Run{service: s}
	ctx, run.cancel = context.WithCancelCause(ctx)
	defer run.cancel(nil)
	s.held.add(run, d.JobID)
	defer s.held.remove(run)
	job, err := s.begin(context.WithoutCancel(ctx), d, delivered)
	if err != nil || job == nil {
		return err
	}
	s.held.took(run, job)

	kind := s.kinds[job.JobType]
	limit := errs.New(errs.Unavailable, "the job took longer than %v", kind.Timeout)
	limited, cancel := context.WithTimeoutCause(ctx, kind.Timeout, limit)
	defer cancel()
	result, err := perform(limited, run, kind)
	if cause := context.Cause(limited); err != nil && cause != nil {
		err = cause // what the work made of its ended context says less
	}
	if err := s.conclude(context.WithoutCancel(ctx), run, result, err); err != nil && !errors.Is(err, ErrLost) {
		slog.ErrorContext(ctx, "the end of a job could not be stored; it runs again when its lease is over", "job", d.JobID, "error", err)
	}
	return nil
}

// errStoodBack ends a beginning that was put off.
var errStoodBack = errors.New("the job stands back")

// begin gives the job to this worker; none comes back when the delivery is void or the job stands back.
func (s *Service) begin(ctx context.Context, d delivery, delivered int64) (*model.Job, error) {
	var job *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		job, err = s.change(ctx, tx, d.JobID, model.JobEventKindState, nil, func(job *model.Job) error {
			if job.QueueID == nil || *job.QueueID != delivered || !waiting(job) {
				return errUnchanged
			}
			kind, ok := s.kinds[job.JobType]
			if !ok {
				return fmt.Errorf("no kind is registered for %q", job.JobType)
			}
			if pause := kind.StandBack(job, d.Again); pause > 0 {
				return cmp.Or(s.standBack(ctx, tx, job, pause), errStoodBack)
			}
			now := model.Now()
			job.Status, job.StartedAt = model.JobStatusRunning, &now
			job.LeaseUntil, job.LeaseToken = s.leaseEnd(), job.LeaseToken+1
			job.ErrorCode, job.ErrorMessage = nil, nil
			return nil
		})
		if errors.Is(err, errStoodBack) {
			return nil
		}
		return err
	})
	if errors.Is(err, errUnchanged) || errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return job, err
}

// perform runs the kind's work; a panic ends here, in the log, and becomes errs.Internal.
func perform(ctx context.Context, run *Run, kind Kind) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "a job panicked", "job", run.Job.ID, "type", run.Job.JobType, "panic", p, "stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", p), errs.Internal, broken)
		}
	}()
	return kind.Work(ctx, run)
}

// conclude settles a run. An end that the database or OnEnd refuses for a reason that will not pass is settled as a failure instead.
func (s *Service) conclude(ctx context.Context, run *Run, result any, failure error) error {
	err := s.settle(ctx, run, result, failure)
	if err == nil || errors.Is(err, ErrLost) || errors.Is(failure, errShutdown) || errs.Is(err, errs.Unavailable) {
		return err
	}
	return s.settle(ctx, run, nil, Permanent(fmt.Errorf("store the end of a job: %w", err)))
}

// settle writes what became of a run. It tries again while the database is away, since the work may have been long.
func (s *Service) settle(ctx context.Context, run *Run, result any, failure error) error {
	if errors.Is(failure, errShutdown) {
		return run.giveBack(ctx)
	}
	output, err := encode(result)
	if err != nil {
		failure = Permanent(fmt.Errorf("encode the result of a job: %w", err))
	}
	pause := 100 * time.Millisecond
	for try := 1; ; try++ {
		err := run.change(ctx, model.JobEventKindState, failure, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
			if failure != nil {
				return s.fail(ctx, tx, job, failure)
			}
			end(job, model.JobStatusCompleted)
			job.Progress, job.Note, job.Result = 100, nil, output
			return nil
		})
		if try == settleTries || !errs.Is(err, errs.Unavailable) {
			return err
		}
		time.Sleep(pause)
		pause *= 2
	}
}

// fail queues the job for another try, or ends it.
func (s *Service) fail(ctx context.Context, tx dbx.Tx, job *model.Job, failure error) error {
	if errors.Is(failure, rivertype.ErrJobCancelledRemotely) { // by the queue's own pages; Cancel would have taken the job from us
		end(job, model.JobStatusCancelled)
		job.CancelledBy = model.Optional("system")
		return nil
	}
	e := errs.From(failure)
	if e.Code == errs.Internal {
		slog.ErrorContext(ctx, "a job failed", "job", job.ID, "type", job.JobType, "error", failure)
	}
	job.ErrorCode, job.ErrorMessage = model.Optional(string(e.Code)), model.Optional(storable(e.Message))
	if !mayRetry(failure) || job.RetryCount >= job.MaxRetries {
		end(job, model.JobStatusFailed)
		return nil
	}
	job.RetryCount++
	wait(job)
	return s.deliver(ctx, tx, job, s.kinds[job.JobType].Backoff(job.RetryCount))
}

// storable leaves out what the databases cannot keep.
func storable(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
}
