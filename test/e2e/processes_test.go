package e2e

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTwoProcesses posts jobs to one gateway and watches them from another on the same Postgres and
// Redis, and the other way round.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	p := sharedInstallation(t, 2)
	one := p.start(t)
	two := p.start(t)
	var late time.Duration
	for n, pair := range [][2]*gateway{{one, two}, {two, one}, {one, two}, {two, one}} {
		posted, watched := pair[0], pair[1]
		site := newPausedSite(t, newPage(n))
		made := posted.ingest(t, site.url)
		near, far := startFollower(t, "the process it was posted to", posted.sse(made.JobID, "")),
			startFollower(t, "the other process", watched.sse(made.JobID, ""))
		near.awaitFirst(t)
		far.awaitFirst(t)
		site.awaitRequest(t)
		site.open()
		here, there := near.awaitEnd(t), far.awaitEnd(t)
		common := max(here[0].Position, there[0].Position)
		if diff := cmp.Diff(eventsAfter(here, common), eventsAfter(there, common)); diff != "" {
			t.Errorf("the process that accepted the job (-) and the other (+) sent different events: %s", diff)
		}
		late += far.at.Sub(near.at).Abs()
		watched.awaitDocument(t, made.DocumentID)
	}
	// Without notifications from Redis a watcher reads the database every 5 s.
	if late > 4*time.Second {
		t.Errorf("the processes sent the last events %s apart: notifications do not work", late)
	}
}
