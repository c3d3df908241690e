package job

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// rescueBatch is the number of abandoned jobs per read.
const rescueBatch = 100

// recoverJobs requeues the jobs of killed processes. If one process owns the database, all leases
// are an earlier process's: it requeues all running jobs and ends the queue's leadership. Otherwise
// it requeues jobs with an expired lease.
func (s *Service) recoverJobs(ctx context.Context) error {
	now := s.db.Now()
	if _, shared := s.db.QueuePool(); shared {
		return s.rescueJobs(ctx, now, now.Add(-s.timing.lease))
	}
	return errors.Join(s.endLeadership(ctx), s.rescueJobs(ctx, now.Add(2*s.timing.lease), now))
}

// endLeadership ends an earlier process's leadership of the queue. Otherwise scheduled rows would
// wait 15 seconds, until a new leader is elected.
func (s *Service) endLeadership(ctx context.Context) error {
	_, err := s.db.NewDelete().Table("river_leader").Where("1 = 1").Exec(ctx)
	return dbx.Err(err)
}

// sweepJobs returns abandoned jobs to the queue. All processes run it periodically.
func (s *Service) sweepJobs(ctx context.Context) error {
	now := s.db.Now()
	return s.rescueJobs(ctx, now, now.Add(-s.timing.lease))
}

// rescueJobs requeues running jobs with a lease that ended before leaseEnded, and waiting jobs
// without a valid delivery. A delivery is invalid if it is missing or finished, or if a worker took
// it before taken and never began. Tasks taken before then are queued too. It returns the joined
// errors.
func (s *Service) rescueJobs(ctx context.Context, leaseEnded, taken time.Time) error {
	known := slices.Collect(maps.Keys(s.kinds))
	expired := func() *bun.SelectQuery {
		return s.db.NewSelect().Model((*model.Job)(nil)).Where("job.job_type IN ?", bun.Tuple(known)).
			Where("job.status = ? AND job.lease_until < ?", model.JobStatusRunning, leaseEnded)
	}
	stranded := func() *bun.SelectQuery {
		return s.db.NewSelect().Model((*model.Job)(nil)).Where("job.job_type IN ?", bun.Tuple(known)).
			Join("LEFT JOIN river_job AS delivery ON delivery.id = job.queue_id").
			Where("job.completed_at IS NULL AND job.status IN (?, ?)", model.JobStatusQueued, model.JobStatusRetrying).
			Where("(delivery.id IS NULL OR delivery.finalized_at IS NOT NULL OR delivery.state = 'running' AND delivery.attempted_at < ?)", taken)
	}
	return errors.Join(s.requeueAll(ctx, expired), s.requeueAll(ctx, stranded), s.reviveTasks(ctx, taken))
}

func (s *Service) requeueAll(ctx context.Context, abandoned func() *bun.SelectQuery) error {
	for {
		var jobs []*model.Job
		err := abandoned().Column("job.id", "job.status", "job.queue_id", "job.lease_token", "job.lease_until").
			Limit(rescueBatch).Scan(ctx, &jobs)
		if err != nil {
			return dbx.Err(err)
		}
		for _, job := range jobs {
			if err := s.requeueJob(ctx, job); err != nil {
				return err
			}
		}
		if len(jobs) < rescueBatch {
			return nil
		}
	}
}

// maxRescues is how often a job may lose its worker. A job that crashes its process would otherwise
// end one process after another.
const maxRescues = 3

// errWorkerDied ends a job that lost its worker maxRescues times.
var errWorkerDied = errs.New(errs.WorkerDied, "the worker of the job died %d times; the input may be more than a process can handle", maxRescues)

// requeueJob inserts a new delivery, unless the job has changed since it was found. It counts the
// workers that died while running the job; after maxRescues the job fails.
func (s *Service) requeueJob(ctx context.Context, found *model.Job) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.changeJob(ctx, tx, found.ID, model.JobEventKindState, errWorkerDied, func(job *model.Job) error {
			if !isUnmoved(found, job) {
				return errUnchanged
			}
			if err := deleteDelivery(ctx, tx, job.QueueID); err != nil {
				return err
			}
			if job.Status == model.JobStatusRunning {
				job.RescueCount++
			}
			if job.RescueCount >= maxRescues {
				setError(job, errWorkerDied)
				endJob(job, model.JobStatusFailed)
				return nil
			}
			setWaiting(job)
			return s.queueDelivery(ctx, tx, job, 0)
		})
		return err
	})
	if errors.Is(err, errUnchanged) || errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

func isUnmoved(found, now *model.Job) bool {
	return found.Status == now.Status && found.LeaseToken == now.LeaseToken && equalIDs(found.QueueID, now.QueueID) &&
		(found.LeaseUntil == nil) == (now.LeaseUntil == nil) &&
		(found.LeaseUntil == nil || found.LeaseUntil.Equal(*now.LeaseUntil))
}

func equalIDs(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}
