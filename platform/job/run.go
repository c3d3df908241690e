package job

import (
	"context"
	"errors"
	"sync"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// ErrLost is returned to a worker that no longer holds its job: the job was cancelled, or its lease
// ended and another worker has it.
var ErrLost = errs.New(errs.InvalidState, "this worker no longer holds the job")

// errShutdown ends the contexts of runs when the process stops.
var errShutdown = errors.New("the process stops")

// Run is one attempt at a job by a worker that holds the job's lease.
type Run struct {
	// Job is the job as of the start of the run.
	Job *model.Job

	service *Service
	cancel  context.CancelCauseFunc

	mu      sync.Mutex
	percent int // last reported
	note    string
}

type (
	txKey      struct{}
	runningKey struct{}
)

// RunningID returns the id of the job that passed the context to its Work or OnEnd, for example;
// nil outside of a run.
func RunningID(ctx context.Context) *string {
	if id, ok := ctx.Value(runningKey{}).(string); ok {
		return &id
	}
	return nil
}

// InTx runs fn in a transaction that locks the job's row, or returns ErrLost if the worker does not
// hold the job. Keep it short. Progress called with fn's context joins the transaction.
func (r *Run) InTx(ctx context.Context, fn func(ctx context.Context, tx dbx.Tx) error) error {
	return r.service.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		held := new(model.Job)
		row := tx.NewSelect().Model(held).Column("status", "lease_token").Where("id = ?", r.Job.ID)
		if err := r.service.db.ForUpdate(row).Scan(ctx); err != nil {
			return dbx.Err(err)
		}
		if !r.holdsLease(held) {
			return ErrLost
		}
		return fn(context.WithValue(ctx, txKey{}, tx), tx)
	})
}

// Progress reports the progress in percent, limited to 0 to 100, and a note, which may be empty. It
// ignores repeated values. It returns ErrLost if the worker no longer holds the job.
func (r *Run) Progress(ctx context.Context, percent int, note string) error {
	percent, note = min(max(percent, 0), 100), storableText(note)
	if r.isReported(percent, note) {
		return nil
	}
	return r.changeJob(ctx, model.JobEventKindProgress, nil, func(_ context.Context, tx dbx.Tx, job *model.Job) error {
		job.Progress, job.Note = percent, optional.NonEmpty(note)
		tx.AfterCommit(func() { r.setReported(percent, note) })
		return nil
	})
}

func (r *Run) isReported(percent int, note string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.percent == percent && r.note == note
}

func (r *Run) setReported(percent int, note string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.percent, r.note = percent, note
}

func (r *Run) holdsLease(job *model.Job) bool {
	return job.Status == model.JobStatusRunning && job.LeaseToken == r.Job.LeaseToken
}

// changeJob changes the job as its holder, in the transaction of InTx if there is one. It returns
// ErrLost if the worker does not hold the job.
func (r *Run) changeJob(
	ctx context.Context, kind model.JobEventKind, cause error, alter func(context.Context, dbx.Tx, *model.Job) error,
) error {
	do := func(ctx context.Context, tx dbx.Tx) error {
		_, err := r.service.changeJob(ctx, tx, r.Job.ID, kind, cause, func(job *model.Job) error {
			if !r.holdsLease(job) {
				return ErrLost
			}
			return alter(ctx, tx, job)
		})
		return err
	}
	if tx, ok := ctx.Value(txKey{}).(dbx.Tx); ok {
		return do(ctx, tx)
	}
	return r.service.db.InTx(ctx, do)
}

// returnToQueue returns the job to the queue without counting the attempt.
func (r *Run) returnToQueue(ctx context.Context) error {
	return r.changeJob(ctx, model.JobEventKindState, nil, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		setWaiting(job)
		return r.service.queueDelivery(ctx, tx, job, 0)
	})
}
