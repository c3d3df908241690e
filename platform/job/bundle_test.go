package job_test

import (
	"context"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

const testTimeout = time.Minute

// testBundle is one process: its database with two workspaces, its notifications and its jobs.
type testBundle struct {
	*job.Service
	t              *testing.T
	db             *dbx.DB
	liveConfig     live.Config
	workspace      string
	otherWorkspace string
}

// eachStack runs the test on every database with every Redis.
func eachStack(t *testing.T, test func(*testing.T, *testBundle)) {
	t.Helper()
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range dbtest.RedisKinds(t) {
			t.Run(kind.Name, func(t *testing.T) { test(t, prepare(t, db, kind.Config())) })
		}
	})
}

func prepare(t *testing.T, db *dbx.DB, config live.Config) *testBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	b := newProcess(t, db, config, 8)
	b.workspace, b.otherWorkspace = model.NewID("wsp"), model.NewID("wsp")
	for _, id := range []string{b.workspace, b.otherWorkspace} {
		if _, err := db.NewInsert().Model(&model.Workspace{ID: id, CreatedAt: model.Now()}).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// newProcess returns another process on the database. It runs as many jobs at a time as it has
// workers.
func newProcess(t *testing.T, db *dbx.DB, config live.Config, workers int) *testBundle {
	t.Helper()
	s, err := job.New(job.Config{DB: db, Live: dbtest.OpenLive(t, config), Queues: map[string]int{"quick": workers}})
	if err != nil {
		t.Fatal(err)
	}
	s.ShortenIntervals()
	return &testBundle{Service: s, t: t, db: db, liveConfig: config}
}

// newPeer returns a second process on the same database and Redis.
func (b *testBundle) newPeer() *testBundle { return b.newPeerWith(8) }

func (b *testBundle) newPeerWith(workers int) *testBundle {
	far := newProcess(b.t, b.db, b.liveConfig, workers)
	far.workspace, far.otherWorkspace = b.workspace, b.otherWorkspace
	return far
}

type workFunc = func(context.Context, *job.Run) (any, error)

// register registers a job type with a short pause between tries.
func (b *testBundle) register(name string, retries int, do workFunc) {
	b.Register(name, job.Kind{
		Queue: "quick", MaxRetries: retries, Work: do,
		Backoff: func(int) time.Duration { return 10 * time.Millisecond },
	})
}

func (b *testBundle) start() {
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

func (b *testBundle) enqueue(jobType string) *model.Job {
	b.t.Helper()
	var made *model.Job
	err := b.db.InTx(b.t.Context(), func(ctx context.Context, tx dbx.Tx) (err error) {
		made, err = b.Enqueue(ctx, tx, job.Request{Type: jobType, WorkspaceID: b.workspace,
			Parameters: map[string]int{"n": 1}})
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return made
}

func (b *testBundle) get(id string) *model.Job {
	b.t.Helper()
	j, err := b.Get(b.t.Context(), b.workspace, id)
	if err != nil || j == nil {
		b.t.Fatalf("get %s: %v, %v", id, j, err)
	}
	return j
}

// dieWith leaves a waiting job as a process does that is killed while it runs the job.
func (b *testBundle) dieWith(id string) {
	b.t.Helper()
	q := b.db.NewUpdate().Model((*model.Job)(nil)).Set("status = 'running'").Set("lease_token = lease_token + 1").
		Set("lease_until = ?", model.Now().Add(-time.Hour))
	if _, err := q.Where("id = ?", id).Exec(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// watch follows a job until the end of the test.
func (b *testBundle) watch(id string, after *int) <-chan *model.JobEvent {
	b.t.Helper()
	events, err := b.Watch(b.t.Context(), b.workspace, id, after)
	if err != nil {
		b.t.Fatal(err)
	}
	return events
}

// readRest reads a stream to its end.
func readRest(t *testing.T, events <-chan *model.JobEvent) []*model.JobEvent {
	t.Helper()
	var all []*model.JobEvent
	for {
		e, ok := nextEvent(t, events)
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

func nextEvent[T any](t *testing.T, from <-chan T) (T, bool) {
	t.Helper()
	select {
	case v, ok := <-from:
		return v, ok
	case <-time.After(testTimeout):
		t.Fatal("no event was received")
		panic("unreachable")
	}
}

// awaitStatus waits until the job has the status.
func (b *testBundle) awaitStatus(id string, status model.JobStatus) *model.Job {
	b.t.Helper()
	var j *model.Job
	reached := poll.Holds(func() bool {
		j = b.get(id)
		return j.Status == status
	})
	if !reached {
		b.t.Fatalf("%s is %s, want %s", id, j.Status, status)
	}
	return j
}

// checkSequence fails the test if the events after their snapshot skip or repeat a position, or end
// without END.
func checkSequence(t *testing.T, events []*model.JobEvent, position int) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("no events")
	}
	for i, e := range events {
		last := i == len(events)-1
		switch {
		case last && (e.Kind != model.JobEventKindEnd || e.Position != position):
			t.Errorf("the last event is %s at %d, want end at %d", e.Kind, e.Position, position)
		case !last && e.Position != position+1:
			t.Errorf("event %d is at %d, want %d", i, e.Position, position+1)
		case e.State.Position != e.Position || e.State.ID == "":
			t.Errorf("event at %d has job %q at %d", e.Position, e.State.ID, e.State.Position)
		}
		position = e.Position
	}
}
