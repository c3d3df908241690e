package integration

import "testing"

func init() {
	addArea(map[string]call{
		"saveDraft": {method: "POST", path: "/content-creation/drafts",
			body:      `{"draft_id": "$draft", "title": "New", "themes": ["a"]}`,
			variables: `{"body": {"draftId": "$draft", "title": "New", "themes": ["a"]}}`},
		"listDrafts": {method: "GET", path: "/content-creation/drafts?include_content=true&project_id=p1",
			variables: `{"include_content": true, "project_id": "p1"}`},
		"getDraft": {method: "GET", path: "/content-creation/drafts/$draft", variables: `{"draft_id": "$draft"}`},
		"deleteDraft": {method: "DELETE", path: "/content-creation/drafts/$draft", variables: `{"draft_id": "$draft"}`,
			order: 1},
	}, prepareDrafts)
}

// prepareDrafts saves a draft with a block of each kind.
func prepareDrafts(t *testing.T, s *state) {
	t.Helper()
	s.ids["$draft"] = s.post(t, "/content-creation/drafts",
		`{"title": "T", "content": "Some words.", "project_id": "p1", "pull_through_priorities": [{"text": "One"}], "test_history": [{"score": 3}]}`, "draft", "id")
}
