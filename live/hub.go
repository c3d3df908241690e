package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// subscriptionBuffer is how many unread news a follower may have before it is told to read the database instead.
const subscriptionBuffer = 64

// hub hands news to the followers of their topic. It never waits for one.
type hub struct {
	mu        sync.RWMutex
	topics    map[string]map[*Subscription]struct{}
	connected atomic.Bool
}

// Subscription is one follower of a topic.
type Subscription struct {
	hub    *hub
	topic  string
	news   chan []byte
	missed chan struct{}
}

// Subscribe follows a topic from now on, until the subscription is closed.
func (l *Live) Subscribe(topic string) *Subscription {
	s := &Subscription{hub: &l.hub, topic: topic, news: make(chan []byte, subscriptionBuffer), missed: make(chan struct{}, 1)}
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if l.hub.topics[topic] == nil {
		l.hub.topics[topic] = map[*Subscription]struct{}{}
	}
	l.hub.topics[topic][s] = struct{}{}
	return s
}

// C gives the topic's news; the bytes are shared with other followers and must not be changed.
func (s *Subscription) C() <-chan []byte { return s.news }

// Missed gives a signal when news may have been lost: the follower was slow, or Redis was away or has come back.
func (s *Subscription) Missed() <-chan struct{} { return s.missed }

// Close ends the subscription; neither channel is closed by it.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	followers := s.hub.topics[s.topic]
	delete(followers, s)
	if len(followers) == 0 {
		delete(s.hub.topics, s.topic)
	}
}

func (h *hub) deliver(topic string, payload []byte) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for s := range h.topics[topic] {
		select {
		case s.news <- payload:
		default:
			s.miss()
		}
	}
}

// missAll tells every follower that news may have been lost.
func (h *hub) missAll() {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, followers := range h.topics {
		for s := range followers {
			s.miss()
		}
	}
}

func (s *Subscription) miss() {
	select {
	case s.missed <- struct{}{}:
	default:
	}
}

// Listen hands news to take until the reader should look into the database: take finds that a piece does not fit, some may have been lost,
// or the time is over. False means to stop: take said so, or the context has ended.
func (s *Subscription) Listen(ctx context.Context, wait time.Duration, take func(payload []byte) (fits, goOn bool)) bool {
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
		case payload := <-s.news:
			if fits, goOn := take(payload); !fits || !goOn {
				return goOn
			}
		}
	}
}
