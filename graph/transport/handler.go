package transport

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/platform/idempotency"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

// ServeHTTP handles one request by the specifications of GraphQL over HTTP, GraphQL over SSE
// (distinct connections), multipart requests, incremental delivery and graphql-transport-ws. A
// malformed request has its error's status; see rejectionStatus for operations that fail before
// execution. Once execution has started the status is 200.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := &responder{s: s, w: w, r: r, formats: parseAccept(r.Header)}
	defer func() {
		if panicked := recover(); panicked != nil {
			a.writeError(r.Context(), policy.PanicError(r.Context(), panicked))
		}
	}()
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		a.openSocket()
		return
	}
	if !a.formats.any() {
		a.writeError(r.Context(), errs.New(errs.NotAcceptable, "accept %s, %s, %s or %s", typeResponse, typeJSON,
			typeStream, typeMixed))
		return
	}
	ctx, err := s.authenticate(r)
	if limited := s.config.RateLimit(ctx, w.Header(), r); limited != nil {
		err = limited
	}
	if err != nil {
		a.writeError(ctx, err)
		return
	}
	q, done, err := s.readRequest(ctx, w, r.WithContext(ctx))
	defer done()
	if err == nil {
		q.Headers = r.Header
		err = s.policy.ResolveDocument(ctx, q)
	}
	if err != nil {
		a.writeError(ctx, err)
		return
	}
	ctx, a.report = idempotency.WithOutcome(ctx)
	a.runOperation(graphql.StartOperationTrace(ctx), &q.RawParams)
}

// openSocket upgrades the request to a WebSocket. The upgrade and each operation count as a
// request.
func (a *responder) openSocket() {
	ctx, _ := a.s.authenticate(a.r) // the key may still come in a message, and is checked then
	if err := cmp.Or(a.s.config.RateLimit(ctx, a.w.Header(), a.r), checkKeySource(a.r)); err != nil {
		a.writeError(ctx, err)
		return
	}
	a.s.serveSocket(a.w, a.r)
}

// runOperation executes the operation and writes its response in a format that operation and client
// support.
func (a *responder) runOperation(ctx context.Context, params *graphql.RawParams) {
	op, rejected := a.s.exec.CreateOperationContext(ctx, params)
	if len(rejected) > 0 {
		a.writeRejection(a.s.rejectOperation(ctx, op, params.Variables, rejected))
		return
	}
	kind, deferred := op.Operation.Operation, policy.AnalysisOf(op).Deferred
	switch {
	case a.r.Method == http.MethodGet && kind == ast.Mutation:
		a.w.Header().Set("Allow", http.MethodPost)
		a.writeError(ctx, errs.New(errs.MethodNotAllowed, "send mutations with POST"))
	case kind == ast.Subscription && !a.formats.stream:
		a.writeError(ctx, errs.New(errs.NotAcceptable, "subscribe with Accept: %s or over a WebSocket", typeStream))
	case kind == ast.Subscription, a.formats.stream && (a.formats.json == "" || deferred && !a.formats.mixed):
		a.writeStream(ctx, op)
	case deferred && a.formats.mixed, a.formats.json == "":
		a.writeIncremental(ctx, op)
	default:
		if kind == ast.Mutation {
			ctx, a.meta = web.WithHeaderValues(ctx)
		}
		responses, ctx := a.s.exec.DispatchOperation(ctx, op)
		a.writeWhole(ctx, responses)
	}
}

// maxPublicBody is the largest body or socket message in bytes of a client without a principal.
const maxPublicBody = 64 << 10

// bodyLimit returns the limit of a body. Without a principal it is at most maxPublicBody.
func bodyLimit(ctx context.Context, limit int64) int64 {
	if _, err := principal.From(ctx); err != nil {
		return min(limit, maxPublicBody)
	}
	return limit
}

// readRequest reads the request's operation. done releases an upload's files and is never nil.
func (s *Server) readRequest(ctx context.Context, w http.ResponseWriter, r *http.Request) (q *policy.Request,
	done func(), err error) {
	done = func() {}
	switch r.Method {
	case http.MethodGet:
		q, err = parseQueryString(r.URL.RawQuery)
	case http.MethodPost:
		if err = web.CheckEncoding(r.Header); err != nil {
			break
		}
		switch web.ParseContentType(r.Header.Get("Content-Type")) {
		case typeJSON:
			q, err = readBody(w, r, bodyLimit(ctx, s.limits.Body))
		case typeForm:
			q, done, err = s.readForm(w, r, bodyLimit(ctx, formFiles*s.limits.Upload+formOverhead))
		default:
			err = errs.New(errs.UnsupportedMediaType, "send %s or %s", typeJSON, typeForm)
		}
	default:
		w.Header().Set("Allow", "GET, POST")
		err = errs.New(errs.MethodNotAllowed, "send GET or POST")
	}
	return q, done, err
}
