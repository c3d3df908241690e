package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/test/kit"
)

// route is one method of one path of the OpenAPI document, which is derived from the stored
// operations.
type route struct {
	method, path string
	operation    *openapi3.Operation
	body, media  string // a valid body and its media type; empty if the route takes none
}

// root is one field of the schema's three roots.
type root struct {
	kind  ast.Operation
	field *ast.FieldDefinition
}

// attack holds every route and root field of an app, and resources of two workspaces.
type attack struct {
	*kit.App
	schema  *ast.Schema
	routes  []route
	roots   []root
	reader  string   // a key of the app's workspace with the read scope
	foreign []string // ids of another workspace
	other   string   // the admin key of the other workspace
}

func newAttack(t *testing.T, app *kit.App) *attack {
	a := &attack{App: app, schema: graph.Schema()}
	for path, item := range loadDocument(t, app.Do(t, "GET", "/openapi/openapi.json", nil, "").Body).Paths.Map() {
		if strings.HasPrefix(path, "/api/public/") {
			continue // these need no key
		}
		for method, operation := range item.Operations() {
			body, media := sampleBody(operation)
			a.routes = append(a.routes, route{method, path, operation, body, media})
		}
	}
	slices.SortFunc(a.routes, func(x, y route) int { return strings.Compare(x.path+x.method, y.path+y.method) })
	for kind, def := range map[ast.Operation]*ast.Definition{ast.Query: a.schema.Query, ast.Mutation: a.schema.Mutation,
		ast.Subscription: a.schema.Subscription} {
		for _, field := range def.Fields {
			if !strings.HasPrefix(field.Name, "__") {
				a.roots = append(a.roots, root{kind, field})
			}
		}
	}
	a.reader = field(t, app.Do(t, "POST", "/api/v1/auth/keys", nil, `{"name":"reader","scopes":["read"]}`), "secret")
	a.settle(t)
	return a
}

// settle creates a resource of each kind in another workspace.
func (a *attack) settle(t *testing.T) {
	workspace, key, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Other", Plan: model.PlanPro})
	if err != nil {
		t.Fatal(err)
	}
	as := http.Header{"X-Api-Key": {key}}
	document := a.Do(t, "POST", "/api/v1/documents", as, `{"title":"Theirs","content":"Not yours."}`)
	ingest := a.Do(t, "POST", "/api/v1/documents/ingest", as, `{"source_url":"http://127.0.0.1:1/x"}`)
	minted := a.Do(t, "POST", "/api/v1/auth/keys", as, `{"name":"theirs"}`)
	hook := a.Do(t, "POST", "/api/v1/webhooks", as, `{"url":"https://example.com/x"}`)
	source := a.Do(t, "POST", "/api/v1/sources", as, `{"url":"https://example.com/feed","is_paused":true}`)
	link := a.Do(t, "POST", "/api/v1/links", as, `{"destination_url":"https://example.com/"}`)
	tag := a.Do(t, "POST", "/api/v1/auto-tags", as, `{"name":"Topic","tag_type":"topic"}`)
	filter := a.Do(t, "POST", "/api/v1/comms-filters/tags", as, `{"name":"Notices"}`)
	excluded := a.Do(t, "POST", "/api/v1/comms-filters/tags/"+field(t, filter, "tag", "id")+"/exclusions", as,
		`{"document_id":"`+field(t, document, "document", "id")+`"}`)
	persona := a.Do(t, "POST", "/api/v1/personas", as, `{"name":"Theirs"}`)
	draft := a.Do(t, "POST", "/api/v1/content-creation/drafts", as, `{"content":"Not yours."}`)
	said := a.Do(t, "POST", "/api/v1/documents", as,
		`{"title":"Said","content":"We say what nobody else may read here.","executive":"Theirs"}`)
	voice := a.Do(t, "POST", "/api/v1/executive-voices/toggle", as, `{"executive":"Theirs","enabled":true}`)
	a.other = key
	a.foreign = []string{
		workspace, field(t, document, "document", "id"), field(t, minted, "key", "id"),
		field(t, ingest, "scrape_job_id"),
		field(t, hook, "id"), field(t, source, "id"), field(t, link, "id"),
		field(t, tag, "auto_tag", "id"), field(t, filter, "tag", "id"), field(t, excluded, "applied_id"),
		field(t, persona, "persona_id"), field(t, draft, "draft", "id"), field(t, voice, "persona_id"),
		a.signal(t, as, field(t, said, "document", "id")),
	}
}

