package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listSources": {method: "GET", path: "/sources?is_paused=true&kind=feed&page=1&order_by=name",
			variables: `{"is_paused": true, "kind": "FEED", "page": 1, "order_by": {"field": "NAME", "direction": "ASC"}}`},
		"getSource": {method: "GET", path: "/sources/$source", variables: `{"source_id": "$source"}`},
		"listSourceDocuments": {method: "GET", path: "/sources/$source/documents?first=5&states=ready",
			variables: `{"source_id": "$source", "first": 5, "states": ["READY"]}`},
		"createSource": {method: "POST", path: "/sources",
			body:      `{"url": "https://example.com/other", "name": "Other", "title_includes": ["a"], "is_paused": true}`,
			variables: `{"body": {"url": "https://example.com/other", "name": "Other", "titleIncludes": ["a"], "isPaused": true}}`},
		"updateSource": {method: "PATCH", path: "/sources/$source", body: `{"name": "New", "visibility": "internal"}`,
			variables: `{"body": {"sourceId": "$source", "name": "New", "visibility": "INTERNAL"}}`, order: 1},
		"pollSource": {method: "POST", path: "/sources/$source/poll", variables: `{"source_id": "$source"}`,
			refusal: "invalid_state", order: 2},
		"previewSource": {method: "POST", path: "/sources/preview", body: `{"url": "$site/feed.xml"}`,
			variables: `{"body": {"url": "$site/feed.xml"}}`, order: 3},
		"deleteSource": {method: "DELETE", path: "/sources/$source", variables: `{"source_id": "$source"}`, order: 4},
	}, prepareSources)
}

// prepareSources creates a paused source, of which no poll changes the state.
func prepareSources(t *testing.T, s *state) {
	t.Helper()
	s.ids["$site"] = s.site
	s.ids["$source"] = s.post(t, "/sources", `{"url": "https://example.com/feed", "is_paused": true}`, "id")
}
