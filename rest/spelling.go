package rest

import (
	"strings"

	"rostrum/errs"
)

// inRESTSpelling returns the fields with the graph's argument names replaced by their position in the request: input/sourceUrl becomes
// source_url of the body, filter/contentType becomes the query parameter content_type.
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

// locateField returns the field error for the variable of the argument at the path's start; the remaining path is within its value.
func (op *storedOperation) locateField(kind, msg string, path []any) errs.Field {
	for n := min(len(path), 2); n > 0; n-- {
		if p, ok := op.argumentParameters[joinSteps(path[:n])]; ok {
			return fieldAt(p.in, p.name)(kind, msg, snakeCaseSteps(path[n:])...)
		}
	}
	if len(path) > 0 {
		if name, ok := path[0].(string); ok {
			for _, p := range op.parameters {
				if p.name == snakeCase(name) {
					return fieldAt(p.in, p.name)(kind, msg, snakeCaseSteps(path[1:])...)
				}
			}
		}
	}
	return errs.BodyField(kind, msg, snakeCaseSteps(path)...)
}

func joinSteps(path []any) string {
	words := make([]string, len(path))
	for i, step := range path {
		words[i], _ = step.(string)
	}
	return strings.Join(words, "/")
}

func snakeCaseSteps(path []any) []any {
	out := make([]any, len(path))
	for i, step := range path {
		out[i] = step
		if name, ok := step.(string); ok {
			out[i] = snakeCase(name)
		}
	}
	return out
}
