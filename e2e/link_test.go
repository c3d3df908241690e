package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const personsAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

// hostedLink is a link as REST shows it.
type hostedLink struct {
	ID, Slug    string
	Opens       int `json:"open_count"`
	Conversions int `json:"conversion_count"`
	Submissions int `json:"submission_count"`
}

// opens are visits of new viewers, each from a connection that may break.
type opens struct {
	mu       sync.Mutex
	answered []string // the sessions of visits whose answers came
}

// visit follows a link once and remembers the session that came back.
func (o *opens) visit(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", personsAgent)
	answer, err := http.DefaultTransport.RoundTrip(request)
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

func (o *opens) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.answered)
}

// TestKill_opens kills the gateway in the middle of 1,000 visits of new viewers: every visit that was answered is counted once, and told
// of once; one whose answer never left may be counted, and never twice.
func TestKill_opens(t *testing.T) {
	eachPlace(t, func(t *testing.T, p place) {
		const visits, before = 1000, 300
		g := p.start(t)
		var link hostedLink
		g.rest(t, http.MethodPost, "/api/v1/links", map[string]string{"destination_url": "https://example.com/", "title": "Killed"}, &link)
		var seen opens
		var all sync.WaitGroup
		work := make(chan struct{}, visits)
		for range visits {
			work <- struct{}{}
		}
		close(work)
		for range 200 { // more at once than are stored directly
			all.Go(func() {
				for range work {
					_ = seen.visit(t.Context(), g.url+"/l/"+link.Slug) // the killed gateway answers no more
				}
			})
		}
		eventually(t, startTime, "the first visits are answered", func() error {
			if n := seen.count(); n < before {
				return fmt.Errorf("%d are", n)
			}
			return nil
		})
		g.kill(t)
		all.Wait()

		g = p.start(t)
		eventually(t, time.Minute, "every answered visit is stored, counted and told of once", func() error {
			sessions := g.sessions(t, link.ID)
			for _, id := range seen.answered {
				if sessions[id] == 0 {
					return fmt.Errorf("of %d answered and %d stored, %s is not", len(seen.answered), len(sessions), id)
				}
			}
			for id, times := range sessions { // also while the pages move under what is being stored
				if times != 1 {
					return fmt.Errorf("%s is stored %d times", id, times)
				}
			}
			g.rest(t, http.MethodGet, "/api/v1/links/"+link.ID, nil, &link)
			if told := g.told(t, link.ID); link.Opens != len(sessions) || told != len(sessions) {
				return fmt.Errorf("%d sessions are stored, %d counted and %d told of; %d were answered", len(sessions), link.Opens, told, len(seen.answered))
			}
			return nil
		})
	})
}

// sessions lists how often each session of a link is stored.
func (g *process) sessions(t *testing.T, linkID string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for page := 1; ; page++ {
		var list struct{ Sessions []struct{ ID string } }
		g.rest(t, http.MethodGet, fmt.Sprintf("/api/v1/links/%s/sessions?per_page=100&page=%d", linkID, page), nil, &list)
		for _, s := range list.Sessions {
			found[s.ID]++
		}
		if len(list.Sessions) < 100 {
			return found
		}
	}
}

// told counts the events that tell of a link being opened.
func (g *process) told(t *testing.T, linkID string) (n int) {
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

// TestHostedPage reads a hosted page in a browser: seeing it, following its call to action, reading it to its end and filling its form in
// are told, each once.
func TestHostedPage(t *testing.T) {
	t.Parallel()
	g := place{name: "sqlite", folder: t.TempDir()}.start(t)
	var link hostedLink
	g.rest(t, http.MethodPost, "/api/v1/links", map[string]any{
		"kind": "page", "title": "Harbour day",
		"body": `<p><a href="#more" data-cta="Join us">Join us</a></p>` + strings.Repeat("<p>The harbour is open to all.</p>", 200) + `<p id="more">The end.</p>`,
		"form": map[string]any{"fields": []any{map[string]any{"name": "email", "type": "email", "required": true}}},
	}, &link)
	b := newBrowser(t)
	p := b.open(t, g, "/l/static/")
	p.run(t, emulation.SetUserAgentOverride(personsAgent), chromedp.Navigate(g.url+"/l/"+link.Slug),
		chromedp.WaitVisible("h1"), chromedp.Click("[data-cta]"),
		chromedp.Evaluate("window.scrollTo(0, document.documentElement.scrollHeight)", nil),
		chromedp.SendKeys("#rostrum-email", "ana@example.com"), chromedp.Click("form button"), chromedp.WaitVisible("main.notice"))
	eventually(t, startTime, "the page has told everything", func() error {
		g.rest(t, http.MethodGet, "/api/v1/links/"+link.ID, nil, &link)
		if link.Opens != 1 || link.Conversions != 5 || link.Submissions != 1 {
			return fmt.Errorf("the link has %+v", link)
		}
		return nil
	})
}
