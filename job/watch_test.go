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
	"rostrum/job"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

// counting reports progress from several goroutines at once, under one transaction now and then.
func counting(steps int) work {
	return func(ctx context.Context, run *job.Run) (any, error) {
		var all sync.WaitGroup
		for lane := range 4 {
			all.Go(func() {
				for i := range steps {
					note := fmt.Sprintf("lane %d step %d", lane, i)
					if i%5 == 0 {
						_ = run.InTx(ctx, func(ctx context.Context, _ dbx.Tx) error { return run.Progress(ctx, i, note) })
						continue
					}
					_ = run.Progress(ctx, i, note)
				}
			})
		}
		all.Wait()
		return strings.Repeat("x", 20<<10), nil // too large for the news
	}
}

func TestWatch(t *testing.T) {
	t.Run("every event comes once and in order, whenever one begins", func(t *testing.T) {
		each(t, func(t *testing.T, b *bundle) {
			b.kind("count", 0, counting(10))
			b.start()
			j := b.enqueue("count")
			early := b.watch(j.ID, nil)
			whole := rest(t, b.watch(j.ID, new(int)))
			steady(t, whole, 0)
			final := len(whole) - 1
			if final != 43 { // queued, running, 40 steps, completed
				t.Errorf("%d events, want 43", final)
			}
			first, _ := next(t, early)
			if first.Kind != model.JobEventKindSnapshot {
				t.Errorf("the first event is %s", first.Kind)
			}
			steady(t, rest(t, early), first.Position)
			for after := range final + 1 {
				events := rest(t, b.watch(j.ID, &after))
				steady(t, events, after)
				for i, e := range events {
					if want := whole[after+i]; e.Job.Status != want.Job.Status || e.Kind != want.Kind || e.Job.Progress != want.Job.Progress {
						t.Errorf("behind %d, event %d is %s, was %s", after, i, e.Kind, want.Kind)
					}
				}
			}
			if events := rest(t, b.watch(j.ID, nil)); len(events) != 2 || events[0].Kind != "snapshot" || events[1].Kind != "end" {
				t.Errorf("a job that has ended gives %d events", len(events))
			}
		})
	})
	t.Run("a position that is not kept is stale", func(t *testing.T) {
		each(t, func(t *testing.T, b *bundle) {
			const kept = 30
			b.Keep(kept)
			b.kind("long", 0, func(ctx context.Context, run *job.Run) (any, error) {
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
			j := b.until(b.enqueue("long").ID, model.JobStatusCompleted)
			oldest := j.Position - kept
			for _, after := range []int{0, oldest - 1, j.Position + 1} {
				var kinds []model.JobEventKind
				for _, e := range rest(t, b.watch(j.ID, &after)) {
					kinds = append(kinds, e.Kind)
				}
				if want := []model.JobEventKind{"stale", "snapshot", "end"}; !slices.Equal(kinds, want) {
					t.Errorf("behind %d come %v, want %v", after, kinds, want)
				}
				if _, err := b.Events(t.Context(), b.workspace, j.ID, after); !errs.Is(err, errs.CursorGone) {
					t.Errorf("the page behind %d: %v, want cursor_gone", after, err)
				}
			}
			page, err := b.Events(t.Context(), b.workspace, j.ID, oldest)
			if err != nil || len(page.Events) != kept || page.NextCursor != j.Position {
				t.Fatalf("the oldest kept page: %v, %v", page, err)
			}
			steady(t, rest(t, b.watch(j.ID, &oldest)), oldest)
		})
	})
	t.Run("what is not there is not found", func(t *testing.T) {
		each(t, func(t *testing.T, b *bundle) {
			b.kind("sum", 0, counting(1))
			j := b.enqueue("sum")
			for ws, id := range map[string]string{b.workspace: "job_none", b.other: j.ID} {
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
	t.Run("the stream closes with its reader, who may be slow", func(t *testing.T) {
		each(t, func(t *testing.T, b *bundle) {
			b.kind("count", 0, counting(40))
			b.start()
			j := b.enqueue("count")
			slow := b.watch(j.ID, new(int))
			ctx, cancel := context.WithCancel(t.Context())
			gone, err := b.Watch(ctx, b.workspace, j.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			b.until(j.ID, model.JobStatusCompleted)
			cancel()
			for range gone {
			}
			steady(t, rest(t, slow), 0)
		})
	})
	t.Run("with Redis away the database is read", func(t *testing.T) {
		testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
			dead := live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"}
			b := prepare(t, db, dead)
			b.kind("count", 0, counting(5))
			far := b.another() // hears nothing of b's changes
			events, err := far.Watch(t.Context(), b.workspace, b.enqueue("count").ID, new(int))
			if err != nil {
				t.Fatal(err)
			}
			feed, err := far.WatchWorkspace(t.Context(), b.workspace)
			if err != nil {
				t.Fatal(err)
			}
			b.start()
			steady(t, rest(t, events), 0)
			for {
				if j, _ := next(t, feed); j.Status == model.JobStatusCompleted {
					return
				}
			}
		})
	})
}

func TestWatchWorkspace(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.kind("count", 0, counting(3))
		ctx, cancel := context.WithCancel(t.Context())
		feed, err := b.WatchWorkspace(ctx, b.workspace)
		if err != nil {
			t.Fatal(err)
		}
		other, err := b.WatchWorkspace(ctx, b.other)
		if err != nil {
			t.Fatal(err)
		}
		b.start()
		jobs := map[string]int{b.enqueue("count").ID: 0, b.enqueue("count").ID: 0}
		for open := len(jobs); open > 0; {
			j, _ := next(t, feed)
			if j.Position <= jobs[j.ID] {
				t.Errorf("%s went back from %d to %d", j.ID, jobs[j.ID], j.Position)
			}
			if jobs[j.ID] = j.Position; j.Ended() {
				open--
			}
			if j.JobType != "count" || j.WorkspaceID != b.workspace || j.Parameters == nil {
				t.Errorf("the job came as %+v", j)
			}
		}
		cancel()
		if _, open := next(t, other); open {
			t.Error("another workspace's feed got a job")
		}
	})
}

func TestTidy(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.kind("sum", 0, counting(1))
		b.start()
		old, young := b.enqueue("sum"), b.enqueue("sum")
		b.until(young.ID, model.JobStatusCompleted)
		position := b.until(old.ID, model.JobStatusCompleted).Position
		past := model.Now().Add(-job.KeptFor - time.Minute)
		for table, column := range map[string]string{"job": "id", "job_event": "job_id"} {
			set := "created_at = ?"
			if table == "job" {
				set = "completed_at = ?"
			}
			if _, err := b.db.NewUpdate().Table(table).Set(set, past).Where(column+" = ?", old.ID).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		b.Tidy(t.Context())
		if _, err := b.Events(t.Context(), b.workspace, old.ID, 0); !errs.Is(err, errs.CursorGone) {
			t.Errorf("the old job's events: %v", err)
		}
		steady(t, rest(t, b.watch(old.ID, &position)), position)
		steady(t, rest(t, b.watch(young.ID, new(int))), 0)
	})
}
