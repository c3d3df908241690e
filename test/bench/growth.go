package main

import (
	"context"
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
	settings settings
	rows     []*candidate // in the order of growthRows
}

// measureGrowth compares a long list with a short list.
func measureGrowth(ctx context.Context, s settings) (out result, err error) {
	g := &growthResult{settings: s}
	err = withGrowthDatabase(ctx, s.database, fewDocuments, func(few *growthDatabase) error {
		return withGrowthDatabase(ctx, s.database, s.large, func(many *growthDatabase) error {
			return g.runRounds(ctx, few, many)
		})
	})
	if err != nil {
		return out, err
	}
	p, err := g.plot()
	return result{g.text(), []plot{p}}, err
}

func (g *growthResult) runRounds(ctx context.Context, few, many *growthDatabase) error {
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
	for round := range g.settings.rounds() {
		logProgress("growth, round %d of %d", round+1, g.settings.rounds())
		for i := range g.rows {
			place := (i + round) % len(g.rows)
			c, connections := g.rows[place], g.settings.connections[0]
			if growthRows[place].isFacets() {
				connections = 1
			}
			if c.requests == nil {
				continue
			}
			runtime.GC()
			_, err := c.measure(ctx, connections, g.settings.slice())
			if isRefusal(err) {
				*c = candidate{name: c.name}
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// text returns the report on growth and its claims.
func (g *growthResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Growth: lists of 50 documents, searches and facets, of a workspace of %d documents and one of %d, each in a database of its own;\n"+
		"%d connections, for facets one; through GraphQL by cursors, and over REST by page numbers with auto-tags and total; the same rounds.\n\n",
		fewDocuments, g.settings.large, g.settings.connections[0])
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "response\tdocuments\trequests/s\tp50 ms\tp99 ms\tSQL statements\trelative time\t")
	for i, row := range growthRows {
		c, comparison := g.rows[i], ""
		if row.claim > 0 {
			comparison = row.verdict(g.rows[i-1], c)
		}
		if limit := (policy.Limits{}).WithDefaults().Query; quantile(c.times, 0.5) > limit {
			comparison += fmt.Sprintf("; over the default limit of a query, %s", limit)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%s\t\n", row.name, g.size(row), c.cells(), c.statements, comparison)
	}
	t.Flush()
	return b.String()
}

// size returns the number of documents of a row's workspace.
func (g *growthResult) size(row growthRow) int {
	if row.large {
		return g.settings.large
	}
	return fewDocuments
}

// growthDatabase is a gateway on a database of one workspace.
type growthDatabase struct {
	documents int
	gateway   *gateway
	pool      *pgxpool.Pool
	workspace *seededWorkspace
}

// withGrowthDatabase fills a temporary database and runs a gateway on it.
func withGrowthDatabase(ctx context.Context, server string, documents int, use func(*growthDatabase) error) error {
	return withDatabase(ctx, server, func(address string) error {
		config := app.Config{Database: address, QueryTime: growthQueryTime}
		return withGateway(ctx, config, func(gate *gateway) (err error) {
			g := &growthDatabase{documents: documents, gateway: gate}
			if g.pool, err = openPool(ctx, address); err != nil {
				return err
			}
			defer g.pool.Close()
			if g.workspace, err = gate.createWorkspace(ctx, "Growth"); err != nil {
				return err
			}
			logProgress("seeding a workspace of %d documents", documents)
			if err := fillByRepetition(ctx, gate, g.pool, g.workspace, documents); err != nil {
				return err
			}
			if err := g.awaitSums(ctx); err != nil {
				return err
			}
			return use(g)
		})
	})
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
