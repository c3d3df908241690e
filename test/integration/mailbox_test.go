package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/test/kit"
	"rostrum/test/kit/mailtest"
	"rostrum/test/kit/poll"
)

// TestMailbox: a mailbox is tried, added over REST, and read; nothing that is read back has its
// password.
func TestMailbox(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		server := mailtest.New(t)
		server.Deliver(t, time.Now(), "From: Ana <ana@a.example>\r\nSubject: The quay opens\r\nMessage-ID: <1@a>\r\n\r\n"+
			"Embargoed until 5 January 2031 09:00 UTC\r\n\r\nThe quay of the old harbour opens on Monday after four years of building.\r\n")
		box := func(password string) string {
			return fmt.Sprintf(`{"mailbox": {"host": "127.0.0.1", "port": %d, "username": %q, "password": %q}}`, server.Port,
				mailtest.Username, password)
		}
		var seen strings.Builder
		do := func(status int, method, path string, header http.Header, body string) *kit.Response {
			t.Helper()
			got := app.Do(t, method, "/api/v1"+path, header, body)
			fmt.Fprintln(&seen, string(got.Body))
			return got.Want(t, status)
		}
		tried := do(200, "POST", "/sources/preview", nil, box(mailtest.Password))
		if field(t, tried, "kind") != "mailbox" || !strings.Contains(string(tried.Body), "The quay opens") {
			t.Errorf("the preview is %s", tried.Body)
		}
		refused := do(422, "POST", "/sources/preview", nil, box("another "+mailtest.Password))
		if !strings.Contains(string(refused.Body), `"password"`) {
			t.Errorf("a refused sign-in: %s", refused.Body)
		}
		key := http.Header{"Idempotency-Key": {"mailbox"}}
		public := strings.TrimSuffix(box(mailtest.Password), "}") + `, "visibility": "public"}`
		created := do(201, "POST", "/sources", key, public)
		id := field(t, created, "id")
		if again := do(201, "POST", "/sources", key, public); field(t, again, "id") != id {
			t.Errorf("repeated, it is %s", again.Body)
		}
		poll.Until(t, func() bool {
			return strings.Contains(string(do(200, "GET", "/sources/"+id+"/documents", nil, "").Body), `"title":"The quay opens"`)
		}, "the mail is not read")
		listed := do(200, "GET", "/documents?q=quay", nil, "")
		if !strings.Contains(string(listed.Body), `"visibility":"embargoed"`) {
			t.Errorf("a mail under embargo is stored as %s", listed.Body)
		}
		do(422, "PATCH", "/sources/"+id, nil, `{"mailbox": {"host": "mail.example.com"}}`)
		do(200, "PATCH", "/sources/"+id, nil, fmt.Sprintf(`{"mailbox": {"password": %q}, "name": "Press"}`, mailtest.Password))
		do(200, "GET", "/events", nil, "")
		graph := app.Do(t, "POST", "/graphql", nil, `{"query": "{ auditLog(first: 20) { nodes { action details } } workspaceEvents: events(first: 50) { nodes { __typename } } sources(first: 5) { nodes { name kind url mailbox { host port username folder security } } } }"}`).Want(t, 200)
		fmt.Fprintln(&seen, string(graph.Body))
		if !strings.Contains(string(graph.Body), `"security":"TLS"`) {
			t.Errorf("the graph has %s", graph.Body)
		}
		if strings.Contains(seen.String(), mailtest.Password) {
			t.Error("an answer has the password")
		}
	})
}