// signal extracts signals from a document of another workspace and returns the id of the first
// signal.
func (a *attack) signal(t *testing.T, as http.Header, document string) string {
	t.Helper()
	var found struct{ Signals []struct{ ID string } }
	answer := a.Do(t, "POST", "/api/v1/workspace/signals", as, `{"document_id":"`+document+`"}`)
	if err := json.Unmarshal(answer.Body, &found); err != nil || len(found.Signals) == 0 {
		t.Fatalf("no signals: %s", answer.Body)
	}
	return found.Signals[0].ID
}

func field(t *testing.T, answer *kit.Response, path ...string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(answer.Body, &value); err != nil {
		t.Fatalf("%d %s: %v", answer.Status, answer.Body, err)
	}
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	text, ok := value.(string)
	if !ok {
		t.Fatalf("no %v in %s", path, answer.Body)
	}
	return text
}

var errorCodes = errs.Codes()

// problem checks the status, code and format of an error response.
func problem(t *testing.T, label string, answer *kit.Response, status int) {
	t.Helper()
	if answer.Status != status {
		t.Errorf("%s: status %d, want %d: %s", label, answer.Status, status, answer.Body)
		return
	}
	var body struct {
		Code   string
		Errors []struct{ Extensions struct{ Code string } }
	}
	err := json.Unmarshal(answer.Body, &body)
	code := body.Code
	if len(body.Errors) > 0 && code == "" {
		code = body.Errors[0].Extensions.Code
	}
	if err != nil || !slices.Contains(errorCodes, errs.Code(code)) || errs.Lookup(errs.Code(code)).Status != status {
		t.Errorf("%s: malformed error response (%v): %s", label, err, answer.Body)
	}
	if status == http.StatusUnauthorized && answer.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s: WWW-Authenticate is missing", label)
	}
}

// TestAttack tries every REST route and every root field; both lists come from the contracts.
func TestAttack(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		a := newAttack(t, app)
		t.Run("every operation requires a key", func(t *testing.T) {
			a.each(t, http.Header{"X-Api-Key": nil}, "", http.StatusUnauthorized)
		})
		t.Run("a key in the query string is rejected and not logged", a.keyInAddress)
		t.Run("a malformed key causes no SQL statement", a.malformedKeys)
		direct := a.withoutConnection(t.Context())
		t.Run("a read key changes nothing", direct.readKey)
		t.Run("ids of another workspace are not found", a.foreignIDs)
		t.Run("a mutation over GET is rejected", direct.getMutation)
		t.Run("a plain text body is rejected", direct.plainText)
		t.Run("an operation over the complexity limit is rejected before any SQL statement", a.complexity)
	})
}

// each requests every route and root field and expects the same status.
func (a *attack) each(t *testing.T, header http.Header, query string, status int) {
	for _, r := range a.routes {
		problem(t, r.method+" "+r.path, a.send(t, r, "doc_x", query, header), status)
	}
	for _, r := range a.roots {
		h := header.Clone()
		h.Set("Accept", "application/json, "+r.accept())
		if a.takesFile(r) {
			continue
		}
		text := a.text(r, "doc_x")
		body, _ := json.Marshal(map[string]string{"query": text})
		problem(t, text, a.Do(t, "POST", "/graphql"+query, h, string(body)), status)
	}
}

