package job_test

import (
	"net/url"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// clockLead is by how much the clock of this process is ahead of the server's in TestLease.
const clockLead = time.Hour

// openBehind opens a database with a server clock that is clockLead behind. A function in its
// schema hides the one that reads the clock.
func openBehind(t *testing.T, address string) *dbx.DB {
	t.Helper()
	plain, err := dbx.Open(t.Context(), address, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	const function = "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() - interval '1 hour' $$"
	if _, err := plain.Writer().ExecContext(t.Context(), function); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", "public,pg_catalog")
	u.RawQuery = query.Encode()
	db, err := dbx.Open(t.Context(), u.String(), slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestLease runs a job in a process that is an hour ahead of the server. The lease begins and is
// renewed with the server's time. Another process with the same clock takes the job only when the
// lease has ended for the server.
func TestLease(t *testing.T) {
	dbtest.SkipPooled(t)
	t.Parallel()
	databases, redises := dbtest.Backends(t), dbtest.RedisKinds(t)
	if len(databases) < 2 || len(redises) < 2 {
		t.Skip("a file has the process's clock")
	}
	b := prepare(t, openBehind(t, databases[1].Address(t)), redises[1].Config())
	ended := make(chan error, 1)
	b.register("wait", 0, ignoreContext(ended))
	b.start()
	far := b.newPeer()
	far.register("wait", 0, wantNothing)
	id := b.enqueue("wait").ID
	held := b.awaitStatus(id, model.JobStatusRunning)
	var renewed *time.Time
	poll.Until(t, func() bool {
		renewed = b.get(id).LeaseUntil
		return renewed == nil || !renewed.Equal(*held.LeaseUntil)
	}, "the lease is not renewed")
	if renewed == nil {
		t.Fatal("the process has taken the job from itself")
	}
	for when, until := range map[string]time.Time{"begins": *held.LeaseUntil, "is renewed": *renewed} {
		if lead := time.Since(until); lead < clockLead/2 || lead > clockLead*3/2 {
			t.Errorf("when the lease %s, its end is %s in the past of this process, want about %s", when, lead,
				clockLead)
		}
	}
	for range 3 {
		if err := far.SweepNow(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.get(id); got.Position != held.Position || got.Status != model.JobStatusRunning {
		t.Fatalf("the other process has taken a job with a lease: it is %s at %d", got.Status, got.Position)
	}
	if _, err := b.Cancel(t.Context(), b.workspace, id, "", ""); err != nil {
		t.Fatal(err)
	}
	wantFenced(t, ended)
}
