package integration

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"testing"

	"rostrum/test/kit"
)

// TestFilters_concurrent_changes checks that concurrent clients create all their filters and that
// the counter equals the list.
func TestFilters_concurrent_changes(t *testing.T) {
	const clients = 8
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		var documents [clients]string
		for i := range documents {
			made := a.Do(t, "POST", "/api/v1/documents", nil,
				fmt.Sprintf(`{"title": "D%d", "content": "Text %d."}`, i, i))
			documents[i] = field(t, made, "document", "id")
		}
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				made := a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, fmt.Sprintf(`{"name": "Filter %d"}`, i))
				path := "/api/v1/comms-filters/tags/" + field(t, made, "tag", "id")
				for _, id := range []string{documents[i], documents[(i+1)%clients]} {
					if got := a.Do(t, "POST", path+"/exclusions", nil, `{"document_id": "`+id+
						`"}`); got.Status != http.StatusOK {
						t.Errorf("an exclusion returns %d: %s", got.Status, got.Body)
					}
				}
				for _, enabled := range []string{"false", "true"} {
					if got := a.Do(t, "PATCH", path, nil, `{"enabled": `+enabled+`}`); got.Status != http.StatusOK {
						t.Errorf("a change returns %d: %s", got.Status, got.Body)
					}
				}
			})
		}
		all.Wait()
		var filters struct {
			Tags []struct {
				HiddenCount int `json:"hidden_count"`
			}
		}
		var list struct {
			Documents   []any
			HiddenCount int `json:"hidden_count"`
		}
		getJSON(t, a, "/api/v1/comms-filters", &filters)
		getJSON(t, a, "/api/v1/communications", &list)
		if len(filters.Tags) != clients || list.HiddenCount != clients || len(list.Documents) != 0 {
			t.Errorf("%d filters, %d hidden, %d listed", len(filters.Tags), list.HiddenCount, len(list.Documents))
		}
		for _, f := range filters.Tags {
			if f.HiddenCount != 2 {
				t.Errorf("a filter hides %d documents", f.HiddenCount)
			}
		}
	})
}

// TestFilters_and_auto_tags_lock_in_one_order sends concurrent requests that lock the same rows and
// expects no error.
func TestFilters_and_auto_tags_lock_in_one_order(t *testing.T) {
	const clients, rounds = 20, 4
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		const text = `{"title": "T", "content": "Offshore wind was excellent this year."}`
		doc := field(t, a.Do(t, "POST", "/api/v1/documents", nil, text), "document", "id")
		a.Do(t, "POST", "/api/v1/auto-tags", nil, `{"name": "Sector", "tag_type": "topic", "allowed_values": ["Offshore wind"]}`)
		exclusions := "/api/v1/comms-filters/tags/" +
			field(t, a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, `{"name": "F"}`), "tag", "id") + "/exclusions"
		mix := []struct{ method, path, body string }{
			{"POST", "/api/v1/documents/" + doc + "/auto-tags", ""},
			{"POST", exclusions, `{"document_id": "` + doc + `", "snippet": "Offshore wind"}`},
			{"DELETE", exclusions + "/" + doc, ""},
			{"POST", "/api/v1/documents/" + doc + "/auto-tags/async", ""},
			{"POST", "/api/v1/documents", text},
		}
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				for round := range rounds {
					m := mix[(i+round)%len(mix)]
					if got := a.Do(t, m.method, m.path, nil, m.body); got.Status >= http.StatusBadRequest {
						t.Errorf("%s %s returns %d: %s", m.method, m.path, got.Status, got.Body)
					}
				}
			})
		}
		all.Wait()
	})
}

// TestCommunications_filters_add_no_statements compares the SQL statements of a page with and
// without hidden documents.
func TestCommunications_filters_add_no_statements(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		made := a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "T", "content": "Text."}`)
		before := statements(t, a)
		for i := range 5 {
			filter := field(t, a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, fmt.Sprintf(`{"name": "F%d"}`, i)),
				"tag", "id")
			a.Do(t, "POST", "/api/v1/comms-filters/tags/"+filter+"/exclusions", nil, `{"document_id": "`+
				field(t, made, "document", "id")+`"}`)
			a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "U", "content": "More."}`)
		}
		if after := statements(t, a); after != before {
			t.Errorf("%d statements without filters, %d with five", before, after)
		}
	})
}

// statements returns the least number of statements of three requests: the first caches the key,
// which may expire before another.
func statements(t *testing.T, a *kit.App) int64 {
	t.Helper()
	var least int64 = math.MaxInt64
	for range 3 {
		answer, n := a.DoCounted(t, "GET", "/api/v1/communications", nil, "")
		if answer.Status != http.StatusOK {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		least = min(least, n)
	}
	return least
}
