package rest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/go-chi/chi/v5"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/rest"
)

// goodKey is the only valid key of the test server.
const goodKey = "rsk_good"

type server struct {
	*httptest.Server
	graph   *graphCalls
	adapter *rest.Adapter
	router  *chi.Mux
}

func newAdapter(t testing.TB, graph *graphCalls) *rest.Adapter {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{Resolvers: rootResolver{graph}})
	run := executor.New(schema)
	run.SetErrorPresenter(presentCoded)
	run.SetRecoverFunc(func(context.Context, any) error { return errors.New("a resolver panicked") })
	adapter, err := rest.New(rest.Config{
		Schema: schema.Schema(), Executor: run, PublicURL: "http://127.0.0.1:8080",
		Authenticate: func(r *http.Request) (context.Context, error) {
			switch r.Header.Get("X-API-Key") {
			case goodKey:
				return r.Context(), nil
			case "":
				return nil, errs.New(errs.Unauthenticated, "send a workspace key in the header X-API-Key")
			}
			return nil, errs.New(errs.InvalidKey, "this key is not one of ours")
		},
		RevalidateCredentials: graph.lost,
		Logger:                slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	run.SetQueryCache(adapter.QueryCache(graphql.NoCache[*ast.QueryDocument]{}))
	return adapter
}

func newServer(t testing.TB) *server {
	t.Helper()
	graph := &graphCalls{events: twoEvents, ended: make(chan struct{})}
	adapter := newAdapter(t, graph)
	router := chi.NewRouter()
	if err := adapter.Mount(router); err != nil {
		t.Fatal(err)
	}
	s := &server{httptest.NewServer(router), graph, adapter, router}
	t.Cleanup(s.Close)
	return s
}

// document returns the OpenAPI document.
func (s *server) document(t testing.TB) []byte {
	t.Helper()
	text, err := s.adapter.Document()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// answer is a response whose body has been read and checked against the OpenAPI document.
type answer struct {
	*http.Response
	body string
}

// do sends a request with the good key; headers are given as "Name: value".
func (s *server) do(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", goodKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	return s.send(t, r)
}

func (s *server) send(t testing.TB, r *http.Request) answer {
	t.Helper()
	response, err := s.Client().Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(r.URL.Path, "/api/") && r.Method != http.MethodOptions {
		if err := s.adapter.CheckResponse(r, response.StatusCode, response.Header, body); err != nil {
			t.Errorf("the response does not match the OpenAPI document: %v\n%s", err, body)
		}
	}
	return answer{response, string(body)}
}

// restartServer serves the same API with the current settings in s.Config.
func restartServer(t testing.TB, s *server) *server {
	t.Helper()
	again := httptest.NewUnstartedServer(s.router)
	again.Config.WriteTimeout = s.Config.WriteTimeout
	again.Start()
	t.Cleanup(again.Close)
	return &server{again, s.graph, s.adapter, s.router}
}
