package integration

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rostrum/test/kit"
)

// sessionsOf returns the session that each event of the workspace has, by the event's name, as the
// list of events and as the graph have it.
func sessionsOf(t *testing.T, a *kit.App) (listed, queried map[string]string) {
	t.Helper()
	listed, queried = map[string]string{}, map[string]string{}
	var feed struct {
		Events []struct {
			Event  string
			Viewer struct {
				SessionID string `json:"session_id"`
			}
		}
	}
	getJSON(t, a, "/api/v1/events", &feed)
	for _, e := range feed.Events {
		listed[e.Event] = e.Viewer.SessionID
	}
	const query = `{ events { nodes { event payload {
		... on LinkOpenedPayload { session { id } } ... on ConversionPayload { session { id } } ... on FormSubmittedPayload { session { id } } } } } }`
	var answer struct {
		Data struct {
			Events struct {
				Nodes []struct {
					Event   string
					Payload struct{ Session struct{ ID string } }
				}
			}
		}
	}
	body, _ := json.Marshal(map[string]string{"query": query})
	response := a.Do(t, http.MethodPost, "/graphql", nil, string(body))
	if err := json.Unmarshal(response.Body, &answer); err != nil || strings.Contains(string(response.Body), "errors") {
		t.Fatalf("%s (%v)", response.Body, err)
	}
	for _, e := range answer.Data.Events.Nodes {
		queried[e.Event] = e.Payload.Session.ID
	}
	return listed, queried
}

// TestLink_session_id compares the session that a destination and a page get with that of lists,
// events and the graph.
func TestLink_session_id(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		for _, kind := range []string{"redirect", "page"} {
			app := app.Tenant(t)
			body := hostedPage
			if kind == "redirect" {
				body = `{"destination_url": "https://example.com/?visit={session_id}", "slug": "to-shop"}`
			}
			id := createLink(t, app, body)
			v, slug := &linkViewer{app: app, agent: chrome},
				field(t, app.Do(t, http.MethodGet, "/api/v1/links/"+id, nil, ""), "slug")
			shown := v.do(t, "GET", "/l/"+slug, "")
			_, given, _ := strings.Cut(shown.Header.Get("Location"), "?visit=")
			events := []string{"link.opened", "conversion"}
			if kind == "page" {
				given = string(metaSession.FindSubmatch(shown.Body)[1])
				v.post(t, slug, "views", `{"session_id": "`+given+`"}`)
				v.post(t, slug, "submissions", `{"session_id": "`+given+`", "email": "ana@example.com"}`)
				events = append(events, "form.submitted")
			}
			for _, text := range []string{given, v.cookie} { // the cookie's value continues the id
				answer := v.post(t, slug, "conversions", `{"session_id": "`+text+`", "type": "custom"}`)
				if answer.Status != http.StatusAccepted {
					t.Errorf("%s: %d %s", text, answer.Status, answer.Body)
				}
			}
			var list struct{ Sessions []struct{ ID string } }
			getJSON(t, app, "/api/v1/links/"+id+"/sessions", &list)
			if len(list.Sessions) != 1 || list.Sessions[0].ID != given {
				t.Errorf("%s: the sessions are %+v, given was %s", kind, list.Sessions, given)
			}
			listed, queried := sessionsOf(t, app)
			for _, name := range events {
				if listed[name] != given || queried[name] != given {
					t.Errorf("%s: %s has %q and %q, given was %s", kind, name, listed[name], queried[name], given)
				}
			}
		}
	})
}
