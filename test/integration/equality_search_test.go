package integration

import "testing"

func init() {
	addArea(map[string]call{
		"listSavedSearches": {method: "GET", path: "/searches?page=1&per_page=5", variables: `{"page": 1, "per_page": 5}`},
		"getSavedSearch":    {method: "GET", path: "/searches/$search", variables: `{"search_id": "$search"}`},
		"listSavedSearchDocuments": {method: "GET", path: "/searches/$search/documents?first=5&order_by=title",
			variables: `{"search_id": "$search", "first": 5, "order_by": {"field": "TITLE", "direction": "ASC"}}`},
		"createSavedSearch": {method: "POST", path: "/searches",
			body:      `{"name": "Other", "filter": {"q": "harbour", "communication_types": ["speech"], "states": ["ready"]}}`,
			variables: `{"body": {"name": "Other", "filter": {"q": "harbour", "communicationTypes": ["speech"], "states": ["READY"]}}}`},
		"updateSavedSearch": {method: "PATCH", path: "/searches/$search", body: `{"name": "New"}`,
			variables: `{"body": {"savedSearchId": "$search", "name": "New"}}`, order: 1},
		"markSavedSearchSeen": {method: "POST", path: "/searches/$search/seen", variables: `{"search_id": "$search"}`,
			order: 2},
		"deleteSavedSearch": {method: "DELETE", path: "/searches/$search", variables: `{"search_id": "$search"}`, order: 3},
	}, prepareSearches)
}

// prepareSearches saves a search.
func prepareSearches(t *testing.T, s *state) {
	t.Helper()
	s.ids["$search"] = s.post(t, "/searches", `{"name": "Harbour", "filter": {"q": "harbour"}}`, "id")
}
