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

// The claims for comms filters: the maximum slowdown of the filtered list, and the maximum time of
// a backfill.
const (
	filters       = 5
	listClaim     = 1.3
	backfillSize  = 2000
	backfillClaim = 20 * time.Second
	hiddenOneIn   = 12 // each filter hides one in this number of documents
)

// filterComparison compares the list of communications with filters and without.
type filterComparison struct{ plain, filtered *candidate }

// backfillResult is the time of a backfill.
type backfillResult struct {
	database string
	took     time.Duration
}

// slowdown returns the ratio of the plain list's rate to the filtered list's.
func (f *filterComparison) slowdown() float64 { return f.plain.ratio(f.filtered) }

// compareFilters requests the list in two workspaces of the same documents, one of which has
// filters.
func compareFilters(ctx context.Context, g *gateway, pool *pgxpool.Pool, s settings) (*filterComparison, error) {
	tenants := make([]*seededWorkspace, 2)
	for i := range tenants {
		var err error
		if tenants[i], err = g.createWorkspace(ctx, "Filters"); err != nil {
			return nil, err
		}
	}
	logProgress("seeding two workspaces of communications")
	if err := seedWorkspaces(ctx, pool, tenants, s.documents); err != nil {
		return nil, err
	}
	if err := addFilters(ctx, g, pool, tenants[1]); err != nil {
		return nil, err
	}
	f := &filterComparison{}
	for i, into := range []**candidate{&f.plain, &f.filtered} {
		c, err := newCandidate(ctx, []string{"no filter", "5 filters"}[i], g.base, listRequests(g.base, tenants[i]))
		if err != nil {
			return nil, err
		}
		if c.statements, err = countStatements(ctx, g.handler, c.requests[0]); err != nil {
			return nil, err
		}
		*into = c
	}
	return f, f.runRound(ctx, s)
}

func (f *filterComparison) runRound(ctx context.Context, s settings) error {
	both := []*candidate{f.plain, f.filtered}
	for round := range rounds {
		logProgress("communications, round %d of %d", round+1, rounds)
		for i := range both {
			c := both[(i+round)%len(both)]
			runtime.GC()
			taken, err := c.sendLoad(ctx, s.connections[0], s.slice())
			if err != nil {
				return err
			}
			c.rounds = append(c.rounds, taken)
		}
	}
	return nil
}

func listRequests(base string, p *seededWorkspace) []request {
	list := make([]request, 4)
	for i := range list {
		at := fmt.Sprintf("%s/api/v1/communications?page=%d&per_page=%d", base, i+1, listSize)
		list[i] = request{method: http.MethodGet, url: at, key: p.key, documents: listSize}
	}
	return list
}

// addFilters adds filters to a workspace: linked auto-tags, each with a value in some of the
// documents.
func addFilters(ctx context.Context, g *gateway, pool *pgxpool.Pool, p *seededWorkspace) error {
	c := restClient{base: g.base, key: p.key}
	for i := range filters {
		var made struct {
			AutoTag struct{ ID string } `json:"auto_tag"`
		}
		body := map[string]any{"name": fmt.Sprintf("Filter %d", i+1), "tag_type": "kind"}
		if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/auto-tags", body, http.StatusCreated, &made); err != nil {
			return err
		}
		_, err := pool.Exec(ctx, `INSERT INTO document_auto_tag
			(id, workspace_id, document_id, auto_tag_id, name, tag_type, extracted_value, value_key, confidence_score, applied_at)
			SELECT 'apl_' || md5(id || $2), workspace_id, id, $2, 'Filter', 'kind', 'yes', 'yes', 0.9, updated_at
			FROM document WHERE workspace_id = $1 AND seq % $3 = $4`, p.workspaceID, made.AutoTag.ID, hiddenOneIn, i)
		if err != nil {
			return fmt.Errorf("seed filters: %w", err)
		}
		if err := c.sendJSON(ctx, http.MethodPut, "/api/v1/comms-filters/linked-tags/"+made.AutoTag.ID,
			map[string]any{}, http.StatusOK, new(any)); err != nil {
			return err
		}
	}
	return nil
}

// measureBackfill measures the backfill of a manual filter over the documents of a workspace with
// the built-in engine.
func measureBackfill(ctx context.Context, g *gateway, database string) (backfillResult, error) {
	out := backfillResult{database: database}
	p, err := g.createWorkspace(ctx, "Backfill")
	if err != nil {
		return out, err
	}
	c := restClient{base: g.base, key: p.key}
	logProgress("backfill on %s", database)
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
	if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/comms-filters/tags/"+tag+"/backfill", body, http.StatusOK,
		&begun); err != nil {
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
		if err := c.sendJSON(ctx, http.MethodGet, "/api/v1/jobs/"+begun.JobID, nil, http.StatusOK, &job); err != nil {
			return out, err
		}
	}
	out.took = time.Since(began)
	return out, nil
}

// prepareBackfill stores the documents and a manual filter with three examples.
func (c restClient) prepareBackfill(ctx context.Context, p *seededWorkspace) (tag string, err error) {
	var made struct{ Tag struct{ ID string } }
	body := map[string]any{"name": "Notices", "description": "Notices of the market"}
	if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/comms-filters/tags", body, http.StatusOK, &made); err != nil {
		return "", err
	}
	invent := newGenerator(77)
	for i := range backfillSize + 3 {
		doc := invent.document(p.workspaceID)
		var stored struct{ Document struct{ ID string } }
		body := map[string]any{"title": doc.Title, "content": *doc.Content}
		if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/documents", body, http.StatusOK, &stored); err != nil {
			return "", err
		}
		if i < 3 {
			example := map[string]any{"document_id": stored.Document.ID}
			if err := c.sendJSON(ctx, http.MethodPost, "/api/v1/comms-filters/tags/"+made.Tag.ID+"/exclusions", example,
				http.StatusOK, new(any)); err != nil {
				return "", err
			}
		}
	}
	return made.Tag.ID, nil
}

// filterText writes the report on comms filters.
func (r *report) filterText(b *strings.Builder) {
	f := r.filtering
	same := f.filtered.statements == f.plain.statements
	fmt.Fprintf(b, "Communications, 50 of %d, with %d filters: %.2f times as long as without, claim at most %.1f: %s; %d SQL statements, without %d: %s\n",
		r.settings.documents, filters, f.slowdown(), listClaim, formatVerdict(f.slowdown() <= listClaim),
		f.filtered.statements, f.plain.statements, formatVerdict(same))
	for _, s := range r.sweeps {
		fmt.Fprintf(b, "Backfill of %d documents with the built-in engine on %s: %.1f s, claim under %.0f s: %s\n",
			backfillSize, s.database, s.took.Seconds(), backfillClaim.Seconds(), formatVerdict(s.took < backfillClaim))
	}
}
