package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestKill kills the gateway in the middle of fifty ingests and restarts it: each ends as a
// document or with an error, and is charged once if it created a document.
func TestKill(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		const sources, before = 50, 15
		sites := newSourceSites(t, sources)
		g := p.start(t)
		made := g.ingestAll(t, sites.addresses)
		sites.release(before)
		sites.awaitAnswers(t, before)
		g.kill(t)

		g = p.start(t)
		sites.release(10 * sources) // a source may be requested more than once
		var last ingestProgress
		awaitSuccess(t, 3*time.Minute, "every ingest has ended", func() error {
			last = g.readProgress(t, made)
			if len(last.open) > 0 {
				return fmt.Errorf("%d are unfinished: %v", len(last.open), last.open)
			}
			return nil
		})
		for i, id := range made {
			sites.checkDocument(t, i, last.documents[id.DocumentID])
		}
		if len(last.documents) != sources {
			t.Errorf("%d documents were created from %d sources", len(last.documents), sources)
		}
		var workspace struct {
			RunBudget struct{ Used int } `json:"run_budget"`
		}
		g.rest(t, http.MethodGet, "/api/v1/workspace", nil, &workspace)
		if used := workspace.RunBudget.Used; used != sources*4/5 {
			t.Errorf("%d runs were charged, want the runs of the %d available sources", used, sources*4/5)
		}
	})
}

// sourceSites serves sources from many hosts; each response takes a ticket.
type sourceSites struct {
	addresses []string
	sources   []source
	tickets   chan struct{}
	mu        sync.Mutex
	answered  int
}

// newSourceSites creates sites with two sources each; every fifth source is missing, every fifth
// other source is a PDF.
func newSourceSites(t *testing.T, count int) *sourceSites {
	t.Helper()
	m := &sourceSites{tickets: make(chan struct{}, 20*count)}
	for n := range count {
		src := newPage(n)
		if n%5 == 2 {
			src = newPDF(t, n)
		}
		m.sources = append(m.sources, src)
	}
	for host := range count / 2 {
		site := newSite(t, fmt.Sprintf("127.0.0.%d", host+10), http.HandlerFunc(m.serve))
		for _, src := range m.sources[2*host : 2*host+2] {
			m.addresses = append(m.addresses, site.URL+src.path)
		}
	}
	return m
}

func missing(n int) bool { return n%5 == 4 }

func (m *sourceSites) serve(w http.ResponseWriter, r *http.Request) {
	select {
	case <-m.tickets:
	case <-r.Context().Done():
		return
	}
	n := slices.IndexFunc(m.sources, func(s source) bool { return s.path == r.URL.Path })
	if n < 0 || missing(n) {
		http.NotFound(w, r)
	} else {
		m.sources[n].serve(w)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answered++
}

// release allows the number of responses; other requests wait.
func (m *sourceSites) release(count int) {
	for range count {
		m.tickets <- struct{}{}
	}
}

func (m *sourceSites) awaitAnswers(t *testing.T, count int) {
	t.Helper()
	awaitSuccess(t, startTimeout, "the first sources are given out", func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.answered < count {
			return fmt.Errorf("%d of %d requests have a response", m.answered, count)
		}
		return nil
	})
}

// checkDocument compares a document with its source.
func (m *sourceSites) checkDocument(t *testing.T, n int, d document) {
	t.Helper()
	if !missing(n) {
		if content, _ := d["content"].(string); d["processing_status"] != nil ||
			!strings.Contains(content, m.sources[n].wantText) {
			t.Errorf("source %d became %v: %v, with the text %q", n, d["processing_status"], d["processing_error"],
				content)
		}
		return
	}
	reason, _ := d["processing_error"].(map[string]any)
	if d["processing_status"] != "failed" || reason["code"] != "http_status" || reason["message"] == "" {
		t.Errorf("source %d is missing and became %v: %v", n, d["processing_status"], reason)
	}
}

// ingestAll posts the addresses, one after another.
func (g *gateway) ingestAll(t *testing.T, addresses []string) []ingested {
	t.Helper()
	out := make([]ingested, len(addresses))
	for i, address := range addresses {
		out[i] = g.ingest(t, address)
	}
	return out
}

// ingestProgress is the state of the documents and jobs of ingests.
type ingestProgress struct {
	documents map[string]document
	open      []string // descriptions of unfinished ingests
}

// readProgress reads all jobs and, once they have ended, all documents that came from a site: these
// are many times as long.
func (g *gateway) readProgress(t *testing.T, made []ingested) ingestProgress {
	t.Helper()
	var work struct {
		Jobs []struct{ ID, Status string }
	}
	g.rest(t, http.MethodGet, "/api/v1/jobs?per_page=100", nil, &work)
	status := map[string]string{}
	for _, j := range work.Jobs {
		status[j.ID] = j.Status
	}
	out := ingestProgress{documents: map[string]document{}}
	for _, m := range made {
		if s := status[m.JobID]; s != "completed" && s != "failed" && s != "cancelled" {
			out.open = append(out.open, fmt.Sprintf("%s is %q", m.JobID, s))
		}
	}
	if len(out.open) > 0 {
		return out
	}
	var list struct{ Documents []document }
	g.rest(t, http.MethodGet, "/api/v1/documents?per_page=100", nil, &list)
	for _, d := range list.Documents {
		address, _ := d["source_url"].(string)
		if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Host, "127.") {
			out.documents[d["id"].(string)] = d
		}
	}
	for _, m := range made {
		d, found := out.documents[m.DocumentID]
		if stage := d["processing_status"]; !found || stage != nil && stage != "failed" {
			out.open = append(out.open, fmt.Sprintf("%s is %v (found: %t)", m.DocumentID, stage, found))
		}
	}
	return out
}
