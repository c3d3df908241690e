package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
)

// The candidates of the reads.
const handName, graphName, restName = "hand-written", "GraphQL", "REST"

// reads is the comparison of all shapes.
type reads struct {
	settings settings
	matches  []*readComparison
}

// readComparison is a comparison at a number of connections and its candidates, the hand-written
// handler first.
type readComparison struct {
	comparison
	connections int
	candidates  []*candidate
}

// withConnections returns the same comparison without results, at another number of connections.
func (m *readComparison) withConnections(connections int) *readComparison {
	other := &readComparison{comparison: m.comparison, connections: connections}
	for _, c := range m.candidates {
		same := *c
		other.candidates = append(other.candidates, &same)
	}
	return other
}

// measureReads seeds workspaces and compares the reads of a gateway on them.
func measureReads(ctx context.Context, s settings) (out result, err error) {
	r := &reads{settings: s}
	err = onPostgres(ctx, s.database, func(g *gateway, address string) error {
		pool, err := openPool(ctx, address)
		if err != nil {
			return err
		}
		defer pool.Close()
		tenants, err := g.createTenants(ctx)
		if err != nil {
			return err
		}
		if err := seedWorkspaces(ctx, pool, tenants, s.documents); err != nil {
			return err
		}
		return r.compare(ctx, g, pool, tenants)
	})
	if err != nil {
		return out, err
	}
	for _, n := range s.connections {
		p, err := r.plot(n)
		if err != nil {
			return out, err
		}
		out.plots = append(out.plots, p)
	}
	out.text = r.text()
	return out, nil
}

