package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

const mediaProblem = "application/problem+json"

// challenge tells a caller without a key where a key goes (RFC 9110, section 11.6.1).
const challenge = `ApiKey realm="rostrum", header="X-API-Key"`

// Refuse answers a request that does not come to a route, as the routes answer failures.
func (a *Adapter) Refuse(w http.ResponseWriter, r *http.Request, err error) { a.fail(w, r, err) }

// fail answers with the error as a problem document (RFC 9457).
func (a *Adapter) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := errs.From(err)
	header := w.Header()
	header.Set("Content-Type", mediaProblem)
	header.Set("Cache-Control", "no-store")
	header.Del("ETag")
	if e.Status() == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", challenge)
	}
	if seconds, ok := wait(e); ok && header.Get("Retry-After") == "" {
		header.Set("Retry-After", seconds)
	}
	w.WriteHeader(e.Status())
	if r.Method == http.MethodHead {
		return
	}
	a.write(w, r, problem(r, e))
}

// problem is the error's document: its members, and at the top whatever else the error carries.
func problem(r *http.Request, e *errs.Error) []byte {
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
		return problem(r, errs.Wrap(err, errs.Internal, "something went wrong on our side"))
	}
	return text
}

// wait is the Retry-After of an error that says when to come back, in whole seconds.
func wait(e *errs.Error) (string, bool) {
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
	return "", false
}

// fromGraph turns the executor's errors into one: the first one's code, with all of them listed.
func (op *operation) fromGraph(list gqlerror.List) *errs.Error {
	first := op.fromGraphError(list[0])
	if len(list) == 1 {
		return first
	}
	out := *first
	out.Fields = nil
	for _, one := range list {
		e := op.fromGraphError(one)
		if len(e.Fields) == 0 {
			e.Fields = []errs.Field{{Pointer: "#", Loc: []any{"response"}, Msg: e.Message, Type: string(e.Code)}}
		}
		out.Fields = append(out.Fields, e.Fields...)
	}
	return &out
}

// fromGraphError reads the code, the bad fields and the extra members that the graph's presenter put into the extensions.
func (op *operation) fromGraphError(g *gqlerror.Error) *errs.Error {
	code, ok := g.Extensions["code"].(string)
	switch {
	case !ok:
		return errs.From(g)
	case code == errcode.ValidationFailed:
		return errs.Invalid(op.atVariable(g))
	case errs.Lookup(errs.Code(code)) == errs.Lookup(errs.Internal):
		return errs.Wrap(g, errs.Internal, "something went wrong on our side")
	}
	e := &errs.Error{Code: errs.Code(code), Message: g.Message, Extra: map[string]any{}, Cause: g}
	for name, value := range g.Extensions {
		switch name {
		case "code":
		case "errors":
			e.Message, e.Fields = op.respelled(e.Message, fieldsOf(value))
		default:
			e.Extra[name] = value
		}
	}
	return e
}

// respelled names bad fields as REST does, also in a message that is made of them.
func (op *operation) respelled(message string, given []errs.Field) (string, []errs.Field) {
	made := message == errs.Invalid(given...).Message
	fields := op.inRestSpelling(given)
	if made {
		message = errs.Invalid(fields...).Message
	}
	return message, fields
}

// fieldsOf reads the bad fields of an error's extensions, whether they are still Go values or were JSON in between.
func fieldsOf(value any) []errs.Field {
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

// notFound answers paths that no operation has.
func (a *Adapter) notFound(w http.ResponseWriter, r *http.Request) {
	a.fail(w, r, errs.New(errs.NotFound, "there is nothing at this path"))
}

// errNull is what a null root field means.
var errNull = errs.New(errs.NotFound, "there is nothing of this id in the workspace")

var errNotAnswered = errors.New("the executor's answer is not the operation's one root field")
