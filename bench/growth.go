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

// What is asked of a long list: how much longer a page takes than the same one of a short list, and a page far in than the first.
const (
	fewDocuments = 10_000
	farPage      = 1000
	growthClaim  = 1.3
	farClaim     = 2.0
)

// growth is what a page of 50 documents takes in workspaces of different sizes, each alone in a database of its own.
type growth struct {
	documents   int // of the large one
	connections int
	rows        []*contender // in the order of growthRows
}

// growthRows are the pages that are asked for, through GraphQL.
var growthRows = []struct {
	name  string
	large bool
	page  int
	total bool
}{
	{name: "first page", page: 1},
	{name: "first page", large: true, page: 1},
	{name: "page 1,000", large: true, page: farPage},
	{name: "first page, total", page: 1, total: true},
	{name: "first page, total", large: true, page: 1, total: true},
}

// onGrowth compares a long list with a short one.
func (r *report) onGrowth(ctx context.Context) (err error) {
	few, err := grow(ctx, r.settings.database, fewDocuments)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.close(ctx)) }()
	many, err := grow(ctx, r.settings.database, r.settings.large)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.close(ctx)) }()
	r.growth = &growth{documents: r.settings.large, connections: r.settings.connections[0]}
	return r.growth.play(ctx, few, many, r.settings)
}

func (g *growth) play(ctx context.Context, few, many *grown, s settings) error {
	for _, row := range growthRows {
		in := few
		if row.large {
			in = many
		}
		c, err := in.contender(ctx, row.name, row.page, row.total)
		if err != nil {
			return fmt.Errorf("%s of %d: %w", row.name, in.documents, err)
		}
		g.rows = append(g.rows, c)
	}
	for round := range rounds {
		progress("growth, round %d of %d", round+1, rounds)
		for i := range g.rows {
			c := g.rows[(i+round)%len(g.rows)]
			runtime.GC()
			taken, err := c.load(ctx, g.connections, s.slice())
			if err != nil {
				return err
			}
			c.rounds = append(c.rounds, taken)
		}
	}
	return nil
}

// text tells what was measured, and how it stands to what is asked.
func (g *growth) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nGrowth: pages of 50 documents through GraphQL, of a workspace of %d and one of %d, each in a database of its own; %d connections;\nthe same rounds.\n\n",
		fewDocuments, g.documents, g.connections)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "page\tdocuments\trequests/s\tp50 ms\tp99 ms\tSQL statements\ttakes as long\t")
	for i, row := range growthRows {
		c, size, beside := g.rows[i], fewDocuments, ""
		if row.large {
			size = g.documents
			beside = fmt.Sprintf("%.2f of it with %d, asked at most %g: %s", g.longer(i, i-1), fewDocuments, growthClaim, verdict(g.longer(i, i-1) <= growthClaim))
		}
		if row.page == farPage {
			beside = fmt.Sprintf("%.2f of the first, asked at most %g: %s", g.longer(i, i-1), farClaim, verdict(g.longer(i, i-1) <= farClaim))
		}
		times := c.times()
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%s\t%s\t%d\t%s\t\n", row.name, size, c.perSecond(),
			milliseconds(percentile(times, 50)), milliseconds(percentile(times, 99)), c.statements, beside)
	}
	t.Flush() //nolint:errcheck // a builder takes everything
	return b.String()
}

// longer is how much longer one row takes than another: the ratio of the rates, the other's to its own.
func (g *growth) longer(row, other int) float64 { return g.rows[other].ratio(g.rows[row]) }

// grown is a gateway on a database of one workspace.
type grown struct {
	documents int
	database  *database
	gateway   *gateway
	pool      *pgxpool.Pool
	place     *place
}

// grow makes a database and fills it.
func grow(ctx context.Context, server string, documents int) (g *grown, err error) {
	g = &grown{documents: documents}
	if g.database, err = createDatabase(ctx, server); err != nil {
		return nil, err
	}
	if err := g.open(ctx); err != nil {
		return nil, errors.Join(err, g.close(ctx))
	}
	return g, nil
}

func (g *grown) open(ctx context.Context) (err error) {
	if g.gateway, err = openGateway(ctx, g.database.address); err != nil {
		return err
	}
	if g.pool, err = openPool(ctx, g.database.address); err != nil {
		return err
	}
	if g.place, err = g.gateway.place(ctx, "Growth"); err != nil {
		return err
	}
	progress("seeding a workspace of %d documents", g.documents)
	return multiply(ctx, g.pool, g.place, g.documents)
}

func (g *grown) close(ctx context.Context) error {
	var err error
	if g.pool != nil {
		g.pool.Close()
	}
	if g.gateway != nil {
		err = g.gateway.close()
	}
	return errors.Join(err, g.database.drop(ctx))
}

// contender asks for one page, which is first held to what the rows themselves say.
func (g *grown) contender(ctx context.Context, name string, page int, total bool) (*contender, error) {
	ask := shape{total: total}.graphQL(g.gateway.base, target{place: g.place, page: page})
	c, err := newContender(ctx, name, g.gateway.base, []request{ask})
	if err != nil {
		return nil, err
	}
	if c.statements, err = count(ctx, g.gateway.handler, ask); err != nil {
		return nil, err
	}
	data, err := c.data(ctx)
	if err != nil {
		return nil, err
	}
	found, err := listed(data)
	if err != nil {
		return nil, err
	}
	return c, g.prove(ctx, found, page, total)
}

// prove compares a page with what counting and skipping rows gives.
func (g *grown) prove(ctx context.Context, found listBody, page int, total bool) error {
	query, err := g.pool.Query(ctx, "SELECT id FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
		g.place.workspaceID, rows, (page-1)*rows)
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
		return fmt.Errorf("page %d of %d documents holds %v, not %v", page, g.documents, got, want)
	}
	if total && (found.Pagination == nil || found.Pagination.TotalCount != g.documents) {
		return fmt.Errorf("the total of %d documents is given as %+v", g.documents, found.Pagination)
	}
	return nil
}

// listed reads plain values as the body of a list.
func listed(data any) (list listBody, err error) {
	text, err := json.Marshal(data)
	if err != nil {
		return list, err
	}
	return list, json.Unmarshal(text, &list)
}
