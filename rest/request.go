package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"rostrum/errs"
)

// variables reads the operation's variables from the request. A failure names every bad field of path, query, headers and body at once.
func (a *Adapter) variables(op *operation, w http.ResponseWriter, r *http.Request) (map[string]any, func(), error) {
	in := &input{values: make(map[string]any, len(op.definition.VariableDefinitions)), done: func() {}}
	query := r.URL.Query()
	for _, p := range op.parameters {
		if p.in == inPath {
			in.fromPath(p, chi.URLParam(r, p.name))
		} else {
			in.fromQuery(p, query)
		}
	}
	if op.ifMatch != nil {
		in.fromIfMatch(op.ifMatch, r.Header.Values("If-Match"))
	}
	if op.media() == mediaStream {
		in.fromLastEventID(op, r.Header.Get("Last-Event-ID"))
	}
	var err error
	switch {
	case op.body != nil && op.file != nil && isForm(r):
		err = in.fromForm(op, w, r)
	case op.body != nil:
		err = in.fromBody(op.body, w, r)
		in.lift(op)
	case op.file != nil:
		err = in.fromFile(op.file, w, r)
	}
	if err == nil && len(in.bad) > 0 {
		err = errs.Invalid(in.bad...)
	}
	if err != nil {
		in.done()
		return nil, nil, err
	}
	return in.values, in.done, nil
}

// lift gives variables that repeat a member of the body its value; a null, like an absent one, leaves the variable's default.
func (in *input) lift(op *operation) {
	body, _ := in.values[bodyVariable].(map[string]any)
	for _, p := range op.lifted {
		for name, value := range body {
			if snake(name) == p.name && value != nil {
				in.values[p.name] = value
			}
		}
	}
}

// input is what was read from a request so far.
type input struct {
	values map[string]any
	bad    []errs.Field
	done   func() // frees what the values hold
}

func (in *input) fromPath(p *parameter, raw string) {
	text, err := url.PathUnescape(raw)
	if err != nil {
		text = raw
	}
	in.take(p, place(inPath, p.name), text)
}

// fromQuery reads a list from a repeated parameter, or from one with commas.
func (in *input) fromQuery(p *parameter, query url.Values) {
	given, ok := query[p.name]
	at := place(inQuery, p.name)
	switch {
	case !ok:
		if p.variable.Type.NonNull && p.variable.DefaultValue == nil {
			in.bad = append(in.bad, at("missing", "is required"))
		}
	case p.variable.Type.Elem != nil:
		if len(given) == 1 {
			given = strings.Split(given[0], ",")
		}
		in.take(p, at, given...)
	case len(given) > 1:
		in.bad = append(in.bad, at("value_error", "is given more than once"))
	default:
		in.take(p, at, given[0])
	}
}

// fromLastEventID resumes a stream behind the event that the client saw last; the header goes before the query parameter.
func (in *input) fromLastEventID(op *operation, position string) {
	p := op.resumes()
	if p == nil || position == "" {
		return
	}
	in.take(p, place(inHeader, "Last-Event-ID"), position)
}

// resumes is the variable that takes the position to go on from, nil when the stream has none.
func (op *operation) resumes() *parameter {
	for _, p := range op.parameters {
		if p.name == "after" {
			return p
		}
	}
	return nil
}

// take reads the texts as the variable's type, checks them against its schema and keeps the value.
func (in *input) take(p *parameter, at locate, texts ...string) {
	values := make([]any, len(texts))
	for i, text := range texts {
		value, field := scalar(p, at, text)
		if field != nil {
			in.bad = append(in.bad, *field)
			return
		}
		values[i] = value
	}
	var value any = values
	if p.variable.Type.Elem == nil {
		value = values[0]
	}
	if bad := check(p.schema.Value, value, at); len(bad) > 0 {
		in.bad = append(in.bad, bad...)
		return
	}
	in.values[p.name] = p.coder.decode(value)
}

// scalar reads one text as the variable's type.
func scalar(p *parameter, at locate, text string) (any, *errs.Field) {
	if msg := badText(text); msg != "" {
		field := at("string_type", msg)
		return nil, &field
	}
	var value any = text
	var err error
	kind, msg := "", ""
	switch p.variable.Type.Name() {
	case "Int":
		value, err = strconv.ParseInt(text, 10, 64)
		kind, msg = "int_parsing", "must be a whole number"
	case "Float":
		value, err = strconv.ParseFloat(text, 64)
		kind, msg = "float_parsing", "must be a number"
	case "Boolean":
		value, err = strconv.ParseBool(text)
		kind, msg = "bool_parsing", "must be true or false"
	}
	if err != nil {
		field := at(kind, msg)
		return nil, &field
	}
	return value, nil
}

// badText says what keeps both databases from holding the text; it is empty for a good one.
func badText(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case strings.ContainsRune(text, 0):
		return "must not contain a NUL character"
	}
	return ""
}

// locate makes the bad field at a path behind a fixed place of the request.
type locate func(kind, msg string, path ...any) errs.Field

// place locates within a named part of the request. For the body the name is left out; a file is a named part of the body.
func place(in, name string) locate {
	return func(kind, msg string, path ...any) errs.Field {
		if in == inBody {
			return errs.BodyField(kind, msg, path...)
		}
		field := errs.BodyField(kind, msg, append([]any{name}, path...)...)
		if in != inFile {
			field.Loc[0] = in
		}
		return field
	}
}

// megabytes writes a limit for a message.
func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes>>20) }
