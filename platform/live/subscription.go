package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// subscriptionBuffer is the number of unread notifications of a subscriber. Beyond it, the
// subscriber is signaled to read the database.
const subscriptionBuffer = 64

// subscriptionHub delivers notifications to the subscribers of their topic without blocking.
type subscriptionHub struct {
	mu        sync.RWMutex
	topics    map[string]map[*Subscription]struct{}
	connected atomic.Bool
}

// Subscription is a subscriber of a topic.
type Subscription struct {
	hub      *subscriptionHub
	topic    string
	payloads chan []byte
	missed   chan struct{}
}

// Subscribe subscribes to a topic until the subscription is closed.
func (l *Live) Subscribe(topic string) *Subscription {
	s := &Subscription{hub: &l.hub, topic: topic, payloads: make(chan []byte, subscriptionBuffer),
		missed: make(chan struct{}, 1)}
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.hub.topics[topic] == nil {
		l.hub.topics[topic] = map[*Subscription]struct{}{}
	}
	l.hub.topics[topic][s] = struct{}{}
	return s
}

// C returns the channel of notifications. Do not change the bytes, because other subscribers share
// them.
func (s *Subscription) C() <-chan []byte { return s.payloads }

// Missed returns a channel that signals that notifications may have been lost: the buffer was full,
// or Redis was down or has come back.
func (s *Subscription) Missed() <-chan struct{} { return s.missed }

// Close removes the subscription; it closes neither channel.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	subscribers := s.hub.topics[s.topic]
	delete(subscribers, s)
	if len(subscribers) == 0 {
		delete(s.hub.topics, s.topic)
	}
}

func (h *subscriptionHub) deliverPayload(topic string, payload []byte) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for s := range h.topics[topic] {
		select {
		case s.payloads <- payload:
		default:
			s.signalMissed()
		}
	}
}

// signalAll signals every subscriber that notifications may have been lost.
func (h *subscriptionHub) signalAll() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, subscribers := range h.topics {
		for s := range subscribers {
			s.signalMissed()
		}
	}
}

func (s *Subscription) signalMissed() {
	select {
	case s.missed <- struct{}{}:
	default:
	}
}

// Listen calls take for each notification. It returns true if the database should be read: a
// notification does not fit, one may have been lost, or the time is over. It returns false to stop:
// take asked for it, or the context is canceled.
func (s *Subscription) Listen(ctx context.Context, wait time.Duration,
	take func(payload []byte) (fits, goOn bool)) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-s.missed:
			return true
		case payload := <-s.payloads:
			if fits, goOn := take(payload); !fits || !goOn {
				return goOn
			}
		}
	}
}
