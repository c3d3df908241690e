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

// TestKill kills the gateway in the middle of fifty ingests and starts it again: each ends as a document or with a reason, and is
// charged once when it made one.
func TestKill(t *testing.T) {
	eachPlace(t, func(t *testing.T, p place) {
		const sources, before = 50, 15
		sites := newManySites(t, sources)
		g := p.start(t)
		made := g.ingestAll(t, sites.addresses)
		sites.answer(before)
		sites.awaitAnswers(t, before)
		g.kill(t)

		g = p.start(t)
		sites.answer(10 * sources) // a source may be asked for more than once
		var last census
		eventually(t, 3*time.Minute, "every ingest has ended", func() error {
			last = g.census(t, made)
			if len(last.open) > 0 {
				return fmt.Errorf("%d have not: %v", len(last.open), last.open)
			}
			return nil
		})
		for i, id := range made {
			sites.check(t, i, last.documents[id.DocumentID])
		}
		if len(last.documents) != sources {
			t.Errorf("%d documents were made of %d sources", len(last.documents), sources)
		}
		var workspace struct {
			RunBudget struct{ Used int } `json:"run_budget"`
		}
		g.rest(t, http.MethodGet, "/api/v1/workspace", nil, &workspace)
		if used := workspace.RunBudget.Used; used != sources*4/5 {
			t.Errorf("%d runs were charged, want those of the %d sources that were there", used, sources*4/5)
		}
	})
}

// manySites serves sources from many hosts; each answer takes a ticket.
type manySites struct {
	addresses []string
	sources   []source
	tickets   chan struct{}
	mu        sync.Mutex
	answered  int
}

// newManySites makes sites with two sources each; every fifth source is missing, every fifth other one is a PDF.
func newManySites(t *testing.T, count int) *manySites {
	t.Helper()
	m := &manySites{tickets: make(chan struct{}, 20*count)}
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

func (m *manySites) serve(w http.ResponseWriter, r *http.Request) {
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

// answer lets so many requests be answered; the others wait.
func (m *manySites) answer(count int) {
	for range count {
		m.tickets <- struct{}{}
	}
}

func (m *manySites) awaitAnswers(t *testing.T, count int) {
	t.Helper()
	eventually(t, startTime, "the first sources are given out", func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.answered < count {
			return fmt.Errorf("%d of %d are", m.answered, count)
		}
		return nil
	})
}

// check compares what became of a source with what it is.
func (m *manySites) check(t *testing.T, n int, d document) {
	t.Helper()
	if !missing(n) {
		if content, _ := d["content"].(string); d["processing_status"] != nil || !strings.Contains(content, m.sources[n].says) {
			t.Errorf("source %d became %v: %v, with the text %q", n, d["processing_status"], d["processing_error"], content)
		}
		return
	}
	reason, _ := d["processing_error"].(map[string]any)
	if d["processing_status"] != "failed" || reason["code"] != "http_status" || reason["message"] == "" {
		t.Errorf("source %d is missing and became %v: %v", n, d["processing_status"], reason)
	}
}

// ingestAll posts the addresses, one after another.
func (g *process) ingestAll(t *testing.T, addresses []string) []ingested {
	t.Helper()
	out := make([]ingested, len(addresses))
	for i, address := range addresses {
		out[i] = g.ingest(t, address)
	}
	return out
}

// census is where the documents and jobs of ingests stand.
type census struct {
	documents map[string]document
	open      []string // what has not ended, in words
}

// census reads all documents that came from a site, and all jobs.
func (g *process) census(t *testing.T, made []ingested) census {
	t.Helper()
	out := census{documents: map[string]document{}}
	var list struct{ Documents []document }
	g.rest(t, http.MethodGet, "/api/v1/documents?per_page=100", nil, &list)
	for _, d := range list.Documents {
		address, _ := d["source_url"].(string)
		if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Host, "127.") {
			out.documents[d["id"].(string)] = d
		}
	}
	var work struct {
		Jobs []struct{ ID, Status string }
	}
	g.rest(t, http.MethodGet, "/api/v1/jobs?per_page=100", nil, &work)
	status := map[string]string{}
	for _, j := range work.Jobs {
		status[j.ID] = j.Status
	}
	for _, m := range made {
		d, found := out.documents[m.DocumentID]
		if stage := d["processing_status"]; !found || stage != nil && stage != "failed" {
			out.open = append(out.open, fmt.Sprintf("%s is %v (found: %t)", m.DocumentID, stage, found))
		}
		if s := status[m.JobID]; s != "completed" && s != "failed" && s != "cancelled" {
			out.open = append(out.open, fmt.Sprintf("%s is %q", m.JobID, s))
		}
	}
	return out
}
