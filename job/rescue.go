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

// rescueBatch is how many abandoned jobs are looked for at a time.
const rescueBatch = 100

// recover returns the jobs that a killed process left behind. Where one process owns the database, that is every running one; where
// several share it, the others' leases tell.
func (s *Service) recover(ctx context.Context) error {
	now := model.Now()
	if _, shared := s.db.Pool(); shared {
		return s.rescue(ctx, now, now.Add(-s.timing.lease))
	}
	return s.rescue(ctx, now.Add(2*s.timing.lease), now)
}

// sweep returns abandoned jobs to the queue. All processes do it, at any time.
func (s *Service) sweep(ctx context.Context) {
	now := model.Now()
	report(ctx, "return abandoned jobs to the queue", s.rescue(ctx, now, now.Add(-s.timing.lease)))
}

// rescue queues the running jobs whose lease ends before a time, and the waiting ones whose delivery is void: taken
// before the other time by a worker that never began, or gone. Tasks taken before that time come again too.
func (s *Service) rescue(ctx context.Context, leaseEnded, taken time.Time) error {
	known := slices.Collect(maps.Keys(s.kinds))
	expired := func() *bun.SelectQuery {
		return s.db.NewSelect().Model((*model.Job)(nil)).Where("job.job_type IN (?)", bun.In(known)).
			Where("job.status = ? AND job.lease_until < ?", model.JobStatusRunning, leaseEnded)
	}
	stranded := func() *bun.SelectQuery {
		return s.db.NewSelect().Model((*model.Job)(nil)).Where("job.job_type IN (?)", bun.In(known)).
			Join("LEFT JOIN river_job AS delivery ON delivery.id = job.queue_id").
			Where("job.completed_at IS NULL AND job.status IN (?, ?)", model.JobStatusQueued, model.JobStatusRetrying).
			Where("(delivery.id IS NULL OR delivery.finalized_at IS NOT NULL OR delivery.state = 'running' AND delivery.attempted_at < ?)", taken)
	}
	return errors.Join(s.requeueAll(ctx, expired), s.requeueAll(ctx, stranded), s.revive(ctx, taken))
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
			if err := s.requeue(ctx, job); err != nil {
				return err
			}
		}
		if len(jobs) < rescueBatch {
			return nil
		}
	}
}

// requeue gives the job a new delivery, unless it has moved since it was found.
func (s *Service) requeue(ctx context.Context, found *model.Job) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.change(ctx, tx, found.ID, model.JobEventKindState, nil, func(job *model.Job) error {
			if !unmoved(found, job) {
				return errUnchanged
			}
			if err := discard(ctx, tx, job.QueueID); err != nil {
				return err
			}
			wait(job)
			return s.deliver(ctx, tx, job, 0)
		})
		return err
	})
	if errors.Is(err, errUnchanged) || errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

func unmoved(found, now *model.Job) bool {
	return found.Status == now.Status && found.LeaseToken == now.LeaseToken && equal(found.QueueID, now.QueueID) &&
		(found.LeaseUntil == nil) == (now.LeaseUntil == nil) && (found.LeaseUntil == nil || found.LeaseUntil.Equal(*now.LeaseUntil))
}

func equal(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}
