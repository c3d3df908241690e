package webhook

import (
	"context"
	"sync"
	"time"
)

const (
	// maxConcurrent limits the deliveries that a process runs at the same time for one webhook.
	maxConcurrent = 32
	// maxOccupied limits the workers that one webhook's deliveries may occupy, running or waiting.
	maxOccupied = 2 * maxConcurrent
	// stallTime is how long a delivery waits for a slot while no other delivery of the webhook
	// finishes. maxSlotWait limits the whole wait, so that SendTimeout is left of taskTimeout. A
	// delivery without a slot is deferred.
	stallTime   = 250 * time.Millisecond
	maxSlotWait = 5 * time.Second
)

// concurrencyLimiter limits the concurrent deliveries per webhook, so that a slow receiver cannot
// occupy all workers.
type concurrencyLimiter struct {
	mu       sync.Mutex
	webhooks map[string]*webhookSlots
}

// webhookSlots counts the deliveries of one webhook.
type webhookSlots struct {
	slots        chan struct{}
	occupied     int       // deliveries that run or wait
	lastFinished time.Time // or when the first one started
	finished     int       // since the last call of freeSlots
}

func newConcurrencyLimiter() *concurrencyLimiter {
	return &concurrencyLimiter{webhooks: map[string]*webhookSlots{}}
}

// acquire takes one of the webhook's slots; release returns it. ok is false if no slot becomes free
// in time or the context ends.
func (l *concurrencyLimiter) acquire(ctx context.Context, id string) (release func(), ok bool) {
	own, mayWait := l.join(id)
	release = func() { <-own.slots; l.leave(id, own, true) }
	select {
	case own.slots <- struct{}{}:
		return release, true
	default:
	}
	for deadline := time.Now().Add(maxSlotWait); mayWait && time.Now().Before(deadline) && ctx.Err() == nil; {
		timer := time.NewTimer(stallTime / 5)
		select {
		case own.slots <- struct{}{}:
			timer.Stop()
			return release, true
		case <-timer.C:
			mayWait = !l.isStalled(own)
		case <-ctx.Done():
			timer.Stop()
		}
	}
	l.leave(id, own, false)
	return nil, false
}

// join counts the caller as occupying a worker and reports whether it may wait for a slot.
func (l *concurrencyLimiter) join(id string) (own *webhookSlots, mayWait bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own = l.webhooks[id]; own == nil {
		own = &webhookSlots{slots: make(chan struct{}, maxConcurrent), lastFinished: time.Now()}
		l.webhooks[id] = own
	}
	own.occupied++
	return own, own.occupied <= maxOccupied && time.Since(own.lastFinished) < stallTime
}

func (l *concurrencyLimiter) isStalled(own *webhookSlots) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(own.lastFinished) >= stallTime
}

func (l *concurrencyLimiter) leave(id string, own *webhookSlots, ran bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.occupied--; ran {
		own.lastFinished = time.Now()
		own.finished++
	}
	if own.occupied == 0 {
		delete(l.webhooks, id)
	}
}

// freeSlots returns how many deferred deliveries of the webhook may be enqueued now: one per free
// slot, and one per delivery finished since the last call.
func (l *concurrencyLimiter) freeSlots(id string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.webhooks[id]
	if own == nil {
		return maxConcurrent
	}
	n := cap(own.slots) - len(own.slots) + own.finished
	own.finished = 0
	return n
}
