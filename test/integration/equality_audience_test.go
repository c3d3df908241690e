package integration

import (
	"strings"
	"testing"
)

func init() {
	const filters = `"filters": {"company": "Brackwell", "since": "2026-01-01T00:00:00Z"}`
	both := func(calls map[string]call, name, path, rest, graph string) {
		calls[name] = call{method: "POST", path: path, body: rest, variables: graph,
			order: strings.Count(path, "/async")}
		estimate := "estimate" + string(name[0]-'a'+'A') + name[1:]
		calls[estimate] = call{method: "POST", path: path + "?estimate=true", body: rest, variables: graph}
	}
	calls := map[string]call{
		"listAudienceGroups": {method: "GET", path: "/audience/groups", variables: `{}`},
		"getAudienceGroup": {method: "GET", path: "/audience/groups/$group",
			variables: `{"group_id": "$group"}`},
		"createAudienceGroup": {method: "POST", path: "/audience/groups",
			body:      `{"name": "moon", "display_name": "M", "sort_order": 2}`,
			variables: `{"body": {"name": "moon", "displayName": "M", "sortOrder": 2}}`},
		"updateAudienceGroup": {method: "PATCH", path: "/audience/groups/$group",
			body:      `{"display_name": "P", "sort_order": null}`,
			variables: `{"body": {"groupId": "$group", "displayName": "P", "sortOrder": null}}`},
		"deleteAudienceGroup": {method: "DELETE", path: "/audience/groups/$group",
			variables: `{"group_id": "$group"}`, order: 2},
		"listAudienceSummaries": {method: "GET", path: "/audience/summaries", variables: `{}`},
		"getAudienceSummary": {method: "GET",
			path:      "/audience/summaries/employees?company=Brackwell&since=2026-01-01T00:00:00Z",
			variables: `{"category": "employees", "company": "Brackwell", "since": "2026-01-01T00:00:00Z"}`},
		"generateAudienceSummaryAsync": {method: "POST", path: "/audience/summaries/async",
			body: `{"category": "employees"}`, variables: `{"body": {"category": "employees"}}`, order: 1},
		"listDocumentReactions": {method: "GET", path: "/documents/$doc/reactions?per_page=1&rating_from=1.5&order_by=-rating",
			variables: `{"doc_id": "$doc", "per_page": 1, "rating_from": 1.5, "order_by": {"field": "RATING", "direction": "DESC"}}`},
	}
	both(calls, "generateAudienceSummary", "/audience/summaries", `{"category": "persona:$persona", "fresh": true, `+
		filters+`}`, `{"body": {"category": "persona:$persona", "fresh": true, `+filters+`}}`)
	both(calls, "generateReactions", "/personas/reactions/async", `{"document_id": "$doc", "persona_ids": ["$other"]}`,
		`{"body": {"documentId": "$doc", "personaIds": ["$other"]}}`)
	both(calls, "narrativeTest", "/narrative-tests/async",
		`{"document_id": "$doc", "pull_through_priorities": [{"text": "Wages rise"}]}`,
		`{"body": {"documentId": "$doc", "pullThroughPriorities": [{"text": "Wages rise"}]}}`)
	addArea(calls, prepareAudience)
}

// prepareAudience requests a persona's reaction to a document and a summary of it.
func prepareAudience(t *testing.T, s *state) {
	t.Helper()
	s.ids["$persona"] = s.post(t, "/personas", `{"name": "Depot Crews", "category": "employees", "interests": "fair pay"}`, "persona_id")
	s.ids["$other"] = s.post(t, "/personas", `{"name": "Idle", "is_active": false}`, "persona_id")
	s.ids["$doc"] = s.post(t, "/documents", `{"title": "Pay", "content": "Wages rise by nine percent.", "company": "Brackwell", "extracted_date": "2026-03-01"}`, "document", "id")
	s.ids["$job"] = s.post(t, "/personas/reactions/async", s.fill(`{"document_id": "$doc"}`), "job_id")
	s.until(t, "$job", "completed", 100)
	s.post(t, "/audience/summaries", `{"category": "employees", "filters": {"company": "Brackwell", "since": "2026-01-01"}}`, "id")
	s.ids["$group"] = s.post(t, "/audience/groups", `{"name": "press"}`, "group", "id")
}
