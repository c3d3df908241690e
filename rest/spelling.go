package rest

import (
	"slices"
	"strings"

	"rostrum/errs"
)

// inRESTSpelling returns the fields with the graph's argument names replaced by their position in
// the request: input/sourceUrl becomes source_url of the body, filter/contentType becomes the query
// parameter content_type.
func (op *storedOperation) inRESTSpelling(fields []errs.Field) []errs.Field {
	out := make([]errs.Field, len(fields))
	for i, field := range fields {
		path := field.Loc
		if len(path) > 0 && path[0] == inHeader {
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
func (op *storedOperation) locateField(kind, msg string, path []any) errs.Field {
	for n := min(len(path), 2); n > 0; n-- {
		if p, ok := op.argumentParameters[joinSteps(path[:n])]; ok {
			return fieldAt(p.in, p.name)(kind, msg, p.coder.restSteps(path[n:])...)
		}
	}
	if len(path) > 0 {
		if name, ok := path[0].(string); ok {
			for _, p := range op.parameters {
				if p.name == snakeCase(name) {
					return fieldAt(p.in, p.name)(kind, msg, p.coder.restSteps(path[1:])...)
				}
			}
		}
	}
	body := new(inputDecoder)
	if op.body != nil {
		body = op.body.coder
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
func (c *inputDecoder) restSteps(path []any) []any {
	out := slices.Clone(path)
	for i, step := range path {
		name, ok := step.(string)
		if !ok {
			continue
		}
		if c == nil {
			break
		}
		name = snakeCase(name)
		out[i] = name
		if field, ok := c.fields[name]; ok {
			c = field.coder
		}
	}
	return out
}
