package job_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/platform/job"
	"rostrum/test/kit/poll"
)

// refCounter counts the executions of tasks.
type refCounter struct {
	mu       sync.Mutex
	arrivals map[string]int
}

func (r *refCounter) add(ref string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arrivals[ref]++
	return r.arrivals[ref]
}

func (r *refCounter) count(ref string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrivals[ref]
}

func (b *testBundle) enqueueTasks(failure error, tasks ...job.TaskArgs) error {
	return b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return errors.Join(b.EnqueueTasks(ctx, tx, "light", tasks...), failure)
	})
}

func awaitCount(t *testing.T, holds func() bool) {
	t.Helper()
	poll.Until(t, holds, "the condition does not hold")
}

func TestTask(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		done, later := &refCounter{arrivals: map[string]int{}}, time.Now().Add(700*time.Millisecond)
		b.RegisterTask("light", job.Task{Queue: "quick", Timeout: time.Second,
			Work: func(_ context.Context, ref string) error {
				if ref == "later" && time.Now().Before(later) {
					t.Error("a task ran before its time")
				}
				if n := done.add(ref); ref == "fails" && n == 1 {
					return errors.New("not yet")
				}
				if ref == "panics" && done.count(ref) == 1 {
					panic("broken")
				}
				return nil
			}})
		b.start()
		if err := b.enqueueTasks(nil, job.TaskArgs{Ref: "a"}, job.TaskArgs{Ref: "later", At: later},
			job.TaskArgs{Ref: "fails"}, job.TaskArgs{Ref: "panics"}); err != nil {
			t.Fatal(err)
		}
		if err := b.enqueueTasks(errors.New("no"), job.TaskArgs{Ref: "undone"}); err == nil {
			t.Fatal("the transaction did not fail")
		}
		awaitCount(t, func() bool {
			return done.count("a") == 1 && done.count("later") == 1 && done.count("fails") == 2 &&
				done.count("panics") == 2
		})
		if done.count("undone") != 0 {
			t.Error("a task of a rolled-back transaction ran")
		}
	})
}

// TestTask_of_a_dead_process checks that a task of a dead process runs again: at once if one
// process owns the database, otherwise when the lease expires.
func TestTask_of_a_dead_process(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		done := &refCounter{arrivals: map[string]int{}}
		task := job.Task{Queue: "quick", Timeout: time.Second,
			Work: func(_ context.Context, ref string) error { done.add(ref); return nil }}
		b.RegisterTask("light", task)
		if err := b.enqueueTasks(nil, job.TaskArgs{Ref: "a"}); err != nil {
			t.Fatal(err)
		}
		taken := time.Now().UTC().Add(-time.Hour) // a worker that died after it took the job
		_, err := b.db.NewUpdate().Table("river_job").Set("state = 'running', attempt = 1, attempted_at = ?", taken).
			Where("kind = 'task' AND state = 'available'").Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b.start()
		awaitCount(t, func() bool { return done.count("a") == 1 })
	})
}
