package integration

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
)

const (
	authPath  = "/api/public/auth/session"
	password  = "correct horse battery"
	signInAs  = `{"email": %q, "password": %q}`
	graphPath = "/graphql"
	whoami    = `{"query": "{ workspace { id } }"}`
)

// createOwner creates an owner of the app's workspace.
func createOwner(t *testing.T, a *kit.App, email string) *model.User {
	t.Helper()
	user, err := a.AddUser(t.Context(), account.NewUser{Email: email, Password: password, WorkspaceID: a.WorkspaceID,
		Role: model.RoleOwner})
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// newSignedIn returns a browser in which the owner is signed in.
func newSignedIn(t *testing.T, a *kit.App, email string) *kit.Browser {
	t.Helper()
	b := a.NewBrowser(t)
	b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, email, password)).Want(t, 200)
	return b
}

func cookieOf(a *kit.Response, name string) *http.Cookie {
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		if cookie.Name == name {
			return cookie
		}
	}
	return nil
}

var requestID = regexp.MustCompile(`"request_id":"[^"]*"`)

func TestSession(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		user := createOwner(t, a, "ines@example.org")
		t.Run("a_wrong_user_and_a_wrong_password_return_the_same_error", func(t *testing.T) {
			b := a.NewBrowser(t)
			wrongUser := b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, "nobody@example.org", password)).
				Want(t, 401, `"code":"unauthenticated"`)
			wrongPassword := b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", "wrong password")).
				Want(t, 401)
			one, other := requestID.ReplaceAll(wrongUser.Body, nil), requestID.ReplaceAll(wrongPassword.Body, nil)
			if string(one) != string(other) || cookieOf(wrongPassword, "rostrum_login") != nil {
				t.Errorf("%s differs from %s", one, other)
			}
		})
		t.Run("invalid_bodies_name_the_field", func(t *testing.T) {
			b := a.NewBrowser(t)
			b.Do(t, "POST", authPath, `{"email": 5}`).Want(t, 422, `"#/email"`)
			b.Do(t, "POST", authPath, `{}`).Want(t, 422, `"#/email"`, `"#/password"`)
			b.Do(t, "POST", authPath, `[]`).Want(t, 422)
			b.Do(t, "POST", authPath, `{`).Want(t, 400, `"code":"malformed_json"`)
			b.Do(t, "POST", authPath, `{}`, "Content-Type: text/plain").Want(t, 415)
			b.Do(t, "POST", authPath, `{"id_token": "x"}`).Want(t, 422, `"#/id_token"`)
			b.Do(t, "GET", "/api/public/auth/oidc", "").Want(t, 404)
		})
		t.Run("the_cookie_is_hidden_from_scripts_and_other_sites", func(t *testing.T) {
			b := a.NewBrowser(t)
			answer := b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, "Ines@example.org", password),
				"Cookie: rostrum_login=planted")
			answer.Want(t, 200, `"id":"`+user.ID+`"`, `"email":"ines@example.org"`, `"expires_at":"`)
			cookie := cookieOf(answer, "rostrum_login")
			if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" ||
				cookie.Value == "planted" || cookie.Secure {
				t.Errorf("the cookie is %+v", cookie)
			}
			if strings.Contains(string(answer.Body), cookie.Value) {
				t.Error("the body has the token")
			}
		})
		t.Run("authorizes_the_graph_by_post_and_the_key_routes_only", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			b.Do(t, "POST", graphPath, whoami).Want(t, 200, a.WorkspaceID)
			b.Do(t, "GET", graphPath+"?query="+url.QueryEscape("{workspace{id}}"), "").Want(t, 401)
			var minted struct{ Key struct{ ID string } }
			made := b.Do(t, "POST", "/api/v1/auth/keys", `{"name": "by session"}`).Want(t, 201, `"secret":"rsk_`)
			if err := json.Unmarshal(made.Body, &minted); err != nil {
				t.Fatal(err)
			}
			b.Do(t, "GET", "/api/v1/auth/keys", "").Want(t, 200, minted.Key.ID)
			b.Do(t, "DELETE", "/api/v1/auth/keys/"+minted.Key.ID, "").Want(t, 204)
			b.Do(t, "GET", "/api/public/auth/workspaces", "").Want(t, 200, a.WorkspaceID, `"role":"owner"`,
				`"plan":"free"`)
			b.Do(t, "POST", graphPath, `{"query": "{ auditLog(first: 1) { nodes { actorKind actorId action } } }"}`).
				Want(t, 200, `"actorKind":"USER"`, user.ID, "key.revoked")
		})
		t.Run("authorizes_a_socket_of_this_origin_only", func(t *testing.T) { testSessionSocket(t, a) })
		t.Run("another_origin_cannot_use_it", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			for _, header := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
				"Origin: https://evil.example"} {
				b.Do(t, "POST", graphPath, whoami, header).Want(t, 403, `"code":"cross_origin"`)
				b.Do(t, "POST", "/api/v1/auth/keys", `{"name": "x"}`, header).Want(t, 403, `"code":"cross_origin"`)
				b.Do(t, "DELETE", authPath, "", header).Want(t, 403, `"code":"cross_origin"`)
				b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", password), header).Want(t, 403)
				b.Do(t, "POST", graphPath, whoami, header, "X-API-Key: "+a.Key).Want(t, 200)
			}
			b.Do(t, "POST", graphPath, whoami, "Content-Type: text/plain").Want(t, 415)
			b.Do(t, "POST", graphPath, whoami, "Sec-Fetch-Site: same-origin").Want(t, 200)
		})
		t.Run("acts_only_in_its_own_workspaces", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			foreign, _, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Foreign"})
			if err != nil {
				t.Fatal(err)
			}
			b.Do(t, "POST", graphPath, whoami, "X-Workspace-Id: "+a.WorkspaceID).Want(t, 200, a.WorkspaceID)
			b.Do(t, "POST", graphPath, whoami, "X-Workspace-Id: "+foreign).Want(t, 403, `"code":"workspace_mismatch"`)
			b.Do(t, "GET", "/api/v1/auth/keys", "", "X-Workspace-Id: "+foreign).
				Want(t, 403, `"code":"workspace_mismatch"`)
			b.Do(t, "GET", "/api/v1/workspace", "", "X-Workspace-Id: "+foreign, "X-API-Key: "+a.Key).
				Want(t, 403, `"code":"workspace_mismatch"`)
		})
		t.Run("a_token_from_before_signing_in_is_replaced", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			before := b.Cookie(t)
			b.Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", password)).Want(t, 200)
			if b.Cookie(t) == before {
				t.Error("the token is unchanged")
			}
			a.NewBrowser(t).Do(t, "POST", graphPath, whoami, "Cookie: rostrum_login="+before).Want(t, 401)
		})
		t.Run("signing_out_is_permanent_and_idempotent", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			token := b.Cookie(t)
			for range 2 {
				b.Do(t, "DELETE", authPath, "").Want(t, 204)
			}
			stale := "Cookie: rostrum_login=" + token
			b.Do(t, "POST", graphPath, whoami, stale).Want(t, 401, `"code":"unauthenticated"`)
			b.Do(t, "GET", "/api/v1/auth/keys", "", stale).Want(t, 401)
			b.Do(t, "GET", "/api/public/auth/workspaces", "", stale).Want(t, 401)
			b.Do(t, "POST", graphPath, `{"query": "{ __typename }"}`, stale).Want(t, 200)
		})
	})
}

