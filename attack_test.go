package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/graph"
	"rostrum/testkit"
)

// route is one method of one path of the OpenAPI document, which is derived from the stored operations.
type route struct {
	method, path string
	operation    *openapi3.Operation
}

// root is one field of the schema's three roots.
type root struct {
	kind  ast.Operation
	field *ast.FieldDefinition
}

// attack knows every way into an app, and things of two workspaces.
type attack struct {
	*testkit.App
	schema  *ast.Schema
	routes  []route
	roots   []root
	reader  string   // a key of the app's workspace that may only read
	foreign []string // ids of another workspace
	other   string   // the admin key of that one
}

func newAttack(t *testing.T, app *testkit.App) *attack {
	a := &attack{App: app, schema: graph.New(graph.Config{}).Schema()}
	doc, err := openapi3.NewLoader().LoadFromData(app.Do(t, "GET", "/openapi/openapi.json", nil, "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		if strings.HasPrefix(path, "/api/public/") {
			continue // these take no key
		}
		for method, operation := range item.Operations() {
			a.routes = append(a.routes, route{method, path, operation})
		}
	}
	slices.SortFunc(a.routes, func(x, y route) int { return strings.Compare(x.path+x.method, y.path+y.method) })
	for kind, def := range map[ast.Operation]*ast.Definition{ast.Query: a.schema.Query, ast.Mutation: a.schema.Mutation, ast.Subscription: a.schema.Subscription} {
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

// settle makes one of everything in another workspace.
func (a *attack) settle(t *testing.T) {
	workspace, key, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	as := http.Header{"X-Api-Key": {key}}
	document := a.Do(t, "POST", "/api/v1/documents", as, `{"title":"Theirs","content":"Not yours."}`)
	ingest := a.Do(t, "POST", "/api/v1/documents/ingest", as, `{"source_url":"http://127.0.0.1:1/x"}`)
	minted := a.Do(t, "POST", "/api/v1/auth/keys", as, `{"name":"theirs"}`)
	a.other = key
	a.foreign = []string{
		workspace, field(t, document, "document", "id"), field(t, minted, "key", "id"), field(t, ingest, "scrape_job_id"),
	}
}

func field(t *testing.T, answer *testkit.Answer, path ...string) string {
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

// send calls a route with a valid body; every id in its path is the given one.
func (a *attack) send(t *testing.T, r route, id, query string, header http.Header) *testkit.Answer {
	t.Helper()
	path := r.path
	for _, p := range r.operation.Parameters {
		if p.Value.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", id)
		}
	}
	body, media := sampleBody(r.operation)
	header = header.Clone()
	if media != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", media)
	}
	return a.Do(t, r.method, path+query, header, body)
}

func sampleBody(operation *openapi3.Operation) (body, media string) {
	if operation.RequestBody == nil {
		return "", ""
	}
	content := operation.RequestBody.Value.Content
	if content.Get("multipart/form-data") != nil {
		var text bytes.Buffer
		form := multipart.NewWriter(&text)
		for name := range content.Get("multipart/form-data").Schema.Value.Properties {
			part, _ := form.CreateFormFile(name, "a.txt")
			_, _ = io.WriteString(part, "text")
		}
		_ = form.Close()
		return text.String(), form.FormDataContentType()
	}
	text, _ := json.Marshal(sampleJSON(content.Get("application/json").Schema.Value))
	return string(text), "application/json"
}

// sampleJSON is a value that the schema accepts: what is required, and the first member where nothing is.
func sampleJSON(s *openapi3.Schema) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Includes("object"):
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = sampleJSON(s.Properties[name].Value)
		}
		return out
	case s.Type.Includes("array"):
		return []any{}
	case s.Type.Includes("integer"):
		return 1
	case s.Type.Includes("boolean"):
		return true
	case s.Format == "uri":
		return "https://example.com/"
	case s.Format == "date-time":
		return "2099-01-01T00:00:00Z"
	}
	return "x"
}

// text writes an operation with the one root field and what it requires; every id in its arguments is the given one.
func (a *attack) text(r root, id string) string {
	var arguments []string
	for _, arg := range r.field.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil {
			arguments = append(arguments, arg.Name+": "+a.literal(arg.Type, id))
		}
	}
	text := string(r.kind) + " { " + r.field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if kind := a.schema.Types[r.field.Type.Name()].Kind; kind != ast.Scalar && kind != ast.Enum {
		text += " { __typename }"
	}
	return text + " }"
}

func (a *attack) literal(typ *ast.Type, id string) string {
	if typ.Elem != nil {
		return "[]"
	}
	def := a.schema.Types[typ.Name()]
	switch {
	case def.Kind == ast.InputObject:
		var members []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				members = append(members, f.Name+": "+a.literal(f.Type, id))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case typ.Name() == "ID":
		return `"` + id + `"`
	case typ.Name() == "URL":
		return `"https://example.com/"`
	case typ.Name() == "Int":
		return "1"
	case typ.Name() == "Boolean":
		return "true"
	}
	return `"x"`
}

