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
	if len(h.gates) >= sweepAt {
		h.sweep()
	}
	g := h.gates[host]
	if g == nil {
		g = &gate{turns: make(chan struct{}, h.perHost)}
		h.gates[host] = g
	}
	g.users++
	return g
}

func (h *hosts) sweep() {
	for host, g := range h.gates {
		if g.users == 0 && time.Now().After(g.next) {
			delete(h.gates, host)
		}
	}
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
