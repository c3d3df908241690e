package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
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

// ingestResult is the rate of documents that several connections sent.
type ingestResult struct {
	what, database string
	documents      int
	claim          float64       // the minimum rate
	took           time.Duration // until the last document was complete
}

func (r ingestResult) perSecond() float64 { return float64(r.documents) / r.took.Seconds() }

// measureIngestion measures ingestion on one database. It must run before pages of one host are
// queued, because their spacing would delay the workers.
func (r *report) measureIngestion(ctx context.Context, g *gateway, database string) error {
	texts, err := ingestTexts(ctx, g, database)
	if err != nil {
		return fmt.Errorf("ingest texts on %s: %w", database, err)
	}
	pages, err := ingestPages(ctx, g, database)
	r.ingestions = append(r.ingestions, texts, pages)
	if err != nil {
		return fmt.Errorf("ingest pages on %s: %w", database, err)
	}
	return nil
}

// ingestTexts stores texts, which are complete with the response.
func ingestTexts(ctx context.Context, g *gateway, database string) (ingestResult, error) {
	out := ingestResult{what: "texts, stored by the request", database: database, documents: ingestedTexts,
		claim: textClaim}
	p, err := g.createWorkspace(ctx, "Texts")
	if err != nil {
		return out, err
	}
	v, bodies := newGenerator(88), make([]any, ingestedTexts)
	for i := range bodies {
		doc := v.document(p.workspaceID)
		bodies[i] = map[string]any{"title": doc.Title, "content": doc.Content}
	}
	logProgress("texts by %d connections on %s", senders, database)
	c, began := restClient{base: g.base, key: p.key}, time.Now()
	err = c.postAll(ctx, "/api/v1/documents", bodies)
	out.took = time.Since(began)
	if err != nil {
		return out, err
	}
	return out, c.checkCount(ctx, ingestedTexts)
}

// ingestPages ingests pages, which jobs fetch from loopback hosts, extract and complete.
func ingestPages(ctx context.Context, g *gateway, database string) (ingestResult, error) {
	out := ingestResult{what: "pages, fetched and extracted by jobs", database: database, documents: ingestedPages,
		claim: pageClaim}
	p, err := g.createWorkspace(ctx, "Pages")
	if err != nil {
		return out, err
	}
	v, site := newGenerator(89), make([]string, ingestedPages)
	for i := range site {
		site[i] = v.htmlPage()
	}
	hosts, stop, err := serveHosts(ctx, pageHosts, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d.html", &i); err != nil || i < 0 || i >= len(site) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, site[i])
	}))
	if err != nil {
		return out, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	bodies := make([]any, ingestedPages)
	for i := range bodies {
		bodies[i] = map[string]any{"source_url": fmt.Sprintf("%s/%d.html", hosts[i%len(hosts)], i)}
	}
	logProgress("pages by %d connections on %s", senders, database)
	c, began := restClient{base: g.base, key: p.key}, time.Now()
	if err := c.postAll(ctx, "/api/v1/documents/ingest", bodies); err != nil {
		return out, err
	}
	if err := c.awaitComplete(ctx, ingestTimeout); err != nil {
		return out, err
	}
	out.took = time.Since(began)
	return out, c.checkCount(ctx, ingestedPages)
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

// serveHosts serves the handler on several loopback ports, each of which counts as a host.
func serveHosts(ctx context.Context, n int, handler http.Handler) (bases []string, stop func() error, err error) {
	var stops []func() error
	stop = func() (err error) {
		for _, one := range stops {
			err = errors.Join(err, one())
		}
		return err
	}
	for range n {
		base, one, err := serveLoopback(ctx, handler)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		bases, stops = append(bases, base), append(stops, one)
	}
	return bases, stop, nil
}

// postAll posts every body once, over several connections.
func (c restClient) postAll(ctx context.Context, path string, bodies []any) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range senders {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(bodies); i = int(next.Add(1)) - 1 {
				if err := c.sendJSON(ctx, http.MethodPost, path, bodies[i], http.StatusOK, new(any)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// awaitComplete waits until no document is in processing; it returns an error if a document has
// failed.
func (c restClient) awaitComplete(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		working := 0
		for _, status := range []string{"fetching", "enhancing"} {
			n, err := c.countDocuments(ctx, "?processing_status="+status)
			if err != nil {
				return err
			}
			working += n
		}
		if working == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if failed, err := c.countDocuments(ctx, "?processing_status=failed"); err != nil || failed > 0 {
		return fmt.Errorf("%d documents failed (%w)", failed, err)
	}
	return nil
}

// checkCount returns an error unless the number of documents matches.
func (c restClient) checkCount(ctx context.Context, want int) error {
	n, err := c.countDocuments(ctx, "")
	if err == nil && n != want {
		err = fmt.Errorf("the workspace has %d documents, want %d", n, want)
	}
	return err
}

func (c restClient) countDocuments(ctx context.Context, query string) (int, error) {
	var found struct{ Count int }
	err := c.sendJSON(ctx, http.MethodGet, "/api/v1/documents/count"+query, nil, http.StatusOK, &found)
	return found.Count, err
}

// ingestText writes the report on ingestion.
func (r *report) ingestText(b *strings.Builder) {
	fmt.Fprintf(b, "\nIntake: %d connections post over REST; the time is measured until the last document is complete.\n\n", senders)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kind\tdatabase\tdocuments\tdocuments/s\tclaim for the rate\t")
	for _, in := range r.ingestions {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\tat least %g: %s\t\n", in.what, in.database, in.documents, in.perSecond(),
			in.claim, formatVerdict(in.perSecond() >= in.claim))
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
