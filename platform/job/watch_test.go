package job_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// reportSteps reports progress from several goroutines concurrently, some of it in a transaction.
func reportSteps(steps int) workFunc {
	return func(ctx context.Context, run *job.Run) (any, error) {
		var all sync.WaitGroup
		for lane := range 4 {
			all.Go(func() {
				for i := range steps {
					note := fmt.Sprintf("lane %d step %d", lane, i)
					if i%5 == 0 {
						_ = run.InTx(ctx, func(ctx context.Context, _ dbx.Tx) error {
							return run.Progress(ctx, i, note)
						})
						continue
					}
					_ = run.Progress(ctx, i, note)
				}
			})
		}
		all.Wait()
		return strings.Repeat("x", 20<<10), nil // too large for a notification
	}
}

func TestWatch(t *testing.T) {
	t.Run("every event is received once and in order, from any position", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.register("count", 0, reportSteps(10))
			b.start()
			j := b.enqueue("count")
			early := b.watch(j.ID, nil)
			whole := readRest(t, b.watch(j.ID, new(int)))
			checkSequence(t, whole, 0)
			final := len(whole) - 1
			if final != 43 { // queued, running, 40 steps, completed
				t.Errorf("%d events, want 43", final)
			}
			first, _ := nextEvent(t, early)
			if first.Kind != model.JobEventKindSnapshot {
				t.Errorf("the first event is %s", first.Kind)
			}
			checkSequence(t, readRest(t, early), first.Position)
			for after := range final + 1 {
				events := readRest(t, b.watch(j.ID, &after))
				checkSequence(t, events, after)
				for i, e := range events {
					if want := whole[after+i]; e.State.Status != want.State.Status || e.Kind != want.Kind ||
						e.State.Progress != want.State.Progress {
						t.Errorf("after %d, event %d is %s, was %s", after, i, e.Kind, want.Kind)
					}
				}
			}
			if events := readRest(t, b.watch(j.ID, nil)); len(events) != 2 || events[0].Kind != "snapshot" ||
				events[1].Kind != "end" {
				t.Errorf("a job that has ended returns %d events", len(events))
			}
		})
	})
	t.Run("a deleted position is stale", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			const kept = 30
			b.SetKeptEvents(kept)
			b.register("long", 0, func(ctx context.Context, run *job.Run) (any, error) {
				return nil, run.InTx(ctx, func(ctx context.Context, _ dbx.Tx) error {
					for i := range kept + 20 {
						if err := run.Progress(ctx, 1, fmt.Sprint(i)); err != nil {
							return err
						}
					}
					return nil
				})
			})
			b.start()
			j := b.awaitStatus(b.enqueue("long").ID, model.JobStatusCompleted)
			oldest := j.Position - kept
			for _, after := range []int{0, oldest - 1, j.Position + 1} {
				var kinds []model.JobEventKind
				for _, e := range readRest(t, b.watch(j.ID, &after)) {
					kinds = append(kinds, e.Kind)
				}
				if want := []model.JobEventKind{"stale", "snapshot", "end"}; !slices.Equal(kinds, want) {
					t.Errorf("events after %d are %v, want %v", after, kinds, want)
				}
				if _, err := b.Events(t.Context(), b.workspace, j.ID, after); !errs.Is(err, errs.CursorGone) {
					t.Errorf("the page after %d: %v, want cursor_gone", after, err)
				}
			}
			page, err := b.Events(t.Context(), b.workspace, j.ID, oldest)
			if err != nil || len(page.Events) != kept || page.NextCursor != j.Position {
				t.Fatalf("the oldest kept page: %v, %v", page, err)
			}
			checkSequence(t, readRest(t, b.watch(j.ID, &oldest)), oldest)
		})
	})
	t.Run("a missing job is not found", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.register("sum", 0, reportSteps(1))
			j := b.enqueue("sum")
			for ws, id := range map[string]string{b.workspace: "job_none", b.otherWorkspace: j.ID} {
				if _, err := b.Watch(t.Context(), ws, id, nil); !errs.Is(err, errs.NotFound) {
					t.Errorf("watch: %v", err)
				}
				if page, err := b.Events(t.Context(), ws, id, 0); page != nil || err != nil {
					t.Errorf("events: %v, %v", page, err)
				}
				if _, err := b.Cancel(t.Context(), ws, id, "", ""); !errs.Is(err, errs.NotFound) {
					t.Errorf("cancel: %v", err)
				}
				if _, err := b.Retry(t.Context(), ws, id); !errs.Is(err, errs.NotFound) {
					t.Errorf("retry: %v", err)
				}
			}
		})
	})
	t.Run("the stream closes with its reader, even a slow reader", func(t *testing.T) {
		eachStack(t, func(t *testing.T, b *testBundle) {
			b.register("count", 0, reportSteps(40))
			b.start()
			j := b.enqueue("count")
			slow := b.watch(j.ID, new(int))
			ctx, cancel := context.WithCancel(t.Context())
			gone, err := b.Watch(ctx, b.workspace, j.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			b.awaitStatus(j.ID, model.JobStatusCompleted)
			cancel()
			for range gone {
			}
			checkSequence(t, readRest(t, slow), 0)
		})
	})
	t.Run("without Redis the database is read", func(t *testing.T) {
		dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
			dead := live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"}
			b := prepare(t, db, dead)
			b.register("count", 0, reportSteps(5))
			far := b.newPeer() // receives no notifications from b
			events, err := far.Watch(t.Context(), b.workspace, b.enqueue("count").ID, new(int))
			if err != nil {
				t.Fatal(err)
			}
			feed, err := far.WatchWorkspace(t.Context(), b.workspace, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			b.start()
			checkSequence(t, readRest(t, events), 0)
			for {
				if j, _ := nextEvent(t, feed); j.Status == model.JobStatusCompleted {
					return
				}
			}
		})
	})
}

