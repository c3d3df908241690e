package fetch

import (
	"context"
	"sync"
	"time"
)

// hostLimiter limits the concurrent requests to each host and the interval between their starts.
type hostLimiter struct {
	perHost int
	pause   time.Duration
	mu      sync.Mutex
	byHost  map[string]*hostSlots
}

type hostSlots struct {
	slots       chan struct{}
	users       int           // requests that wait or run
	expected    int           // jobs that Snooze let run but that have not begun their request
	expectedAt  time.Time     // when the last of them was let run
	held        time.Duration // how long its latest requests took, about; 0 before the first one ended
	nextStart   time.Time     // the earliest start of the next request
	nextSnoozed time.Time     // when the next snoozed job may run
}

const (
	// snoozeSteps is the number of pauses until a job is due that finds its host busy again. With
	// fewer, each try costs a transaction and delays the jobs of other hosts.
	snoozeSteps = 5
	// expectedTime is after how long a job that Snooze let run no longer counts, if it sent no
	// request.
	expectedTime = 30 * time.Second
	// startWindow is how long a job may wait for its start with its worker: longer than between two
	// polls of a queue, which find all jobs at once that became due since the last one.
	startWindow = 600 * time.Millisecond
	// maxWaiting is the number of workers that one host may make wait.
	maxWaiting = 4
)

// maxIdleHosts is the number of hosts above which idle ones are removed.
const maxIdleHosts = 1024

func newHostLimiter(perHost int, pause time.Duration) *hostLimiter {
	return &hostLimiter{perHost: perHost, pause: pause, byHost: map[string]*hostSlots{}}
}

// acquire blocks until the host's limits allow a request; release frees its slot. It returns the
// context's error if ctx ends first.
func (h *hostLimiter) acquire(ctx context.Context, host string) (release func(), err error) {
	g := h.joinHost(host)
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		h.leaveHost(g)
		return nil, ctx.Err()
	}
	pause := h.reserveStart(g)
	started := time.Now().Add(max(pause, 0))
	release = func() { <-g.slots; h.measure(g, time.Since(started)); h.leaveHost(g) }
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

func (h *hostLimiter) joinHost(host string) *hostSlots {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := h.slotsOf(host)
	g.users++
	g.expected = max(g.expected-1, 0)
	return g
}

// slotsOf returns the slots of a host and creates them if necessary; the caller holds the lock.
func (h *hostLimiter) slotsOf(host string) *hostSlots {
	if len(h.byHost) >= maxIdleHosts {
		h.deleteIdle()
	}
	g := h.byHost[host]
	if g == nil {
		g = &hostSlots{slots: make(chan struct{}, h.perHost)}
		h.byHost[host] = g
	}
	return g
}

func (h *hostLimiter) deleteIdle() {
	now := time.Now()
	for host, g := range h.byHost {
		if g.users == 0 && now.Sub(g.expectedAt) > expectedTime && now.After(g.nextStart) && now.After(g.nextSnoozed) {
			delete(h.byHost, host)
		}
	}
}

// snoozeTime returns how long to postpone a job: 0 if the host has a free slot soon, otherwise the
// time until the job's reserved start. Reserved starts are one pause apart. A job that was snoozed
// before takes a free slot at once, or is snoozed until the next reserved start and for snoozeSteps
// pauses at least. A job that may run takes its slot here, because many may ask before the first
// sends its request.
func (h *hostLimiter) snoozeTime(host string, again bool) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	g, now := h.slotsOf(host), time.Now()
	if now.Sub(g.expectedAt) > expectedTime {
		g.expected = 0
	}
	free := g.users+g.expected < h.perHost+h.waiting(g)
	place, step := now, h.pause
	if g.nextSnoozed.After(now) {
		place = g.nextSnoozed
	}
	if !free || !again {
		g.nextSnoozed = place.Add(h.pause)
	}
	if again {
		step *= snoozeSteps
	}
	if free && (again || place.Sub(now) <= h.pause) {
		g.expected, g.expectedAt = g.expected+1, now
		return 0
	}
	return max(place.Sub(now), step)
}

// waiting returns how many jobs beyond the slots can start within startWindow; the caller holds the
// lock.
func (h *hostLimiter) waiting(g *hostSlots) int {
	if g.held == 0 {
		return 0
	}
	return int(min(startWindow/max(h.pause, g.held/time.Duration(h.perHost)), maxWaiting))
}

// measure notes how long a request took.
func (h *hostLimiter) measure(g *hostSlots, took time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if took = max(took, 1); g.held == 0 {
		g.held = took
	}
	g.held = (3*g.held + took) / 4
}

func (h *hostLimiter) leaveHost(g *hostSlots) {
	h.mu.Lock()
	g.users--
	h.mu.Unlock()
}

// reserveStart reserves the next start of a request and returns the time until then.
func (h *hostLimiter) reserveStart(g *hostSlots) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	start := time.Now()
	if g.nextStart.After(start) {
		start = g.nextStart
	}
	g.nextStart = start.Add(h.pause)
	return time.Until(start)
}
