package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/platform/idempotency"
	"rostrum/platform/web"
)

// responder writes the response of one HTTP request.
type responder struct {
	s       *Server
	w       http.ResponseWriter
	r       *http.Request
	formats acceptedFormats
	meta    *web.HeaderValues // header values that a mutation sets; nil when there are none
	started bool              // whether the status has been written
	report  *idempotency.Outcome
}

// writeError responds to a request that is not processed, with the error's status. A text over a
// limit is well-formed, like any operation over a limit.
func (a *responder) writeError(ctx context.Context, err error) {
	resp := a.s.policy.ErrorResponse(ctx, err)
	status := policy.HTTPStatus(resp.Errors)
	if errs.Is(err, errs.LimitExceeded) {
		status = a.rejectionStatus(resp)
	}
	a.writeRejected(status, resp)
}

// rejectOperation returns the response of an operation that has errors before execution.
func (s *Server) rejectOperation(
	ctx context.Context, op *graphql.OperationContext, variables map[string]any, list gqlerror.List,
) *graphql.Response {
	return s.exec.DispatchError(graphql.WithOperationContext(ctx, op), s.policy.DescribeErrors(op, variables, list))
}

// writeRejection responds to an operation that failed before execution.
func (a *responder) writeRejection(resp *graphql.Response) {
	status := a.rejectionStatus(resp)
	if a.formats.json == "" && a.formats.stream && status == http.StatusOK {
		a.writeSingleEvent(resp)
		return
	}
	a.writeRejected(status, resp)
}

// rejectionStatus returns the status of a well-formed request that failed before execution. For
// application/graphql-response+json it is the first error's. For application/json it is 200, except
// for missing credentials, because clients cannot tell another status from an intermediary's
// (GraphQL over HTTP).
func (a *responder) rejectionStatus(resp *graphql.Response) int {
	status := policy.HTTPStatus(resp.Errors)
	if a.formats.json == typeResponse || status == http.StatusUnauthorized {
		return status
	}
	return http.StatusOK
}

// writeRejected responds with the errors of a response without data.
func (a *responder) writeRejected(status int, resp *graphql.Response) {
	if a.started {
		return
	}
	if status == http.StatusUnauthorized {
		a.w.Header().Set("WWW-Authenticate", `ApiKey header="`+keyHeader+`"`)
	}
	if seconds, ok := resp.Errors[0].Extensions["retry_after"].(int); ok {
		a.w.Header().Set("Retry-After", strconv.Itoa(seconds))
	} else if policy.HTTPStatus(resp.Errors) == http.StatusServiceUnavailable {
		a.w.Header().Set("Retry-After", errs.RetryUnavailable)
	}
	a.writeJSON(status, resp)
}

// writeWhole responds in one piece. The executor returns nil when the operation timed out, and a
// response without data when an interceptor rejected it.
func (a *responder) writeWhole(ctx context.Context, responses graphql.ResponseHandler) {
	resp := responses(ctx)
	if resp == nil {
		a.writeError(ctx, context.Cause(ctx))
		return
	}
	if a.report.Replayed {
		a.w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	if resp.Data == nil && len(resp.Errors) > 0 {
		a.writeRejected(a.rejectionStatus(resp), resp)
		return
	}
	if a.r.Method == http.MethodGet && len(resp.Errors) == 0 {
		a.writeCacheable(ctx, resp)
		return
	}
	a.writeJSON(http.StatusOK, resp)
}

// writeJSON writes a whole response. A response to a GET must not be kept: it has errors.
func (a *responder) writeJSON(status int, resp *graphql.Response) {
	h := a.w.Header()
	h.Add("Vary", "Accept")
	if a.r.Method == http.MethodGet {
		h.Set("Cache-Control", "no-store")
	}
	if a.meta != nil {
		a.meta.AddTo(h)
	}
	a.writeParts(status, encodeParts(resp))
}

// contentType returns the media type of a whole response.
func (a *responder) contentType() string {
	return cmp.Or(a.formats.json, typeJSON) + "; charset=utf-8"
}

// writeParts writes the parts of a whole response.
func (a *responder) writeParts(status int, parts [][]byte) {
	a.started = true
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	a.w.Header().Set("Content-Type", a.contentType())
	a.w.Header().Set("Content-Length", strconv.Itoa(size))
	a.w.WriteHeader(status)
	for _, part := range parts {
		_, _ = a.w.Write(part)
	}
}

// encodeParts returns a response in parts; the bytes of the data stay as the executor encoded them.
func encodeParts(resp *graphql.Response) [][]byte {
	head, tail := encodeEnvelope(resp)
	return [][]byte{head, resp.Data, tail}
}

func encodeResponse(resp *graphql.Response) []byte { return newResponse(resp).join() }

// response is an encoded response in three pieces, because its data can be large.
type response struct{ head, data, tail []byte }

func newResponse(resp *graphql.Response) response {
	head, tail := encodeEnvelope(resp)
	return response{head, resp.Data, tail}
}

func (r response) join() []byte { return slices.Concat(r.head, r.data, r.tail) }

// encodeEnvelope returns a response's parts before and after its data. It omits the member data if
// the operation did not run, as the specification requires.
func encodeEnvelope(resp *graphql.Response) (head, tail []byte) {
	var before, after objectWriter
	if len(resp.Errors) > 0 {
		before.addMember("errors", resp.Errors)
	}
	if resp.Data != nil {
		before.addName("data")
	}
	after.hasMember = before.hasMember
	if resp.HasNext != nil {
		after.addMember("hasNext", *resp.HasNext)
	}
	if len(resp.Extensions) > 0 {
		after.addMember("extensions", resp.Extensions)
	}
	return append([]byte{'{'}, before.text...), append(after.text, '}')
}

// objectWriter encodes the members of a JSON object.
type objectWriter struct {
	text      []byte
	hasMember bool // whether the next member needs a comma
}

func (o *objectWriter) addName(name string) {
	if o.hasMember {
		o.text = append(o.text, ',')
	}
	o.text, o.hasMember = append(strconv.AppendQuote(o.text, name), ':'), true
}

// addMember encodes a member. A value that cannot be encoded becomes null; only a resolver's
// extension could hold one.
func (o *objectWriter) addMember(name string, value any) {
	o.addName(name)
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte("null")
	}
	o.text = append(o.text, text...)
}