// upload reports whether the field takes a file, which only a form can carry; the REST routes try those.
func (r root) upload() bool {
	return slices.ContainsFunc(r.field.Arguments, func(arg *ast.ArgumentDefinition) bool { return arg.Type.Name() == "Upload" })
}

func (a *attack) post(t *testing.T, text string, header http.Header) *testkit.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(t, "POST", "/graphql", header, string(body))
}

// accept is the form in which a root field answers.
func (r root) accept() string {
	if r.kind == ast.Subscription {
		return "text/event-stream"
	}
	return "application/json"
}

// problem checks that a refusal says what it should in the form of its face.
func problem(t *testing.T, what string, answer *testkit.Answer, status int) {
	t.Helper()
	if answer.Status != status {
		t.Errorf("%s: %d instead of %d: %s", what, answer.Status, status, answer.Body)
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
	if err != nil || !slices.Contains(errs.Codes(), errs.Code(code)) || errs.Lookup(errs.Code(code)).Status != status {
		t.Errorf("%s: malformed refusal (%v): %s", what, err, answer.Body)
	}
	if status == http.StatusUnauthorized && answer.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s: the challenge is missing", what)
	}
}

// lines collects what is logged; it is safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) contains(s string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), s)
}

// TestAttack tries every REST route and every root field; both lists come from the contracts.
func TestAttack(t *testing.T) {
	log, before := &lines{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	for _, stack := range testkit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			a := newAttack(t, stack.Start(t))
			t.Run("no key opens nothing", func(t *testing.T) { a.each(t, http.Header{"X-Api-Key": nil}, "", http.StatusUnauthorized) })
			t.Run("a key in the query string is no key and is not logged", func(t *testing.T) {
				a.each(t, http.Header{"X-Api-Key": nil}, "?X-API-Key="+a.Key+"&x-api-key="+a.Key+"&api_key="+a.Key+"&key="+a.Key, http.StatusUnauthorized)
				if log.contains(a.Key) {
					t.Error("the key is in the log")
				}
			})
			t.Run("a malformed key costs no statement", a.malformedKeys)
			t.Run("a read key changes nothing", a.readKey)
			t.Run("ids of another workspace are nothing", a.foreignIDs)
			t.Run("a mutation over GET is refused", a.getMutation)
			t.Run("plain text is not read", a.plainText)
			t.Run("an operation over the complexity limit is refused before any statement", a.complexity)
		})
	}
}

// each tries everything and expects one status.
func (a *attack) each(t *testing.T, header http.Header, query string, status int) {
	for _, r := range a.routes {
		problem(t, r.method+" "+r.path, a.send(t, r, "doc_x", query, header), status)
	}
	for _, r := range a.roots {
		h := header.Clone()
		h.Set("Accept", "application/json, "+r.accept())
		if r.upload() {
			continue
		}
		body, _ := json.Marshal(map[string]string{"query": a.text(r, "doc_x")})
		problem(t, a.text(r, "doc_x"), a.Do(t, "POST", "/graphql"+query, h, string(body)), status)
	}
}

