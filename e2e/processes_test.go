package e2e

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTwoProcesses posts jobs to one gateway and watches them from another on the same Postgres and Redis, and the other way round.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	p := sharedPlace(t)
	one := p.start(t)
	two := p.start(t)
	var late time.Duration
	for n, pair := range [][2]*process{{one, two}, {two, one}, {one, two}, {two, one}} {
		posted, watched := pair[0], pair[1]
		site := newHeldSite(t, newPage(n))
		made := posted.ingest(t, site.url)
		near, far := follow(t, "the process it was posted to", posted.sse(made.JobID, "")), follow(t, "the other process", watched.sse(made.JobID, ""))
		near.begin(t)
		far.begin(t)
		site.await(t)
		site.open()
		here, there := near.end(t), far.end(t)
		common := max(here[0].Position, there[0].Position)
		if diff := cmp.Diff(behind(here, common), behind(there, common)); diff != "" {
			t.Errorf("the process that was posted to (-) and the other (+) told different events: %s", diff)
		}
		late += far.at.Sub(near.at).Abs()
		watched.ready(t, made.DocumentID)
	}
	// Without news from Redis a watcher reads the database every 5 s.
	if late > 4*time.Second {
		t.Errorf("the processes told the same ends %s apart: they are not live", late)
	}
}
