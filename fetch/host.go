package fetch

import (
	"context"
	"sync"
	"time"
)

// hosts gives each host its turns: so many at once, and a pause between two starts.
type hosts struct {
	perHost int
	pause   time.Duration
	mu      sync.Mutex
	gates   map[string]*gate
}

type gate struct {
	turns chan struct{}
	users int       // those that wait for a turn or have one
	next  time.Time // the earliest next start
	line  time.Time // when the next of those who stand back comes
}

// sweepAt is how many hosts are remembered before idle ones are forgotten.
const sweepAt = 1024

func newHosts(perHost int, pause time.Duration) *hosts {
	return &hosts{perHost: perHost, pause: pause, gates: map[string]*gate{}}
}

// acquire waits for the host's turn; release gives it back.
func (h *hosts) acquire(ctx context.Context, host string) (release func(), err error) {
	g := h.enter(host)
	select {
	case g.turns <- struct{}{}:
	case <-ctx.Done():
		h.leave(g)
		return nil, ctx.Err()
	}
	release = func() { <-g.turns; h.leave(g) }
	pause := h.wait(g)
	if pause <= 0 {
		return release, nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

func (h *hosts) enter(host string) *gate {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := h.gate(host)
	g.users++
	return g
}

// gate finds the host's, or makes it; under the lock.
func (h *hosts) gate(host string) *gate {
	if len(h.gates) >= sweepAt {
		h.sweep()
	}
	g := h.gates[host]
	if g == nil {
		g = &gate{turns: make(chan struct{}, h.perHost)}
		h.gates[host] = g
	}
	return g
}

func (h *hosts) sweep() {
	now := time.Now()
	for host, g := range h.gates {
		if g.users == 0 && now.After(g.next) && now.After(g.line) {
			delete(h.gates, host)
		}
	}
}

// standBack says how long somebody who could wait elsewhere does so: not at all when the host has a turn soon, else until his place in the
// line of those who stand back. Each has a place of his own there, a pause behind the one before. Who comes from the line takes a turn that
// is free, and stands at its end again when none is.
func (h *hosts) standBack(host string, again bool) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	g, now := h.gate(host), time.Now()
	free := g.users < h.perHost
	if free && again {
		return 0
	}
	place := now
	if g.line.After(now) {
		place = g.line
	}
	g.line = place.Add(h.pause)
	if free && place.Sub(now) <= h.pause {
		return 0
	}
	return max(place.Sub(now), h.pause)
}

func (h *hosts) leave(g *gate) {
	h.mu.Lock()
	g.users--
	h.mu.Unlock()
}

// wait books the next start of the host and says how long it is until then.
func (h *hosts) wait(g *gate) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	start := time.Now()
	if g.next.After(start) {
		start = g.next
	}
	g.next = start.Add(h.pause)
	return time.Until(start)
}
