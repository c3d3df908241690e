package rest_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/vektah/gqlparser/v2"

	"rostrum/graph"
	"rostrum/model"
)

var update = flag.Bool("update", false, "rewrite the goldens, which fails the run")

func TestOperations(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	schema := graph.Schema()
	texts := s.adapter.Operations()
	if len(texts) == 0 {
		t.Error("there are no stored operations")
	}
	for name, text := range texts {
		doc, errs := gqlparser.LoadQueryWithRules(schema, text, nil)
		if len(errs) > 0 {
			t.Errorf("clients cannot send %s: %v", name, errs)
			continue
		}
		if doc.Operations.ForName(name) == nil || strings.Contains(text, "@rest") {
			t.Errorf("%s is stored as\n%s", name, text)
		}
	}
}

// TestOperations_documented checks that a client can send what the OpenAPI document has in
// x-graphql.
func TestOperations_documented(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(newServer(t).document(t))
	if err != nil {
		t.Fatal(err)
	}
	schema, documented := graph.Schema(), 0
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			text, _ := operation.Extensions["x-graphql"].(string)
			if text == "" {
				continue
			}
			documented++
			if _, errs := gqlparser.LoadQueryWithRules(schema, text, nil); len(errs) > 0 {
				t.Errorf("clients cannot send the operation of %s %s: %v\n%s", method, path, errs, text)
			}
		}
	}
	if documented < 100 {
		t.Errorf("only %d operations are documented", documented)
	}
}

// TestIfMatch checks that no write ignores the versions that its client acts on.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	doc, err := openapi3.NewLoader().LoadFromData(s.document(t))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			text, _ := operation.Extensions["x-graphql"].(string)
			if !strings.HasPrefix(text, "mutation") || operation.Parameters.GetByInAndName("header", "If-Match") != nil {
				continue
			}
			refused++
			for tag, want := range map[string]bool{`"v"`: true, "*": false} {
				got := s.do(t, method, path, "", "If-Match: "+tag)
				noForm := got.StatusCode == http.StatusUnsupportedMediaType
				if is := got.StatusCode == http.StatusPreconditionFailed; is != want && !noForm {
					t.Errorf("%s %s with If-Match: %s is %d: %s", method, path, tag, got.StatusCode, got.body)
				}
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d operations refuse If-Match", refused)
	}
}

// handlers are the routes that are not operations, as the design lists them.
var handlers = []string{
	"/openapi/openapi.json", "/mcp", "/llms.txt", "/.well-known/oauth-protected-resource",
	"/.well-known/oauth-protected-resource/mcp",
	"/docs", "/docs/", "/docs/docs.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/favicon.ico", "/redoc", "/playground", "/playground/app.js",
	"/playground/app.css", "/", "/console", "/console/*",
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	doc, err := openapi3.NewLoader().LoadFromData(s.document(t))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = chi.Walk(s.router, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodHead || slices.Contains(handlers, path) {
			return nil
		}
		found++
		if item := doc.Paths.Value(path); item == nil || item.GetOperation(method) == nil {
			t.Errorf("%s %s is not a stored operation", method, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	described := 0
	for _, item := range doc.Paths.Map() {
		described += len(item.Operations())
	}
	if found != described || found == 0 {
		t.Errorf("%d routes serve %d described operations", found, described)
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := httptest.NewRecorder()
	s.router.ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/openapi/openapi.json", nil))
	if got.Code != 200 || got.Body.String() != string(s.document(t)) {
		t.Fatalf("the document returns %d", got.Code)
	}
	again := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/openapi/openapi.json", nil)
	r.Header.Set("If-None-Match", got.Header().Get("ETag"))
	s.router.ServeHTTP(again, r)
	if again.Code != 304 {
		t.Errorf("a conditional request for the document returns %d", again.Code)
	}
	checkGolden(t, "testdata/openapi.json", s.document(t))
	doc, err := openapi3.NewLoader().LoadFromData(s.document(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Error(err)
	}
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s was rewritten; read the change and run again without -update", name)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got)+"\n" {
		t.Errorf("%s differs from the operations; run with -update and read the change", name)
	}
}

// TestWebhooks checks sample deliveries against the schemas of the OpenAPI document.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(newServer(t).document(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range model.EventTypes {
		sample, err := os.ReadFile("../domain/webhook/message/testdata/" + string(name) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(sample, &body); err != nil {
			t.Fatal(err)
		}
		item := doc.Webhooks[string(name)]
		if item == nil {
			t.Errorf("the document does not describe %s", name)
			continue
		}
		schema := item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
		if err := schema.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		part := "viewer"
		if body[part] == nil {
			part = "data"
		}
		for member := range body[part].(map[string]any) {
			if schema.Properties[part].Value.Properties[member] == nil {
				t.Errorf("the document does not describe the %s's %s of %s", part, member, name)
			}
		}
		delete(body, part)
		if schema.VisitJSON(body) == nil {
			t.Errorf("the schema accepts %s without a viewer", name)
		}
	}
}
