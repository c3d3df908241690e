package integration

import (
	"net/http"
	"testing"
)

func init() {
	addArea(map[string]call{
		"getLink": {method: "GET", path: "/links/$link", variables: `{"link_id": "$link"}`},
		"listLinks": {method: "GET", path: "/links?q=equal&kind=page&is_active=true&is_ended=false&created_from=2020-01-01&order_by=-opens",
			variables: `{"q": "equal", "kind": "PAGE", "is_active": true, "is_ended": false, "created_from": "2020-01-01T00:00:00Z",
				"order_by": {"field": "OPENS", "direction": "DESC"}}`},
		"createLink": {method: "POST", path: "/links",
			body:      `{"destination_url": "https://example.com/x", "title": "Same"}`,
			variables: `{"body": {"destinationUrl": "https://example.com/x", "title": "Same"}}`},
		"updateLink": {method: "PATCH", path: "/links/$link", body: `{"title": "Other", "form": null}`,
			variables: `{"body": {"linkId": "$link", "title": "Other", "form": null}}`},
		"deleteLink":    {method: "DELETE", path: "/links/$link", variables: `{"link_id": "$link"}`, order: 1},
		"getLinkQrCode": {method: "GET", path: "/links/$link/qr-code", variables: `{"link_id": "$link"}`},
		"getLinkActivity": {method: "GET",
			path:      "/links/$link/activity?from=2026-11-28T00:00:00Z&to=2026-11-30T00:00:00Z&unit=day",
			variables: `{"link_id": "$link", "from": "2026-11-28T00:00:00Z", "to": "2026-11-30T00:00:00Z", "unit": "DAY"}`},
		"getLinkBreakdown": {method: "GET", path: "/links/$link/breakdown?by=browser&first=3&from=2026-11-28T00:00:00Z",
			variables: `{"link_id": "$link", "by": "BROWSER", "first": 3, "from": "2026-11-28T00:00:00Z"}`},
		"getLinkSplitTest":    {method: "GET", path: "/links/$link/split-test", variables: `{"link_id": "$link"}`},
		"listLinkSessions":    {method: "GET", path: "/links/$link/sessions", variables: `{"link_id": "$link"}`},
		"listLinkConversions": {method: "GET", path: "/links/$link/conversions", variables: `{"link_id": "$link"}`},
		"listLinkSubmissions": {method: "GET", path: "/links/$link/submissions", variables: `{"link_id": "$link"}`},
	}, prepareLinks)
}

// prepareLinks creates a hosted page with a view, a completed reading and a submission.
func prepareLinks(t *testing.T, s *state) {
	t.Helper()
	s.ids["$link"] = s.post(t, "/links", `{"kind": "page", "title": "Equal", "body": "<p>Hello.</p>", "form": {"fields": [{"name": "email", "type": "email"}]}}`, "id")
	var link struct{ Slug string }
	getJSON(t, s.app, "/api/v1/links/"+s.ids["$link"], &link)
	v := &linkViewer{app: s.app, agent: chrome}
	v.do(t, http.MethodGet, "/l/"+link.Slug, "")
	for label, body := range map[string]string{
		"views": `{"session_id": "` + v.session() + `"}`, "conversions": `{"session_id": "` + v.session() +
			`", "type": "cta_click", "value": "Buy"}`,
		"submissions": `{"session_id": "` + v.session() + `", "email": "a@example.com"}`,
	} {
		if answer := v.post(t, link.Slug, label, body); answer.Status >= 300 {
			t.Fatalf("%s: %d %s", label, answer.Status, answer.Body)
		}
	}
}
