package job_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/test/kit/dbtest"
)

// ignoreContext runs until its context ends, then tries to write, and sends the errors of both.
func ignoreContext(ended chan<- error) workFunc {
	return func(ctx context.Context, run *job.Run) (any, error) {
		<-ctx.Done()
		ended <- errors.Join(
			run.Progress(context.Background(), 50, "too late"),
			run.InTx(context.Background(), func(context.Context, dbx.Tx) error { return errors.New("wrote") }),
		)
		return "overwritten", nil
	}
}

// wantFenced fails the test unless a worker that lost its job could not write.
func wantFenced(t *testing.T, ended <-chan error) {
	t.Helper()
	if err, _ := nextEvent(t, ended); !errors.Is(err, job.ErrLost) || err.Error() == "wrote" {
		t.Errorf("the worker's writes: %v, want ErrLost twice", err)
	}
}

func TestCancel(t *testing.T) {
	t.Run("a waiting job never starts", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			var runs atomic.Int32
			b.register("sum", 0, func(context.Context, *job.Run) (any, error) { runs.Add(1); return nil, nil })
			j := b.enqueue("sum")
			got, err := b.Cancel(t.Context(), b.workspace, j.ID, "usr_1", "a mistake")
			if err != nil || got.Status != model.JobStatusCancelled || *got.CancelledBy != "usr_1" ||
				*got.CancelReason != "a mistake" || got.CompletedAt == nil {
				t.Fatalf("cancelled as %+v, %v", got, err)
			}
			b.start()
			b.awaitStatus(b.enqueue("sum").ID, model.JobStatusCompleted)
			if runs.Load() != 1 || b.get(j.ID).Status != model.JobStatusCancelled {
				t.Errorf("%d runs, and the job is %s", runs.Load(), b.get(j.ID).Status)
			}
			if _, err := b.Cancel(t.Context(), b.workspace, j.ID, "", ""); !errs.Is(err, errs.InvalidState) {
				t.Errorf("cancelled twice: %v", err)
			}
		})
	})
	t.Run("a running job is canceled and cannot write", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			ended := make(chan error, 1)
			b.register("wait", 3, ignoreContext(ended))
			b.start()
			j := b.enqueue("wait")
			b.awaitStatus(j.ID, model.JobStatusRunning)
			if _, err := b.Cancel(t.Context(), b.workspace, j.ID, "usr_1", ""); err != nil {
				t.Fatal(err)
			}
			wantFenced(t, ended)
			events := readRest(t, b.watch(j.ID, new(int)))
			checkSequence(t, events, 0)
			if last := events[len(events)-1].State; len(events) != 4 || last.Status != model.JobStatusCancelled ||
				last.ResultText != nil {
				t.Errorf("%d events, the last status is %s", len(events), last.Status)
			}
		})
	})
	t.Run("the worker may be in another process", func(t *testing.T) {
		onSharedStack(t, func(t *testing.T, b *testBundle) {
			ended := make(chan error, 1)
			far := b.newPeer()
			b.register("wait", 0, wantNothing)
			far.register("wait", 0, ignoreContext(ended))
			far.start()
			j := b.enqueue("wait")
			b.awaitStatus(j.ID, model.JobStatusRunning)
			if _, err := b.Cancel(t.Context(), b.workspace, j.ID, "", ""); err != nil {
				t.Fatal(err)
			}
			wantFenced(t, ended)
		})
	})
}

func wantNothing(context.Context, *job.Run) (any, error) { return nil, nil }

// onSharedStack runs the test on the database and the Redis that several processes share.
func onSharedStack(t *testing.T, test func(*testing.T, *testBundle)) {
	t.Helper()
	databases, redises := dbtest.Backends(t), dbtest.RedisKinds(t)
	if len(databases) < 2 || len(redises) < 2 {
		t.Skip("several processes need Postgres and Redis")
	}
	test(t, prepare(t, databases[1].Open(t), redises[1].Config()))
}

