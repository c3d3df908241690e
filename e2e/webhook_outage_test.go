package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// TestOutage_threeProcesses opens a link through three gateways of one installation while the receiver of its events answers 503 and then breaks
// connections, and kills one of the gateways: once the receiver works, it gets one event for every open. An SQLite file has one process
// only; TestKill_deliveries kills it.
func TestOutage_threeProcesses(t *testing.T) {
	t.Parallel()
	const opens = 300
	p := sharedInstallation(t, 3)
	gateways := []*gateway{p.start(t), p.start(t), p.start(t)}
	r := newFailingReceiver(t)
	var made struct{ ID string }
	gateways[0].rest(t, http.MethodPost, "/api/v1/webhooks", map[string]any{"url": r.URL + "/all"}, &made)
	gateways[0].rest(t, http.MethodPost, "/api/v1/links", map[string]any{"destination_url": "https://example.com/", "title": "T", "slug": "outage"}, &struct{}{})
	for _, g := range gateways {
		g.openLink(t, "/l/outage", opens/len(gateways))
	}
	awaitSuccess(t, time.Minute, "the receiver rejects deliveries", func() error { return r.awaitAttempts(1) })
	r.set(receiverUnreachable)
	gateways[2].kill(t)
	awaitSuccess(t, time.Minute, "connections to the receiver break", func() error { return r.awaitAttempts(1) })
	r.set(receiverWorks)
	awaitSuccess(t, 5*time.Minute, "every event arrives", func() error { return r.awaitEvents(opens) })
}

// receiverState is the behaviour of a failing receiver.
type receiverState int

const (
	receiverRejects     receiverState = iota // answers 503
	receiverUnreachable                      // closes connections without an answer
	receiverWorks
)

// failingReceiver is a receiver whose behaviour a test changes. It records the ids of the events that it accepted.
type failingReceiver struct {
	*httptest.Server
	mu       sync.Mutex
	state    receiverState
	attempts int // in this state
	accepted map[string]bool
}

func newFailingReceiver(t *testing.T) *failingReceiver {
	r := &failingReceiver{accepted: map[string]bool{}}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	return r
}

// ServeHTTP implements http.Handler.
func (r *failingReceiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts++
	switch r.state {
	case receiverRejects:
		w.WriteHeader(http.StatusServiceUnavailable)
	case receiverUnreachable:
		panic(http.ErrAbortHandler)
	case receiverWorks:
		r.accepted[request.Header.Get("webhook-id")] = true
	}
}

func (r *failingReceiver) set(state receiverState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state, r.attempts = state, 0
}

func (r *failingReceiver) awaitAttempts(attempts int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.attempts < attempts {
		return fmt.Errorf("received %d of %d attempts", r.attempts, attempts)
	}
	return nil
}

// awaitEvents returns an error unless exactly as many different events were accepted.
func (r *failingReceiver) awaitEvents(events int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.accepted) != events {
		return fmt.Errorf("accepted %d of %d", len(r.accepted), events)
	}
	return nil
}
