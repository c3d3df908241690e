package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/testkit"
)

const plant = "<title>A page</title><article><p>The new plant opens in spring, and two hundred people will work there.</p></article>"

// TestIngest_many_at_once posts into workspaces that have counted nothing yet, while the first jobs go on: whoever writes a workspace's first
// count of a status must not wait for those who wait for the workspace. Each page has a host of its own, since a gateway spares hosts.
func TestIngest_many_at_once(t *testing.T) {
	var pages [64]string
	for i := range pages {
		pages[i] = testkit.NewSite(t, map[string]string{"site/page.html": plant}) + "/page.html"
	}
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		for range 4 {
			tenant := a.Tenant(t)
			group := errgroup.Group{}
			group.SetLimit(16)
			for _, page := range pages {
				group.Go(func() error {
					answer := tenant.Do(t, http.MethodPost, "/api/v1/documents/ingest", nil, `{"source_url": "`+page+`"}`)
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

// TestIngest_one_host_keeps_nobody_waiting ingests more pages of a host that does not answer than there are workers, and then one of another.
func TestIngest_one_host_keeps_nobody_waiting(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
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
		other := testkit.NewSite(t, map[string]string{"site/page.html": plant})
		path := "/api/v1/jobs/" + ingest(other+"/page.html")
		for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			answer := a.Do(t, http.MethodGet, path, nil, "")
			if strings.Contains(string(answer.Body), `"status":"completed"`) {
				return
			}
			if time.Since(began) > time.Minute { // the others take 20 s each to be given up, two at once
				t.Fatalf("the other host's page waits: %s", answer.Body)
			}
		}
	})
}
