package job_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// enqueueMany queues jobs of a workspace in one transaction.
func (b *testBundle) enqueueMany(workspaceID, kind string, n int) []*model.Job {
	b.t.Helper()
	jobs := make([]*model.Job, n)
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) (err error) {
		for i := range jobs {
			if jobs[i], err = b.Enqueue(ctx, tx, job.Request{Type: kind, WorkspaceID: workspaceID}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return jobs
}

// ageJobs moves waiting jobs in the queue as if they had been queued earlier.
func (b *testBundle) ageJobs(jobs []*model.Job, by time.Duration) {
	b.t.Helper()
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		for _, j := range jobs {
			if _, err := tx.NewUpdate().Table("river_job").Set("scheduled_at = ?", j.FetchAt.Add(-by)).
				Where("id = ?", *j.QueueID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestQueue_is_fair queues one job of a workspace behind another's backlog of 20 minutes. It starts
// after few jobs of the backlog; a workspace's own jobs keep their order. One worker starts jobs in
// the order of the queue, however busy the machine is.
func TestQueue_is_fair(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		const backlog, most = 120, 40
		b = b.newPeerWith(1)
		var started, ahead atomic.Int64
		done := make(chan struct{})
		b.register("ranked", 0, func(_ context.Context, run *job.Run) (any, error) {
			if run.Job.WorkspaceID == b.otherWorkspace {
				ahead.Store(started.Load())
				close(done)
			}
			started.Add(1)
			return nil, nil
		})
		jobs := b.enqueueMany(b.workspace, "ranked", backlog)
		for i := range backlog - 1 {
			if !jobs[i].FetchAt.Before(*jobs[i+1].FetchAt) {
				t.Fatalf("job %d is ranked %v, the one after it %v", i, jobs[i].FetchAt, jobs[i+1].FetchAt)
			}
		}
		b.ageJobs(jobs, 20*time.Minute)
		b.enqueueMany(b.otherWorkspace, "ranked", 1)
		b.start()
		select {
		case <-done:
		case <-t.Context().Done():
		}
		if ahead.Load() > most {
			t.Errorf("%d of %d jobs of the backlog started first, want at most %d", ahead.Load(), backlog, most)
		}
	})
}
