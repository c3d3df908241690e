package integration

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/app"
	"rostrum/model"
	"rostrum/test/kit"
)

// publicLimit is the largest body of a client without a principal.
const publicLimit = 64 << 10

// TestEdge_bodies sends bodies of different sizes and encodings with and without a key.
func TestEdge_bodies(t *testing.T) {
	t.Parallel()
	a := kit.Stacks(t)[0].Start(t)
	createLink(t, a, hostedPage)
	withoutKey, withKey := http.Header{"X-Api-Key": nil}, http.Header{}
	padded := func(body string, size int) string { return body + strings.Repeat(" ", size-len(body)) }
	signIn, operation := `{"email": "a@example.org", "password": "b"}`, `{"query": "{ __typename }"}`
	many := "[" + strings.Repeat("{},", 3<<20) + "0]"
	with := func(name, value string) http.Header { return http.Header{name: {value}} }
	latin, gzip := "application/json; charset=iso-8859-1", "gzip"
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
		body         string
		status       int
		want         string
	}{
		"sign-in at its limit": {"POST", authPath, withoutKey, padded(signIn, publicLimit), 401,
			"unauthenticated"},
		"sign-in over its limit": {"POST", authPath, withoutKey, padded(signIn, publicLimit+1), 413,
			"the body is over 64 KB"},
		"the graph at the public limit": {"POST", graphPath, withoutKey, padded(operation, publicLimit), 200,
			"Query"},
		"the graph over the public limit": {"POST", graphPath, withoutKey, padded(operation, publicLimit+1), 413,
			"the body is over 64 KB"},
		"the graph with a key": {"POST", graphPath, withKey, padded(operation, publicLimit+1), 200, "Query"},
		"an upload without a key": {"POST", graphPath,
			http.Header{"X-Api-Key": nil, "Content-Type": {"multipart/form-data; boundary=x"}},
			padded("--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n", publicLimit+1), 413,
			"the body is over 64 KB"},
		"a report over the public limit": {"POST", "/api/public/links/x/views", withoutKey,
			padded(`{"session_id": "x"}`, publicLimit+1), 413, "the body is over 64 KB"},
		"many values over REST": {"POST", "/api/v1/documents", withKey, many, 413, "more than 50000 values"},
		"many values in a form": {"POST", "/api/public/links/autumn/submissions", withoutKey,
			`{"a": [` + strings.Repeat("0,", 60_000) + `0]}`, 413, "more than 50000 values"},
		"many invalid fields": {"POST", "/api/v1/documents", withKey,
			`{"tags": [` + strings.Repeat("0,", 1_000) + `0]}`, 422, "; and 983 more\""},
		"many values in the graph": {"POST", graphPath, withKey,
			`{"query": "{ __typename }", "variables": {"a": ` + many + `}}`, 413, "more than 50000 values"},
		"a coding over REST": {"POST", "/api/v1/documents", with("Content-Encoding", gzip), "{}", 415,
			"Content-Encoding"},
		"a coding in the graph": {"POST", graphPath, with("Content-Encoding", "br"), operation, 415,
			"Content-Encoding"},
		"a coding at sign-in": {"POST", authPath, with("Content-Encoding", gzip), signIn, 415,
			"Content-Encoding"},
		"a coding of a form": {"POST", "/api/public/links/x/submissions", with("Content-Encoding", gzip),
			"{}", 415, "Content-Encoding"},
		"no coding": {"POST", graphPath, with("Content-Encoding", "identity"), operation, 200,
			"Query"},
		"a charset over REST": {"POST", "/api/v1/documents", with("Content-Type", latin), "{}", 415,
			"iso-8859-1"},
		"a charset in the graph": {"POST", graphPath, with("Content-Type", latin), operation, 415,
			"iso-8859-1"},
		"a charset at sign-in": {"POST", authPath, with("Content-Type", latin), signIn, 415, "iso-8859-1"},
		"a charset of a report": {"POST", "/api/public/links/x/views",
			with("Content-Type", "text/plain; charset=utf-16"), "{}", 415, "utf-16"},
		"UTF-8 in capitals": {"POST", graphPath, with("Content-Type", "application/json; charset=UTF-8"),
			operation, 200, "Query"},
		"two keys over REST": {"GET", "/api/v1/documents", http.Header{"X-Api-Key": {a.Key, a.Key}}, "",
			400, "send the header X-API-Key once"},
		"two keys in the graph": {"POST", graphPath, http.Header{"X-Api-Key": {"", a.Key}}, operation, 400,
			"send the header X-API-Key once"},
		"a key and another bearer token": {"GET", "/api/v1/documents", with("Authorization", "Bearer rsk_other"), "",
			400, "Authorization"},
		"a key as a bearer token": {"GET", "/api/v1/documents", http.Header{"X-Api-Key": nil,
			"Authorization": {"bearer " + a.Key}}, "", 200, "documents"},
		"a key as a bearer token in the graph": {"POST", graphPath, http.Header{"X-Api-Key": nil,
			"Authorization": {"Bearer " + a.Key}}, `{"query": "{ workspace { name } }"}`, 200, "Test"},
		"a bearer token of a proxy": {"POST", graphPath, http.Header{"X-Api-Key": nil,
			"Authorization": {"Bearer eyJhbGciOi"}}, operation, 200, "Query"},
		"a key and the same bearer token": {"GET", "/api/v1/documents", with("Authorization", "Bearer "+a.Key), "", 200,
			"documents"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := a.Do(t, c.method, c.path, c.header, c.body)
			if answer.Status != c.status || !strings.Contains(string(answer.Body), c.want) {
				t.Errorf("%d %.300s", answer.Status, answer.Body)
			}
		})
	}
}