func TestRetry(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		var runs atomic.Int32
		b.register("second", 0, func(context.Context, *job.Run) (any, error) {
			if runs.Add(1) == 1 {
				return nil, errs.New(errs.NoText, "no text")
			}
			return "done", nil
		})
		b.start()
		j := b.awaitStatus(b.enqueue("second").ID, model.JobStatusFailed)
		failed := j.Position
		got, err := b.Retry(t.Context(), b.workspace, j.ID)
		if err != nil || got.Status != model.JobStatusQueued || got.Position != failed+1 || got.ErrorCode != nil ||
			got.CompletedAt != nil || got.RetryCount != 1 {
			t.Fatalf("retried as %+v, %v", got, err)
		}
		checkSequence(t, readRest(t, b.watch(j.ID, &failed)), failed)
		checkSequence(t, readRest(t, b.watch(j.ID, new(int))), 0)
		if _, err := b.Retry(t.Context(), b.workspace, b.awaitStatus(j.ID, model.JobStatusCompleted).ID); !errs.Is(err,
			errs.InvalidState) {
			t.Errorf("a completed job was retried: %v", err)
		}
	})
}

func TestTwoProcesses(t *testing.T) {
	t.Run("a job of one process is watched from the other", func(t *testing.T) {
		onSharedStack(t, func(t *testing.T, b *testBundle) {
			far := b.newPeer()
			b.register("count", 0, wantNothing)
			far.register("count", 0, reportSteps(10))
			events := b.watch(b.enqueue("count").ID, new(int))
			far.start()
			checkSequence(t, readRest(t, events), 0)
		})
	})
	t.Run("a job of a hanging worker moves to the other process, and the first cannot write", func(t *testing.T) {
		onSharedStack(t, func(t *testing.T, b *testBundle) {
			hanging, ended := make(chan struct{}), make(chan error, 100)
			first := b.newPeerWith(1) // while it hangs, it cannot take the job again
			first.StallLeases()
			first.register("wait", 0, func(_ context.Context, run *job.Run) (any, error) {
				<-hanging
				ended <- run.InTx(context.Background(),
					func(context.Context, dbx.Tx) error { return errors.New("wrote") })
				return "of the first", nil
			})
			first.start()
			j := first.enqueue("wait")
			b.awaitStatus(j.ID, model.JobStatusRunning)
			far := b.newPeer()
			far.register("wait", 0, func(context.Context, *job.Run) (any, error) { return "of the second", nil })
			far.start()
			b.awaitStatus(j.ID, model.JobStatusCompleted)
			close(hanging)
			if err, _ := nextEvent(t, ended); !errors.Is(err, job.ErrLost) {
				t.Errorf("the first wrote: %v", err)
			}
			checkSequence(t, readRest(t, b.watch(j.ID, new(int))), 0)
			if got := b.get(j.ID); *got.ResultText != `"of the second"` || got.RetryCount != 0 {
				t.Errorf("ended as %s with %d tries", *got.ResultText, got.RetryCount)
			}
		})
	})
}

func TestRescue(t *testing.T) {
	t.Run("jobs of a killed process run at the next start", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.register("sum", 0, wantNothing)
			killed := map[string]string{ // the status of the queue's row when the process died
				"before it began":           "state = 'running', attempted_at = '2020-01-01 00:00:00+00:00'",
				"while it ran":              "state = 'running', attempted_at = '2020-01-01 00:00:00+00:00'",
				"and its delivery was lost": "state = 'cancelled', finalized_at = '2020-01-01 00:00:00+00:00'",
			}
			var ids []string
			for when, row := range killed {
				for range 5 {
					j := b.enqueue("sum")
					if _, err := b.db.NewUpdate().Table("river_job").Set(row).Where("id = ?", *j.QueueID).
						Exec(t.Context()); err != nil {
						t.Fatal(err)
					}
					if when == "while it ran" {
						q := b.db.NewUpdate().Model(j).Set("status = 'running'").Set("lease_token = 1").
							Set("lease_until = ?", model.Now().Add(-time.Second))
						if _, err := q.WherePK().Exec(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					ids = append(ids, j.ID)
				}
			}
			b.start()
			for _, id := range ids {
				if j := b.awaitStatus(id, model.JobStatusCompleted); j.RetryCount != 0 {
					t.Errorf("%s counted %d tries", id, j.RetryCount)
				}
				checkSequence(t, readRest(t, b.watch(id, new(int))), 0)
			}
		})
	})
	t.Run("a job whose worker dies three times fails", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			ended := make(chan error, 1)
			b.Register("deadly", job.Kind{
				Queue: "quick", MaxRetries: 5, Work: wantNothing,
				OnEnd: func(_ context.Context, _ dbx.Tx, _ *model.Job, cause error) error {
					ended <- cause
					return nil
				},
			})
			j := b.enqueue("deadly")
			for death := 1; death <= 3; death++ {
				b.dieWith(j.ID)
				if err := b.SweepNow(t.Context()); err != nil {
					t.Fatal(err)
				}
				want := model.JobStatusQueued
				if death == 3 {
					want = model.JobStatusFailed
				}
				if got := b.get(j.ID); got.Status != want || got.RetryCount != 0 {
					t.Fatalf("after death %d the job is %s with %d tries", death, got.Status, got.RetryCount)
				}
			}
			if got := b.get(j.ID); got.ErrorCode == nil || *got.ErrorCode != string(errs.WorkerDied) ||
				got.CompletedAt == nil || got.LeaseUntil != nil {
				t.Errorf("the job failed as %+v", got)
			}
			if cause := <-ended; !errs.Is(cause, errs.WorkerDied) {
				t.Errorf("OnEnd received %v", cause)
			}
			if n, err := b.db.NewSelect().Table("river_job").Where("id = ?", *b.get(j.ID).QueueID).
				Count(t.Context()); n != 0 || err != nil {
				t.Errorf("%d deliveries are left, %v", n, err)
			}
			if _, err := b.Retry(t.Context(), b.workspace, j.ID); err != nil {
				t.Fatal(err)
			}
			b.dieWith(j.ID)
			if err := b.SweepNow(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := b.get(j.ID); got.Status == model.JobStatusFailed {
				t.Error("a retry did not reset the count")
			}
		})
	})
	t.Run("leased and waiting jobs are not changed", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			ended := make(chan error, 1)
			b.register("wait", 0, ignoreContext(ended))
			b.start()
			held := b.enqueue("wait")
			b.awaitStatus(held.ID, model.JobStatusRunning)
			before := b.get(held.ID).Position
			for range 3 {
				if err := b.SweepNow(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if got := b.get(held.ID); got.Position != before || got.Status != model.JobStatusRunning {
				t.Errorf("a leased job is %s at %d", got.Status, got.Position)
			}
			if _, err := b.Cancel(t.Context(), b.workspace, held.ID, "", ""); err != nil {
				t.Fatal(err)
			}
			wantFenced(t, ended)
		})
	})
}

