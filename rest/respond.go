package rest

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/tidwall/gjson"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/idempotency"
	"rostrum/platform/web"
)

// routeHandler returns the handler for one method of one path.
func (a *Adapter) routeHandler(route *apiRoute) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		setIgnored(w.Header(), route.described, r)
		if len(route.offeredMedia()) > 1 {
			w.Header().Add("Vary", "Accept")
		}
		if err := a.serveOperation(route, w, r); err != nil {
			a.writeProblem(w, r, err)
		}
	}
}

// serveOperation responds to the request, or returns an error if nothing was written.
func (a *Adapter) serveOperation(route *apiRoute, w http.ResponseWriter, r *http.Request) error {
	ctx, err := a.authenticate(route, r)
	if late := a.config.Limit(ctx, w.Header(), r); late != nil {
		err = late
	}
	if err != nil {
		return err
	}
	chosen, err := route.chooseOperations(r)
	if err != nil {
		return err
	}
	op := acceptedOperation(r, chosen)
	if op == nil {
		return errs.New(errs.NotAcceptable, "this path responds with %s", strings.Join(route.offeredMedia(), " or "))
	}
	variables, done, err := a.readVariables(op, w, r)
	if err != nil {
		return err
	}
	defer done()
	ctx = graphql.StartOperationTrace(policy.WithCheckedInput(model.WithLowerEnums(ctx)))
	if op.mediaType() == mediaStream {
		return a.serveStream(ctx, op, variables, w, r)
	}
	ctx, meta := web.WithHeaderValues(ctx)
	ctx, report := idempotency.WithOutcome(ctx)
	next, ctx := a.dispatchOperation(ctx, op, variables, r)
	answer := next(ctx)
	body, err := op.successBody(answer)
	meta.AddTo(w.Header())
	if report.Replayed {
		w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	if err != nil {
		return err
	}
	op.addHeaders(w.Header(), answer.Data)
	if op.isFile() {
		return a.sendFile(op, body, w, r)
	}
	a.writeSuccess(op, body, w, r)
	return nil
}

// acceptedOperation returns the operation whose media type the client prefers (RFC 9110, section
// 12.5.1), the first of equals, or nil when none is acceptable. A file is always accepted, since
// its media type is known only after it is created.
func acceptedOperation(r *http.Request, operations []*storedOperation) *storedOperation {
	if operations[0].isFile() {
		return operations[0]
	}
	offers := make([]string, len(operations))
	for i, op := range operations {
		offers[i] = op.mediaType()
	}
	i := web.ParseAccept(r.Header).Best(offers...)
	if i < 0 {
		return nil
	}
	return operations[i]
}

// authenticate returns the context with the client's principal. A session cookie is used only where
// the operation allows it and no key is sent.
func (a *Adapter) authenticate(route *apiRoute, r *http.Request) (context.Context, error) {
	if route.operations[0].rule.Cookie && r.Header.Get("X-API-Key") == "" && SessionToken(r) != "" {
		return a.config.AuthenticateSession(r)
	}
	return a.config.Authenticate(r)
}

// offeredMedia returns the media types of the route.
func (r *apiRoute) offeredMedia() []string {
	var media []string
	for _, op := range r.operations {
		if !slices.Contains(media, op.mediaType()) {
			media = append(media, op.mediaType())
		}
	}
	return media
}

// dispatchOperation starts the operation on the executor with all of the graph's extensions.
func (a *Adapter) dispatchOperation(
	ctx context.Context, op *storedOperation, variables map[string]any, r *http.Request,
) (graphql.ResponseHandler, context.Context) {
	now := graphql.Now()
	prepared, list := a.config.Executor.CreateOperationContext(ctx, &graphql.RawParams{
		Query: op.text, OperationName: op.name, Variables: variables, Headers: r.Header,
		ReadTime: graphql.TraceTiming{Start: now, End: now},
	})
	if list != nil {
		ctx = graphql.WithOperationContext(ctx, prepared)
		return graphql.OneShot(a.config.Executor.DispatchError(ctx, list)), ctx
	}
	return a.config.Executor.DispatchOperation(ctx, prepared)
}

// rootValue returns the root field's value from the executor's response, or its errors.
func (op *storedOperation) rootValue(response *graphql.Response) ([]byte, error) {
	switch {
	case response == nil:
		return nil, errNotAnswered
	case len(response.Errors) > 0:
		return nil, op.mergeGraphErrors(response.Errors)
	}
	value, ok := cutMember(response.Data, op.rootPrefix)
	switch {
	case !ok:
		return nil, errNotAnswered
	case op.missing404 && string(value) == "null":
		return nil, errNullRoot
	}
	return op.reshaping.reshape(value), nil
}

// successBody returns the body of a success.
func (op *storedOperation) successBody(response *graphql.Response) ([]byte, error) {
	value, err := op.rootValue(response)
	if err != nil {
		return nil, err
	}
	if op.memberPrefix != "" {
		var ok bool
		if value, ok = cutMember(value, op.memberPrefix); !ok {
			return nil, errNotAnswered
		}
	}
	if op.rule.Wrap != "" {
		value = bytes.Join([][]byte{[]byte(`{"` + op.rule.Wrap + `":`), value, {'}'}}, nil)
	}
	return value, nil
}

// cutMember returns the value of an object's only member; the executor writes JSON without white
// space.
func cutMember(object []byte, before string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(object, []byte(before))
	if !ok {
		return nil, false
	}
	return bytes.CutSuffix(rest, []byte("}"))
}

// writeSuccess sends the body with the operation's status and headers.
func (a *Adapter) writeSuccess(op *storedOperation, body []byte, w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if op.rule.Location != "" {
		header.Set("Location", fillTemplate(op.rule.Location, body))
	}
	switch op.rule.Status {
	case http.StatusNoContent:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.StatusAccepted:
		header.Set("Retry-After", "1")
	}
	if op.rule.Method == http.MethodGet && web.SendUnchanged(w, r, op.rule.bodyTag(body), web.Private) {
		return
	}
	if op.rule.ETag != "" {
		header.Set("ETag", op.rule.bodyTag(body))
	}
	header.Set("Content-Type", mediaJSON)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(op.rule.Status)
	if r.Method != http.MethodHead {
		a.writeBody(w, r, body)
	}
}

var bracesPattern = regexp.MustCompile(`\{([^}]+)\}`)

// fillTemplate inserts members of the body into a template such as /api/v1/jobs/{job_id}; a dot
// separates nested names.
func fillTemplate(template string, body []byte) string {
	return bracesPattern.ReplaceAllStringFunc(template, func(name string) string {
		return url.PathEscape(gjson.GetBytes(body, name[1:len(name)-1]).String())
	})
}
