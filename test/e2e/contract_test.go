package e2e

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// routes are the required operations, as the specification and the table of operations list them.
var routes = []string{
	"GET /api/v1/workspace",
	"POST /api/v1/auth/keys", "GET /api/v1/auth/keys", "POST /api/v1/auth/keys/{key_id}/rotate",
	"DELETE /api/v1/auth/keys/{key_id}",
	"POST /api/v1/documents", "GET /api/v1/documents", "GET /api/v1/documents/count", "GET /api/v1/documents/{doc_id}",
	"PATCH /api/v1/documents/{doc_id}",
	"POST /api/v1/documents/ingest", "POST /api/v1/documents/ingest/auto", "POST /api/v1/documents/extract-text",
	"GET /api/v1/jobs/{job_id}", "POST /api/v1/jobs/{job_id}/cancel", "GET /api/v1/jobs/{job_id}/events",
	"POST /api/v1/documents/{doc_id}/retry", "DELETE /api/v1/documents/{doc_id}", "GET /api/v1/jobs",
	"POST /api/v1/jobs/{job_id}/retry",
}

// TestContract checks the documented routes and the errors for bad input through REST and GraphQL.
func TestContract(t *testing.T) {
	eachEmptyInstallation(t, func(t *testing.T, p installation) {
		g := p.start(t)
		t.Run("routes", func(t *testing.T) { g.checkRoutes(t) })
		t.Run("bad_input", func(t *testing.T) { g.checkBadInput(t) })
		t.Run("other_workspace", func(t *testing.T) { g.checkOtherWorkspace(t, p) })
		t.Run("uploads", func(t *testing.T) { g.checkUploads(t) })
		t.Run("entity_tags", func(t *testing.T) { g.checkEntityTags(t) })
	})
}

// contract is the part of an OpenAPI document that these tests read.
type contract struct {
	OpenAPI  string
	Paths    map[string]map[string]struct{ OperationID string }
	Webhooks map[string]map[string]struct{ OperationID string }
}

// operations returns the document's operation ids by method and path, or the name of a webhook.
func (g *gateway) operations(t *testing.T) map[string]string {
	t.Helper()
	got := g.do(t, http.MethodGet, "/openapi/openapi.json", http.Header{"X-API-Key": {""}}, nil)
	var read contract
	decode(t, got.body, &read)
	if got.status != http.StatusOK || !strings.HasPrefix(read.OpenAPI, "3.1.") {
		t.Fatalf("the document returns %d and is OpenAPI %q", got.status, read.OpenAPI)
	}
	out := map[string]string{}
	maps.Copy(read.Paths, read.Webhooks)
	for path, methods := range read.Paths {
		for method, operation := range methods {
			if method = strings.ToUpper(method); slices.Contains([]string{"GET", "PUT", "POST", "DELETE", "PATCH"},
				method) {
				out[method+" "+path] = operation.OperationID
			}
		}
	}
	return out
}

func (g *gateway) checkRoutes(t *testing.T) {
	listed := g.operations(t)
	for _, route := range routes {
		if listed[route] == "" {
			t.Errorf("%s is not in the OpenAPI document, which has %v", route, slices.Sorted(maps.Keys(listed)))
		}
	}
}

// problemDocument is the part of a problem document that these tests read.
type problemDocument struct {
	Status int
	Code   string
	Errors []struct {
		Pointer, Msg, Type string
		Loc                []any
	}
}

// badRequest is an invalid request and its expected error.
type badRequest struct {
	name, method, path string
	header             http.Header
	body               string
	status             int      // 0: any from 400 to 499
	code               string   // "": any
	fields             []string // each must be named
	allow              string   // must be contained in the response's Allow
}

var (
	deep     = strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	large    = `{"title":"t","content":"` + strings.Repeat("x", 11<<20) + `"}`
	mutation = url.QueryEscape(`mutation{createDocument(input:{title:"t",content:"c"}){document{id}}}`)
)

