package job_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

func TestWork(t *testing.T) {
	t.Run("a job runs once and keeps its result", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			var runs atomic.Int32
			b.register("sum", 0, func(_ context.Context, run *job.Run) (any, error) {
				runs.Add(1)
				if run.Job.ParametersText == nil || *run.Job.ParametersText != `{"n":1}` {
					t.Errorf("the parameters are %v", run.Job.ParametersText)
				}
				return map[string]string{"text": "a\x00b"}, nil
			})
			b.start()
			j := b.awaitStatus(b.enqueue("sum").ID, model.JobStatusCompleted)
			if j.Progress != 100 || j.ResultText == nil || *j.ResultText != `{"text":"a\u0000b"}` ||
				j.StartedAt == nil || j.CompletedAt == nil || j.LeaseUntil != nil {
				t.Errorf("completed as %+v", j)
			}
			if err := b.Service.WorkNow(t.Context(), j.ID, *j.QueueID); err != nil || runs.Load() != 1 {
				t.Errorf("a repeated delivery: %d runs, error %v", runs.Load(), err)
			}
		})
	})
	t.Run("a snoozed job frees its worker and emits no event", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			var returned atomic.Int32
			let := make(chan struct{})
			done := func(context.Context, *job.Run) (any, error) { return nil, nil }
			b.register("other", 0, done)
			b.Register("patient", job.Kind{Queue: "quick", Work: done,
				Snooze: func(_ *model.Job, again bool) time.Duration {
					if again {
						returned.Add(1)
					}
					select {
					case <-let:
						return 0
					default:
						// snoozed jobs are fetched before others, so all must be worked in less time on a loaded machine
						return time.Second
					}
				}})
			b.start()
			var patient []*model.Job
			for range 20 { // more than there are workers
				patient = append(patient, b.enqueue("patient"))
			}
			b.awaitStatus(b.enqueue("other").ID, model.JobStatusCompleted)
			if j := b.get(patient[0].ID); j.Status != model.JobStatusQueued || j.Position != 1 || j.RetryCount != 0 {
				t.Errorf("a snoozed job is %+v", j)
			}
			close(let)
			for _, j := range patient {
				b.awaitStatus(j.ID, model.JobStatusCompleted)
			}
			if returned.Load() == 0 {
				t.Error("no job ran after its snooze")
			}
		})
	})
	t.Run("a retryable failure is retried and counted", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			var runs atomic.Int32
			b.register("flaky", 3, func(context.Context, *job.Run) (any, error) {
				if runs.Add(1) < 3 {
					return nil, errs.New(errs.ModelFailed, "the provider coughed")
				}
				return nil, nil
			})
			b.start()
			j := b.enqueue("flaky")
			events := readRest(t, b.watch(j.ID, new(int)))
			checkSequence(t, events, 0)
			want := []model.JobStatus{"queued", "running", "retrying", "running", "retrying", "running", "completed",
				"completed"}
			for i, e := range events {
				if i >= len(want) || e.State.Status != want[i] {
					t.Errorf("event %d has status %s, want %v", i, e.State.Status, want)
				}
			}
			if got := b.get(j.ID); got.RetryCount != 2 || got.ErrorCode != nil {
				t.Errorf("ended as %+v", got)
			}
		})
	})
	t.Run("a job fails permanently", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			cases := map[string]struct {
				err     error
				retries int
				code    string
				message string
			}{
				"refused":   {errs.New(errs.NoText, "there is no text"), 0, "no_text", "there is no text"},
				"exhausted": {errs.New(errs.Unavailable, "not now"), 2, "unavailable", "not now"},
				"permanent": {job.Permanent(errs.New("blocked_address", "the address is private")), 0,
					"blocked_address", "the address is private"},
				"unknown": {errors.New("secret"), 2, "internal", "something went wrong on our side"},
			}
			for name, c := range cases {
				b.register(name, 2, func(context.Context, *job.Run) (any, error) { return nil, c.err })
			}
			b.register("panic", 0, func(context.Context, *job.Run) (any, error) { panic("secret") })
			b.start()
			for name, c := range cases {
				j := b.awaitStatus(b.enqueue(name).ID, model.JobStatusFailed)
				if j.RetryCount != c.retries || *j.ErrorCode != c.code || *j.ErrorMessage != c.message {
					t.Errorf("%s: %d retries, %s, %q", name, j.RetryCount, *j.ErrorCode, *j.ErrorMessage)
				}
			}
			if j := b.awaitStatus(b.enqueue("panic").ID, model.JobStatusFailed); *j.ErrorCode != "internal" ||
				*j.ErrorMessage != "something went wrong on our side" {
				t.Errorf("a panic became %s, %q", *j.ErrorCode, *j.ErrorMessage)
			}
		})
	})
	t.Run("a run is canceled at its time limit", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.Register("slow", job.Kind{Queue: "quick", Timeout: 1,
				Work: func(ctx context.Context, _ *job.Run) (any, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}})
			b.start()
			if j := b.awaitStatus(b.enqueue("slow").ID,
				model.JobStatusFailed); *j.ErrorMessage != "the job took longer than 1ns" {
				t.Errorf("the message is %q", *j.ErrorMessage)
			}
		})
	})
}

