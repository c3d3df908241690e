package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// What is asked of comms filters: how much longer the filtered list may take, and how long a backfill.
const (
	filters       = 5
	listClaim     = 1.3
	backfillSize  = 2000
	backfillClaim = 20 * time.Second
	hiddenOneIn   = 12 // each filter hides so many documents
)

// filtering is the list of communications with filters beside the same list without any.
type filtering struct{ plain, filtered *contender }

// sweep is how long a backfill took.
type sweep struct {
	database string
	took     time.Duration
}

// slower is how much longer the filtered list takes: the ratio of the rates, the plain one's to its own.
func (f *filtering) slower() float64 { return f.plain.ratio(f.filtered) }

// compareFilters plays the list of two workspaces of the same documents, one of which has filters.
func compareFilters(ctx context.Context, g *gateway, pool *pgxpool.Pool, s settings) (*filtering, error) {
	places := make([]*place, 2)
	for i := range places {
		var err error
		if places[i], err = g.place(ctx, "Filters"); err != nil {
			return nil, err
		}
	}
	progress("seeding two workspaces of communications")
	if err := seed(ctx, pool, places, s.documents); err != nil {
		return nil, err
	}
	if err := filterPlace(ctx, g, pool, places[1]); err != nil {
		return nil, err
	}
	f := &filtering{}
	for i, into := range []**contender{&f.plain, &f.filtered} {
		c, err := newContender(ctx, []string{"no filter", "5 filters"}[i], g.base, listRequests(g.base, places[i]))
		if err != nil {
			return nil, err
		}
		if c.statements, err = count(ctx, g.handler, c.requests[0]); err != nil {
			return nil, err
		}
		*into = c
	}
	return f, f.play(ctx, s)
}

func (f *filtering) play(ctx context.Context, s settings) error {
	both := []*contender{f.plain, f.filtered}
	for round := range rounds {
		progress("communications, round %d of %d", round+1, rounds)
		for i := range both {
			c := both[(i+round)%len(both)]
			runtime.GC()
			taken, err := c.load(ctx, s.connections[0], s.slice())
			if err != nil {
				return err
			}
			c.rounds = append(c.rounds, taken)
		}
	}
	return nil
}

func listRequests(base string, p *place) []request {
	list := make([]request, 4)
	for i := range list {
		at := fmt.Sprintf("%s/api/v1/communications?page=%d&per_page=%d", base, i+1, rows)
		list[i] = request{method: http.MethodGet, url: at, key: p.key, documents: rows}
	}
	return list
}

// filterPlace gives a workspace its filters: linked auto-tags, each with a value in some of the documents.
func filterPlace(ctx context.Context, g *gateway, pool *pgxpool.Pool, p *place) error {
	c := caller{base: g.base, key: p.key}
	for i := range filters {
		var made struct {
			AutoTag struct{ ID string } `json:"auto_tag"`
		}
		body := map[string]any{"name": fmt.Sprintf("Filter %d", i+1), "tag_type": "kind"}
		if err := c.call(ctx, http.MethodPost, "/api/v1/auto-tags", body, http.StatusCreated, &made); err != nil {
			return err
		}
		_, err := pool.Exec(ctx, `INSERT INTO document_auto_tag
			(id, workspace_id, document_id, auto_tag_id, name, tag_type, extracted_value, value_key, confidence_score, applied_at)
			SELECT 'apl_' || md5(id || $2), workspace_id, id, $2, 'Filter', 'kind', 'yes', 'yes', 0.9, updated_at
			FROM document WHERE workspace_id = $1 AND seq % $3 = $4`, p.workspaceID, made.AutoTag.ID, hiddenOneIn, i)
		if err != nil {
			return fmt.Errorf("seed filters: %w", err)
		}
		if err := c.call(ctx, http.MethodPut, "/api/v1/comms-filters/linked-tags/"+made.AutoTag.ID, map[string]any{}, http.StatusOK, new(any)); err != nil {
			return err
		}
	}
	return nil
}

// backfill measures a manual filter's look through the documents of a workspace with the built-in engine.
func backfill(ctx context.Context, g *gateway, database string) (sweep, error) {
	out := sweep{database: database}
	p, err := g.place(ctx, "Backfill")
	if err != nil {
		return out, err
	}
	c := caller{base: g.base, key: p.key}
	progress("backfill on %s", database)
	tag, err := c.prepareBackfill(ctx, p)
	if err != nil {
		return out, err
	}
	var begun struct {
		Queued int
		JobID  string `json:"job_id"`
	}
	began := time.Now()
	body := map[string]any{"limit": backfillSize}
	if err := c.call(ctx, http.MethodPost, "/api/v1/comms-filters/tags/"+tag+"/backfill", body, http.StatusOK, &begun); err != nil {
		return out, err
	}
	if begun.Queued != backfillSize {
		return out, fmt.Errorf("a backfill on %s queues %d documents", database, begun.Queued)
	}
	var job struct{ Status, Result string }
	for job.Status != "completed" {
		if job.Status == "failed" || time.Since(began) > time.Minute+backfillClaim {
			return out, fmt.Errorf("a backfill on %s is %s", database, job.Status)
		}
		time.Sleep(20 * time.Millisecond)
		if err := c.call(ctx, http.MethodGet, "/api/v1/jobs/"+begun.JobID, nil, http.StatusOK, &job); err != nil {
			return out, err
		}
	}
	out.took = time.Since(began)
	return out, nil
}

// prepareBackfill stores the documents and a manual filter with three examples.
func (c caller) prepareBackfill(ctx context.Context, p *place) (tag string, err error) {
	var made struct{ Tag struct{ ID string } }
	body := map[string]any{"name": "Notices", "description": "Notices of the market"}
	if err := c.call(ctx, http.MethodPost, "/api/v1/comms-filters/tags", body, http.StatusOK, &made); err != nil {
		return "", err
	}
	invent := newInventor(77)
	for i := range backfillSize + 3 {
		doc := invent.document(p.workspaceID)
		var stored struct{ Document struct{ ID string } }
		body := map[string]any{"title": doc.Title, "content": *doc.Content}
		if err := c.call(ctx, http.MethodPost, "/api/v1/documents", body, http.StatusOK, &stored); err != nil {
			return "", err
		}
		if i < 3 {
			example := map[string]any{"document_id": stored.Document.ID}
			if err := c.call(ctx, http.MethodPost, "/api/v1/comms-filters/tags/"+made.Tag.ID+"/exclusions", example, http.StatusOK, new(any)); err != nil {
				return "", err
			}
		}
	}
	return made.Tag.ID, nil
}

// filterText is the report's part about comms filters.
func (r *report) filterText(b *strings.Builder) {
	f := r.filtering
	same := f.filtered.statements == f.plain.statements
	fmt.Fprintf(b, "Communications, 50 of %d, with %d filters: %.2f times as long as without, asked at most %.1f: %s; %d SQL statements, without %d: %s\n",
		r.settings.documents, filters, f.slower(), listClaim, verdict(f.slower() <= listClaim), f.filtered.statements, f.plain.statements, verdict(same))
	for _, s := range r.sweeps {
		fmt.Fprintf(b, "Backfill of %d documents with the built-in engine on %s: %.1f s, asked under %.0f s: %s\n",
			backfillSize, s.database, s.took.Seconds(), backfillClaim.Seconds(), verdict(s.took < backfillClaim))
	}
}