// compare runs all comparisons: equal responses first, then SQL statements, then load. Candidates
// get slices in alternation, so that other load on the machine affects all of them equally.
func (r *reads) compare(ctx context.Context, g *gateway, pool *pgxpool.Pool, tenants []*seededWorkspace) error {
	handler := handWritten{pool}.handler()
	base, stop, err := serveLoopback(ctx, handler)
	if err != nil {
		return err
	}
	defer stop() // nothing is left to answer
	for _, c := range comparisons {
		targets, err := g.placeTargets(ctx, spreadTargets(tenants, c.shape.single, r.settings.documents), c.shape)
		if err != nil {
			return err
		}
		m := &readComparison{comparison: c}
		add := func(name, base string, handler http.Handler, request func(base string, t target) request) {
			m.candidates = append(m.candidates, requestAll(name, base, handler, targets, request))
		}
		add(handName, base, handler, c.shape.handWritten)
		add(graphName, g.base, g.handler, c.shape.graphQL)
		if c.rest {
			add(restName, g.base, g.handler, c.shape.rest)
		}
		if err := m.verifyCandidates(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for _, n := range r.settings.connections {
			r.matches = append(r.matches, m.withConnections(n))
		}
	}
	for round := range r.settings.rounds() {
		logProgress("reads, round %d of %d", round+1, r.settings.rounds())
		for _, m := range r.matches {
			if err := m.runRound(ctx, round, r.settings.slice()); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return nil
}

// requestAll returns a candidate that requests all targets of a server.
func requestAll(name, base string, handler http.Handler, targets []target,
	ask func(base string, t target) request) *candidate {
	requests := make([]request, len(targets))
	for i, t := range targets {
		requests[i] = ask(base, t)
	}
	return &candidate{name: name, requests: requests, handler: handler}
}

// verifyCandidates returns an error unless all candidates respond with the same data. It counts the
// allocations of a request and the gateway's SQL statements.
func (m *readComparison) verifyCandidates(ctx context.Context) error {
	want, err := m.candidates[0].fetchData(ctx)
	if err != nil {
		return err
	}
	for _, c := range m.candidates {
		got, err := c.fetchData(ctx)
		if err != nil {
			return err
		}
		if path, same := compareValues("", want, got); !same {
			return fmt.Errorf("%s and the hand-written handler return different data at %s", c.name, path)
		}
		if c.statements, err = countStatements(ctx, c.handler, c.requests[0]); err != nil {
			return err
		}
		if c.allocations, err = countAllocations(ctx, c.handler, c.requests[0]); err != nil {
			return err
		}
	}
	return nil
}

// countStatements returns the SQL statements of a request in this process. The request runs twice;
// the first run caches its key.
func countStatements(ctx context.Context, handler http.Handler, r request) (int64, error) {
	var statements int64
	for range 2 {
		counted, n := dbx.WithCounter(ctx)
		req, err := r.http(counted)
		if err != nil {
			return 0, err
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, req)
		if err := checkResponse(answer.Code, answer.Body.Bytes(), r.documents); err != nil {
			return 0, err
		}
		statements = n.Load()
	}
	return statements, nil
}

// countAllocations returns the mean number of allocations of a request in this process; concurrent
// work affects all candidates equally.
func countAllocations(ctx context.Context, handler http.Handler, r request) (int64, error) {
	const times = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if _, err := countStatements(ctx, handler, r); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs-before.Mallocs) / (2 * times), nil // countStatements sends it twice
}

// runRound gives each candidate a slice; the order changes from round to round. A short warm-up
// precedes the first round.
func (m *readComparison) runRound(ctx context.Context, round int, slice time.Duration) error {
	for i := range m.candidates {
		c := m.candidates[(i+round)%len(m.candidates)]
		if round == 0 {
			if err := c.warmUp(ctx, m.connections, slice/5); err != nil {
				return err
			}
		}
		runtime.GC() // no candidate pays for another's garbage
		if _, err := c.measure(ctx, m.connections, slice); err != nil {
			return err
		}
	}
	return nil
}

// text returns the tables of the reads.
func (r *reads) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Reads: Postgres with %d workspaces of %d documents; %s connections over loopback from the same process;\n"+
		"%d rounds of %g s for each row, interleaved; rates and ratios are medians of the rounds.\n",
		workspaceCount, r.settings.documents, &r.settings.connections, r.settings.rounds(), r.settings.seconds)
	for _, n := range r.settings.connections {
		fmt.Fprintf(&b, "\n%d connections\n", n)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "answer\tAPI\trequests/s\tp50 ms\tp99 ms\tof hand-written\tCPU ms of 1,000\tallocations\tSQL statements\tclaim for the rate\t")
		for _, m := range r.matches {
			if m.connections == n {
				m.writeRows(t)
			}
		}
		t.Flush()
	}
	return b.String()
}

func (m *readComparison) writeRows(t *tabwriter.Writer) {
	for i, c := range m.candidates {
		name, ratio, statements := m.name, "", ""
		if i > 0 {
			name, ratio = "", formatRatio(ratiosOf(c.rates, m.candidates[0].rates))
		}
		if c.statements > 0 {
			statements = fmt.Sprintf("%d, claim at most %d: %s", c.statements, m.shape.statements(),
				formatVerdict(c.statements <= m.shape.statements()))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.0f\t%d\t%s\t%s\t\n", name, c.name, c.cells(), ratio, median(c.used),
			c.allocations, statements, m.rateVerdict(c))
	}
}

// rateVerdict compares a candidate's rate with its claim; it returns "" without a claim.
func (m *readComparison) rateVerdict(c *candidate) string {
	switch {
	case c.name == graphName && m.minRatio > 0:
		return fmt.Sprintf("at least %g: %s", m.minRatio,
			formatVerdict(median(ratiosOf(c.rates, m.candidates[0].rates)) >= m.minRatio))
	case c.name == restName:
		ratios := ratiosOf(c.rates, m.candidates[1].rates)
		return fmt.Sprintf("%s of GraphQL, at least %g: %s", formatRatio(ratios), restClaim,
			formatVerdict(median(ratios) >= restClaim))
	}
	return ""
}