// badRequests are the invalid requests and their errors.
var badRequests = []badRequest{
	{name: "no key", method: "GET", path: "/api/v1/workspace", header: http.Header{"X-API-Key": {""}}, status: 401,
		code: "unauthenticated"},
	{name: "wrong key", method: "GET", path: "/api/v1/workspace", header: http.Header{"X-API-Key": {"rsk_wrong"}},
		status: 401, code: "invalid_key"},
	{name: "two bad fields", method: "POST", path: "/api/v1/documents",
		body:   `{"title":"","content":"c","media_provenance":"bought"}`,
		status: 422, code: "validation_failed", fields: []string{"title", "media_provenance"}},
	{name: "two wrong types", method: "POST", path: "/api/v1/documents", body: `{"title":7,"content":["c"]}`,
		status: 422, code: "validation_failed", fields: []string{"title", "content"}},
	{name: "missing fields", method: "POST", path: "/api/v1/documents", body: `{}`,
		status: 422, code: "validation_failed", fields: []string{"title", "content"}},
	{name: "two bad parameters", method: "GET", path: "/api/v1/documents?page=0&per_page=101",
		status: 422, code: "validation_failed", fields: []string{"page", "per_page"}},
	{name: "bad JSON", method: "POST", path: "/api/v1/documents", body: `{"title":`, status: 400,
		code: "malformed_json"},
	{name: "large body", method: "POST", path: "/api/v1/documents", body: large, status: 413, code: "too_large"},
	{name: "escaped slash", method: "GET", path: "/api/v1/documents/doc_a%2Fb", status: 404, code: "not_found"},
	{name: "unknown job", method: "GET", path: "/api/v1/jobs/job_nowhere/events", status: 404, code: "not_found"},
	{name: "unknown path", method: "GET", path: "/api/v1/nowhere", status: 404, code: "not_found"},
	{name: "method", method: "PUT", path: "/api/v1/workspace", status: 405, code: "method_not_allowed", allow: "GET"},
	{name: "NUL", method: "POST", path: "/api/v1/documents", body: `{"title":"\u0000","content":"c"}`},
	{name: "NUL in a path", method: "GET", path: "/api/v1/documents/doc_%00"},
	{name: "NUL in a query", method: "GET", path: "/api/v1/documents?q=%00"},
	{name: "invalid UTF-8", method: "POST", path: "/api/v1/documents",
		body: "{\"title\":\"\xff\xfe\",\"content\":\"c\"}"},
	{name: "invalid UTF-8 in a path", method: "GET", path: "/api/v1/documents/doc_%ff"},
	{name: "deep", method: "POST", path: "/api/v1/documents", body: deep},
	{name: "deep inside", method: "POST", path: "/api/v1/documents", body: `{"title":` + deep + `,"content":"c"}`},
	{name: "media type", method: "POST", path: "/api/v1/documents", header: http.Header{"Content-Type": {"text/csv"}},
		body:   "a,b",
		status: 415, code: "unsupported_media_type"},
}

func (g *gateway) checkBadInput(t *testing.T) {
	for _, r := range badRequests {
		t.Run(strings.ReplaceAll(r.name, " ", "_"), func(t *testing.T) { g.checkBadRequest(t, r) })
	}
	t.Run("graph", func(t *testing.T) { g.checkGraphRefusals(t) })
}

func (g *gateway) checkBadRequest(t *testing.T, r badRequest) {
	var body []byte
	if r.body != "" {
		body = []byte(r.body)
	}
	got := g.do(t, r.method, r.path, r.header, body)
	if r.status != 0 && got.status != r.status || got.status < 400 || got.status > 499 {
		t.Fatalf("status %d, want %d (0: any 4xx): %s", got.status, r.status, got.body)
	}
	var read problemDocument
	decode(t, got.body, &read)
	if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/problem+json") ||
		read.Status != got.status || read.Code == "" {
		t.Errorf("the problem document is %s: %s", kind, got.body)
	}
	if r.code != "" && read.Code != r.code {
		t.Errorf("the code is %q, want %q", read.Code, r.code)
	}
	if got.status == http.StatusUnauthorized && got.header.Get("WWW-Authenticate") == "" {
		t.Error("a 401 without WWW-Authenticate")
	}
	if !strings.Contains(got.header.Get("Allow"), r.allow) {
		t.Errorf("Allow is %q, want %q in it", got.header.Get("Allow"), r.allow)
	}
	checkNoInternals(t, got.body)
	read.checkFields(t, r.fields)
}

// checkFields checks that the problem names each of the fields, in its text and in its errors.
func (p problemDocument) checkFields(t *testing.T, fields []string) {
	t.Helper()
	for _, field := range fields {
		named := false
		for _, e := range p.Errors {
			if len(e.Loc) > 0 && e.Loc[len(e.Loc)-1] == field {
				named = strings.HasSuffix(e.Pointer, "/"+field) && e.Msg != "" && e.Type != ""
			}
		}
		if !named {
			t.Errorf("%s is not named in %+v", field, p.Errors)
		}
	}
}

// checkNoInternals checks that a response contains no internals of the program.
func checkNoInternals(t *testing.T, body []byte) {
	t.Helper()
	for _, sign := range []string{"goroutine ", ".go:", "panic", "SQLSTATE", "runtime error"} {
		if bytes.Contains(body, []byte(sign)) {
			t.Errorf("the response contains %q: %s", sign, body)
		}
	}
}