func (a *attack) malformedKeys(t *testing.T) {
	forged := a.Key[:len(a.Key)-1] + string("01"[(a.Key[len(a.Key)-1]&1)^1])
	if forged == a.Key {
		t.Fatal("the key was not forged")
	}
	for name, key := range map[string]string{"truncated": a.Key[:len(a.Key)-1], "forged": forged, "wrong": "letmein", "longer": a.Key + "x"} {
		t.Run(name, func(t *testing.T) {
			a.each(t, http.Header{"X-Api-Key": {key}}, "", http.StatusUnauthorized)
			ctx, statements := dbx.WithCounter(t.Context())
			for _, r := range a.routes {
				request := httptest.NewRequestWithContext(ctx, r.method, strings.NewReplacer("{", "", "}", "").Replace(r.path), nil)
				request.Header.Set("X-API-Key", key)
				a.Handler().ServeHTTP(httptest.NewRecorder(), request)
			}
			request := httptest.NewRequestWithContext(ctx, "POST", "/graphql", strings.NewReader(`{"query":"{ workspace { id } }"}`))
			request.Header.Set("X-API-Key", key)
			request.Header.Set("Content-Type", "application/json")
			a.Handler().ServeHTTP(httptest.NewRecorder(), request)
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
	tried := 0
	for _, r := range a.routes {
		if r.method != http.MethodGet {
			tried++
			problem(t, r.method+" "+r.path, a.send(t, r, "doc_x", "", header), http.StatusForbidden)
		}
	}
	for _, r := range a.roots {
		if r.kind == ast.Mutation && !r.upload() {
			tried++
			problem(t, a.text(r, "doc_x"), a.post(t, a.text(r, "doc_x"), header), http.StatusForbidden)
		}
	}
	if tried < 20 {
		t.Errorf("only %d writes were found", tried)
	}
}

func (a *attack) foreignIDs(t *testing.T) {
	conn, ctx, err := a.socket(t, a.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range a.foreign {
		for _, r := range a.routes {
			if strings.Contains(r.path, "{") {
				problem(t, r.method+" "+r.path+" "+id, a.send(t, r, id, "", http.Header{}), http.StatusNotFound)
			}
		}
		for _, r := range a.roots {
			text := a.text(r, id)
			if !strings.Contains(text, id) {
				continue
			}
			for _, accept := range []string{"application/json", "text/event-stream"} {
				if r.kind != ast.Subscription || accept == r.accept() {
					nothing(t, accept+" "+text, string(a.post(t, text, http.Header{"Accept": {accept}}).Body))
				}
			}
			nothing(t, "WebSocket "+text, a.subscribe(t, ctx, conn, text))
		}
	}
	as := http.Header{"X-Api-Key": {a.other}}
	if kept := a.Do(t, "GET", "/api/v1/documents/"+a.foreign[1], as, ""); kept.Status != http.StatusOK {
		t.Errorf("their document is gone: %s", kept.Body)
	}
}

// nothing holds when an answer has not_found or a null, and no object.
func nothing(t *testing.T, what, answer string) {
	t.Helper()
	if strings.Contains(answer, "__typename") || !strings.Contains(answer, `"code":"not_found"`) && !strings.Contains(answer, ":null}") {
		t.Errorf("%s: %s", what, answer)
	}
}

func (a *attack) getMutation(t *testing.T) {
	for _, r := range a.roots {
		if r.kind == ast.Mutation && !r.upload() {
			request := httptest.NewRequest("GET", "/graphql", nil).URL
			query := request.Query()
			query.Set("query", a.text(r, "doc_x"))
			problem(t, "GET "+a.text(r, "doc_x"), a.Do(t, "GET", "/graphql?"+query.Encode(), nil, ""), http.StatusMethodNotAllowed)
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

// complexity asks for pages whose fields are as many as the limit says, then for one more.
func (a *attack) complexity(t *testing.T) {
	var said struct {
		Data struct{ Limits struct{ Complexity int } }
	}
	if err := json.Unmarshal(a.post(t, `{ limits { complexity } }`, nil).Body, &said); err != nil {
		t.Fatal(err)
	}
	for over, status := range map[int]int{0: http.StatusOK, 1: http.StatusBadRequest} {
		a.post(t, `{ limits { complexity } }`, nil) // the key is known for two seconds, so that finding it is not counted
		body, _ := json.Marshal(map[string]string{"query": costing(said.Data.Limits.Complexity + over)})
		ctx, statements := dbx.WithCounter(t.Context())
		request := httptest.NewRequestWithContext(ctx, "POST", "/graphql", bytes.NewReader(body))
		request.Header.Set("X-API-Key", a.Key)
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, request)
		if answer.Code != status || (statements.Load() > 0) != (over == 0) {
			t.Errorf("%d over the limit: %d after %d statements: %.300s", over, answer.Code, statements.Load(), answer.Body)
		}
		if over == 1 && !strings.Contains(answer.Body.String(), "complexity") {
			t.Errorf("refused for another reason: %s", answer.Body)
		}
	}
}

// costing writes a query of exactly that complexity: a list costs two, and each row of its page one for each field.
func costing(total int) string {
	const fields = "id title content url sourceUrl company executive author language wordCount characterCount tags createdAt updatedAt"
	text, wide := "{", 2+100*len(strings.Fields(fields))
	list := func(rows int, of string) {
		text += fmt.Sprintf(" d%d: documents(perPage: %d) { nodes { %s } }", total, rows, of)
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

// socket opens a WebSocket with a key and waits until it is let in.
func (a *attack) socket(t *testing.T, key string) (*websocket.Conn, context.Context, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(a.URL, "http")+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	init := map[string]any{"type": "connection_init", "payload": map[string]string{"X-API-Key": key}}
	if err := wsjson.Write(ctx, conn, init); err != nil {
		return nil, nil, err
	}
	var ack map[string]any
	return conn, ctx, wsjson.Read(ctx, conn, &ack)
}

// subscribe runs an operation and gives its first answer.
func (a *attack) subscribe(t *testing.T, ctx context.Context, conn *websocket.Conn, text string) string {
	t.Helper()
	id := time.Now().Format(time.RFC3339Nano)
	if err := wsjson.Write(ctx, conn, map[string]any{"id": id, "type": "subscribe", "payload": map[string]string{"query": text}}); err != nil {
		t.Fatal(err)
	}
	for {
		_, frame, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			ID, Type string
			Payload  json.RawMessage
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			t.Fatal(err)
		}
		if m.ID == id && m.Type != "complete" {
			return string(m.Payload)
		}
	}
}
