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
	"rostrum/platform/web"
)

// readVariables reads the operation's variables from the request. It returns an error with every
// invalid field of path, query, headers and body.
func (a *Adapter) readVariables(op *storedOperation, w http.ResponseWriter, r *http.Request) (map[string]any, func(),
	error) {
	in := &requestInput{values: make(map[string]any, len(op.definition.VariableDefinitions)), cleanup: func() {}}
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
	if op.mediaType() == mediaStream {
		in.fromLastEventID(op, r.Header.Get("Last-Event-ID"))
	}
	err := in.fromContent(op, w, r)
	if err == nil && len(in.invalid) > 0 {
		err = errs.Invalid(in.invalid...)
	}
	in.moveMembers(op)
	if err != nil {
		in.cleanup()
		return nil, nil, err
	}
	return in.values, in.cleanup, nil
}

// fromContent reads the form, body or file of the operation, if it has one.
func (in *requestInput) fromContent(op *storedOperation, w http.ResponseWriter, r *http.Request) error {
	if op.body == nil && op.file == nil {
		return nil
	}
	if err := web.CheckEncoding(r.Header); err != nil {
		return err
	}
	switch {
	case op.body == nil:
		return in.fromFile(op.file, w, r)
	case op.file != nil && isForm(r):
		return in.fromForm(op, w, r)
	}
	err := in.fromBody(op.body, w, r)
	in.copyMembers(op)
	return err
}

// copyMembers sets variables that are also members of the body. Null, like an absent member, keeps
// the variable's default.
func (in *requestInput) copyMembers(op *storedOperation) {
	body, _ := in.values[bodyVariable].(map[string]any)
	for _, p := range op.copied {
		for name, value := range body {
			if snakeCase(name) == p.name && value != nil {
				in.values[p.name] = value
			}
		}
	}
}

// requestInput collects the variables and the invalid fields of a request.
type requestInput struct {
	values  map[string]any
	invalid []errs.Field
	cleanup func() // releases the files of the values
}

func (in *requestInput) fromPath(p *parameter, raw string) {
	text, err := url.PathUnescape(raw)
	if err != nil {
		text = raw
	}
	in.addValue(p, fieldAt(inPath, p.name), text)
}

// fromQuery reads a query parameter; a list is a repeated parameter or one with commas.
func (in *requestInput) fromQuery(p *parameter, query url.Values) {
	given, ok := query[p.name]
	at := fieldAt(inQuery, p.name)
	switch {
	case !ok:
		if p.variable.Type.NonNull && p.variable.DefaultValue == nil {
			in.invalid = append(in.invalid, at("missing", "is required"))
		}
	case p.variable.Type.Elem != nil:
		if len(given) == 1 {
			given = strings.Split(given[0], ",")
		}
		in.addValue(p, at, given...)
	case len(given) > 1:
		in.invalid = append(in.invalid, at("value_error", "is given more than once"))
	default:
		in.addValue(p, at, given[0])
	}
}

// fromLastEventID resumes a stream after the last event that the client received; the header
// overrides the query parameter.
func (in *requestInput) fromLastEventID(op *storedOperation, position string) {
	p := op.resumeParameter()
	if p == nil || position == "" {
		return
	}
	in.addValue(p, fieldAt(inHeader, "Last-Event-ID"), position)
}

// resumeParameter returns the variable for the position to resume from, or nil when the stream has
// none.
func (op *storedOperation) resumeParameter() *parameter {
	for _, p := range op.parameters {
		if p.name == "after" {
			return p
		}
	}
	return nil
}

// addValue parses the texts as the variable's type, validates them against its schema and stores
// the value.
func (in *requestInput) addValue(p *parameter, at fieldLocator, texts ...string) {
	values := make([]any, len(texts))
	for i, text := range texts {
		value, field := parseScalar(p, at, text)
		if field != nil {
			in.invalid = append(in.invalid, *field)
			return
		}
		values[i] = value
	}
	var value any = values
	if p.variable.Type.Elem == nil {
		value = values[0]
	}
	if bad := validateValue(p.schema.Value, value, at); len(bad) > 0 {
		in.invalid = append(in.invalid, bad...)
		return
	}
	in.values[p.name] = p.coder.decodeValue(value)
}

// parseScalar parses a text as the variable's type, or returns the error of the field.
func parseScalar(p *parameter, at fieldLocator, text string) (any, *errs.Field) {
	if msg := textError(text); msg != "" {
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

// textError returns the reason that a text cannot be stored in either database, or an empty string.
func textError(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case strings.ContainsRune(text, 0):
		return "must not contain a NUL character"
	}
	return ""
}

// fieldLocator creates the error of a field at a path in a part of the request.
type fieldLocator func(kind, msg string, path ...any) errs.Field

// fieldAt returns the locator of a named part of the request. The body has no name; a file is a
// named part of the body.
func fieldAt(in, name string) fieldLocator {
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

// formatMegabytes formats a size limit for an error message.
func formatMegabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes>>20) }
