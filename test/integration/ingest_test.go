package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

const servePage = "<title>A page</title><article><p>The new plant opens in spring, and two hundred people will work there.</p></article>"

// TestIngest_many_at_once posts into workspaces without counts while the first jobs run: the first
// insert of a status count must not wait for transactions that wait for the workspace's lock. Each
// page has its own host, since requests to a host are limited. The pages are plain text, which is
// read fast.
func TestIngest_many_at_once(t *testing.T) {
	var pages [64]string
	for i := range pages {
		pages[i] = kit.NewSite(t, map[string]string{"site/page.txt": "The new plant opens in spring."}) + "/page.txt"
	}
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		for range 4 {
			tenant := a.Tenant(t)
			group := errgroup.Group{}
			group.SetLimit(16)
			for _, page := range pages {
				group.Go(func() error {
					answer := tenant.Do(t, http.MethodPost, "/api/v1/documents/ingest", nil, `{"source_url": "`+page+
						`"}`)
					if answer.Status != http.StatusOK {
						return fmt.Errorf("%s: %d %s", page, answer.Status, answer.Body)
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestIngest_slow_host_does_not_block_others ingests more pages of an unresponsive host than there
// are workers, then a page of another host.
func TestIngest_slow_host_does_not_block_others(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		release := make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}))
		t.Cleanup(slow.Close)
		t.Cleanup(func() { close(release) })
		ingest := func(url string) (job string) {
			answer := a.Do(t, http.MethodPost, "/api/v1/documents/ingest", nil, `{"source_url": "`+url+`"}`)
			var started struct {
				Job string `json:"scrape_job_id"`
			}
			if err := json.Unmarshal(answer.Body, &started); err != nil || started.Job == "" {
				t.Fatalf("%d %s", answer.Status, answer.Body)
			}
			return started.Job
		}
		for i := range 40 {
			ingest(fmt.Sprint(slow.URL, "/", i))
		}
		other := kit.NewSite(t, map[string]string{"site/page.html": servePage})
		path := "/api/v1/jobs/" + ingest(other+"/page.html")
		var answer *kit.Response
		completed := poll.Holds(func() bool {
			answer = a.Do(t, http.MethodGet, path, nil, "")
			return strings.Contains(string(answer.Body), `"status":"completed"`)
		})
		if !completed { // the others fail after 20 s each, two at a time
			t.Fatalf("the other host's page waits: %s", answer.Body)
		}
	})
}
