package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
)

// rounds is how often every contender gets its slice of time.
const rounds = 5

// match is a comparison with those who take part in it, the hand-written handler first.
type match struct {
	comparison
	contenders []*contender
}

func (m *match) handWritten() *contender { return m.contenders[0] }

// compare plays all comparisons: equal answers first, then SQL statements, then load, a slice for each contender in turn, so that
// whatever else the machine does falls on all of them alike.
func compare(ctx context.Context, g *gateway, pool *pgxpool.Pool, places []*place, s settings) ([]*match, error) {
	base, stop, err := serve(ctx, handWritten{pool}.handler())
	if err != nil {
		return nil, err
	}
	defer stop() //nolint:errcheck // nothing is left to answer
	var matches []*match
	for _, c := range comparisons {
		m, err := newMatch(ctx, c, base, g.base, targets(places, c.shape.one, s.documents))
		if err != nil {
			return nil, err
		}
		if err := m.prove(ctx, g.handler); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		matches = append(matches, m)
	}
	for round := range rounds {
		progress("reads, round %d of %d", round+1, rounds)
		for _, m := range matches {
			if err := m.play(ctx, round, s); err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return matches, nil
}

func newMatch(ctx context.Context, c comparison, handWritten, gateway string, targets []target) (*match, error) {
	faces := []struct {
		name, base string
		request    func(base string, t target) request
	}{
		{"hand-written", handWritten, c.shape.handWritten}, {"GraphQL", gateway, c.shape.graphQL}, {"REST", gateway, c.shape.rest},
	}
	if !c.rest {
		faces = faces[:2]
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
		m.contenders = append(m.contenders, contender)
	}
	return m, nil
}

// prove checks that all contenders answer with the same data, and counts the gateway's SQL statements.
func (m *match) prove(ctx context.Context, gateway http.Handler) error {
	want, err := m.handWritten().data(ctx)
	if err != nil {
		return err
	}
	for _, c := range m.contenders[1:] {
		got, err := c.data(ctx)
		if err != nil {
			return err
		}
		if path, same := equal("", want, got); !same {
			return fmt.Errorf("%s answers with other data than the hand-written handler at %s", c.face, path)
		}
		if c.statements, err = count(ctx, gateway, c.requests[0]); err != nil {
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

// play gives each contender a slice; who begins changes from round to round. The first round is preceded by a short warm-up.
func (m *match) play(ctx context.Context, round int, s settings) error {
	for i := range m.contenders {
		c := m.contenders[(i+round)%len(m.contenders)]
		if round == 0 {
			if _, err := c.load(ctx, s.connections, s.slice()/5); err != nil {
				return err
			}
		}
		runtime.GC() // nobody pays for what another left behind
		taken, err := c.load(ctx, s.connections, s.slice())
		if err != nil {
			return err
		}
		c.rounds = append(c.rounds, taken)
	}
	return nil
}

func (s settings) slice() time.Duration { return time.Duration(s.seconds * float64(time.Second)) }
