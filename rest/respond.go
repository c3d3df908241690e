package rest

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/idempotency"
	"rostrum/platform/web"
	"rostrum/rest/stored"
)

// routeHandler returns the handler for one method of one path.
func (a *Adapter) routeHandler(route *stored.Route) http.HandlerFunc {
	described := a.document.Operation(route.Method, route.Path)
	return func(w http.ResponseWriter, r *http.Request) {
		r = markStrict(route, r)
		unknown := setIgnored(w.Header(), described, r)
		if len(route.Media()) > 1 {
			w.Header().Add("Vary", "Accept")
		}
		if err := a.serveOperation(route, unknown, w, r); err != nil {
			a.writeProblem(w, r, err)
		}
	}
}

// serveOperation responds to the request, or returns an error if nothing was written. The error
// unknown, if there is one, is that of parameters that the client wants to be refused.
func (a *Adapter) serveOperation(route *stored.Route, unknown error, w http.ResponseWriter, r *http.Request) error {
	ctx, err := a.authenticate(route, r)
	if late := a.config.Limit(ctx, w.Header(), r); late != nil {
		err = late
	}
	if err = cmp.Or(err, unknown); err != nil {
		return err
	}
	chosen, err := chooseOperations(route, r)
	if err != nil {
		return err
	}
	op, as := acceptedOperation(r, chosen)
	if op == nil {
		return errs.New(errs.NotAcceptable, "this path responds with %s", strings.Join(route.Media(), " or "))
	}
	variables, done, err := a.readVariables(op, w, r.WithContext(ctx))
	if err != nil {
		return err
	}
	defer done()
	ctx = graphql.StartOperationTrace(policy.WithCheckedInput(model.WithLowerEnums(ctx)))
	if op.MediaType() == stored.MediaStream {
		return a.serveStream(ctx, op, variables, w, r)
	}
	ctx, meta := web.WithHeaderValues(ctx)
	ctx, report := idempotency.WithOutcome(ctx)
	next, ctx := a.dispatchOperation(ctx, op, variables, r)
	answer := next(ctx)
	var body []byte
	data, err := responseData(op, answer)
	if err == nil {
		body, err = op.ResponseBody(data)
	}
	meta.AddTo(w.Header())
	if report.Replayed {
		w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	if err != nil {
		return err
	}
	op.AddHeaders(w.Header(), data)
	if op.IsFile() {
		return a.sendFile(op, body, w, r)
	}
	a.writeSuccess(op, as, body, w, r)
	return nil
}

// acceptedOperation returns the operation whose media type the client prefers (RFC 9110, section
// 12.5.1), the first of equals, or nil when none is acceptable; and how its body is written, nil for
// JSON. A file is always accepted, since its media type is known only after it is created.
func acceptedOperation(r *http.Request, operations []*stored.Operation) (*stored.Operation, *stored.Rendering) {
	if operations[0].IsFile() {
		return operations[0], nil
	}
	type offer struct {
		op *stored.Operation
		as *stored.Rendering
	}
	var offers []offer
	var media []string
	for _, op := range operations {
		offers, media = append(offers, offer{op, nil}), append(media, op.Media()...)
		for i := range op.Renderings {
			offers = append(offers, offer{op, &op.Renderings[i]})
		}
	}
	i := web.ParseAccept(r.Header).Best(media...)
	if i < 0 {
		return nil, nil
	}
	return offers[i].op, offers[i].as
}

// authenticate returns the context with the client's principal. A session cookie is used only where
// the operation allows it and no key is sent.
func (a *Adapter) authenticate(route *stored.Route, r *http.Request) (context.Context, error) {
	return a.authenticateCaller(route.Operations[0].Rule.Cookie, r)
}

func (a *Adapter) authenticateCaller(cookie bool, r *http.Request) (context.Context, error) {
	if cookie && r.Header.Get("X-API-Key") == "" && SessionToken(r) != "" {
		return a.config.AuthenticateSession(r)
	}
	return a.config.Authenticate(r)
}

// dispatchOperation starts the operation on the executor with all of the graph's extensions.
func (a *Adapter) dispatchOperation(
	ctx context.Context, op *stored.Operation, variables map[string]any, r *http.Request,
) (graphql.ResponseHandler, context.Context) {
	now := graphql.Now()
	prepared, list := a.config.Executor.CreateOperationContext(ctx, &graphql.RawParams{
		Query: op.Text, OperationName: op.Name, Variables: variables, Headers: r.Header,
		ReadTime: graphql.TraceTiming{Start: now, End: now},
	})
	if list != nil {
		ctx = graphql.WithOperationContext(ctx, prepared)
		return graphql.OneShot(a.config.Executor.DispatchError(ctx, list)), ctx
	}
	return a.config.Executor.DispatchOperation(ctx, prepared)
}

// responseData returns the data of the executor's response, or its errors.
func responseData(op *stored.Operation, response *graphql.Response) ([]byte, error) {
	switch {
	case response == nil:
		return nil, nil // which is no answer to the operation
	case len(response.Errors) > 0:
		return nil, mergeGraphErrors(op, response.Errors)
	}
	return response.Data, nil
}

// writeSuccess sends the body with the operation's status and headers, as JSON if as is nil.
func (a *Adapter) writeSuccess(op *stored.Operation, as *stored.Rendering, body []byte, w http.ResponseWriter,
	r *http.Request) {
	header := w.Header()
	if op.Rule.Location != "" {
		header.Set("Location", op.Rule.LocationOf(body))
	}
	switch op.Rule.Status {
	case http.StatusNoContent:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.StatusAccepted:
		header.Set("Retry-After", "1")
	}
	text, contentType := renderedBody(as, body)
	tag := bodyTag(op.Rule, body, text)
	if op.Rule.Method == http.MethodGet && web.SendUnchanged(w, r, tag, web.Private) {
		return
	}
	if op.Rule.ETag != "" {
		header.Set("ETag", tag)
	}
	if as != nil && as.Table != nil {
		setTableHeaders(header, body, r)
	}
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(op.Rule.Status)
	if r.Method != http.MethodHead {
		a.writeBody(w, r, text)
	}
}
