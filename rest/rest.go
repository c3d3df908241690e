package rest

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/cors"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/policy"
	"rostrum/rest/agent"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

//go:embed operations/*.graphql
var operationFiles embed.FS

// Config configures an Adapter.
type Config struct {
	// Schema is the graph's full schema, with the elements that exist for stored operations only.
	Schema *ast.Schema
	// Executor runs the operations. It may be nil when only the OpenAPI document is needed.
	Executor graphql.GraphExecutor
	// Authenticate returns the request's context with its principal, or the error to respond with.
	Authenticate func(*http.Request) (context.Context, error)
	// AuthenticateSession does the same for the cookie of a signed-in user, on routes that allow it
	// and requests without a key. It must return an error for requests from pages of another
	// origin.
	AuthenticateSession func(*http.Request) (context.Context, error)
	// RevalidateCredentials returns an error when the credentials of an open stream are no longer
	// valid; nil disables the check.
	RevalidateCredentials func(context.Context) error
	// UntilStop returns a context that also ends when the server stops, for a stream; nil returns
	// one that does not.
	UntilStop func(context.Context) (context.Context, context.CancelFunc)
	// Originals opens the files that documents were read from.
	Originals Originals
	// BulkFiles opens the files that bulk jobs have written.
	BulkFiles BulkFiles
	// Sessions signs users in and out.
	Sessions Sessions
	// Entries lets people in who have no session.
	Entries Entries
	// Links records the reports of hosted pages.
	Links Links
	// Limit counts the request against the rate limit of the context's principal, or of the
	// client's address, and sets the RateLimit headers. It returns errs.RateLimited above the
	// limit; nil disables limits.
	Limit func(ctx context.Context, answer http.Header, r *http.Request) error
	// ClientAddress returns the client's address for rate limits, with X-Forwarded-For of trusted
	// proxies; an IPv6 network of 64 bits counts as one address.
	ClientAddress func(*http.Request) string
	// PublicURL is the server's address in the OpenAPI document, without a trailing slash.
	PublicURL string
	// Logger receives recovered panics and failed writes; nil discards them.
	Logger *slog.Logger
	// Playground is the built playground, asset/playground/dist; nil if it is not built.
	Playground fs.FS
	// SDL is the schema that clients see, in the schema definition language; empty if they may not
	// read it.
	SDL string
	// Console is the built console, console/dist; nil if it is not built.
	Console fs.FS
	// Guide is the built guide, guide/dist; nil if it is not built.
	Guide fs.FS
	// OffersOIDC reports whether users can sign in by OpenID Connect.
	OffersOIDC bool
	// SendsMail reports whether the gateway sends mails.
	SendsMail bool
}

// Adapter serves the REST API: a route for each stored operation, and the pages that document them.
// It is safe for concurrent use; everything that is independent of a request is computed by New.
type Adapter struct {
	config       Config
	log          *slog.Logger
	stored       *stored.Set
	handlers     []*handlerRoute
	document     openapi.Document
	documentText func() (cachedText, error) // the OpenAPI document as JSON, encoded once
	mux          *chi.Mux
	agent        func() (*agent.Server, error) // built once, on the first request of an agent
}

// New prepares every stored operation. It returns an error when an operation does not fit the
// schema.
func New(config Config) (*Adapter, error) {
	a := &Adapter{config: config, log: config.Logger}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.config.RevalidateCredentials == nil {
		a.config.RevalidateCredentials = func(context.Context) error { return nil }
	}
	if a.config.UntilStop == nil {
		a.config.UntilStop = context.WithCancel
	}
	if a.config.Limit == nil {
		a.config.Limit = func(context.Context, http.Header, *http.Request) error { return nil }
	}
	shared, err := contractOf(config.Schema)
	if err != nil {
		return nil, err
	}
	a.stored, a.handlers = shared.stored, a.newHandlers()
	a.publishDocument(shared.document)
	a.mux = a.newRouter()
	a.agent = sync.OnceValues(a.newAgent)
	return a, nil
}

