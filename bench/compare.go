package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
)

// rounds is how often every contender gets its slice of time.
const rounds = 5

// match is a comparison at so many connections with those who take part in it, the hand-written handler first.
type match struct {
	comparison
	connections int
	contenders  []*contender
}

func (m *match) handWritten() *contender { return m.contenders[0] }

// named is who takes part under the name of a face; nil when nobody does.
func (m *match) named(face string) *contender {
	for _, c := range m.contenders {
		if c.face == face {
			return c
		}
	}
	return nil
}

// at is the same match, as yet unplayed, at another number of connections.
func (m *match) at(connections int) *match {
	other := &match{comparison: m.comparison, connections: connections}
	for _, c := range m.contenders {
		same := *c
		other.contenders = append(other.contenders, &same)
	}
	return other
}

// compare plays all comparisons: equal answers first, then SQL statements, then load, a slice for each contender in turn, so that
// whatever else the machine does falls on all of them alike.
func compare(ctx context.Context, g *gateway, pool *pgxpool.Pool, places []*place, s settings) ([]*match, error) {
	handler := handWritten{pool}.handler()
	base, stop, err := serve(ctx, handler)
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	var matches []*match
	for _, c := range comparisons {
		m, err := newMatch(ctx, c, base, g, targets(places, c.shape.one, s.documents))
		if err != nil {
			return nil, err
		}
		for _, contender := range m.contenders {
			if contender.handler == nil {
				contender.handler = handler
			}
		}
		if err := m.prove(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, n := range s.connections {
			matches = append(matches, m.at(n))
		}
	}
	for round := range rounds {
		progress("reads, round %d of %d", round+1, rounds)
		for _, m := range matches {
			if err := m.play(ctx, round, s.slice()); err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return matches, nil
}

// The gateway's faces.
const graphFace, restFace = "GraphQL", "REST"

func newMatch(ctx context.Context, c comparison, handWritten string, g *gateway, targets []target) (*match, error) {
	faces := []struct {
		name, base string
		request    func(base string, t target) request
		handler    http.Handler // nil: the hand-written one
	}{
		{"hand-written", handWritten, c.shape.handWritten, nil}, {"JSON of Postgres", handWritten, c.shape.inDatabase, nil},
		{"wire bytes", handWritten, c.shape.onWire, nil}, {graphFace, g.base, c.shape.graphQL, g.handler}, {restFace, g.base, c.shape.rest, g.handler},
	}
	if !c.rest {
		faces = faces[:len(faces)-1]
	}
	m := &match{comparison: c}
	for _, face := range faces {
		requests := make([]request, len(targets))
		for i, t := range targets {
			requests[i] = face.request(face.base, t)
		}
		contender, err := newContender(ctx, face.name, face.base, requests)
		if err != nil {
			return nil, err
		}
		contender.handler = face.handler
		m.contenders = append(m.contenders, contender)
	}
	return m, nil
}

// prove checks that all contenders answer with the same data, and counts what one request allocates and the gateway's SQL statements.
func (m *match) prove(ctx context.Context) error {
	want, err := m.handWritten().data(ctx)
	if err != nil {
		return err
	}
	for _, c := range m.contenders {
		got, err := c.data(ctx)
		if err != nil {
			return err
		}
		if path, same := equal("", want, got); !same {
			return fmt.Errorf("%s answers with other data than the hand-written handler at %s", c.face, path)
		}
		if c.statements, err = count(ctx, c.handler, c.requests[0]); err != nil {
			return err
		}
		if c.allocations, err = allocated(ctx, c.handler, c.requests[0]); err != nil {
			return err
		}
	}
	return nil
}

// count runs a request inside the process, once so that its key is known, and once to count its statements.
func count(ctx context.Context, handler http.Handler, r request) (int64, error) {
	var statements int64
	for range 2 {
		counted, n := dbx.WithCounter(ctx)
		req, err := r.http(counted)
		if err != nil {
			return 0, err
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, req)
		if err := check(answer.Code, answer.Body.Bytes(), r.documents); err != nil {
			return 0, err
		}
		statements = n.Load()
	}
	return statements, nil
}

// allocated is the mean number of allocations of a request inside the process; what runs beside it falls on all alike.
func allocated(ctx context.Context, handler http.Handler, r request) (int64, error) {
	const times = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if _, err := count(ctx, handler, r); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs-before.Mallocs) / (2 * times), nil // count sends it twice
}

// processTime is the processor's time that this process has used: the server's and the load generator's.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// play gives each contender a slice; who begins changes from round to round. The first round is preceded by a short warm-up.
func (m *match) play(ctx context.Context, round int, slice time.Duration) error {
	for i := range m.contenders {
		c := m.contenders[(i+round)%len(m.contenders)]
		if round == 0 {
			if _, err := c.load(ctx, m.connections, slice/5); err != nil {
				return err
			}
		}
		runtime.GC() // nobody pays for what another left behind
		taken, err := c.load(ctx, m.connections, slice)
		if err != nil {
			return err
		}
		c.rounds = append(c.rounds, taken)
	}
	return nil
}