// TestSession_everyRoute sends a cookie to every route of the API; the routes come from the OpenAPI
// document.
func TestSession_everyRoute(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		b := newSignedIn(t, a, "ines@example.org")
		var doc struct {
			Paths map[string]map[string]struct {
				Security []map[string]any
			}
		}
		if err := json.Unmarshal(b.Do(t, "GET", "/openapi/openapi.json", "").Body, &doc); err != nil {
			t.Fatal(err)
		}
		tried := 0
		for path, methods := range doc.Paths {
			for method, operation := range methods {
				if !strings.HasPrefix(path, "/api/v1/") || len(operation.Security) > 0 {
					continue
				}
				tried++
				b.Do(t, strings.ToUpper(method), strings.NewReplacer("{", "", "}", "").Replace(path), "").
					Want(t, 401, `"code":"unauthenticated"`)
			}
		}
		if tried < 10 {
			t.Errorf("only %d routes were tried", tried)
		}
	})
}

// TestSession_processes runs two processes on one database and one Redis.
func TestSession_processes(t *testing.T) {
	kit.EachShared(t, func(t *testing.T, first *kit.App) {
		second := kit.StartWith(t, first.Config)
		createOwner(t, first, "ines@example.org")
		b := newSignedIn(t, first, "ines@example.org")
		token := b.Cookie(t)
		there := second.NewBrowser(t)
		there.Do(t, "POST", graphPath, whoami, "Cookie: rostrum_login="+token).Want(t, 200, first.WorkspaceID)
		there.Do(t, "DELETE", authPath, "", "Cookie: rostrum_login="+token).Want(t, 204)
		b.Do(t, "POST", graphPath, whoami).Want(t, 401)
	})
}

func TestSession_attempts(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		b := a.NewBrowser(t)
		body := fmt.Sprintf(signInAs, "ines@example.org", "wrong password")
		for range 10 {
			b.Do(t, "POST", authPath, body).Want(t, 401)
		}
		if answer := b.Do(t, "POST", authPath, body).
			Want(t, 429, `"code":"rate_limited"`); answer.Header.Get("Retry-After") == "" {
			t.Error("Retry-After is missing")
		}
	})
}