func (g *gateway) checkGraphRefusals(t *testing.T) {
	got := g.do(t, http.MethodGet, "/graphql?query="+mutation, nil, nil)
	if got.status != http.StatusMethodNotAllowed || !strings.Contains(got.header.Get("Allow"), "POST") {
		t.Errorf("a mutation over GET returns %d, Allow %q: %s", got.status, got.header.Get("Allow"), got.body)
	}
	for _, query := range []string{
		`{"query":"{documents(filter:{q:\"\\u0000\"}){totalCount}}"}`,
		`{"query":"{document(id:\"\\u0000\"){id}}"}`,
		`{"query":"mutation($t:String!){createDocument(input:{title:$t,content:\"c\"}){document{id}}}","variables":{"t":"\u0000"}}`,
		`{"query":"` + strings.Repeat("{a", 10_000) + strings.Repeat("}", 10_000) + `"}`,
		`{"query":"{workspace{id}}","variables":` + deep + `}`,
		large,
	} {
		got := g.do(t, http.MethodPost, "/graphql", nil, []byte(query))
		if got.status >= 500 || bytes.Contains(got.body, []byte(`"internal"`)) {
			t.Errorf("%.80s… returns %d: %.500s", query, got.status, got.body)
		}
		checkNoInternals(t, got.body)
	}
}

// checkOtherWorkspace creates a second workspace with the operator command and requests the first
// workspace's document and job from it.
func (g *gateway) checkOtherWorkspace(t *testing.T, p installation) {
	site := newPausedSite(t, newPage(1))
	made := g.ingest(t, site.url)
	site.open()
	g.awaitDocument(t, made.DocumentID)
	workspace := p.command(t, "workspace", "create", "--name", "Second")
	other := *g
	other.key = p.command(t, "key", "mint", "--workspace", workspace, "--name", "e2e")
	var seen struct{ ID string }
	other.rest(t, http.MethodGet, "/api/v1/workspace", nil, &seen)
	if seen.ID != workspace {
		t.Errorf("the new key belongs to %s, want %s", seen.ID, workspace)
	}
	for _, r := range []badRequest{
		{method: "GET", path: "/api/v1/documents/" + made.DocumentID},
		{method: "PATCH", path: "/api/v1/documents/" + made.DocumentID, body: `{"title":"taken"}`},
		{method: "DELETE", path: "/api/v1/documents/" + made.DocumentID},
		{method: "POST", path: "/api/v1/documents/" + made.DocumentID + "/retry", body: `{}`},
		{method: "GET", path: "/api/v1/jobs/" + made.JobID},
		{method: "GET", path: "/api/v1/jobs/" + made.JobID + "/events"},
		{method: "POST", path: "/api/v1/jobs/" + made.JobID + "/cancel", body: `{}`},
	} {
		r.status, r.code = http.StatusNotFound, "not_found"
		other.checkBadRequest(t, r)
	}
	var read struct{ Document, Node any }
	other.graph(t, `query($id: ID!) { document(id: $id) { id } node(id: $id) { id } }`,
		map[string]any{"id": made.DocumentID}, &read)
	if read.Document != nil || read.Node != nil {
		t.Errorf("the graph returns another workspace's document: %+v", read)
	}
}

// checkEntityTags requests a document by its entity tag, before and after a change.
func (g *gateway) checkEntityTags(t *testing.T) {
	var made struct{ Document struct{ ID string } }
	g.rest(t, http.MethodPost, "/api/v1/documents", map[string]any{"title": "Tagged", "content": "A short text."},
		&made)
	path := "/api/v1/documents/" + made.Document.ID
	first := g.do(t, http.MethodGet, path, nil, nil)
	tag := first.header.Get("ETag")
	if first.status != http.StatusOK || tag == "" {
		t.Fatalf("the document returns %d with the tag %q", first.status, tag)
	}
	if again := g.do(t, http.MethodGet, path, http.Header{"If-None-Match": {tag}},
		nil); again.status != http.StatusNotModified || len(again.body) > 0 {
		t.Errorf("an unchanged document returns %d with %d bytes", again.status, len(again.body))
	}
	g.rest(t, http.MethodPatch, path, map[string]any{"title": "Tagged again"}, &made)
	if after := g.do(t, http.MethodGet, path, http.Header{"If-None-Match": {tag}},
		nil); after.status != http.StatusOK || after.header.Get("ETag") == tag {
		t.Errorf("a changed document returns %d with the previous tag %q", after.status, after.header.Get("ETag"))
	}
}
