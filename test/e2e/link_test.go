package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const personsAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

// hostedLink is a link in REST's form.
type hostedLink struct {
	ID, Slug    string
	Opens       int `json:"open_count"`
	Conversions int `json:"conversion_count"`
	Submissions int `json:"submission_count"`
}

// linkVisits are visits of new viewers, each from a connection that may break.
type linkVisits struct {
	mu       sync.Mutex
	answered []string // the sessions of visits that received a response
}

// visit opens a link once and records the session of the response.
func (o *linkVisits) visit(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", personsAgent)
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	for _, cookie := range answer.Cookies() {
		id, _, _ := strings.Cut(cookie.Value, ".")
		o.mu.Lock()
		o.answered = append(o.answered, id)
		o.mu.Unlock()
	}
	return nil
}

func (o *linkVisits) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.answered)
}

// TestKill_opens kills the gateway in the middle of 1,000 visits of new viewers. Every visit with a
// response is counted once and has one event. A visit without a response may be counted, but never
// twice.
func TestKill_opens(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		const visits, before = 1000, 300
		g := p.start(t)
		var link hostedLink
		g.rest(t, http.MethodPost, "/api/v1/links",
			map[string]string{"destination_url": "https://example.com/", "title": "Killed"}, &link)
		var seen linkVisits
		var all sync.WaitGroup
		work := make(chan struct{}, visits)
		for range visits {
			work <- struct{}{}
		}
		close(work)
		for range 200 { // more concurrent visits than are stored directly
			all.Go(func() {
				for range work {
					_ = seen.visit(t.Context(), g.url+"/l/"+link.Slug) // the killed gateway sends no response
				}
			})
		}
		awaitSuccess(t, startTimeout, "the first visits are answered", func() error {
			if n := seen.count(); n < before {
				return fmt.Errorf("the number is %d", n)
			}
			return nil
		})
		g.kill(t)
		all.Wait()

		g = p.start(t)
		awaitSuccess(t, time.Minute, "every visit with a response is stored, counted and has one event", func() error {
			sessions := g.countSessions(t, link.ID)
			for _, id := range seen.answered {
				if sessions[id] == 0 {
					return fmt.Errorf("session %[3]s is not stored (%[1]d responses, %[2]d stored)", len(seen.answered),
						len(sessions), id)
				}
			}
			for id, times := range sessions { // pages may shift while sessions are stored
				if times != 1 {
					return fmt.Errorf("%s is stored %d times", id, times)
				}
			}
			g.rest(t, http.MethodGet, "/api/v1/links/"+link.ID, nil, &link)
			if notified := g.countOpenedEvents(t, link.ID); link.Opens != len(sessions) || notified != len(sessions) {
				return fmt.Errorf("%d sessions are stored, %d are counted and %d have an event; %d visits received a response", len(sessions), link.Opens, notified, len(seen.answered))
			}
			return nil
		})
	})
}

// countSessions returns the number of stored rows of each session of a link.
func (g *gateway) countSessions(t *testing.T, linkID string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for page := 1; ; page++ {
		var list struct{ Sessions []struct{ ID string } }
		g.rest(t, http.MethodGet, fmt.Sprintf("/api/v1/links/%s/sessions?per_page=100&page=%d", linkID, page), nil,
			&list)
		for _, s := range list.Sessions {
			found[s.ID]++
		}
		if len(list.Sessions) < 100 {
			return found
		}
	}
}

// countOpenedEvents counts the link.opened events.
func (g *gateway) countOpenedEvents(t *testing.T, linkID string) (n int) {
	t.Helper()
	for after := ""; ; {
		var page struct {
			Events []struct {
				Event string
				Link  struct{ ID string }
			}
			NextCursor string `json:"next_cursor"`
		}
		g.rest(t, http.MethodGet, "/api/v1/events?first=100"+after, nil, &page)
		for _, e := range page.Events {
			if e.Event == "link.opened" && e.Link.ID == linkID {
				n++
			}
		}
		if len(page.Events) == 0 {
			return n
		}
		after = "&after=" + page.NextCursor
	}
}
