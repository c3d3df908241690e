package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The claims for a long list: the maximum slowdown of a page in comparison with a short list, and of a page far from the start in comparison
// with the first.
const (
	fewDocuments  = 10_000
	deepPage      = 1000
	growthClaim   = 1.3
	deepPageClaim = 5.0
)

// growthResult is the time of a page of 50 documents in workspaces of different sizes, each alone in its database.
type growthResult struct {
	documents   int // in the large workspace
	connections int
	rows        []*candidate // in the order of growthRows
}

// growthRows are the pages to request through GraphQL.
var growthRows = []struct {
	name  string
	large bool
	page  int
	total bool
}{
	{name: "first page", page: 1},
	{name: "first page", large: true, page: 1},
	{name: "page 1,000", large: true, page: deepPage},
	{name: "first page, total", page: 1, total: true},
	{name: "first page, total", large: true, page: 1, total: true},
}

// measureGrowth compares a long list with a short list.
func (r *report) measureGrowth(ctx context.Context) (err error) {
	few, err := createGrowthDatabase(ctx, r.settings.database, fewDocuments)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.close(ctx)) }()
	many, err := createGrowthDatabase(ctx, r.settings.database, r.settings.large)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.close(ctx)) }()
	r.growth = &growthResult{documents: r.settings.large, connections: r.settings.connections[0]}
	return r.growth.runRound(ctx, few, many, r.settings)
}

func (g *growthResult) runRound(ctx context.Context, few, many *growthDatabase, s settings) error {
	for _, row := range growthRows {
		in := few
		if row.large {
			in = many
		}
		c, err := in.newCandidate(ctx, row.name, row.page, row.total)
		if err != nil {
			return fmt.Errorf("%s of %d: %w", row.name, in.documents, err)
		}
		g.rows = append(g.rows, c)
	}
	for round := range rounds {
		logProgress("growth, round %d of %d", round+1, rounds)
		for i := range g.rows {
			c := g.rows[(i+round)%len(g.rows)]
			runtime.GC()
			taken, err := c.sendLoad(ctx, g.connections, s.slice())
			if err != nil {
				return err
			}
			c.rounds = append(c.rounds, taken)
		}
	}
	return nil
}

// text returns the report on growth and its claims.
func (g *growthResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nGrowth: pages of 50 documents through GraphQL, of a workspace of %d and one of %d, each in a database of its own; %d connections;\nthe same rounds.\n\n",
		fewDocuments, g.documents, g.connections)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "page\tdocuments\trequests/s\tp50 ms\tp99 ms\tSQL statements\trelative time\t")
	for i, row := range growthRows {
		c, size, comparison := g.rows[i], fewDocuments, ""
		if row.large {
			size = g.documents
			comparison = fmt.Sprintf("%.2f of it with %d, claim at most %g: %s", g.slowdown(i, i-1), fewDocuments, growthClaim, formatVerdict(g.slowdown(i, i-1) <= growthClaim))
		}
		if row.page == deepPage {
			comparison = fmt.Sprintf("%.2f of the first, claim at most %g: %s", g.slowdown(i, i-1), deepPageClaim, formatVerdict(g.slowdown(i, i-1) <= deepPageClaim))
		}
		times := c.sortedTimes()
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%s\t%s\t%d\t%s\t\n", row.name, size, c.perSecond(),
			formatMilliseconds(percentile(times, 50)), formatMilliseconds(percentile(times, 99)), c.statements, comparison)
	}
	t.Flush() //nolint:errcheck // a builder takes everything
	return b.String()
}

// slowdown returns the ratio of the other row's rate to this row's.
func (g *growthResult) slowdown(row, other int) float64 { return g.rows[other].ratio(g.rows[row]) }

// growthDatabase is a gateway on a database of one workspace.
type growthDatabase struct {
	documents int
	database  *database
	gateway   *gateway
	pool      *pgxpool.Pool
	workspace *seededWorkspace
}

// createGrowthDatabase creates and fills a database.
func createGrowthDatabase(ctx context.Context, server string, documents int) (g *growthDatabase, err error) {
	g = &growthDatabase{documents: documents}
	if g.database, err = createDatabase(ctx, server); err != nil {
		return nil, err
	}
	if err := g.open(ctx); err != nil {
		return nil, errors.Join(err, g.close(ctx))
	}
	return g, nil
}

func (g *growthDatabase) open(ctx context.Context) (err error) {
	if g.gateway, err = openGateway(ctx, g.database.address); err != nil {
		return err
	}
	if g.pool, err = openPool(ctx, g.database.address); err != nil {
		return err
	}
	if g.workspace, err = g.gateway.createWorkspace(ctx, "Growth"); err != nil {
		return err
	}
	logProgress("seeding a workspace of %d documents", g.documents)
	return fillByRepetition(ctx, g.pool, g.workspace, g.documents)
}

func (g *growthDatabase) close(ctx context.Context) error {
	var err error
	if g.pool != nil {
		g.pool.Close()
	}
	if g.gateway != nil {
		err = g.gateway.close()
	}
	return errors.Join(err, g.database.drop(ctx))
}

// newCandidate returns a candidate for one page, after its content is verified against the rows.
func (g *growthDatabase) newCandidate(ctx context.Context, name string, page int, total bool) (*candidate, error) {
	after, err := g.gateway.cursorAfter(ctx, g.workspace, (page-1)*listSize)
	if err != nil {
		return nil, err
	}
	ask := shape{total: total}.graphQL(g.gateway.base, target{workspace: g.workspace, page: page, after: after})
	c, err := newCandidate(ctx, name, g.gateway.base, []request{ask})
	if err != nil {
		return nil, err
	}
	if c.statements, err = countStatements(ctx, g.gateway.handler, ask); err != nil {
		return nil, err
	}
	data, err := c.fetchData(ctx)
	if err != nil {
		return nil, err
	}
	found, err := parseList(data)
	if err != nil {
		return nil, err
	}
	return c, g.verifyPage(ctx, found, page, total)
}

// verifyPage returns an error unless a page equals the result of counting and skipping rows.
func (g *growthDatabase) verifyPage(ctx context.Context, found foundList, page int, total bool) error {
	query, err := g.pool.Query(ctx, "SELECT id FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
		g.workspace.workspaceID, listSize, (page-1)*listSize)
	if err != nil {
		return err
	}
	want, err := pgx.CollectRows(query, pgx.RowTo[string])
	if err != nil {
		return err
	}
	got := make([]string, len(found.Documents))
	for i, d := range found.Documents {
		got[i] = d.ID
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("page %d of %d documents is %v, want %v", page, g.documents, got, want)
	}
	if total && found.TotalCount != g.documents {
		return fmt.Errorf("the total of %d documents is %d", g.documents, found.TotalCount)
	}
	return nil
}

// foundList is a list as decodeBody returns it.
type foundList struct {
	Documents  []*documentBody `json:"documents"`
	TotalCount int             `json:"total_count"`
}

// parseList converts plain values to a list.
func parseList(data any) (list foundList, err error) {
	text, err := json.Marshal(data)
	if err != nil {
		return list, err
	}
	return list, json.Unmarshal(text, &list)
}
