// Package rest serves the stored operations of operations/ as a REST API, and the OpenAPI document and pages that describe it.
package rest

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/cors"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed operations/*.graphql
var operationFiles embed.FS

// Config is what the adapter is made from.
type Config struct {
	// Schema is the graph's; it must be the very one that Executor runs, since prepared operations point into it.
	Schema *ast.Schema
	// Executor runs the operations; without one the adapter can only describe itself.
	Executor graphql.GraphExecutor
	// Authenticate finds out who is asking and returns the request's context with the answer in it; its errors are answered as they are.
	Authenticate func(*http.Request) (context.Context, error)
	// AuthenticateSession does the same by the cookie of a signed-in user, for requests without a key to routes that take one. It must
	// refuse what a page of another origin has sent.
	AuthenticateSession func(*http.Request) (context.Context, error)
	// Lost reports whether what an open stream was entered with has stopped working; nothing is checked without it.
	Lost func(context.Context) error
	// Sessions signs people in and out.
	Sessions Sessions
	// Links hears what hosted pages report.
	Links Links
	// Limit takes one request's turn for who is asking under the context, or for the request's address, and says in the answer's
	// headers how many are left; it fails with errs.RateLimited. Nothing is limited without it.
	Limit func(ctx context.Context, answer http.Header, r *http.Request) error
	// Caller is the address that a request comes from, as far as this server's proxies can tell; one subscriber's addresses count as one.
	Caller func(*http.Request) string
	// PublicURL is the address that the OpenAPI document names as its server, without a slash at its end.
	PublicURL string
	// Logger takes what callers must not see: recovered panics and failed writes. Nothing is logged without one.
	Logger *slog.Logger
	// Modules is playground/node_modules; without its files the playground loads them from a CDN.
	Modules fs.FS
}

// Adapter is the REST face of the graph: routes made from the stored operations, and the pages about them.
// It is safe for concurrent use; everything that does not depend on a request is computed by New.
type Adapter struct {
	config     Config
	log        *slog.Logger
	operations []*operation
	routes     []*route
	handlers   []*handler
	document   *openapi3.T
	written    func() (page, error) // the document as JSON, made once
	mux        *chi.Mux
}

// route is one method of one path; several operations share it when they answer in different media types, or when a query
// parameter chooses among them.
type route struct {
	method, path string
	operations   []*operation // the first one answers who accepts anything
	described    *openapi3.Operation
}

// New prepares every stored operation. It fails when an operation does not fit the schema.
func New(config Config) (*Adapter, error) {
	a := &Adapter{config: config, log: config.Logger}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.config.Lost == nil {
		a.config.Lost = func(context.Context) error { return nil }
	}
	if a.config.Limit == nil {
		a.config.Limit = func(context.Context, http.Header, *http.Request) error { return nil }
	}
	var err error
	if a.operations, err = prepare(config.Schema, operationFiles); err != nil {
		return nil, err
	}
	a.routes = group(a.operations)
	a.handlers = append(a.sessionHandlers(), a.linkHandlers()...)
	a.describe()
	a.mux = a.api()
	return a, nil
}

// group joins the operations of one method and path as they are stored, but those that a query parameter chooses last. Who accepts
// anything gets the first; who sends several of those parameters gets the first of theirs.
func group(operations []*operation) []*route {
	var routes []*route
	for _, op := range operations {
		i := slices.IndexFunc(routes, func(r *route) bool { return r.method == op.rule.Method && r.path == op.rule.Path })
		if i < 0 {
			routes = append(routes, &route{method: op.rule.Method, path: op.rule.Path, operations: []*operation{op}})
			continue
		}
		routes[i].operations = append(routes[i].operations, op)
		slices.SortStableFunc(routes[i].operations, func(x, y *operation) int {
			return cmp.Compare(min(len(x.rule.When), 1), min(len(y.rule.When), 1))
		})
	}
	return routes
}

// Operations gives the text of every stored operation by its name, as front ends name it in documentId.
func (a *Adapter) Operations() map[string]string {
	texts := make(map[string]string, len(a.operations))
	for _, op := range a.operations {
		texts[op.name] = op.text
	}
	return texts
}

// QueryCache puts the prepared operations before the executor's own cache, so that they are never parsed again.
func (a *Adapter) QueryCache(next graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument] {
	stored := make(map[string]*ast.QueryDocument, len(a.operations))
	for _, op := range a.operations {
		stored[op.text] = op.document
	}
	return storedCache{next, stored}
}

type storedCache struct {
	graphql.Cache[*ast.QueryDocument]
	stored map[string]*ast.QueryDocument
}

// Get finds a stored operation, or asks the cache behind.
func (c storedCache) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if doc, ok := c.stored[text]; ok {
		return doc, true
	}
	return c.Cache.Get(ctx, text)
}

// Mount adds the API under /api, the OpenAPI document, and the pages to r.
func (a *Adapter) Mount(r chi.Router) error {
	r.Mount("/api", a.mux)
	return a.mountPages(r)
}

func (a *Adapter) api() *chi.Mux {
	mux := chi.NewRouter()
	mux.Use(RequestID, a.recovered, CrossOrigin)
	mux.NotFound(a.notFound)
	mux.MethodNotAllowed(a.methodNotAllowed)
	for _, route := range a.routes {
		path := route.path[len("/api"):]
		mux.Method(route.method, path, a.handler(route))
		if route.method == http.MethodGet {
			mux.Method(http.MethodHead, path, a.handler(route))
		}
	}
	for _, h := range a.handlers {
		mux.Method(h.method, h.path[len("/api"):], a.own(h))
	}
	return mux
}

// CrossOrigin lets pages of any origin call what it stands before: the key in
// a header is not sent by itself, and a cookie that is sent by a page of another origin is refused.
func CrossOrigin(next http.Handler) http.Handler { return cors.Handler(crossOrigin)(next) }

var crossOrigin = cors.Options{
	AllowedOrigins: []string{"*"},
	AllowedMethods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"},
	AllowedHeaders: []string{
		"X-API-Key", "X-Workspace-Id", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", requestIDHeader,
	},
	ExposedHeaders: []string{
		"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Run-Budget-Remaining", fileWarningHeader, requestIDHeader,
		"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
	},
	MaxAge: 600,
}
