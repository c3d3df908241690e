package webhook

import (
	"context"
	"sync"
	"time"
)

const (
	// atOnce is how many deliveries to one webhook run at once in a process, and atFirst how many begin: another joins them when none
	// has ended for the time of hurry, so that a quick receiver is not met with more connections than it needs.
	atOnce  = 32
	atFirst = 2
	hurry   = 50 * time.Millisecond
	// patience is for how long a delivery may expect to hold a worker while it waits for one of those to end, and for how long none
	// may have ended; the others wait in the database.
	patience = 250 * time.Millisecond
	// share is how many workers one webhook's deliveries may hold although they expect a longer wait, as long as some end: to put one
	// back into the database and to take it out again costs more than it. longest bounds that wait, so that SendTime is left of workTime.
	share   = 2 * atOnce
	longest = 5 * time.Second
)

// gates keep one webhook's deliveries from taking the workers of all.
type gates struct {
	mu  sync.Mutex
	all map[string]*gate
}

// gate is one webhook's.
type gate struct {
	slots chan struct{}
	held  int           // slots that nobody may take yet
	users int           // those that run or wait
	moved time.Time     // when a slot was last given back
	grown time.Time     // when one was last added
	pace  time.Duration // about the time between two that are given back
	ended int           // how many were since the last look
}

func newGate() *gate {
	own := &gate{slots: make(chan struct{}, atOnce), held: atOnce - atFirst, moved: time.Now(), grown: time.Now(), pace: hurry / 4}
	for range own.held {
		own.slots <- struct{}{}
	}
	return own
}

// enter takes one of the webhook's slots; leave gives it back. It is refused where none becomes free soon.
func (g *gates) enter(ctx context.Context, id string) (leave func(), ok bool) {
	own, wait := g.join(id)
	leave = func() { <-own.slots; g.left(id, own, true) }
	select {
	case own.slots <- struct{}{}:
		return leave, true
	default:
	}
	for end := time.Now().Add(longest); wait && time.Now().Before(end) && ctx.Err() == nil; {
		timer := time.NewTimer(hurry)
		select {
		case own.slots <- struct{}{}:
			timer.Stop()
			return leave, true
		case <-timer.C:
			wait = g.grow(own)
		case <-ctx.Done():
			timer.Stop()
		}
	}
	g.left(id, own, false)
	return nil, false
}

// join counts the caller among the gate's users, and tells whether its turn can be expected soon.
func (g *gates) join(id string) (own *gate, wait bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if own = g.all[id]; own == nil {
		own = newGate()
		g.all[id] = own
	}
	own.users++
	before := max(own.users-(len(own.slots)-own.held), 0)
	return own, time.Since(own.moved) < patience && (own.users <= share || time.Duration(before)*own.pace < patience)
}

// grow lets one more run at once where none has ended for some time, and tells whether one has ended lately.
func (g *gates) grow(own *gate) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	own.grow()
	return time.Since(own.moved) < patience
}

func (own *gate) grow() {
	if own.held > 0 && time.Since(own.moved) >= hurry && time.Since(own.grown) >= hurry {
		own.grown = time.Now()
		own.held--
		<-own.slots
	}
}

func (g *gates) left(id string, own *gate, ran bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if own.users--; ran {
		own.pace += (time.Since(own.moved) - own.pace) / 8
		own.moved = time.Now()
		own.ended++
	}
	if own.users == 0 {
		delete(g.all, id)
	}
}

// room is how many deliveries of the webhook may be queued now: those that would start at once, and as many as have ended since the
// last look.
func (g *gates) room(id string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.all[id]
	if own == nil {
		return atOnce
	}
	own.grow()
	n := cap(own.slots) - len(own.slots) + own.ended
	own.ended = 0
	return n
}
