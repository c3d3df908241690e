package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
)

// rounds is the number of load slices of each candidate.
const rounds = 5

// readComparison is a comparison at a number of connections and its candidates, the hand-written
// handler first.
type readComparison struct {
	comparison
	connections int
	candidates  []*candidate
}

func (m *readComparison) handWritten() *candidate { return m.candidates[0] }

// candidateNamed returns the candidate with the name, or nil.
func (m *readComparison) candidateNamed(name string) *candidate {
	for _, c := range m.candidates {
		if c.name == name {
			return c
		}
	}
	return nil
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

// compareReads runs all comparisons: equal responses first, then SQL statements, then load.
// Candidates get slices in alternation, so that other load on the machine affects all of them
// equally.
func compareReads(ctx context.Context, g *gateway, pool *pgxpool.Pool, tenants []*seededWorkspace,
	s settings) ([]*readComparison, error) {
	handler := handWritten{pool}.handler()
	base, stop, err := serveLoopback(ctx, handler)
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	var matches []*readComparison
	for _, c := range comparisons {
		targets, err := g.placeTargets(ctx, spreadTargets(tenants, c.shape.single, s.documents), c.shape)
		if err != nil {
			return nil, err
		}
		m, err := newReadComparison(ctx, c, base, g, targets)
		if err != nil {
			return nil, err
		}
		for _, found := range m.candidates {
			if found.handler == nil {
				found.handler = handler
			}
		}
		if err := m.verifyCandidates(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, n := range s.connections {
			matches = append(matches, m.withConnections(n))
		}
	}
	for round := range rounds {
		logProgress("reads, round %d of %d", round+1, rounds)
		for _, m := range matches {
			if err := m.runRound(ctx, round, s.slice()); err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return matches, nil
}

// The gateway's APIs.
const graphName, restName = "GraphQL", "REST"

// readAPI is a way to read that a comparison measures.
type readAPI struct {
	name, base string
	request    func(base string, t target) request
	handler    http.Handler // nil: the hand-written handler
}

func newReadComparison(ctx context.Context, c comparison, handWritten string, g *gateway,
	targets []target) (*readComparison, error) {
	apis := []readAPI{
		{"hand-written", handWritten, c.shape.handWritten, nil},
		{"JSON of Postgres", handWritten, c.shape.inDatabase, nil},
		{"wire bytes", handWritten, c.shape.onWire, nil}, {graphName, g.base, c.shape.graphQL, g.handler},
		{restName, g.base, c.shape.rest, g.handler},
	}
	switch {
	case c.shape.edges:
		apis = slices.DeleteFunc(apis, func(a readAPI) bool { return a.name != apis[0].name && a.name != graphName })
	case !c.rest:
		apis = apis[:len(apis)-1]
	}
	m := &readComparison{comparison: c}
	for _, api := range apis {
		requests := make([]request, len(targets))
		for i, t := range targets {
			requests[i] = api.request(api.base, t)
		}
		found, err := newCandidate(ctx, api.name, api.base, requests)
		if err != nil {
			return nil, err
		}
		found.handler = api.handler
		m.candidates = append(m.candidates, found)
	}
	return m, nil
}

// verifyCandidates returns an error unless all candidates respond with the same data. It counts the
// allocations of a request and the gateway's SQL statements.
func (m *readComparison) verifyCandidates(ctx context.Context) error {
	want, err := m.handWritten().fetchData(ctx)
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

// processTime returns the CPU time that this process has used: the server and the load generator.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// runRound gives each candidate a slice; the order changes from round to round. A short warm-up
// precedes the first round.
func (m *readComparison) runRound(ctx context.Context, round int, slice time.Duration) error {
	for i := range m.candidates {
		c := m.candidates[(i+round)%len(m.candidates)]
		if round == 0 {
			if _, err := c.sendLoad(ctx, m.connections, slice/5); err != nil {
				return err
			}
		}
		runtime.GC() // no candidate pays for another's garbage
		taken, err := c.sendLoad(ctx, m.connections, slice)
		if err != nil {
			return err
		}
		c.rounds = append(c.rounds, taken)
	}
	return nil
}