// keyInAddress sends a valid key in the query string, under several names, with and without a valid
// header.
func (a *attack) keyInAddress(t *testing.T) {
	direct := a.withoutConnection(t.Context())
	for _, name := range []string{"X-API-Key", "api_key", "key"} {
		direct.each(t, http.Header{"X-Api-Key": nil}, "?"+name+"="+a.Key, http.StatusUnauthorized)
		direct.each(t, http.Header{"X-Api-Key": {a.Key}}, "?"+name+"="+a.Key, http.StatusUnauthorized)
	}
	address := "ws" + strings.TrimPrefix(a.URL, "http") + "/graphql?api_key=" + a.Key
	_, answer, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err == nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the socket opens: %v", err)
	}
	if logOutput.has(a.Key) {
		t.Error("the key is in the log")
	}
}

// withoutConnection returns the attack on the same app by requests to its handler, for answers that
// do not depend on a connection.
func (a *attack) withoutConnection(ctx context.Context) *attack {
	direct := *a
	direct.App = a.App.WithoutConnection(ctx)
	return &direct
}

func (a *attack) malformedKeys(t *testing.T) {
	forged := a.Key[:len(a.Key)-1] + string("01"[(a.Key[len(a.Key)-1]&1)^1])
	if forged == a.Key {
		t.Fatal("the key was not forged")
	}
	for name, key := range map[string]string{"truncated": a.Key[:len(a.Key)-1], "forged": forged, "wrong": "letmein",
		"longer": a.Key + "x"} {
		t.Run(name, func(t *testing.T) {
			ctx, statements := dbx.WithCounter(t.Context())
			a.withoutConnection(ctx).each(t, http.Header{"X-Api-Key": {key}}, "", http.StatusUnauthorized)
			if n := statements.Load(); n != 0 {
				t.Errorf("%d statements", n)
			}
			if _, _, err := a.socket(t, key); websocket.CloseStatus(err) != 4403 {
				t.Errorf("the socket ends with %v", err)
			}
		})
	}
}

func (a *attack) readKey(t *testing.T) {
	header := http.Header{"X-Api-Key": {a.reader}}
	strict := http.Header{"X-Api-Key": {a.reader}, "Accept": {"application/graphql-response+json"}}
	tried := 0
	for _, r := range a.routes {
		// a key has no account, what it has seen is its own, and a job may read for it
		if r.method != http.MethodGet && !strings.Contains(r.path, "/auth/") && !strings.HasSuffix(r.path, "/seen") &&
			!strings.HasSuffix(r.path, "/bulk-queries") && !strings.HasSuffix(r.path, "/house-rules/check") {
			tried++
			problem(t, r.method+" "+r.path, a.send(t, r, "doc_x", "", header), http.StatusForbidden)
		}
	}
	for _, r := range a.roots {
		isOwn := slices.Contains([]string{"changePassword", "endSession", "markSavedSearchSeen", "startBulkQuery", "updateMailSettings",
			"startSecondFactor", "confirmSecondFactor", "renewRecoveryCodes", "removeSecondFactor"}, r.field.Name)
		if r.kind == ast.Mutation && !isOwn && !a.takesFile(r) {
			tried++
			problem(t, a.text(r, "doc_x"), a.post(t, a.text(r, "doc_x"), strict), http.StatusForbidden)
		}
	}
	if tried < 20 {
		t.Errorf("only %d writes were found", tried)
	}
}

func (a *attack) foreignIDs(t *testing.T) {
	t.Run("each", func(t *testing.T) {
		for _, id := range a.foreign {
			t.Run(id[:3], func(t *testing.T) {
				a.foreignID(t, id)
			})
		}
	})
	as := http.Header{"X-Api-Key": {a.other}}
	if kept := a.Do(t, "GET", "/api/v1/documents/"+a.foreign[1], as, ""); kept.Status != http.StatusOK {
		t.Errorf("the other workspace's document is deleted: %s", kept.Body)
	}
}

