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

// TestKill_lease kills a gateway with a SQLite file while it runs a job, and starts it again: the job runs although the lease of the killed process is
// valid for another hour.
func TestKill_lease(t *testing.T) {
	t.Parallel()
	p, src := emptyInstallations(t)[0](t), newPage(1)
	requests := make(chan struct{}, 10)
	var requested atomic.Int32
	site := newSite(t, "127.0.0.1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != src.path {
			http.NotFound(w, r)
			return
		}
		requests <- struct{}{}
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
	extendLease(t, filepath.Join(p.folder, "rostrum.db"), ingested.JobID)
	g = p.start(t)
	<-requests
	g.awaitDocument(t, ingested.DocumentID)
}

// extendLease extends the lease of a running job by an hour.
func extendLease(t *testing.T, file, jobID string) {
	t.Helper()
	db, err := dbx.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	changed, err := db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", model.Now().Add(time.Hour)).
		Where("id = ? AND lease_until IS NOT NULL", jobID).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := changed.RowsAffected(); n != 1 || err != nil {
		t.Fatalf("%s has no lease: %v", jobID, err)
	}
}