func TestWatchWorkspace(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		b.register("count", 0, reportSteps(3))
		ctx, cancel := context.WithCancel(t.Context())
		feed, err := b.WatchWorkspace(ctx, b.workspace, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := b.WatchWorkspace(ctx, b.otherWorkspace, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		b.start()
		jobs := map[string]int{b.enqueue("count").ID: 0, b.enqueue("count").ID: 0}
		for open := len(jobs); open > 0; {
			j, _ := nextEvent(t, feed)
			if j.Position <= jobs[j.ID] {
				t.Errorf("%s went back from %d to %d", j.ID, jobs[j.ID], j.Position)
			}
			if jobs[j.ID] = j.Position; j.Ended() {
				open--
			}
			if j.JobTypeText != "count" || j.WorkspaceID != b.workspace || j.ParametersText == nil {
				t.Errorf("the job is %+v", j)
			}
		}
		cancel()
		if _, open := nextEvent(t, other); open {
			t.Error("another workspace's feed received a job")
		}
	})
}

func TestTidy(t *testing.T) {
	eachStack(t, func(t *testing.T, b *testBundle) {
		b.register("sum", 0, reportSteps(1))
		b.start()
		old, young := b.enqueue("sum"), b.enqueue("sum")
		b.awaitStatus(young.ID, model.JobStatusCompleted)
		position := b.awaitStatus(old.ID, model.JobStatusCompleted).Position
		past := model.Now().Add(-job.EventRetention - time.Minute)
		for table, column := range map[string]string{"job": "id", "job_event": "job_id"} {
			set := "created_at = ?"
			if table == "job" {
				set = "completed_at = ?"
			}
			if _, err := b.db.NewUpdate().Table(table).Set(set, past).Where(column+" = ?", old.ID).
				Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.TidyNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Events(t.Context(), b.workspace, old.ID, 0); !errs.Is(err, errs.CursorGone) {
			t.Errorf("the old job's events: %v", err)
		}
		checkSequence(t, readRest(t, b.watch(old.ID, &position)), position)
		checkSequence(t, readRest(t, b.watch(young.ID, new(int))), 0)
	})
}
