package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// TestKill_deliveries kills the gateway in the middle of three hundred deliveries and starts it
// again: every event arrives.
func TestKill_deliveries(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		const events, before = 300, 100
		r := newTurnstile(t)
		g := p.start(t)
		var made struct{ ID string }
		g.rest(t, http.MethodPost, "/api/v1/webhooks", map[string]any{"url": r.URL + "/all"}, &made)
		g.rest(t, http.MethodPost, "/api/v1/links",
			map[string]any{"destination_url": "https://example.com/", "title": "T", "slug": "t"}, &struct{}{})
		r.release(before)
		g.openLink(t, "/l/t", events)
		awaitSuccess(t, startTimeout, "the first deliveries arrive", func() error { return r.awaitEvents(before) })
		g.kill(t)

		r.release(100 * events)
		g = p.start(t)
		awaitSuccess(t, 3*time.Minute, "every event arrives", func() error { return r.awaitEvents(events) })
		awaitSuccess(t, startTimeout, "every delivery is logged as delivered", func() error {
			var log struct {
				Pagination struct {
					TotalCount int `json:"total_count"`
				}
			}
			g.rest(t, http.MethodGet, "/api/v1/webhooks/"+made.ID+"/deliveries?status=delivered&per_page=1", nil, &log)
			if n := log.Pagination.TotalCount; n != events {
				return fmt.Errorf("the number is %d", n)
			}
			return nil
		})
	})
}

// openLink opens a short link the number of times, each as another viewer.
func (g *gateway) openLink(t *testing.T, path string, times int) {
	t.Helper()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	var group errgroup.Group
	group.SetLimit(16)
	for range times {
		group.Go(func() error {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+path, nil)
			if err != nil {
				return err
			}
			request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
			response, err := client.Do(request)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusFound {
				return fmt.Errorf("%s returns %s (%w)", path, response.Status, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// gatedReceiver is a receiver that responds only as often as it is allowed to, and records the
// received events.
type gatedReceiver struct {
	*httptest.Server
	tickets  chan struct{}
	mu       sync.Mutex
	received map[string]bool
}

func newTurnstile(t *testing.T) *gatedReceiver {
	r := &gatedReceiver{tickets: make(chan struct{}, 1_000_000), received: map[string]bool{}}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(func() { r.CloseClientConnections(); r.Close() })
	return r
}

// ServeHTTP implements http.Handler.
func (r *gatedReceiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	select {
	case <-r.tickets:
	case <-request.Context().Done():
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received[request.Header.Get("webhook-id")] = true
}

func (r *gatedReceiver) release(times int) {
	for range times {
		r.tickets <- struct{}{}
	}
}

func (r *gatedReceiver) awaitEvents(events int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.received) < events {
		return fmt.Errorf("received %d of %d", len(r.received), events)
	}
	return nil
}