// unreadBody fails the test when it is read.
type unreadBody struct{ t *testing.T }

func (b unreadBody) Read([]byte) (int, error) {
	b.t.Error("the body is read")
	return 0, io.EOF
}

// TestEdge_limits checks that a request takes a token of its key, or of its address without a key,
// before its body is read.
func TestEdge_limits(t *testing.T) {
	t.Parallel()
	// The next token comes after a minute.
	a := kit.Stacks(t)[0].StartChanged(t, func(c *app.Config) { c.RatePerAddress, c.RatePerKey = 1, 1 })
	a.Do(t, "POST", authPath, http.Header{"X-Api-Key": nil}, `{}`).Want(t, 422)
	for _, path := range []string{authPath, graphPath, "/api/public/links/x/views"} {
		wantUnread(t, a, "", path, "application/json")
	}
	a.Do(t, "GET", "/api/v1/workspace", nil, "").Want(t, 200)
	for _, path := range []string{"/api/v1/documents", "/api/v1/documents/extract-text", graphPath} {
		for _, media := range []string{"application/json", "multipart/form-data; boundary=x"} {
			wantUnread(t, a, a.Key, path, media)
		}
	}
}

// wantUnread fails the test unless a request for which there is no token is rejected without
// reading its body. An empty key sends none.
func wantUnread(t *testing.T, a *kit.App, key, path, media string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", path, unreadBody{t})
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", media)
	if key != "" {
		r.Header.Set("X-API-Key", key)
	}
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	if w.Code != 429 || w.Header().Get("RateLimit-Limit") != "1" {
		t.Errorf("%s of %s: %d %s", media, path, w.Code, w.Body)
	}
}

// TestEdge_attempts checks that invalid bodies are attempts to sign in.
func TestEdge_attempts(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		attempt := func(body string) int {
			return a.Do(t, "POST", authPath, http.Header{"X-Api-Key": nil}, body).
				Status
		}
		invalid := 0 // the allowed attempts, and those that are regained on a slow machine
		for attempt(`{`) == 400 && invalid < 200 {
			invalid++
		}
		if invalid < 100 || invalid == 200 {
			t.Errorf("after %d attempts the address is not limited", invalid)
		}
		signIn := fmt.Sprintf(signInAs, "ines@example.org", password)
		for range 20 {
			if attempt(signIn) == 429 {
				return
			}
			for attempt(`{`) == 400 { // takes what was regained meanwhile
			}
		}
		t.Error("invalid bodies do not count toward the limit of sign-ins")
	})
}

