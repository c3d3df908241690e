package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// authChallenge is the WWW-Authenticate header of responses to requests without a key (RFC 9110,
// section 11.6.1).
const authChallenge = `ApiKey realm="rostrum", header="X-API-Key"`

// writeProblem responds with the error as a problem document (RFC 9457).
func (a *Adapter) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	a.writeChallenge(w, r, err, authChallenge)
}

// writeChallenge is writeProblem with the WWW-Authenticate header of a 401.
func (a *Adapter) writeChallenge(w http.ResponseWriter, r *http.Request, err error, challenge string) {
	e := errs.From(err)
	header := w.Header()
	header.Set("Content-Type", openapi.MediaProblem)
	header.Set("Cache-Control", "no-store")
	header.Del("ETag")
	if e.Status() == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", challenge)
	}
	if seconds, ok := retryAfter(e); ok && header.Get("Retry-After") == "" {
		header.Set("Retry-After", seconds)
	}
	w.WriteHeader(e.Status())
	if r.Method == http.MethodHead {
		return
	}
	a.writeBody(w, r, problemDocument(r, e))
}

// problemDocument returns the JSON of an error: the standard members and the error's extra members.
func problemDocument(r *http.Request, e *errs.Error) []byte {
	members := make(map[string]any, len(e.Extra)+8)
	for name, value := range e.Extra {
		members[name] = value
	}
	members["type"] = "about:blank"
	members["title"] = http.StatusText(e.Status())
	members["status"] = e.Status()
	members["detail"] = e.Message
	members["code"] = e.Code
	members["instance"] = r.URL.Path
	members["request_id"] = requestIDOf(r.Context())
	if len(e.Fields) > 0 {
		members["errors"] = e.Fields
	}
	text, err := json.Marshal(members)
	if err != nil {
		return problemDocument(r, errs.Wrap(err, errs.Internal, "something went wrong on our side"))
	}
	return text
}

// retryAfter returns the Retry-After header of an error in whole seconds, and false without one.
// Every 503 has one.
func retryAfter(e *errs.Error) (string, bool) {
	switch seconds := e.Extra["retry_after"].(type) {
	case int:
		return strconv.Itoa(seconds), true
	case int64:
		return strconv.FormatInt(seconds, 10), true
	case float64:
		return strconv.Itoa(int(seconds)), true
	case json.Number:
		return seconds.String(), true
	}
	return errs.RetryUnavailable, e.Status() == http.StatusServiceUnavailable
}

// mergeGraphErrors returns one error for the executor's errors: the code of the first, and the
// fields of all.
func mergeGraphErrors(op *stored.Operation, list gqlerror.List) *errs.Error {
	first := fromGraphError(op, list[0])
	if len(list) == 1 {
		return first
	}
	out := *first
	out.Fields = nil
	for _, one := range list {
		e := fromGraphError(op, one)
		if len(e.Fields) == 0 {
			e.Fields = []errs.Field{{Pointer: "#", Loc: []any{"response"}, Msg: e.Message, Type: string(e.Code)}}
		}
		out.Fields = append(out.Fields, e.Fields...)
	}
	return &out
}

// fromGraphError returns the error that the graph presented, with its fields in REST's spelling.
// The stored response of an idempotency key has no Go error: it is rebuilt from the extensions.
func fromGraphError(op *stored.Operation, g *gqlerror.Error) *errs.Error {
	failure, ok := errors.AsType[*errs.Error](g.Err)
	switch code, _ := g.Extensions["code"].(string); {
	case ok:
	case code == "":
		return errs.From(g)
	default:
		failure = fromExtensions(errs.Code(code), g)
	}
	if errs.Lookup(failure.Code) == errs.Lookup(errs.Internal) {
		return errs.Wrap(g, errs.Internal, "something went wrong on our side")
	}
	return withRESTFields(op, failure)
}

// fromExtensions returns the error that the members of the extensions describe.
func fromExtensions(code errs.Code, g *gqlerror.Error) *errs.Error {
	e := &errs.Error{Code: code, Message: g.Message, Extra: map[string]any{}, Cause: g}
	for name, value := range g.Extensions {
		switch name {
		case "code":
		case "errors":
			e.Fields = parseFields(value)
		default:
			e.Extra[name] = value
		}
	}
	return e
}

// withRESTFields returns the error with its fields, and the message that lists them, in REST's
// spelling.
func withRESTFields(op *stored.Operation, e *errs.Error) *errs.Error {
	if len(e.Fields) == 0 {
		return e
	}
	out := *e
	out.Fields = op.RESTFields(e.Fields)
	if e.Code == errs.ValidationFailed {
		out.Message = errs.Invalid(out.Fields...).Message
	}
	return &out
}

// parseFields returns the fields of an error's extensions, which are Go values or decoded JSON; nil
// when they are neither.
func parseFields(value any) []errs.Field {
	if fields, ok := value.([]errs.Field); ok {
		return fields
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var fields []errs.Field
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil
	}
	return fields
}

// notFound responds to paths without a route.
func (a *Adapter) notFound(w http.ResponseWriter, r *http.Request) {
	a.writeProblem(w, r, errs.New(errs.NotFound, "no resource at this path"))
}
