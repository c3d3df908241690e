package job_test

import (
	"context"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// exec changes rows as an earlier process has left them.
func (b *testBundle) exec(statement string, args ...any) {
	b.t.Helper()
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		_, err := tx.NewRaw(statement, args...).Exec(ctx)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestTakeover kills the process of a file while it holds a job and leads the queue, and starts
// another. Jobs run although both leases would still be valid.
func TestTakeover(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		if !b.db.InProcess() {
			t.Skip("several processes share the database")
		}
		end := model.Now().Add(time.Hour)
		early := make(chan bool, 2)
		b.Register("sum", job.Kind{Queue: "quick", Work: func(context.Context, *job.Run) (any, error) {
			early <- model.Now().Before(end)
			return map[string]int{}, nil
		}})
		running, scheduled := b.enqueue("sum"), b.enqueue("sum")
		b.exec("UPDATE river_job SET state = 'running', attempted_at = ? WHERE id = ?", model.Now(), *running.QueueID)
		b.exec("UPDATE job SET status = 'running', lease_token = 1, lease_until = ? WHERE id = ?",
			model.Now().Add(30*time.Second), running.ID)
		b.exec("UPDATE river_job SET state = 'scheduled' WHERE id = ?", *scheduled.QueueID)
		b.exec("INSERT INTO river_leader (elected_at, expires_at, leader_id) VALUES (?, ?, 'killed')", model.Now(), end)
		b.start()
		for _, j := range []*model.Job{running, scheduled} {
			b.awaitStatus(j.ID, model.JobStatusCompleted)
			if !<-early {
				t.Errorf("%s ran when the leases were over", j.ID)
			}
		}
	})
}
