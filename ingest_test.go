package main

import (
	"fmt"
	"net/http"
	"testing"

	"golang.org/x/sync/errgroup"

	"rostrum/testkit"
)

// TestIngest_many_at_once posts into workspaces that have counted nothing yet, while the first jobs go on: whoever writes a workspace's first
// count of a status must not wait for those who wait for the workspace. Each page has a host of its own, since a gateway spares hosts.
func TestIngest_many_at_once(t *testing.T) {
	const page = "<title>A page</title><article><p>The new plant opens in spring, and two hundred people will work there.</p></article>"
	var pages [64]string
	for i := range pages {
		pages[i] = testkit.NewSite(t, map[string]string{"site/page.html": page}) + "/page.html"
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