// deadlineRecorder records whether the handler limits the time of the body.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (r *deadlineRecorder) SetReadDeadline(t time.Time) error {
	r.deadlines = append(r.deadlines, t)
	return nil
}

// TestEdge_deadlines checks that the time of every body is limited, and the limit removed at its
// end.
func TestEdge_deadlines(t *testing.T) {
	t.Parallel()
	a := kit.Stacks(t)[0].Start(t)
	for _, path := range []string{authPath, graphPath, "/api/v1/documents"} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", path, strings.NewReader(`{}`))
		r.Header.Set("X-API-Key", a.Key)
		r.Header.Set("Content-Type", "application/json")
		w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		a.Handler().ServeHTTP(w, r)
		if len(w.deadlines) < 2 || w.deadlines[0].IsZero() || !w.deadlines[len(w.deadlines)-1].IsZero() {
			t.Errorf("%s: the deadlines are %v", path, w.deadlines)
		}
	}
}

// TestEdge_headers requests every path without parameters, and links of each kind.
func TestEdge_headers(t *testing.T) {
	t.Parallel()
	a := kit.Stacks(t)[0].Start(t)
	createLink(t, a, `{"destination_url": "https://example.com/", "slug": "plain"}`)
	createLink(t, a, hostedPage)
	routes, err := a.Routes()
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"/l/plain", "/l/autumn", "/l/nobody", "/nothing", "/api/v1/nothing", "/docs/swagger-ui.css",
		"/docs"}
	for _, route := range routes {
		if method, path, _ := strings.Cut(route, " "); method == "GET" && !strings.ContainsAny(path, "{*") {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
		r.Header.Set("X-API-Key", a.Key)
		r.Header.Set("Accept", "application/json, */*;q=0.5")
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		want := "no-referrer"
		if strings.HasPrefix(path, "/l/") {
			want = "strict-origin-when-cross-origin"
		}
		if policy := w.Header().Get("Referrer-Policy"); policy != want ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestEdge_unstorable sends NUL characters and invalid UTF-8, which Postgres rejects, wherever a
// text may reach the database.
func TestEdge_unstorable(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		b := newSignedIn(t, a, "ines@example.org")
		b.Do(t, "POST", authPath, `{"email": "a\u0000@example.org", "password": "b"}`).Want(t, 422, `"#/email"`)
		b.Do(t, "GET", "/api/v1/auth/keys", "", "X-Workspace-Id: \xff").Want(t, 403, "workspace_mismatch")
		b.Do(t, "POST", graphPath, whoami, "X-Workspace-Id: \xff").Want(t, 403, "workspace_mismatch")
		history := `{"query": "mutation($h: [JSON!]) { saveDraft(input: {content: \"a\", testHistory: $h}) { draft { id } } }", "variables": {"h": [{"a": "\u0000"}]}}`
		a.Do(t, "POST", graphPath, nil, history).Want(t, 200, "NUL")
		filters := `{"query": "mutation($f: JSON!) { replaceCommsFilters(input: {filters: $f}) { filters } }", "variables": {"f": {"a\u0000": true}}}`
		a.Do(t, "POST", graphPath, nil, filters).Want(t, 200, "NUL")
		cursor := base64.RawURLEncoding.EncodeToString([]byte(`{"v": "2026-01-01T00:00:00Z", "id": "\u0000"}`))
		a.Do(t, "POST", graphPath, nil, `{"query": "{ documents(first: 1, after: \"`+cursor+`\") { nodes { id } } }"}`).
			Want(t, 200, `"validation_failed"`)
		for i, address := range []string{"https://example.com/%00", "https://example.com/%ff"} {
			createLink(t, a, fmt.Sprintf(`{"destination_url": %q, "slug": "unstorable-%d"}`, address, i))
		}
		viewer := &linkViewer{app: a, agent: chrome + " \xff"}
		viewer.do(t, "GET", "/l/unstorable-0", "", "Referer: https://example.com/%00\xff").Want(t, 302)
		viewer.do(t, "GET", "/l/"+url.PathEscape("\xff"), "").Want(t, 404)
		form, media := uploadForm(t, linkOfFile, `{"0": ["variables.file"]}`, "a\xff\x00.txt")
		answer := a.Do(t, "POST", graphPath, http.Header{"Content-Type": {media}}, form)
		if strings.Contains(string(answer.Body), `"internal"`) ||
			strings.Contains(string(answer.Body), `"unavailable"`) {
			t.Errorf("a file's name: %d %s", answer.Status, answer.Body)
		}
	})
}

