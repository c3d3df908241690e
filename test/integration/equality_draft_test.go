package integration

import "testing"

func init() {
	addArea(map[string]call{
		"saveDraft": {method: "POST", path: "/content-creation/drafts",
			body:      `{"draft_id": "$draft", "title": "New", "themes": ["a"]}`,
			variables: `{"body": {"draftId": "$draft", "title": "New", "themes": ["a"]}}`},
		"listDrafts": {method: "GET", path: "/content-creation/drafts?include_content=true&project_id=p1&visibility=public&order_by=title",
			variables: `{"include_content": true, "project_id": "p1", "visibility": "PUBLIC",
				"order_by": {"field": "TITLE", "direction": "ASC"}}`},
		"listDraftVersions": {method: "GET", path: "/content-creation/drafts/$draft/versions",
			variables: `{"draft_id": "$draft"}`},
		"listDraftStateChanges": {method: "GET", path: "/content-creation/drafts/$approved/state-changes",
			variables: `{"draft_id": "$approved"}`},
		"restoreDraftVersion": {method: "POST", path: "/content-creation/drafts/$old/versions/$textofold/restore",
			variables: `{"body": {"draftId": "$old", "versionId": "$textofold"}}`},
		"requestDraftReview": {method: "POST", path: "/content-creation/drafts/$old/request-review",
			body:      `{"due_at": "2126-11-30T12:00:00Z"}`,
			variables: `{"body": {"draftId": "$old", "dueAt": "2126-11-30T12:00:00Z"}}`},
		"approveDraft": {method: "POST", path: "/content-creation/drafts/$approved/approve",
			body:      `{"version_id": "$textofapproved"}`,
			variables: `{"body": {"draftId": "$approved", "versionId": "$textofapproved"}}`},
		"returnDraft": {method: "POST", path: "/content-creation/drafts/$returned/return",
			body:      `{"version_id": "$textofreturned", "reason": "Name the sum."}`,
			variables: `{"body": {"draftId": "$returned", "versionId": "$textofreturned", "reason": "Name the sum."}}`},
		"publishDraft": {method: "POST", path: "/content-creation/drafts/$published/publish",
			body:      `{"version_id": "$textofpublished", "language": "de"}`,
			variables: `{"body": {"draftId": "$published", "versionId": "$textofpublished", "language": "de"}}`},
		"withdrawDraft": {method: "POST", path: "/content-creation/drafts/$withdrawn/withdraw",
			body:      `{"reason": "The sum is wrong."}`,
			variables: `{"body": {"draftId": "$withdrawn", "reason": "The sum is wrong."}}`},
		"listDraftComments": {method: "GET", path: "/content-creation/drafts/$draft/comments?is_resolved=false",
			variables: `{"draft_id": "$draft", "is_resolved": false}`},
		"listDraftMentions": {method: "GET", path: "/content-creation/mentions", variables: `{}`},
		"createDraftComment": {method: "POST", path: "/content-creation/drafts/$draft/comments",
			body:      `{"text": "Which?", "passage": {"start": 0, "end": 4, "quote": "Some"}}`,
			variables: `{"body": {"draftId": "$draft", "text": "Which?", "passage": {"start": 0, "end": 4, "quote": "Some"}}}`},
		"replyToDraftComment": {method: "POST", path: "/content-creation/drafts/$draft/comments/$comment/replies",
			body:      `{"text": "These."}`,
			variables: `{"body": {"draftId": "$draft", "commentId": "$comment", "text": "These."}}`},
		"updateDraftComment": {method: "PATCH", path: "/content-creation/drafts/$draft/comments/$comment",
			body:      `{"text": "Which words?"}`,
			variables: `{"body": {"draftId": "$draft", "commentId": "$comment", "text": "Which words?"}}`},
		"resolveDraftComment": {method: "POST", path: "/content-creation/drafts/$draft/comments/$comment/resolve",
			variables: `{"draft_id": "$draft", "comment_id": "$comment"}`},
		"reopenDraftComment": {method: "POST", path: "/content-creation/drafts/$draft/comments/$comment/reopen",
			variables: `{"draft_id": "$draft", "comment_id": "$comment"}`},
		"deleteDraftComment": {method: "DELETE", path: "/content-creation/drafts/$draft/comments/$unwanted",
			variables: `{"draft_id": "$draft", "comment_id": "$unwanted"}`},
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
	for _, name := range []string{"$comment", "$unwanted"} {
		s.ids[name] = s.post(t, "/content-creation/drafts/"+s.ids["$draft"]+"/comments", `{"text": "Which words?"}`, "comment",
			"id")
	}
	for _, name := range []string{"old", "approved", "returned", "published", "withdrawn"} {
		id := s.post(t, "/content-creation/drafts", `{"title": "T", "content": "Some words."}`, "draft", "id")
		s.ids["$"+name] = id
		read := s.app.Do(t, "GET", "/api/v1/content-creation/drafts/"+id, nil, "")
		s.ids["$textof"+name] = field(t, read, "draft", "current_version", "id")
		if name != "old" {
			s.post(t, "/content-creation/drafts/"+id+"/request-review", `{}`, "draft", "id")
		}
		version := `{"version_id": "` + s.ids["$textof"+name] + `"}`
		if name == "published" || name == "withdrawn" {
			s.post(t, "/content-creation/drafts/"+id+"/approve", version, "draft", "id")
		}
		if name == "withdrawn" {
			s.post(t, "/content-creation/drafts/"+id+"/publish", version, "draft", "id")
		}
	}
	s.post(t, "/content-creation/drafts", `{"draft_id": "`+s.ids["$old"]+`", "content": "Other words."}`, "draft", "id")
}
