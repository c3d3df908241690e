package job

import (
	"context"
	"errors"
	"sync"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// ErrLost is what a worker gets that no longer holds its job: it was cancelled, or its lease ended and another worker has it.
var ErrLost = errs.New(errs.InvalidState, "this worker no longer holds the job")

// errShutdown ends the context of a run whose process stops.
var errShutdown = errors.New("the process stops")

// Run is one try at a job by one worker, which holds it by a lease.
type Run struct {
	// Job is the job as it was when the run began.
	Job *model.Job

	service *Service
	cancel  context.CancelCauseFunc

	mu      sync.Mutex
	percent int // as it was last told
	note    string
}

type txKey struct{}

// InTx runs fn in a transaction in which the worker surely holds the job; it fails with ErrLost otherwise. The job's row
// stays locked until it ends, so it must be short. Progress called under fn's context joins the transaction.
func (r *Run) InTx(ctx context.Context, fn func(ctx context.Context, tx dbx.Tx) error) error {
	return r.service.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		held := new(model.Job)
		row := tx.NewSelect().Model(held).Column("status", "lease_token").Where("id = ?", r.Job.ID)
		if err := r.service.db.Locked(row).Scan(ctx); err != nil {
			return dbx.Err(err)
		}
		if !r.holds(held) {
			return ErrLost
		}
		return fn(context.WithValue(ctx, txKey{}, tx), tx)
	})
}

// Progress tells followers how far the work is, in percent (cut to 0 to 100), and what it is doing; an empty note means
// none. Telling the same twice does nothing. It fails with ErrLost when the job was taken from the worker.
func (r *Run) Progress(ctx context.Context, percent int, note string) error {
	percent, note = min(max(percent, 0), 100), storable(note)
	if r.told(percent, note) {
		return nil
	}
	return r.change(ctx, model.JobEventKindProgress, nil, func(_ context.Context, tx dbx.Tx, job *model.Job) error {
		job.Progress, job.Note = percent, model.Optional(note)
		tx.AfterCommit(func() { r.tell(percent, note) })
		return nil
	})
}

func (r *Run) told(percent int, note string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.percent == percent && r.note == note
}

func (r *Run) tell(percent int, note string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.percent, r.note = percent, note
}

func (r *Run) holds(job *model.Job) bool {
	return job.Status == model.JobStatusRunning && job.LeaseToken == r.Job.LeaseToken
}

// change alters the job as its holder, in the transaction of InTx when it is called under one.
func (r *Run) change(
	ctx context.Context, kind model.JobEventKind, cause error, alter func(context.Context, dbx.Tx, *model.Job) error,
) error {
	do := func(ctx context.Context, tx dbx.Tx) error {
		_, err := r.service.change(ctx, tx, r.Job.ID, kind, cause, func(job *model.Job) error {
			if !r.holds(job) {
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

// giveBack returns the job to the queue without counting the try.
func (r *Run) giveBack(ctx context.Context) error {
	return r.change(ctx, model.JobEventKindState, nil, func(ctx context.Context, tx dbx.Tx, job *model.Job) error {
		wait(job)
		return r.service.deliver(ctx, tx, job, 0)
	})
}