func TestStop(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		release := make(chan struct{})
		b.register("polite", 3, func(ctx context.Context, _ *job.Run) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		b.register("deaf", 3, func(context.Context, *job.Run) (any, error) { <-release; return "late", nil })
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		ids := []string{b.enqueue("polite").ID, b.enqueue("deaf").ID}
		for _, id := range ids {
			b.awaitStatus(id, model.JobStatusRunning)
		}
		if err := b.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		close(release)
		if err := b.Stop(t.Context()); err != nil { // waits for the worker that ignored its context
			t.Fatal(err)
		}
		waiting := b.enqueue("polite").ID
		for _, id := range append(ids, waiting) {
			if j := b.get(id); j.Status != model.JobStatusQueued || j.RetryCount != 0 || j.LeaseUntil != nil {
				t.Errorf("after the stop %s is %s with %d tries", j.JobTypeText, j.Status, j.RetryCount)
			}
		}
	})
}

func TestList(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		b.register("one", 0, wantNothing)
		b.register("two", 0, wantNothing)
		var ids []string
		for i := range 5 {
			ids = append(ids, b.enqueue([]string{"one", "two"}[i%2]).ID)
		}
		slices.Reverse(ids)
		size, number := 2, 2
		page, err := b.List(t.Context(), b.workspace, model.PageArgs{Page: &number, PerPage: &size}, nil, nil, "status")
		if err != nil || len(page.Nodes) != 2 || page.Nodes[0].ID != ids[2] || page.Nodes[1].ID != ids[3] ||
			page.Nodes[0].ParametersText != nil {
			t.Fatalf("the second page: %+v, %v", page, err)
		}
		if n, err := page.TotalCount(t.Context()); n != 5 || err != nil {
			t.Errorf("total %d, %v", n, err)
		}
		two := "two"
		filter := &api.JobFilter{JobTypeText: graphql.OmittableOf(&two)}
		page, err = b.List(t.Context(), b.workspace, model.PageArgs{}, filter, nil)
		if err != nil || len(page.Nodes) != 2 || page.Nodes[0].JobTypeText != "two" ||
			page.Nodes[0].ParametersText == nil {
			t.Errorf("filtered: %+v, %v", page, err)
		}
		page, err = b.List(t.Context(), b.otherWorkspace, model.PageArgs{}, nil, nil)
		if err != nil || len(page.Nodes) != 0 {
			t.Errorf("another workspace sees %d jobs, %v", len(page.Nodes), err)
		}
	})
}
