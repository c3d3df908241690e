package main

import (
	"net/http"
	"testing"
)

func init() {
	cover(map[string]call{
		"getLink":             {method: "GET", path: "/links/$link", variables: `{"link_id": "$link"}`},
		"listLinks":           {method: "GET", path: "/links?q=equal&kind=page&is_active=true", variables: `{"q": "equal", "kind": "PAGE", "is_active": true}`},
		"createLink":          {method: "POST", path: "/links", body: `{"destination_url": "https://example.com/x", "title": "Same"}`, variables: `{"body": {"destinationUrl": "https://example.com/x", "title": "Same"}}`},
		"updateLink":          {method: "PATCH", path: "/links/$link", body: `{"title": "Other", "form": null}`, variables: `{"link_id": "$link", "body": {"title": "Other", "form": null}}`},
		"deleteLink":          {method: "DELETE", path: "/links/$link", variables: `{"link_id": "$link"}`},
		"listLinkSessions":    {method: "GET", path: "/links/$link/sessions", variables: `{"link_id": "$link"}`},
		"listLinkConversions": {method: "GET", path: "/links/$link/conversions", variables: `{"link_id": "$link"}`},
		"listLinkSubmissions": {method: "GET", path: "/links/$link/submissions", variables: `{"link_id": "$link"}`},
	}, prepareLinks)
}

// prepareLinks makes a hosted page that a viewer has seen, read and answered.
func prepareLinks(t *testing.T, s *state) {
	t.Helper()
	s.ids["$link"] = s.post(t, "/links", `{"kind": "page", "title": "Equal", "body": "<p>Hello.</p>", "form": {"fields": [{"name": "email", "type": "email"}]}}`, "id")
	var link struct{ Slug string }
	read(t, s.app, "/api/v1/links/"+s.ids["$link"], &link)
	v := &viewer{app: s.app, agent: chrome}
	v.do(t, http.MethodGet, "/l/"+link.Slug, "")
	for what, body := range map[string]string{
		"views": `{"session_id": "` + v.session() + `"}`, "conversions": `{"session_id": "` + v.session() + `", "type": "cta_click", "value": "Buy"}`,
		"submissions": `{"session_id": "` + v.session() + `", "email": "a@example.com"}`,
	} {
		if answer := v.post(t, link.Slug, what, body); answer.Status >= 300 {
			t.Fatalf("%s: %d %s", what, answer.Status, answer.Body)
		}
	}
}