// linkOfFile is an operation that creates a link with a file.
const linkOfFile = `{"query": "mutation($file: Upload) { createLink(input: {}, file: $file) { link { id } } }", "variables": {"file": null}}`

// TestEdge_files assigns files to more variables than any operation has, and to a variable that is
// JSON.
func TestEdge_files(t *testing.T) {
	t.Parallel()
	a := kit.Stacks(t)[0].Start(t)
	const history = `{"query": "mutation($h: [JSON!]) { saveDraft(input: {content: \"a\", testHistory: $h}) { draft { id } } }", "variables": {"h": [%s]}}`
	files := func(n int) (nulls, paths string) {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"variables.h.%d"`, i))
		}
		return strings.TrimSuffix(strings.Repeat("null,", n), ","), `{"0": [` + strings.Join(all, ",") + `]}`
	}
	for n, want := range map[int]struct {
		status int
		text   string
	}{100: {200, "must be JSON, not a file"}, 101: {400, "map assigns files to more than 100 variables"}} {
		nulls, paths := files(n)
		form, media := uploadForm(t, fmt.Sprintf(history, nulls), paths, "a.txt")
		a.Do(t, "POST", graphPath, http.Header{"Content-Type": {media}}, form).Want(t, want.status, want.text)
	}
	if drafts := a.Do(t, "GET", "/api/v1/content-creation/drafts", nil, ""); !strings.Contains(string(drafts.Body),
		`"drafts":[]`) {
		t.Errorf("a draft was saved: %s", drafts.Body)
	}
}

// uploadForm returns a form of the GraphQL multipart request specification with a file of that
// name.
func uploadForm(t *testing.T, operations, paths, name string) (body, mediaType string) {
	t.Helper()
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	_ = form.WriteField("operations", operations)
	_ = form.WriteField("map", paths)
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="0"; filename="` + name +
		`"`}})
	if err == nil {
		_, err = part.Write([]byte("text"))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), form.FormDataContentType()
}

// TestLink_session_limit opens a link more often than an address may start sessions.
func TestLink_session_limit(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			// the next session may start after a minute
			a := stack.StartChanged(t, func(c *app.Config) { c.LinkSessions = 1 })
			id := createLink(t, a, `{"destination_url": "https://example.com/?s={session_id}", "slug": "plain"}`)
			page := createLink(t, a, hostedPage)
			known := &linkViewer{app: a, agent: chrome}
			known.do(t, "GET", "/l/plain", "").Want(t, 302)
			late := &linkViewer{app: a, agent: chrome}
			late.do(t, "GET", "/l/autumn", "").Want(t, 200)
			started := 1
			for range 6 {
				v := &linkViewer{app: a, agent: chrome}
				answer := v.do(t, "GET", "/l/plain", "").Want(t, 302)
				if location := answer.Header.Get("Location"); (v.cookie == "") != (location == "https://example.com/?s=") {
					t.Errorf("the session %q is sent to %s", v.cookie, location)
				}
				if v.cookie != "" {
					started++ // on a very slow machine
				}
				known.do(t, "GET", "/l/plain", "").Want(t, 302)
			}
			late.post(t, "autumn", "views", `{"session_id": "`+late.session()+`"}`).Want(t, 204)
			opens, views := linkCounts(t, a, id)[0], linkCounts(t, a, page)[0]
			if opens != started || started > 3 || views > 1 {
				t.Errorf("%d opens and %d views are counted, %d sessions started", opens, views, started)
			}
			if n, err := a.OpenDB(t).NewSelect().Model((*model.LinkSession)(nil)).
				Where("workspace_id = ?", a.WorkspaceID).Count(t.Context()); err != nil || int(n) != opens+views {
				t.Errorf("%d sessions are stored (%v)", n, err)
			}
		})
	}
}
