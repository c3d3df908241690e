package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"rostrum/test/kit/dbtest"
)

// TestOutage_threeProcesses opens a link through three gateways of one installation while the
// receiver of its events answers 503 and then breaks connections, and kills one of the gateways:
// once the receiver works, it gets one event for every open. An SQLite file has one process at a
// time, so there the three follow each other, and two of them are killed.
func TestOutage_threeProcesses(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		o := newOutage(t, p.start(t))
		if p.name == "sqlite" {
			o.first.openLink(t, outageLink, outageOpens)
			o.reject(t)
			o.first.kill(t)
			second := p.start(t)
			second.openLink(t, outageLink, outageOpens)
			o.breakOff(t)
			second.kill(t)
			p.start(t).openLink(t, outageLink, outageOpens)
			o.accept(t)
			return
		}
		dbtest.ReserveConns(t, 2)
		gateways := []*gateway{o.first, p.start(t), p.start(t)}
		for _, g := range gateways {
			g.openLink(t, outageLink, outageOpens)
		}
		o.reject(t)
		gateways[2].kill(t)
		o.breakOff(t)
		o.accept(t)
	})
}

// The link of an outage, and how often each process opens it.
const (
	outageLink  = "/l/outage"
	outageOpens = 334
)

// outage is a failing receiver of the openings of a link.
type outage struct {
	*failingReceiver
	first *gateway
}

// newOutage creates the link and the webhook, whose receiver rejects.
func newOutage(t *testing.T, g *gateway) *outage {
	r := newFailingReceiver(t)
	g.rest(t, http.MethodPost, "/api/v1/webhooks", map[string]any{"url": r.URL + "/all"}, &struct{}{})
	g.rest(t, http.MethodPost, "/api/v1/links", map[string]any{"destination_url": "https://example.com/", "title": "T",
		"slug": "outage"}, &struct{}{})
	return &outage{r, g}
}

// reject waits until the receiver has rejected a delivery.
func (o *outage) reject(t *testing.T) {
	awaitSuccess(t, time.Minute, "the receiver rejects deliveries", func() error { return o.awaitAttempts(1) })
}

// breakOff lets the receiver break connections, and waits until it has.
func (o *outage) breakOff(t *testing.T) {
	o.set(receiverUnreachable)
	awaitSuccess(t, time.Minute, "connections to the receiver break", func() error { return o.awaitAttempts(1) })
}

// accept lets the receiver work, and waits for the event of every open by three processes.
func (o *outage) accept(t *testing.T) {
	o.set(receiverWorks)
	awaitSuccess(t, 5*time.Minute, "every event arrives", func() error { return o.awaitEvents(3 * outageOpens) })
}

// receiverState is the behaviour of a failing receiver.
type receiverState int

const (
	receiverRejects     receiverState = iota // answers 503
	receiverUnreachable                      // closes connections without an answer
	receiverWorks
)

// failingReceiver is a receiver whose behaviour a test changes. It records the ids of the events
// that it accepted.
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
