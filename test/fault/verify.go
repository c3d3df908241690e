package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rostrum/test/kit/harness"
	"rostrum/test/kit/process"
)

// verify waits until all work has ended and compares the stored state with the accepted requests.
func (l *load) verify(ctx context.Context, p plan, rest []usage, r *report) error {
	l.reportRefusals(r)
	checks := []func(context.Context, plan, *report) error{
		l.verifyJobs, l.verifyDocuments, l.verifyInteractions, l.verifyDrafts, l.verifySessions, l.verifyEvents,
	}
	for _, check := range checks {
		if err := check(ctx, p, r); err != nil {
			return err
		}
	}
	l.cancel()
	for _, w := range l.watchers {
		<-w.ended
	}
	return l.verifyRest(ctx, rest, r)
}

func (l *load) reportRefusals(r *report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for text, times := range l.refusals {
		r.AddProblem("%d times: %s", times, text)
	}
	if l.abandoned > 0 {
		r.addStuck("%d requests were neither accepted nor refused within %s", l.abandoned, patience)
	}
}

// await repeats the check until it returns no problems or the time is over, and returns the last
// problems.
func await(ctx context.Context, limit time.Duration, check func() ([]string, error)) ([]string, error) {
	for deadline := time.Now().Add(limit); ; {
		problems, err := check()
		if err == nil && len(problems) == 0 || time.Now().After(deadline) || ctx.Err() != nil {
			return problems, err
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// readPages reads all pages of a list; add decodes a page and returns its number of rows.
func (l *load) readPages(ctx context.Context, path string, page any, add func() int) error {
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	for n := 1; ; n++ {
		if err := l.getJSON(ctx, fmt.Sprintf("%s%sper_page=100&page=%d", path, separator, n), page); err != nil {
			return err
		}
		if add() == 0 {
			return nil
		}
	}
}

// verifyJobs waits until every job has ended.
func (l *load) verifyJobs(ctx context.Context, p plan, r *report) error {
	total := 0
	open, err := await(ctx, p.settle, func() (open []string, err error) {
		total = 0
		var page struct {
			Jobs []struct{ ID, Status string }
		}
		err = l.readPages(ctx, "/api/v1/jobs", &page, func() int {
			rows := page.Jobs
			page.Jobs = nil
			for _, job := range rows {
				if job.Status == "queued" || job.Status == "running" || job.Status == "retrying" {
					open = append(open, job.ID+" is "+job.Status)
				}
			}
			total += len(rows)
			return len(rows)
		})
		return open, err
	})
	for _, job := range open {
		r.addStuck("job %s", job)
	}
	r.addAccepted("jobs", total)
	return err
}

// verifyDocuments checks that every accepted document is stored once, with its last title, and that
// runs are charged once.
func (l *load) verifyDocuments(ctx context.Context, _ plan, r *report) error {
	titles, sources, failed := map[string]int{}, map[string]int{}, 0
	var page struct {
		Documents []struct {
			ID, Title string
			SourceURL *string `json:"source_url"`
			Status    *string `json:"processing_status"`
		}
	}
	byID := map[string]string{}
	if err := l.readPages(ctx, "/api/v1/documents?light=true", &page, func() int {
		rows := page.Documents
		page.Documents = nil
		for _, d := range rows {
			byID[d.ID] = d.Title
			titles[d.Title]++
			if d.SourceURL != nil {
				sources[*d.SourceURL]++
				if d.Status != nil {
					failed++
				}
			}
		}
		return len(rows)
	}); err != nil {
		return err
	}
	compareAccepted(r, "created document", l.created, titles)
	compareAccepted(r, "ingested page", l.ingested, sources)
	for _, d := range l.edited {
		if title := byID[d.id]; title != d.accepted && title != d.sent {
			r.addLost("%s has the title %q, not the accepted %q", d.id, title, d.accepted)
		}
	}
	r.AddNote("ingested pages that failed: %d", failed)
	return l.verifyBudget(ctx, len(sources)-failed, r)
}

// compareAccepted compares what was accepted with what is stored, and counts it.
func compareAccepted(r *report, kind string, accepted map[string]bool, stored map[string]int) {
	count := 0
	for name, ok := range accepted {
		if ok {
			count++
		}
		if ok && stored[name] == 0 {
			r.addLost("%s %q", kind, name)
		}
		if stored[name] > 1 {
			r.addDoubled("%s %q is stored %d times", kind, name, stored[name])
		}
	}
	r.addAccepted(kind+"s", count)
}

// verifyBudget checks that one run is charged for each page that became a document and for each
// stored interaction. A call whose process ended or lost the database keeps its run reserved for 15
// minutes; rostrum verify compares these with the reservations.
func (l *load) verifyBudget(ctx context.Context, documents int, r *report) error {
	var workspace struct {
		RunBudget struct{ Used int } `json:"run_budget"`
	}
	if err := l.getJSON(ctx, "/api/v1/workspace", &workspace); err != nil {
		return err
	}
	questions, err := l.readQuestions(ctx)
	if err != nil {
		return err
	}
	interactions := 0
	for _, times := range questions {
		interactions += times
	}
	used, reserved := workspace.RunBudget.Used, workspace.RunBudget.Used-documents-interactions
	if reserved < 0 || reserved > r.interruptions() {
		r.AddProblem("%d runs are charged for %d documents and %d interactions", used, documents, interactions)
	}
	r.AddNote("runs charged: %d, of which are reserved by interrupted calls: %d", used, reserved)
	if _, err := process.Operate(ctx, l.gateways[0].Command(), "verify"); err != nil {
		r.AddProblem("%v", err)
	}
	return nil
}

func (l *load) readQuestions(ctx context.Context) (map[string]int, error) {
	questions := map[string]int{}
	var page struct {
		Interactions []struct {
			Input string `json:"input_content"`
		}
	}
	err := l.readPages(ctx, "/api/v1/personas/"+l.persona+"/interactions", &page, func() int {
		rows := page.Interactions
		page.Interactions = nil
		for _, row := range rows {
			questions[row.Input]++
		}
		return len(rows)
	})
	return questions, err
}

func (l *load) verifyInteractions(ctx context.Context, _ plan, r *report) error {
	questions, err := l.readQuestions(ctx)
	if err == nil {
		compareAccepted(r, "interaction", l.asked, questions)
	}
	return err
}

// verifySessions checks that every open with a response is stored and counted once.
func (l *load) verifySessions(ctx context.Context, p plan, r *report) error {
	var sessions map[string]int
	problems, err := await(ctx, p.settle, func() (problems []string, err error) {
		sessions = map[string]int{}
		var page struct{ Sessions []struct{ ID string } }
		if err := l.readPages(ctx, "/api/v1/links/"+l.link.ID+"/sessions", &page, func() int {
			rows := page.Sessions
			page.Sessions = nil
			for _, row := range rows {
				sessions[row.ID]++
			}
			return len(rows)
		}); err != nil {
			return nil, err
		}
		for _, id := range l.opened {
			if sessions[id] == 0 {
				problems = append(problems, id)
			}
		}
		return problems, nil
	})
	for _, id := range problems {
		r.addLost("session %s of an opened link", id)
	}
	r.addAccepted("opened links", len(l.opened))
	if err != nil {
		return err
	}
	var link struct {
		Opens int `json:"open_count"`
	}
	if err := l.getJSON(ctx, "/api/v1/links/"+url.PathEscape(l.link.ID), &link); err != nil {
		return err
	}
	if link.Opens != len(sessions) {
		r.AddProblem("the link counts %d opens and has %d sessions", link.Opens, len(sessions))
	}
	return nil
}

// verifyEvents checks that every event was delivered, and that every watcher received every event
// once and in order.
func (l *load) verifyEvents(ctx context.Context, p plan, r *report) error {
	all, err := l.readEvents(ctx, "")
	if err != nil {
		return err
	}
	missing, err := await(ctx, p.deliveries, func() (missing []string, _ error) {
		for _, id := range all {
			if l.receiver.times(id) == 0 {
				missing = append(missing, id)
			}
		}
		return missing, nil
	})
	if len(missing) > 0 {
		if err := l.verifyPending(ctx, missing, r); err != nil {
			return err
		}
	}
	r.addAccepted("events", len(all))
	_, waitErr := await(ctx, p.settle, func() (behind []string, _ error) {
		for _, w := range l.watchers {
			if w.last() != all[len(all)-1] {
				behind = append(behind, w.last())
			}
		}
		return behind, nil
	})
	for i, w := range l.watchers {
		missing, repeated, difference := w.compare(all)
		if missing > 0 {
			r.addLost("watcher %d lacks %d of %d events (%s)", i, missing, len(all), difference)
		} else if repeated > 0 {
			r.addDoubled("watcher %d received %d events again (%s)", i, repeated, difference)
		} else if difference != "" {
			r.AddProblem("watcher %d received events out of order (%s)", i, difference)
		}
	}
	r.addAccepted("events received by watchers", len(all)*len(l.watchers))
	if err != nil {
		return err
	}
	return waitErr
}

// usage is what a gateway uses.
type usage struct{ goroutines, descriptors, bytes float64 }

// The limits of what a gateway may use more than at its start, when its work has ended.
const (
	moreGoroutines  = 60
	moreDescriptors = 80
	moreBytes       = 200 << 20
)

// measureRest returns what each gateway uses.
func (c *cluster) measureRest(ctx context.Context) ([]usage, error) {
	all := make([]usage, 0, len(c.gateways))
	for _, g := range c.gateways {
		metrics := harness.Send(ctx, caller, http.MethodGet, g.url()+"/metrics", nil, nil)
		if metrics.Err != nil {
			return nil, metrics.Err
		}
		text := metrics.Body
		all = append(all, usage{readMetric(text, "go_goroutines"), readMetric(text, "process_open_fds"),
			readMetric(text, "process_resident_memory_bytes")})
	}
	return all, nil
}

// readMetric returns the value of a metric without labels, or 0.
func readMetric(text []byte, name string) float64 {
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			number, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return number
		}
	}
	return 0
}

// verifyRest checks that the gateways use about as much as at their start.
func (l *load) verifyRest(ctx context.Context, rest []usage, r *report) error {
	caller.CloseIdleConnections()
	var now []usage
	problems, err := await(ctx, time.Minute, func() (problems []string, err error) {
		if now, err = l.measureRest(ctx); err != nil {
			return nil, err
		}
		for i, u := range now {
			if u.goroutines > rest[i].goroutines+moreGoroutines || u.descriptors > rest[i].descriptors+
				moreDescriptors || u.bytes > rest[i].bytes+moreBytes {
				problems = append(problems, fmt.Sprintf("gateway %d uses %+v, at its start %+v", i, u, rest[i]))
			}
		}
		return problems, nil
	})
	for _, problem := range problems {
		r.AddProblem("%s", problem)
	}
	for i := range now {
		r.AddNote("gateway %d: goroutines %.0f → %.0f, descriptors %.0f → %.0f, resident MB %.0f → %.0f", i,
			rest[i].goroutines, now[i].goroutines,
			rest[i].descriptors, now[i].descriptors, rest[i].bytes/(1<<20), now[i].bytes/(1<<20))
	}
	return err
}