func TestEnqueue(t *testing.T) {
	t.Run("the job is committed with the transaction, independent of the context", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.register("sum", 0, func(context.Context, *job.Run) (any, error) { return nil, nil })
			b.start()
			before, err := b.db.NewSelect().Table("river_job").Count(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			boom := errors.New("boom")
			var lost, kept *model.Job
			err = b.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) (err error) {
				lost, err = b.Enqueue(ctx, tx, job.Request{Type: "sum", WorkspaceID: b.workspace})
				return errors.Join(err, boom)
			})
			if !errors.Is(err, boom) {
				t.Fatal(err)
			}
			request, hangUp := context.WithCancel(t.Context())
			err = b.db.InTx(request, func(ctx context.Context, tx dbx.Tx) (err error) {
				kept, err = b.Enqueue(ctx, tx, job.Request{Type: "sum", WorkspaceID: b.workspace})
				return err
			})
			hangUp()
			if err != nil {
				t.Fatal(err)
			}
			b.awaitStatus(kept.ID, model.JobStatusCompleted)
			if j, err := b.Get(t.Context(), b.workspace, lost.ID); j != nil || err != nil {
				t.Errorf("a rolled-back job exists: %v, %v", j, err)
			}
			if n, err := b.db.NewSelect().Table("river_job").Count(t.Context()); n != before+1 || err != nil {
				t.Errorf("the queue has %d rows more, want 1 (%v)", n-before, err)
			}
		})
	})
	t.Run("an unknown type is an error", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			err := b.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				_, err := b.Enqueue(ctx, tx, job.Request{Type: "nothing", WorkspaceID: b.workspace})
				return err
			})
			if !errs.Is(err, errs.Internal) {
				t.Errorf("got %v", err)
			}
		})
	})
}

func TestOnEnd(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		results := map[string]workFunc{
			"completed": func(context.Context, *job.Run) (any, error) { return 1, nil },
			"failed":    func(context.Context, *job.Run) (any, error) { return nil, errs.New(errs.NoText, "no") },
			"cancelled": func(ctx context.Context, _ *job.Run) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
		}
		rename := func(ctx context.Context, tx dbx.Tx, j *model.Job, _ error) error {
			_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("name = ?", string(j.Status)).
				Where("id = ?", j.WorkspaceID).Exec(ctx)
			return err
		}
		for name, do := range results {
			b.Register(name, job.Kind{Queue: "quick", Work: do, OnEnd: rename})
		}
		name := func() (name string) {
			if err := b.db.NewSelect().Model((*model.Workspace)(nil)).Column("name").Where("id = ?", b.workspace).
				Scan(t.Context(), &name); err != nil {
				t.Fatal(err)
			}
			return name
		}
		queued := b.enqueue("cancelled") // never started: no worker runs yet
		if _, err := b.Cancel(t.Context(), b.workspace, queued.ID, "", ""); err != nil || name() != "cancelled" {
			t.Errorf("cancelled while queued: the hook recorded %q (%v)", name(), err)
		}
		b.start()
		for status := range results {
			j := b.enqueue(status)
			if status == "cancelled" {
				b.awaitStatus(j.ID, model.JobStatusRunning)
				if _, err := b.Cancel(t.Context(), b.workspace, j.ID, "", ""); err != nil {
					t.Fatal(err)
				}
			}
			b.awaitStatus(j.ID, model.JobStatus(status))
			if got := name(); got != status {
				t.Errorf("the hook recorded %q, want %q", got, status)
			}
		}
	})
}

// TestEnding counts in the transactions that end a job. A failed one leaves no count, and the job
// is tried again.
func TestEnding(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		var runs atomic.Int32
		b.register("count", 1, func(_ context.Context, run *job.Run) (any, error) {
			first := runs.Add(1) == 1
			return job.Ending(func(ctx context.Context, tx dbx.Tx) (any, error) {
				_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("runs_used = runs_used + 1").
					Where("id = ?", run.Job.WorkspaceID).Exec(ctx)
				if first && err == nil {
					err = errs.New(errs.ModelFailed, "not this time")
				}
				return map[string]int{"count": 1}, err
			}), nil
		})
		b.register("refuse", 1, func(context.Context, *job.Run) (any, error) {
			return job.Ending(func(context.Context, dbx.Tx) (any, error) {
				return nil, job.Permanent(errs.New(errs.NotFound, "the row was deleted"))
			}), nil
		})
		b.start()
		counted := b.awaitStatus(b.enqueue("count").ID, model.JobStatusCompleted)
		var used int
		err := b.db.NewSelect().Model((*model.Workspace)(nil)).Column("runs_used").Where("id = ?", b.workspace).
			Scan(t.Context(), &used)
		if err != nil || used != 1 || counted.RetryCount != 1 || counted.ResultText == nil ||
			*counted.ResultText != `{"count":1}` || counted.Progress != 100 {
			t.Errorf("counted %d times, %v: %+v", used, err, counted)
		}
		refused := b.awaitStatus(b.enqueue("refuse").ID, model.JobStatusFailed)
		if refused.RetryCount != 0 || *refused.ErrorCode != "not_found" ||
			*refused.ErrorMessage != "the row was deleted" {
			t.Errorf("refused as %+v", refused)
		}
	})
}
