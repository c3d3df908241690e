package integration

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"rostrum/test/kit"
)

// TestBudget/200_posts_at_once_on_50_runs checks that concurrent requests cannot exceed the run
// limit.
func TestBudget(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		t.Run("200_posts_at_once_on_50_runs", func(t *testing.T) {
			site := httptest.NewServer(http.NotFoundHandler())
			release := make(chan struct{})
			site.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				select { // no job ends, and so returns its runs, during the posts
				case <-release:
				case <-r.Context().Done():
				}
			})
			t.Cleanup(site.Close)
			t.Cleanup(func() { close(release) })
			if err := a.LimitRuns(t.Context(), a.WorkspaceID, 50); err != nil {
				t.Fatal(err)
			}
			var taken, refused atomic.Int64
			var all sync.WaitGroup
			for n := range 200 {
				all.Go(func() {
					body := fmt.Sprintf(`{"source_url": "%s/%d"}`, site.URL, n)
					switch answer := a.Do(t, http.MethodPost, "/api/v1/documents/ingest", nil, body); answer.Status {
					case http.StatusOK:
						taken.Add(1)
					case http.StatusPaymentRequired:
						refused.Add(1)
					default:
						t.Errorf("a post returns %d: %s", answer.Status, answer.Body)
					}
				})
			}
			all.Wait()
			if taken.Load() != 50 || refused.Load() != 150 {
				t.Errorf("%d posts were accepted and %d rejected", taken.Load(), refused.Load())
			}
			counted := a.Do(t, http.MethodGet, "/api/v1/documents/count", nil, "")
			if string(counted.Body) != `{"count":50}` {
				t.Errorf("the documents are %s", counted.Body)
			}
		})
	})
}
