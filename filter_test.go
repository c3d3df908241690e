package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/testkit"
)

// TestFilters_change_in_many_clients_at_once finds every client's filter and a counter that agrees with the list.
func TestFilters_change_in_many_clients_at_once(t *testing.T) {
	const clients = 8
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		var documents [clients]string
		for i := range documents {
			made := a.Do(t, "POST", "/api/v1/documents", nil, fmt.Sprintf(`{"title": "D%d", "content": "Text %d."}`, i, i))
			documents[i] = field(t, made, "document", "id")
		}
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				made := a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, fmt.Sprintf(`{"name": "Filter %d"}`, i))
				path := "/api/v1/comms-filters/tags/" + field(t, made, "tag", "id")
				for _, id := range []string{documents[i], documents[(i+1)%clients]} {
					if got := a.Do(t, "POST", path+"/exclusions", nil, `{"document_id": "`+id+`"}`); got.Status != http.StatusOK {
						t.Errorf("an exclusion answers %d: %s", got.Status, got.Body)
					}
				}
				for _, enabled := range []string{"false", "true"} {
					if got := a.Do(t, "PATCH", path, nil, `{"enabled": `+enabled+`}`); got.Status != http.StatusOK {
						t.Errorf("a change answers %d: %s", got.Status, got.Body)
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
		read(t, a, "/api/v1/comms-filters", &filters)
		read(t, a, "/api/v1/communications", &list)
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

// TestFilters_and_auto_tags_of_one_document_wait_for_each_other sends what locks the same rows from all sides at once: none is refused.
func TestFilters_and_auto_tags_of_one_document_wait_for_each_other(t *testing.T) {
	const clients, rounds = 20, 4
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		const text = `{"title": "T", "content": "Offshore wind was excellent this year."}`
		doc := field(t, a.Do(t, "POST", "/api/v1/documents", nil, text), "document", "id")
		a.Do(t, "POST", "/api/v1/auto-tags", nil, `{"name": "Sector", "tag_type": "topic", "allowed_values": ["Offshore wind"]}`)
		exclusions := "/api/v1/comms-filters/tags/" + field(t, a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, `{"name": "F"}`), "tag", "id") + "/exclusions"
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
						t.Errorf("%s %s answers %d: %s", m.method, m.path, got.Status, got.Body)
					}
				}
			})
		}
		all.Wait()
	})
}

// TestCommunications_cost_no_more_statements_with_filters counts them for a page with and without what is hidden.
func TestCommunications_cost_no_more_statements_with_filters(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		made := a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "T", "content": "Text."}`)
		before := statements(t, a)
		for i := range 5 {
			filter := field(t, a.Do(t, "POST", "/api/v1/comms-filters/tags", nil, fmt.Sprintf(`{"name": "F%d"}`, i)), "tag", "id")
			a.Do(t, "POST", "/api/v1/comms-filters/tags/"+filter+"/exclusions", nil, `{"document_id": "`+field(t, made, "document", "id")+`"}`)
			a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "U", "content": "More."}`)
		}
		if after := statements(t, a); after != before {
			t.Errorf("%d statements without filters, %d with five", before, after)
		}
	})
}

func statements(t *testing.T, a *testkit.App) int64 {
	t.Helper()
	var n int64
	for range 2 { // the first finds the key
		ctx, count := dbx.WithCounter(t.Context())
		request := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/communications", nil)
		request.Header.Set("X-API-Key", a.Key)
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
		n = count.Load()
	}
	return n
}
