package graph

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/replay"
)

// ServeHTTP answers one request, as GraphQL over HTTP, GraphQL over SSE (distinct connections), the multipart request
// specification, incremental delivery and graphql-transport-ws describe it. An operation that fails before it runs has its
// error's status; one that ran has 200.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := &answer{s: s, w: w, accept: accepts(r.Header.Values("Accept"))}
	defer func() {
		if panicked := recover(); panicked != nil {
			a.fail(r.Context(), recovered(r.Context(), panicked))
		}
	}()
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		a.socket(r)
		return
	}
	if !a.accept.any() {
		a.fail(r.Context(), errs.New(errs.NotAcceptable, "accept %s, %s, %s or %s", typeResponse, typeJSON, typeStream, typeMixed))
		return
	}
	ctx, err := s.Identify(r)
	if late := s.limit(ctx, w.Header(), r); late != nil {
		err = late
	}
	if err != nil {
		a.fail(ctx, err)
		return
	}
	q, done, err := s.read(w, r)
	defer done()
	if err == nil {
		err = s.resolve(ctx, q)
	}
	if err != nil {
		a.fail(ctx, err)
		return
	}
	q.Headers = r.Header
	ctx, a.report = replay.WithReport(ctx)
	a.run(graphql.StartOperationTrace(ctx), r, &q.RawParams)
}

// socket opens a WebSocket, which counts as one request; each operation on it is another one.
func (a *answer) socket(r *http.Request) {
	ctx, _ := a.s.Identify(r) //nolint:errcheck // the key may yet come in a message, and is judged there
	if err := cmp.Or(a.s.limit(ctx, a.w.Header(), r), checkAddress(r)); err != nil {
		a.fail(ctx, err)
		return
	}
	a.s.serveSocket(a.w, r)
}

// run executes the operation and writes its answer in the form that suits both the operation and the caller.
func (a *answer) run(ctx context.Context, r *http.Request, params *graphql.RawParams) {
	op, refused := a.s.exec.CreateOperationContext(ctx, params)
	if len(refused) > 0 {
		a.refuse(graphql.WithOperationContext(ctx, op), refused)
		return
	}
	kind, deferred := op.Operation.Operation, a.s.measures.of(op.Operation).deferred
	switch {
	case r.Method == http.MethodGet && kind == ast.Mutation:
		a.w.Header().Set("Allow", http.MethodPost)
		a.fail(ctx, errs.New(errs.MethodNotAllowed, "send mutations with POST"))
	case kind == ast.Subscription && !a.accept.stream:
		a.fail(ctx, errs.New(errs.NotAcceptable, "subscribe with Accept: %s or over a WebSocket", typeStream))
	case deferred && !a.accept.mixed && !a.accept.stream:
		a.fail(ctx, errs.New(errs.NotAcceptable, "@defer needs Accept: %s", typeMixed))
	case kind == ast.Subscription, deferred && !a.accept.mixed, !deferred && a.accept.json == "" && a.accept.stream:
		a.stream(ctx, op)
	case deferred, a.accept.json == "":
		a.deliver(a.s.exec.DispatchOperation(ctx, op))
	default:
		if kind == ast.Mutation {
			ctx, a.aside = model.WithAside(ctx)
		}
		a.whole(a.s.exec.DispatchOperation(ctx, op))
	}
}

// read takes the operation out of the request; done frees what an upload holds and is never nil.
func (s *Server) read(w http.ResponseWriter, r *http.Request) (q *request, done func(), err error) {
	done = func() {}
	switch r.Method {
	case http.MethodGet:
		q, err = fromQuery(r.URL.RawQuery)
	case http.MethodPost:
		switch mediaType(r.Header.Get("Content-Type")) {
		case typeJSON:
			q, err = fromBody(http.MaxBytesReader(w, r.Body, s.limits.Body))
		case typeForm:
			q, done, err = s.fromForm(w, r)
		default:
			err = errs.New(errs.UnsupportedMediaType, "send %s or %s", typeJSON, typeForm)
		}
	default:
		w.Header().Set("Allow", "GET, POST")
		err = errs.New(errs.MethodNotAllowed, "send GET or POST")
	}
	return q, done, err
}
