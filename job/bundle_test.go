package job_test

import (
	"context"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

const (
	patience  = 20 * time.Second
	workspace = "wsp_one"
)

// bundle is one process: its database, its news and its jobs.
type bundle struct {
	*job.Service
	t    *testing.T
	db   *dbx.DB
	news live.Config
}

// each runs the test on every database with every Redis.
func each(t *testing.T, test func(*testing.T, *bundle)) {
	t.Helper()
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range testkit.Redises(t) {
			t.Run(kind.Name, func(t *testing.T) {
				fresh := db
				if kind.Name != "embedded" {
					fresh = sameKind(t, db)
				}
				test(t, prepare(t, fresh, kind.Config()))
			})
		}
	})
}

// sameKind opens another empty database of the kind.
func sameKind(t *testing.T, db *dbx.DB) *dbx.DB {
	t.Helper()
	_, shared := db.Pool()
	for _, b := range testkit.Backends(t) {
		if shared == (b.Name == "postgres") {
			return b.Open(t)
		}
	}
	t.Fatal("the database's kind is gone")
	return nil
}

func prepare(t *testing.T, db *dbx.DB, news live.Config) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{workspace, "wsp_two"} {
		if _, err := db.NewInsert().Model(&model.Workspace{ID: id, CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return process(t, db, news)
}

// process makes one more process on the database.
func process(t *testing.T, db *dbx.DB, news live.Config) *bundle {
	t.Helper()
	s, err := job.New(db, testkit.OpenLive(t, news), job.Config{Queues: map[string]int{"quick": 8}})
	if err != nil {
		t.Fatal(err)
	}
	s.Hasten()
	return &bundle{Service: s, t: t, db: db, news: news}
}

// another makes a second process beside the first.
func (b *bundle) another() *bundle { return process(b.t, b.db, b.news) }

type work = func(context.Context, *job.Run) (any, error)

// kind registers a type of job with a short pause between tries.
func (b *bundle) kind(name string, retries int, do work) {
	b.Register(name, job.Kind{
		Queue: "quick", MaxRetries: retries, Work: do,
		Backoff: func(int) time.Duration { return 10 * time.Millisecond },
	})
}

func (b *bundle) start() {
	b.t.Helper()
	if err := b.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := b.Stop(context.Background()); err != nil {
			b.t.Errorf("stop: %v", err)
		}
	})
}

func (b *bundle) enqueue(jobType string) *model.Job {
	b.t.Helper()
	var made *model.Job
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) (err error) {
		made, err = b.Enqueue(ctx, tx, job.Request{Type: jobType, WorkspaceID: workspace, Parameters: map[string]int{"n": 1}})
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return made
}

func (b *bundle) get(id string) *model.Job {
	b.t.Helper()
	j, err := b.Get(b.t.Context(), workspace, id)
	if err != nil || j == nil {
		b.t.Fatalf("get %s: %v, %v", id, j, err)
	}
	return j
}

// watch follows a job until the end of the test.
func (b *bundle) watch(id string, after *int) <-chan *model.JobEvent {
	b.t.Helper()
	events, err := b.Watch(b.t.Context(), workspace, id, after)
	if err != nil {
		b.t.Fatal(err)
	}
	return events
}

// rest reads a stream to its end.
func rest(t *testing.T, events <-chan *model.JobEvent) []*model.JobEvent {
	t.Helper()
	var all []*model.JobEvent
	for {
		e, ok := next(t, events)
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

func next[T any](t *testing.T, from <-chan T) (T, bool) {
	t.Helper()
	select {
	case v, ok := <-from:
		return v, ok
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// until waits for the job to be in a state.
func (b *bundle) until(id string, status model.JobStatus) *model.Job {
	b.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		j := b.get(id)
		if j.Status == status {
			return j
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s is %s, want %s", id, j.Status, status)
		}
	}
}

// steady fails the test when the events, behind their snapshot, skip or repeat a position or end without END.
func steady(t *testing.T, events []*model.JobEvent, behind int) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("no events")
	}
	for i, e := range events {
		last := i == len(events)-1
		switch {
		case last && (e.Kind != model.JobEventKindEnd || e.Position != behind):
			t.Errorf("the last event is %s at %d, want end at %d", e.Kind, e.Position, behind)
		case !last && e.Position != behind+1:
			t.Errorf("event %d is at %d, want %d", i, e.Position, behind+1)
		case e.Job.Position != e.Position || e.Job.ID == "":
			t.Errorf("event at %d carries job %q at %d", e.Position, e.Job.ID, e.Job.Position)
		}
		behind = e.Position
	}
}
