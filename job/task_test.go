package job_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/job"
)

// refs counts what came of tasks.
type refs struct {
	mu   sync.Mutex
	came map[string]int
}

func (r *refs) add(ref string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.came[ref]++
	return r.came[ref]
}

func (r *refs) count(ref string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.came[ref]
}

func (b *bundle) tasks(failure error, errands ...job.Errand) error {
	return b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		return errors.Join(b.EnqueueTasks(ctx, tx, "light", errands...), failure)
	})
}

func await(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come true")
		}
	}
}

func TestTask(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		done := &refs{came: map[string]int{}}
		b.RegisterTask("light", job.Task{Queue: "quick", Timeout: time.Second, Work: func(_ context.Context, ref string) error {
			if n := done.add(ref); ref == "fails" && n == 1 {
				return errors.New("not yet")
			}
			if ref == "panics" && done.count(ref) == 1 {
				panic("broken")
			}
			return nil
		}})
		b.start()
		if err := b.tasks(nil, job.Errand{Ref: "a"}, job.Errand{Ref: "later", At: time.Now().Add(700 * time.Millisecond)}, job.Errand{Ref: "fails"}, job.Errand{Ref: "panics"}); err != nil {
			t.Fatal(err)
		}
		if err := b.tasks(errors.New("no"), job.Errand{Ref: "undone"}); err == nil {
			t.Fatal("the transaction was to fail")
		}
		await(t, func() bool { return done.count("a") == 1 })
		if done.count("later") != 0 {
			t.Error("a task came before its time")
		}
		await(t, func() bool { return done.count("later") == 1 && done.count("fails") == 2 && done.count("panics") == 2 })
		if done.count("undone") != 0 {
			t.Error("a task of an undone transaction came")
		}
	})
}

// TestTask_of_a_dead_process comes again: at once where one process owns the database, else when the lease is over.
func TestTask_of_a_dead_process(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		done := &refs{came: map[string]int{}}
		task := job.Task{Queue: "quick", Timeout: time.Second, Work: func(_ context.Context, ref string) error { done.add(ref); return nil }}
		b.RegisterTask("light", task)
		if err := b.tasks(nil, job.Errand{Ref: "a"}); err != nil {
			t.Fatal(err)
		}
		taken := time.Now().UTC().Add(-time.Hour) // as a worker takes it that is never heard of again
		_, err := b.db.NewUpdate().Table("river_job").Set("state = 'running', attempt = 1, attempted_at = ?", taken).Where("kind = 'task' AND state = 'available'").Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b.start()
		await(t, func() bool { return done.count("a") == 1 })
	})
}