// foreignID sends an id of another workspace to every route and root field that takes an id.
func (a *attack) foreignID(t *testing.T, id string) {
	direct := a.withoutConnection(t.Context())
	for _, r := range a.routes {
		if strings.Contains(r.path, "{") {
			problem(t, r.method+" "+r.path+" "+id, direct.send(t, r, id, "", http.Header{}), http.StatusNotFound)
		}
	}
	var texts []string
	for _, r := range a.roots {
		text := a.text(r, id)
		if !strings.Contains(text, id) {
			continue
		}
		texts = append(texts, text)
		if r.kind != ast.Subscription {
			isNotFound(t, text, string(direct.post(t, text, http.Header{"Accept": {"application/json"}}).Body))
		}
		isNotFound(t, "stream "+text, string(a.post(t, text, http.Header{"Accept": {"text/event-stream"}}).Body))
	}
	// The socket is opened last, as nothing answers its pings between two operations.
	conn, _, err := a.socket(t, a.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		isNotFound(t, "WebSocket "+text, a.subscribe(t, conn, text))
	}
}

// isNotFound fails the test unless a response has not_found or a null, and no object.
func isNotFound(t *testing.T, label, answer string) {
	t.Helper()
	if strings.Contains(answer, "__typename") || !strings.Contains(answer, `"code":"not_found"`) &&
		!strings.Contains(answer, ":null}") {
		t.Errorf("%s: %s", label, answer)
	}
}

func (a *attack) getMutation(t *testing.T) {
	for _, r := range a.roots {
		if r.kind == ast.Mutation && !a.takesFile(r) {
			request := httptest.NewRequest(http.MethodGet, "/graphql", nil).URL
			query := request.Query()
			query.Set("query", a.text(r, "doc_x"))
			problem(t, "GET "+a.text(r, "doc_x"), a.Do(t, "GET", "/graphql?"+query.Encode(), nil, ""),
				http.StatusMethodNotAllowed)
		}
	}
}

func (a *attack) plainText(t *testing.T) {
	header := http.Header{"Content-Type": {"text/plain"}}
	for _, r := range a.routes {
		if r.operation.RequestBody != nil {
			problem(t, r.method+" "+r.path, a.send(t, r, "doc_x", "", header), http.StatusUnsupportedMediaType)
		}
	}
	for _, r := range a.roots {
		problem(t, a.text(r, "doc_x"), a.post(t, a.text(r, "doc_x"), header), http.StatusUnsupportedMediaType)
	}
}

// complexity requests a query at the complexity limit, then a query that exceeds it by 1.
func (a *attack) complexity(t *testing.T) {
	var said struct {
		Data struct{ Limits struct{ Complexity int } }
	}
	if err := json.Unmarshal(a.post(t, `{ limits { complexity } }`, nil).Body, &said); err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Accept": {"application/graphql-response+json"}}
	for over, status := range map[int]int{0: http.StatusOK, 1: http.StatusBadRequest} {
		body, _ := json.Marshal(map[string]string{"query": queryOfComplexity(said.Data.Limits.Complexity + over)})
		answer, statements := a.DoCounted(t, "POST", "/graphql", header, string(body))
		// On a slow machine the lookup of the key is counted too, so that the request is repeated.
		for end := time.Now().Add(time.Minute); over == 1 && statements > 0 && time.Now().Before(end); {
			answer, statements = a.DoCounted(t, "POST", "/graphql", header, string(body))
		}
		if answer.Status != status || (statements > 0) != (over == 0) {
			t.Errorf("%d over the limit: %d after %d statements: %.300s", over, answer.Status, statements, answer.Body)
		}
		if over == 1 && !strings.Contains(string(answer.Body), "complexity") {
			t.Errorf("rejected for another reason: %s", answer.Body)
		}
	}
}

// queryOfComplexity returns a query of exactly that complexity: a list costs two, and each row of
// its page one for each field.
func queryOfComplexity(total int) string {
	const fields = "id title content url sourceUrl companyName executiveName author language wordCount characterCount tags createdAt updatedAt"
	text, wide := "{", 2+100*len(strings.Fields(fields))
	list := func(rows int, of string) {
		text += fmt.Sprintf(" d%d: documents(first: %d) { nodes { %s } }", total, rows, of)
	}
	for ; total > wide+2; total -= wide {
		list(100, fields)
	}
	for ; total > 102; total -= 52 {
		list(50, "id")
	}
	list(total-2, "id")
	return text + " }"
}
