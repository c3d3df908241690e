package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// The claims for the rates of ingestion, in documents a second.
const (
	textClaim = 1500.0
	pageClaim = 200.0
)

// The number of documents to ingest, and the number of hosts for fetched pages, because requests to
// a host are spaced.
const (
	ingestedTexts = 2000
	ingestedPages = 500
	pageHosts     = 250
	senders       = 16
	ingestTimeout = 2 * time.Minute
)

// intake is a workspace into which several connections post.
type intake struct {
	base, key string
	generator *generator
}

// measureIntake measures ingestion on each database. Texts come first, because the spacing of
// requests to one host would delay the workers.
func measureIntake(ctx context.Context, s settings) (result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Intake: %d connections post over REST; the time is measured until the last document is complete.\n\n", senders)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kind\tdatabase\tdocuments\tdocuments/s\tclaim for the rate\t")
	err := onEach(ctx, s.database, func(g *gateway, database string) error {
		for _, kind := range []struct {
			name   string
			count  int
			claim  float64
			ingest func(intake, context.Context, int) (time.Duration, error)
		}{
			{"texts, stored by the request", s.count(ingestedTexts), textClaim, intake.ingestTexts},
			{"pages, fetched and extracted by jobs", s.count(ingestedPages), pageClaim, intake.ingestPages},
		} {
			logProgress("%s by %d connections on %s", kind.name, senders, database)
			p, err := g.createWorkspace(ctx, "Intake")
			if err != nil {
				return err
			}
			in := intake{g.base, p.key, newGenerator(88)}
			took, err := kind.ingest(in, ctx, kind.count)
			if err = errors.Join(err, in.checkCount(ctx, "", kind.count)); err != nil {
				return fmt.Errorf("%s on %s: %w", kind.name, database, err)
			}
			rate := float64(kind.count) / took.Seconds()
			fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\tat least %g: %s\t\n", kind.name, database, kind.count, rate, kind.claim,
				formatVerdict(rate >= kind.claim))
		}
		return nil
	})
	t.Flush()
	return result{text: b.String()}, err
}

// ingestTexts stores n texts, which are complete with the response.
func (in intake) ingestTexts(ctx context.Context, n int) (time.Duration, error) {
	bodies := make([]any, n)
	for i := range bodies {
		doc := in.generator.document("")
		bodies[i] = map[string]any{"title": doc.Title, "content": doc.Content}
	}
	began := time.Now()
	err := in.postAll(ctx, "/api/v1/documents", bodies)
	return time.Since(began), err
}

// ingestPages ingests n pages, which jobs fetch from loopback hosts, extract and complete.
func (in intake) ingestPages(ctx context.Context, n int) (time.Duration, error) {
	site := make([]string, n)
	for i := range site {
		site[i] = in.generator.htmlPage()
	}
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d.html", &i); err != nil || i < 0 || i >= len(site) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, site[i])
	})
	var hosts []string // loopback ports, each of which counts as a host
	for range min(pageHosts, n) {
		base, stop, err := serveLoopback(ctx, serve)
		if err != nil {
			return 0, err
		}
		defer stop() // nothing is left to answer
		hosts = append(hosts, base)
	}
	bodies := make([]any, n)
	for i := range bodies {
		bodies[i] = map[string]any{"source_url": fmt.Sprintf("%s/%d.html", hosts[i%len(hosts)], i)}
	}
	began := time.Now()
	if err := in.postAll(ctx, "/api/v1/documents/ingest", bodies); err != nil {
		return 0, err
	}
	err := in.awaitComplete(ctx)
	return time.Since(began), err
}

// htmlPage returns a document as a web page.
func (v *generator) htmlPage() string {
	title, b := v.words(8), strings.Builder{}
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>%s</title><article><h1>%s</h1>", title, title)
	for range 4 {
		fmt.Fprintf(&b, "<p>%s.</p>", v.words(60))
	}
	return b.String() + "</article></html>"
}

// postAll posts every body once, over several connections.
func (in intake) postAll(ctx context.Context, path string, bodies []any) error {
	targets := make([]vegeta.Target, len(bodies))
	for i, body := range bodies {
		var err error
		ask := request{method: http.MethodPost, url: in.base + path, key: in.key, body: body}
		if targets[i], err = ask.target(); err != nil {
			return err
		}
	}
	next := onceEach(len(targets), func(i int) vegeta.Target { return targets[i] })
	return attack(ctx, newClient(senders, nil), senders, 0, next, func(r *vegeta.Result) error {
		if err := checkStatus(r, http.StatusOK); err != nil {
			return err
		}
		return json.Unmarshal(r.Body, new(any))
	})
}

// awaitComplete waits until no document is in processing; it returns an error if a document has
// failed.
func (in intake) awaitComplete(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, ingestTimeout)
	defer cancel()
	for working := 1; working > 0; time.Sleep(10 * time.Millisecond) {
		working = 0
		for _, status := range []string{"fetching", "enhancing"} {
			n, err := in.count(ctx, "?processing_status="+status)
			if err != nil {
				return err
			}
			working += n
		}
	}
	return in.checkCount(ctx, "?processing_status=failed", 0)
}

// checkCount returns an error unless the number of documents matches.
func (in intake) checkCount(ctx context.Context, query string, want int) error {
	n, err := in.count(ctx, query)
	if err == nil && n != want {
		err = fmt.Errorf("the workspace has %d documents with %q, want %d", n, query, want)
	}
	return err
}

func (in intake) count(ctx context.Context, query string) (int, error) {
	var found struct{ Count int }
	ask := request{method: http.MethodGet, url: in.base + "/api/v1/documents/count" + query, key: in.key}
	err := ask.read(ctx, &found)
	return found.Count, err
}
