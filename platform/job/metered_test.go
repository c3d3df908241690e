package job_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// fakeBudget is a Budget that records its calls.
type fakeBudget struct {
	mu    sync.Mutex
	calls []string
}

func (l *fakeBudget) add(format string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, fmt.Sprintf(format, args...))
	return nil
}

func (l *fakeBudget) Reserve(_ context.Context, _ dbx.Tx, _, operation, _ string, runs int) error {
	if runs > 5 {
		return errs.New(errs.BudgetExhausted, "too many runs")
	}
	return l.add("reserve %s %d", operation, runs)
}
func (l *fakeBudget) Commit(context.Context, dbx.Tx, string) error { return l.add("commit") }
func (l *fakeBudget) Return(context.Context, dbx.Tx, string) error { return l.add("return") }
func (l *fakeBudget) Settle(_ context.Context, _ dbx.Tx, _ string, spent int) error {
	return l.add("settle %d", spent)
}
func (l *fakeBudget) ReportRunsRemaining(context.Context, string) error { return l.add("tell") }

// takeCalls returns the recorded calls and clears them.
func (l *fakeBudget) takeCalls() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	calls := l.calls
	l.calls = nil
	return calls
}

func (l *fakeBudget) expectCalls(t *testing.T, want ...string) {
	t.Helper()
	if got := l.takeCalls(); !slices.Equal(got, want) {
		t.Errorf("budget calls are %q, want %q", got, want)
	}
}

func TestMetered(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		budget := &fakeBudget{}
		metered := job.NewMetered(b.Service, budget)
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: b.workspace, UserID: "usr_1",
			Scopes: []model.Scope{model.ScopeWrite}})
		var failing atomic.Bool
		failing.Store(true)
		metered.Register("fixed", job.MeteredKind{
			Kind: job.Kind{Queue: "quick", Work: func(ctx context.Context, _ *job.Run) (any, error) {
				if p := principal.Must(ctx); p.WorkspaceID != b.workspace || p.UserID != "usr_1" {
					t.Errorf("work runs as %+v", p)
				}
				if failing.Load() {
					return nil, job.Permanent(errors.New("not now"))
				}
				return nil, nil
			}},
			RetryRuns: job.FixedRuns(2),
		})
		metered.Register("parts", job.MeteredKind{
			Kind: job.Kind{
				Queue: "quick", Work: func(context.Context, *job.Run) (any, error) { return nil, nil },
				OnEnd: func(context.Context, dbx.Tx, *model.Job, error) error { return budget.add("end") },
			},
			SpentRuns: func(context.Context, dbx.Tx, *model.Job, error) (int, error) { return 3, nil },
			RetryRuns: func(context.Context, *model.Job) (int, error) {
				return 0, errs.New(errs.InvalidState, "start another one")
			},
		})
		b.start()
		request := func(jobType string, runs int) job.MeteredRequest {
			return job.MeteredRequest{Request: job.Request{Type: jobType}, Operation: "op", Runs: runs}
		}

		// A failed job returns its runs; a retry reserves again and a completed job spends them.
		started, err := metered.Start(ctx, request("fixed", 1))
		if err != nil {
			t.Fatal(err)
		}
		b.awaitStatus(started.Job.ID, model.JobStatusFailed)
		budget.expectCalls(t, "reserve op 1", "return")
		failing.Store(false)
		if _, err := b.Retry(t.Context(), b.workspace, started.Job.ID); err != nil {
			t.Fatal(err)
		}
		b.awaitStatus(started.Job.ID, model.JobStatusCompleted)
		budget.expectCalls(t, "reserve retryJob 2", "commit")

		// A job of many parts settles by the work done, and OnEnd follows.
		queued, err := metered.Enqueue(ctx, request("parts", 5))
		if err != nil {
			t.Fatal(err)
		}
		b.awaitStatus(queued.ID, model.JobStatusCompleted)
		budget.expectCalls(t, "reserve op 5", "settle 3", "end")

		// Nothing is queued by an estimate, without budget, or when AfterReserve refuses.
		if cost, err := metered.Estimate(ctx, 4); err != nil || cost.Runs != 4 {
			t.Errorf("estimate: %+v, %v", cost, err)
		}
		budget.expectCalls(t, "tell")
		if _, err := metered.Enqueue(ctx, request("fixed", 6)); !errs.Is(err, errs.BudgetExhausted) {
			t.Errorf("without budget: %v", err)
		}
		refused := request("fixed", 1)
		refused.AfterReserve = func(context.Context, dbx.Tx, *model.Job) error {
			return errs.New(errs.Conflict, "refused")
		}
		if _, err := metered.Enqueue(ctx, refused); !errs.Is(err, errs.Conflict) {
			t.Errorf("AfterReserve: %v", err)
		}
		budget.takeCalls()
		free, err := metered.Enqueue(ctx, request("fixed", 0))
		if err != nil {
			t.Fatal(err)
		}
		b.awaitStatus(free.ID, model.JobStatusCompleted)
		if n, err := b.db.NewSelect().Model((*model.Job)(nil)).Where("workspace_id = ?", b.workspace).
			Count(ctx); err != nil || n != 3 {
			t.Errorf("%d jobs are stored, error %v", n, err)
		}

		// A retry that RetryRuns refuses changes nothing.
		cancelled, err := metered.Enqueue(ctx, request("parts", 1))
		if err == nil {
			_, err = b.Cancel(t.Context(), b.workspace, cancelled.ID, "", "")
		}
		if err == nil {
			_, err = b.Retry(t.Context(), b.workspace, cancelled.ID)
		}
		if !errs.Is(err, errs.InvalidState) {
			t.Errorf("a refused retry: %v", err)
		}
	})
}