func (a *Adapter) newHandlers() []*handlerRoute {
	return slices.Concat(a.originalHandlers(), a.bulkFileHandlers(), a.sessionHandlers(), a.entryHandlers(), a.linkHandlers())
}

// Operations returns the text of every stored operation by its name, which clients send as
// documentId. It has nothing that only REST uses, and no operation whose root field only REST has.
func (a *Adapter) Operations() map[string]string {
	texts := make(map[string]string, len(a.stored.Operations))
	for _, op := range a.stored.Operations {
		if op.ClientText != "" {
			texts[op.Name] = op.ClientText
		}
	}
	return texts
}

// Texts returns the texts of the operations as the adapter runs them.
func (a *Adapter) Texts() []string {
	texts := make([]string, len(a.stored.Operations))
	for i, op := range a.stored.Operations {
		texts[i] = op.Text
	}
	return texts
}

// QueryCache returns a cache with the prepared operations in front of the executor's cache, so that
// they are not parsed again.
func (a *Adapter) QueryCache(next graphql.Cache[*ast.QueryDocument]) graphql.Cache[*ast.QueryDocument] {
	documents := make(map[string]*ast.QueryDocument, 2*len(a.stored.Operations))
	for _, op := range a.stored.Operations {
		documents[op.Text] = op.Document
		if op.ClientText != "" {
			documents[op.ClientText] = op.Client
		}
	}
	return storedCache{next, documents}
}

type storedCache struct {
	graphql.Cache[*ast.QueryDocument]
	documents map[string]*ast.QueryDocument
}

// Get returns a stored operation, or asks the underlying cache.
func (c storedCache) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if doc, ok := c.documents[text]; ok {
		return doc, true
	}
	return c.Cache.Get(ctx, text)
}

// Stored returns every stored operation by its name.
func (a *Adapter) Stored() map[string]*stored.Operation {
	byName := make(map[string]*stored.Operation, len(a.stored.Operations))
	for _, op := range a.stored.Operations {
		byName[op.Name] = op
	}
	return byName
}

// Mount adds the API under /api, the OpenAPI document, and the pages to r. It returns an error when a
// file of the playground, the console or the guide cannot be read.
func (a *Adapter) Mount(r chi.Router) error {
	r.Mount("/api", a.mux)
	return a.mountPages(r)
}

func (a *Adapter) newRouter() *chi.Mux {
	mux := chi.NewRouter()
	mux.Use(RequestID, a.recoverPanics, CrossOrigin)
	mux.NotFound(a.notFound)
	mux.MethodNotAllowed(a.methodNotAllowed)
	for _, route := range slices.Concat(a.stored.Routes, a.stored.Selected) {
		path := route.Path[len("/api"):]
		mux.Method(route.Method, path, a.routeHandler(route))
		if route.Method == http.MethodGet {
			mux.Method(http.MethodHead, path, a.routeHandler(route))
		}
	}
	for _, h := range a.handlers {
		mux.Method(h.Method, h.Path[len("/api"):], a.serveHandler(h))
		if h.File != "" {
			mux.Method(http.MethodHead, h.Path[len("/api"):], a.serveHandler(h))
		}
	}
	return mux
}

// CrossOrigin allows pages of any origin to call next: a key in a header is never sent
// automatically, and a cookie from a page of another origin is refused.
func CrossOrigin(next http.Handler) http.Handler { return cors.Handler(crossOrigin)(next) }

var crossOrigin = cors.Options{
	AllowedOrigins: []string{"*"},
	AllowedMethods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"},
	AllowedHeaders: []string{
		"X-API-Key", "Authorization", "X-Workspace-Id", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer",
		policy.CostHeader,
		requestIDHeader,
		"graphql-client-name", "graphql-client-version", "apollographql-client-name", "apollographql-client-version",
	},
	ExposedHeaders: []string{
		"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Run-Budget-Remaining", openapi.FileWarningHeader,
		"X-Embargo-Warning", requestIDHeader, "Link", openapi.TotalCount, "Content-Disposition",
		openapi.IgnoredParameters, openapi.IgnoredMembers, "Preference-Applied", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
	},
	MaxAge: 600,
}