func TestSession_overTLS(t *testing.T) {
	t.Parallel()
	a := kit.StartWith(t, app.Config{DataDir: t.TempDir(), PublicURL: "https://rostrum.example",
		Playground: t.TempDir()})
	createOwner(t, a, "ines@example.org")
	answer := a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", password)).Want(t, 200)
	if cookie := cookieOf(answer, "rostrum_login"); cookie == nil || !cookie.Secure {
		t.Errorf("the cookie is %+v", cookie)
	}
}

// TestStreams_end opens a stream with each kind of credential, revokes the credential, and waits
// for the end of the stream.
func TestStreams_end(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		watch := `{"query": "subscription { documentEvents { kind } }"}`
		t.Run("graph_by_session", func(t *testing.T) {
			b := newSignedIn(t, a, "ines@example.org")
			ended := openStream(t, a, "POST", graphPath, watch, "Cookie", "rostrum_login="+b.Cookie(t))
			b.Do(t, "DELETE", authPath, "").Want(t, 204)
			if text := <-ended; !strings.Contains(text, `"code":"unauthenticated"`) {
				t.Errorf("the stream ended with %s", text)
			}
		})
		rest := []string{"/api/v1/events"}
		for _, path := range rest {
			t.Run("rest_by_key"+strings.ReplaceAll(path, "/", "_"), func(t *testing.T) {
				id, secret := createKey(t, a)
				ended := openStream(t, a, "GET", path, "", "X-API-Key", secret)
				a.Do(t, "DELETE", "/api/v1/auth/keys/"+id, nil, "").Want(t, 204)
				if text := <-ended; !strings.Contains(text, `"code":"key_revoked"`) {
					t.Errorf("the stream ended with %s", text)
				}
			})
		}
		t.Run("graph_by_key", func(t *testing.T) {
			id, secret := createKey(t, a)
			ended := openStream(t, a, "POST", graphPath, watch, "X-API-Key", secret)
			a.Do(t, "DELETE", "/api/v1/auth/keys/"+id, nil, "").Want(t, 204)
			if text := <-ended; !strings.Contains(text, `"code":"key_revoked"`) {
				t.Errorf("the stream ended with %s", text)
			}
		})
	})
}

func createKey(t *testing.T, a *kit.App) (id, secret string) {
	t.Helper()
	var made struct {
		Key    struct{ ID string }
		Secret string
	}
	if err := json.Unmarshal(a.Do(t, "POST", "/api/v1/auth/keys", nil, `{"name": "watcher"}`).Want(t, 201).Body,
		&made); err != nil {
		t.Fatal(err)
	}
	return made.Key.ID, made.Secret
}

// openStream opens a stream and sends its whole text when it has ended; the stream is open when
// openStream returns.
func openStream(t *testing.T, a *kit.App, method, path, body, name, value string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, method, a.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set(name, value)
	response, err := kit.Transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(response.Body)
	if response.StatusCode != http.StatusOK || !lines.Scan() {
		t.Fatalf("the stream does not open: %d", response.StatusCode)
	}
	ended := make(chan string, 1)
	go func() {
		defer response.Body.Close()
		var text strings.Builder
		for lines.Scan() {
			text.WriteString(lines.Text() + "\n")
		}
		ended <- text.String()
	}()
	return ended
}

// testSessionSocket opens sockets with a session's cookie from pages of several origins.
func testSessionSocket(t *testing.T, a *kit.App) {
	cookie := "rostrum_login=" + newSignedIn(t, a, "ines@example.org").Cookie(t)
	for name, c := range map[string]struct {
		header     http.Header
		payload    string
		want       string
		wantStatus websocket.StatusCode
	}{
		"the same origin": {http.Header{"Cookie": {cookie}, "Origin": {a.URL}}, `{}`, `{"type":"connection_ack"}`,
			-1},
		"a workspace of others": {http.Header{"Cookie": {cookie}, "Origin": {a.URL}},
			`{"x-workspace-id": "ws_foreign"}`, "", 4403},
		"another origin":   {http.Header{"Cookie": {cookie}, "Origin": {"https://evil.example"}}, `{}`, "", 4403},
		"another site":     {http.Header{"Cookie": {cookie}, "Sec-Fetch-Site": {"cross-site"}}, `{}`, "", 4403},
		"without a cookie": {http.Header{"Origin": {a.URL}}, `{}`, "", 4403},
	} {
		t.Run(name, func(t *testing.T) {
			conn, _, err := websocket.Dial(t.Context(), a.URL+graphPath, &websocket.DialOptions{HTTPHeader: c.header, Subprotocols: []string{"graphql-transport-ws"}})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.CloseNow()
			if err := conn.Write(t.Context(), websocket.MessageText,
				[]byte(`{"type": "connection_init", "payload": `+c.payload+`}`)); err != nil {
				t.Fatal(err)
			}
			_, got, err := conn.Read(t.Context())
			if string(got) != c.want || websocket.CloseStatus(err) != c.wantStatus {
				t.Errorf("the socket returns %q and %v", got, err)
			}
		})
	}
}
