package stored

import (
	"slices"
	"strings"

	"rostrum/errs"
)

// RESTFields returns the fields with the graph's argument names replaced by their position in
// the request: input/sourceUrl becomes source_url of the body, filter/contentType becomes the query
// parameter content_type.
func (op *Operation) RESTFields(fields []errs.Field) []errs.Field {
	out := make([]errs.Field, len(fields))
	for i, field := range fields {
		path := field.Loc
		if len(path) > 0 && path[0] == InHeader {
			out[i] = field
			continue
		}
		if len(path) > 0 {
			path = path[1:]
		}
		out[i] = op.locateField(field.Type, field.Msg, path)
	}
	return out
}

// locateField returns the field error for the variable of the argument at the path's start; the
// remaining path is within its value.
func (op *Operation) locateField(kind, msg string, path []any) errs.Field {
	for n := len(path); n > 0; n-- {
		if p, ok := op.argumentParameters[joinSteps(path[:n])]; ok {
			return p.At(kind, msg, p.decoder.restSteps(path[n:])...)
		}
	}
	if len(path) > 0 {
		if name, ok := path[0].(string); ok {
			for _, p := range op.Parameters {
				if p.Name == snakeCase(name) {
					return p.At(kind, msg, p.decoder.restSteps(path[1:])...)
				}
			}
		}
	}
	body := new(decoder)
	if op.Body != nil {
		body = op.Body.decoder
	}
	return errs.BodyField(kind, msg, body.restSteps(path)...)
}

func joinSteps(path []any) string {
	words := make([]string, len(path))
	for i, step := range path {
		words[i], _ = step.(string)
	}
	return strings.Join(words, "/")
}

// restSteps returns a path within the decoder's value in REST's spelling. Keys of free JSON
// objects, which have no decoder, are unchanged; steps below a field that the decoder does not know
// are converted to snake_case.
func (d *decoder) restSteps(path []any) []any {
	if d != nil && d.object != nil {
		return nil // REST writes the object as a text
	}
	out := slices.Clone(path)
	for i, step := range path {
		name, ok := step.(string)
		if !ok {
			continue
		}
		if d == nil {
			break
		}
		name = snakeCase(name)
		out[i] = name
		if field, ok := d.fields[name]; ok {
			d = field.decoder
		}
	}
	return out
}
