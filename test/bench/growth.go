package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/app"
	"rostrum/graph/policy"
)

const (
	sumsTimeout = 20 * time.Minute
	fewChanges  = 1000 // that the gateway leaves as they are, and rows that are not removed yet
)

// growthResult is the time of the same responses in workspaces of different sizes, each alone in
// its database.
type growthResult struct {
	documents   int // in the large workspace
	connections int
	rows        []*candidate // in the order of growthRows
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
		c, err := in.newCandidate(ctx, row)
		if isRefusal(err) {
			c, err = &candidate{name: row.name}, nil
		}
		if err != nil {
			return fmt.Errorf("%s of %d: %w", row.name, in.documents, err)
		}
		g.rows = append(g.rows, c)
	}
	for round := range rounds {
		logProgress("growth, round %d of %d", round+1, rounds)
		for i := range g.rows {
			place := (i + round) % len(g.rows)
			c, connections := g.rows[place], g.connections
			if growthRows[place].isFacets() {
				connections = 1
			}
			if c.payloads == nil {
				continue
			}
			runtime.GC()
			taken, err := c.sendLoad(ctx, connections, s.slice())
			if isRefusal(err) {
				*c = candidate{name: c.name}
				continue
			}
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
	fmt.Fprintf(&b, "\nGrowth: lists of 50 documents, searches and facets, of a workspace of %d documents and one of %d, each in a database of its own;\n"+
		"%d connections, for facets one; through GraphQL by cursors, and over REST by page numbers with auto-tags and total; the same rounds.\n\n",
		fewDocuments, g.documents, g.connections)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "response\tdocuments\trequests/s\tp50 ms\tp99 ms\tSQL statements\trelative time\t")
	for i, row := range growthRows {
		c, size, comparison := g.rows[i], fewDocuments, ""
		if row.large {
			size = g.documents
		}
		if row.claim > 0 {
			comparison = row.verdict(g.rows[i-1], c)
		}
		times := c.sortedTimes()
		if limit := (policy.Limits{}).WithDefaults().Query; percentile(times, 50) > limit {
			comparison += fmt.Sprintf("; over the default limit of a query, %s", limit)
		}
		fmt.Fprintf(t, "%s\t%d\t%.1f\t%s\t%s\t%d\t%s\t\n", row.name, size, c.perSecond(),
			formatMilliseconds(percentile(times, 50)), formatMilliseconds(percentile(times, 99)), c.statements,
			comparison)
	}
	t.Flush() //nolint:errcheck // a builder takes everything
	return b.String()
}

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
	if g.gateway, err = openGatewayWith(ctx, app.Config{Database: g.database.address,
		QueryTime: growthQueryTime}); err != nil {
		return err
	}
	if g.pool, err = openPool(ctx, g.database.address); err != nil {
		return err
	}
	if g.workspace, err = g.gateway.createWorkspace(ctx, "Growth"); err != nil {
		return err
	}
	logProgress("seeding a workspace of %d documents", g.documents)
	if err := fillByRepetition(ctx, g.pool, g.workspace, g.documents); err != nil {
		return err
	}
	return g.awaitSums(ctx)
}

// awaitSums waits until the gateway has added up the changes that the documents made in the counts
// of facets, as it does every 15 s, and until they are removed from the table, as the server does
// once a minute unless a long transaction may still read them. Without INDEX_CLEANUP the server may
// leave the entries of changes on few pages for good, and ANALYZE counts them.
func (g *growthDatabase) awaitSums(ctx context.Context) error {
	return pollDatabase(ctx, sumsTimeout, func(ctx context.Context) (bool, error) {
		if _, err := g.pool.Exec(ctx, "VACUUM (ANALYZE, INDEX_CLEANUP ON) document_facet"); err != nil {
			return false, fmt.Errorf("remove the changes of facets: %w", err)
		}
		var changes int
		const query = `SELECT (SELECT count(*) FROM document_facet_change) + coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE relname LIKE 'document_facet_%'`
		if err := g.pool.QueryRow(ctx, query).Scan(&changes); err != nil {
			return false, fmt.Errorf("wait for the sums of facets: %w", err)
		}
		return changes < fewChanges, nil
	})
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
