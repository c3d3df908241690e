package e2e

import (
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/slot"
)

// TestKill_lease kills a gateway with a SQLite file while it runs a job, and starts it again: the
// job runs while the lease of the killed process, which the test extends for busy machines, is
// still valid.
func TestKill_lease(t *testing.T) {
	t.Parallel()
	p, src := sqliteInstallation(t), newPage(1)
	requests := make(chan time.Time, 10)
	var requested atomic.Int32
	site := newSite(t, "127.0.0.1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != src.path {
			http.NotFound(w, r)
			return
		}
		requests <- time.Now()
		if requested.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		src.serve(w)
	}))
	g := p.start(t)
	ingested := g.ingest(t, site.URL+src.path)
	awaitTime(t, requests)
	g.kill(t)
	lease := extendLease(t, filepath.Join(p.folder, "rostrum.db"), ingested.JobID)
	g = p.start(t)
	if again := awaitTime(t, requests); !again.Before(lease) {
		t.Errorf("the job ran at %s, when its lease of %s was over", again, lease)
	}
	g.awaitDocument(t, ingested.DocumentID)
}

// awaitTime returns the time of the next request.
func awaitTime(t *testing.T, requests <-chan time.Time) time.Time {
	t.Helper()
	select {
	case at := <-requests:
		return at
	case <-time.After(startTimeout):
		t.Fatal("the job does not run")
		return time.Time{}
	}
}

// extendLease makes the lease of a running job end later, and returns its end. A lease that ends
// after twice the time of one is none of a killed process.
func extendLease(t *testing.T, file, jobID string) time.Time {
	t.Helper()
	db, err := dbx.Open(t.Context(), file, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	end := model.Now().Add(58 * time.Second)
	changed, err := db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", end).
		Where("id = ? AND lease_until IS NOT NULL", jobID).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := changed.RowsAffected(); n != 1 || err != nil {
		t.Fatalf("%s has no lease: %v", jobID, err)
	}
	return end
}
