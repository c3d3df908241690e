package e2e

import (
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// TestKill_lease kills a gateway with a SQLite file while it runs a job, and starts it again: the job runs while the lease of the killed process
// would still be valid.
func TestKill_lease(t *testing.T) {
	t.Parallel()
	p, src := emptyInstallations(t)[0](t), newPage(1)
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
	<-requests
	g.kill(t)
	lease := readLease(t, filepath.Join(p.folder, "rostrum.db"), ingested.JobID)
	g = p.start(t)
	if again := <-requests; !again.Before(lease) {
		t.Errorf("the job ran at %s, when its lease of %s was over", again, lease)
	}
	g.awaitDocument(t, ingested.DocumentID)
}

// readLease returns the end of the lease of a running job.
func readLease(t *testing.T, file, jobID string) time.Time {
	t.Helper()
	db, err := dbx.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	row := new(model.Job)
	if err := db.NewSelect().Model(row).Where("id = ?", jobID).Scan(t.Context()); err != nil || row.LeaseUntil == nil {
		t.Fatalf("%s has no lease: %v", jobID, err)
	}
	return *row.LeaseUntil
}
