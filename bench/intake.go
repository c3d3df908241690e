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

// How many documents are taken in, and over how many hosts those that are fetched are spread, because each host is given a pause.
const (
	takenTexts     = 2000
	takenPages     = 500
	takenHosts     = 250
	takers         = 16
	intakePatience = 2 * time.Minute
)

// intake is how fast documents came in that several connections sent.
type intake struct {
	what, database string
	documents      int
	took           time.Duration // until the last one was complete
}

// onIntake measures it on one database, before anything leaves pages of one host to the workers, who would wait for its pauses.
func (r *report) onIntake(ctx context.Context, g *gateway, database string) error {
	texts, err := takeTexts(ctx, g, database)
	if err != nil {
		return fmt.Errorf("take in texts on %s: %w", database, err)
	}
	pages, err := takePages(ctx, g, database)
	r.intakes = append(r.intakes, texts, pages)
	if err != nil {
		return fmt.Errorf("ingest pages on %s: %w", database, err)
	}
	return nil
}

// takeTexts stores texts, each of which is complete with its answer.
func takeTexts(ctx context.Context, g *gateway, database string) (intake, error) {
	out := intake{what: "texts, stored by the request", database: database, documents: takenTexts}
	p, err := g.place(ctx, "Texts")
	if err != nil {
		return out, err
	}
	v, bodies := newInventor(88), make([]any, takenTexts)
	for i := range bodies {
		doc := v.document(p.workspaceID)
		bodies[i] = map[string]any{"title": doc.Title, "content": doc.Content}
	}
	progress("texts by %d connections on %s", takers, database)
	c, began := caller{base: g.base, key: p.key}, time.Now()
	err = c.send(ctx, "/api/v1/documents", bodies)
	out.took = time.Since(began)
	if err != nil {
		return out, err
	}
	return out, c.has(ctx, takenTexts)
}

// takePages ingests pages, which jobs fetch from hosts of loopback, extract and complete.
func takePages(ctx context.Context, g *gateway, database string) (intake, error) {
	out := intake{what: "pages, fetched and extracted by jobs", database: database, documents: takenPages}
	p, err := g.place(ctx, "Pages")
	if err != nil {
		return out, err
	}
	v, site := newInventor(89), make([]string, takenPages)
	for i := range site {
		site[i] = v.page()
	}
	hosts, stop, err := serveMany(ctx, takenHosts, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	bodies := make([]any, takenPages)
	for i := range bodies {
		bodies[i] = map[string]any{"source_url": fmt.Sprintf("%s/%d.html", hosts[i%len(hosts)], i)}
	}
	progress("pages by %d connections on %s", takers, database)
	c, began := caller{base: g.base, key: p.key}, time.Now()
	if err := c.send(ctx, "/api/v1/documents/ingest", bodies); err != nil {
		return out, err
	}
	if err := c.complete(ctx, intakePatience); err != nil {
		return out, err
	}
	out.took = time.Since(began)
	return out, c.has(ctx, takenPages)
}

// page is a document as a web page.
func (v *inventor) page() string {
	title, b := v.words(8), strings.Builder{}
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>%s</title><article><h1>%s</h1>", title, title)
	for range 4 {
		fmt.Fprintf(&b, "<p>%s.</p>", v.words(60))
	}
	return b.String() + "</article></html>"
}

// serveMany serves the same on several ports of loopback, each of which is a host of its own.
func serveMany(ctx context.Context, n int, handler http.Handler) (bases []string, stop func() error, err error) {
	var stops []func() error
	stop = func() (err error) {
		for _, one := range stops {
			err = errors.Join(err, one())
		}
		return err
	}
	for range n {
		base, one, err := serve(ctx, handler)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		bases, stops = append(bases, base), append(stops, one)
	}
	return bases, stop, nil
}

// send posts every body once, over several connections.
func (c caller) send(ctx context.Context, path string, bodies []any) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range takers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(bodies); i = int(next.Add(1)) - 1 {
				if err := c.call(ctx, http.MethodPost, path, bodies[i], http.StatusOK, new(any)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// complete waits until no document is worked on; it fails when one has failed.
func (c caller) complete(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		working := 0
		for _, status := range []string{"fetching", "enhancing"} {
			n, err := c.count(ctx, "?processing_status="+status)
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
	if failed, err := c.count(ctx, "?processing_status=failed"); err != nil || failed > 0 {
		return fmt.Errorf("%d documents failed (%w)", failed, err)
	}
	return nil
}

// has holds the number of documents to what was sent.
func (c caller) has(ctx context.Context, want int) error {
	n, err := c.count(ctx, "")
	if err == nil && n != want {
		err = fmt.Errorf("%d documents are there, not %d", n, want)
	}
	return err
}

func (c caller) count(ctx context.Context, query string) (int, error) {
	var found struct{ Count int }
	err := c.call(ctx, http.MethodGet, "/api/v1/documents/count"+query, nil, http.StatusOK, &found)
	return found.Count, err
}

// intakeText is the report's part about documents that come in.
func (r *report) intakeText(b *strings.Builder) {
	fmt.Fprintf(b, "\nIntake: %d connections post over REST; the time ends when the last document is complete.\n\n", takers)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tdatabase\tdocuments\tdocuments/s\t")
	for _, in := range r.intakes {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\t\n", in.what, in.database, in.documents, float64(in.documents)/in.took.Seconds())
	}
	t.Flush() //nolint:errcheck // a builder takes everything
}
