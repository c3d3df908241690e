package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"rostrum/errs"
	"rostrum/platform/web"
	"rostrum/rest/stored"
)

// readVariables reads the operation's variables from the request. It returns an error with every
// invalid field of path, query, headers and body.
func (a *Adapter) readVariables(op *stored.Operation, w http.ResponseWriter, r *http.Request) (map[string]any, func(),
	error) {
	in := &requestInput{values: make(map[string]any, len(op.Definition.VariableDefinitions)), cleanup: func() {}}
	query := r.URL.Query()
	for _, p := range op.Parameters {
		if p.In == stored.InPath {
			in.fromPath(p, chi.URLParam(r, p.Name))
		} else {
			in.fromQuery(p, query, r.URL.RawQuery)
		}
	}
	in.checkOrder(op)
	if err := in.fromIfMatch(op, r.Header.Values("If-Match")); err != nil {
		return nil, nil, err
	}
	if op.MediaType() == stored.MediaStream {
		in.fromLastEventID(op, r.Header.Get("Last-Event-ID"))
	}
	err := in.fromContent(op, w, r)
	if err == nil && len(in.invalid) > 0 {
		err = errs.Invalid(in.invalid...)
	}
	err = cmp.Or(err, setIgnoredMembers(w.Header(), in.unknown, r))
	op.MoveMembers(in.values)
	if err != nil {
		in.cleanup()
		return nil, nil, err
	}
	return in.values, in.cleanup, nil
}

// fromContent reads the form, body or file of the operation, if it has one.
func (in *requestInput) fromContent(op *stored.Operation, w http.ResponseWriter, r *http.Request) error {
	if op.Body == nil && op.File == nil {
		return nil
	}
	if err := web.CheckEncoding(r.Header); err != nil {
		return err
	}
	switch {
	case op.Body == nil:
		return in.fromFile(op.File, w, r)
	case op.File != nil && isForm(r):
		return in.fromForm(op, w, r)
	}
	err := in.fromBody(op.Body, w, r)
	op.CopyMembers(in.values)
	return err
}

// requestInput collects the variables and the invalid fields of a request.
type requestInput struct {
	values  map[string]any
	invalid []errs.Field
	unknown [][]any // the paths of the body's members that the operation does not know
	cleanup func()  // releases the files of the values
}

func (in *requestInput) fromPath(p *stored.Parameter, raw string) {
	text, err := url.PathUnescape(raw)
	if err != nil {
		text = raw
	}
	in.addTexts(p, p.At, text)
}

// fromQuery reads a query parameter; a list is a repeated parameter or one with commas. In a list of
// free texts a percent-encoded comma belongs to its text, as in OpenAPI's style form.
func (in *requestInput) fromQuery(p *stored.Parameter, query url.Values, raw string) {
	given, ok := query[p.Name]
	switch {
	case !ok:
		if p.Required {
			in.invalid = append(in.invalid, p.At("missing", "is required"))
		}
	case p.IsList:
		switch {
		case len(given) > 1:
		case p.IsOfTexts():
			given = rawElements(raw, p.Name)
		default:
			given = strings.Split(given[0], ",")
		}
		in.addTexts(p, p.At, given...)
	case len(given) > 1:
		in.invalid = append(in.invalid, p.At("value_error", "is given more than once"))
	default:
		in.addTexts(p, p.At, given[0])
	}
}

// checkOrder refuses two orders of a list; the graph would use order_by alone.
func (in *requestInput) checkOrder(op *stored.Operation) {
	if in.values["sort"] == nil || in.values["order_by"] == nil {
		return
	}
	for _, p := range op.Parameters {
		if p.Name == "sort" {
			in.invalid = append(in.invalid, p.At("value_error", "cannot be given together with order_by"))
		}
	}
}

// rawElements returns the texts of a query parameter that commas separate before they are decoded.
func rawElements(query, name string) []string {
	var texts []string
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		if decoded, err := url.QueryUnescape(key); err != nil || decoded != name {
			continue
		}
		for element := range strings.SplitSeq(value, ",") {
			if text, err := url.QueryUnescape(element); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// fromLastEventID resumes a stream after the last event that the client received; the header
// overrides the query parameter.
func (in *requestInput) fromLastEventID(op *stored.Operation, position string) {
	p := op.Resume()
	if p == nil || position == "" {
		return
	}
	in.addTexts(p, stored.At(stored.InHeader, "Last-Event-ID"), position)
}

// addTexts adds the value of the texts, or their errors at a position in the request.
func (in *requestInput) addTexts(p *stored.Parameter, at stored.Locator, texts ...string) {
	value, bad := p.Parse(at, texts...)
	in.add(p, value, bad)
}

// add adds the variable's value, or its errors if there are any.
func (in *requestInput) add(p *stored.Parameter, value any, bad []errs.Field) {
	if len(bad) > 0 {
		in.invalid = append(in.invalid, bad...)
		return
	}
	in.values[p.Name] = value
}

// formatMegabytes formats a size limit for an error message.
func formatMegabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes>>20) }
