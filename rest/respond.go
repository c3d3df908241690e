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
	"rostrum/model"
	"rostrum/replay"
)

// handler serves one method of one path.
func (a *Adapter) handler(route *route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if len(route.offers()) > 1 {
			w.Header().Add("Vary", "Accept")
		}
		if err := a.serve(route, w, r); err != nil {
			a.fail(w, r, err)
		}
	}
}

// serve answers the request, or fails before it has written anything.
func (a *Adapter) serve(route *route, w http.ResponseWriter, r *http.Request) error {
	ctx, err := a.authenticate(route, r)
	if late := a.config.Limit(ctx, w.Header(), r); late != nil {
		err = late
	}
	if err != nil {
		return err
	}
	chosen, err := route.asked(r)
	if err != nil {
		return err
	}
	op := accepted(r, chosen)
	if op == nil {
		return errs.New(errs.NotAcceptable, "this path answers with %s", strings.Join(route.offers(), " or "))
	}
	variables, done, err := a.variables(op, w, r)
	if err != nil {
		return err
	}
	defer done()
	ctx = graphql.StartOperationTrace(model.WithLowerEnums(ctx))
	if op.media() == mediaStream {
		return a.stream(ctx, op, variables, w, r)
	}
	ctx, aside := model.WithAside(ctx)
	ctx, report := replay.WithReport(ctx)
	next, ctx := a.dispatch(ctx, op, variables, r)
	body, err := op.answer(next(ctx))
	aside.AddTo(w.Header())
	if report.Replayed {
		w.Header().Set(replay.ReplayedHeader, "true")
	}
	if err != nil {
		return err
	}
	if op.isFile() {
		return a.sendFile(op, body, w, r)
	}
	a.succeed(op, body, w, r)
	return nil
}

// authenticate finds who is asking; a cookie counts only where the operation says so, and never beside a key.
func (a *Adapter) authenticate(route *route, r *http.Request) (context.Context, error) {
	if route.operations[0].rule.Cookie && r.Header.Get("X-API-Key") == "" && SessionToken(r) != "" {
		return a.config.AuthenticateSession(r)
	}
	return a.config.Authenticate(r)
}

// offers lists the media types that the route answers in.
func (r *route) offers() []string {
	var media []string
	for _, op := range r.operations {
		if !slices.Contains(media, op.media()) {
			media = append(media, op.media())
		}
	}
	return media
}

// dispatch starts the operation on the executor, with all that the graph hangs around one.
func (a *Adapter) dispatch(
	ctx context.Context, op *operation, variables map[string]any, r *http.Request,
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

// value cuts the root field's value out of the executor's answer.
func (op *operation) value(response *graphql.Response) ([]byte, error) {
	switch {
	case response == nil:
		return nil, errNotAnswered
	case len(response.Errors) > 0:
		return nil, op.fromGraph(response.Errors)
	}
	value, ok := cut(response.Data, op.before)
	switch {
	case !ok:
		return nil, errNotAnswered
	case op.missing404 && string(value) == "null":
		return nil, errNull
	}
	return value, nil
}

// answer is the body of a success.
func (op *operation) answer(response *graphql.Response) ([]byte, error) {
	value, err := op.value(response)
	if err != nil {
		return nil, err
	}
	if op.inner != "" {
		var ok bool
		if value, ok = cut(value, op.inner); !ok {
			return nil, errNotAnswered
		}
	}
	if op.rule.Wrap != "" {
		value = bytes.Join([][]byte{[]byte(`{"` + op.rule.Wrap + `":`), value, {'}'}}, nil)
	}
	return value, nil
}

// cut takes the value out of an object whose only member it is; the executor writes without white space.
func cut(object []byte, before string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(object, []byte(before))
	if !ok {
		return nil, false
	}
	return bytes.CutSuffix(rest, []byte("}"))
}

// succeed sends the body with the operation's status and headers.
func (a *Adapter) succeed(op *operation, body []byte, w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if op.rule.Location != "" {
		header.Set("Location", fill(op.rule.Location, body))
	}
	switch op.rule.Status {
	case http.StatusNoContent:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.StatusAccepted:
		header.Set("Retry-After", "1")
	}
	if op.rule.Method == http.MethodGet && sendUnchanged(w, r, op.rule.tag(body), "private, no-cache") {
		return
	}
	if op.rule.ETag != "" {
		header.Set("ETag", op.rule.tag(body))
	}
	header.Set("Content-Type", mediaJSON)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(op.rule.Status)
	if r.Method != http.MethodHead {
		a.write(w, r, body)
	}
}

var braces = regexp.MustCompile(`\{([^}]+)\}`)

// fill puts fields of the body into a template such as /api/v1/jobs/{job_id}; a dot leads into an object.
func fill(template string, body []byte) string {
	return braces.ReplaceAllStringFunc(template, func(name string) string {
		return url.PathEscape(gjson.GetBytes(body, name[1:len(name)-1]).String())
	})
}
