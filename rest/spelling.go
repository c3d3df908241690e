package rest

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

// inRestSpelling moves bad fields that are named as the graph's arguments to where the request carried them:
// input/sourceUrl is source_url of the body, filter/contentType is the query parameter content_type.
func (op *operation) inRestSpelling(fields []errs.Field) []errs.Field {
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
		out[i] = op.locate(field.Type, field.Msg, path)
	}
	return out
}

// locate finds the variable that fills the argument at the path's start; what follows is a path within it.
func (op *operation) locate(kind, msg string, path []any) errs.Field {
	for n := min(len(path), 2); n > 0; n-- {
		if p, ok := op.places[joined(path[:n])]; ok {
			return place(p.in, p.name)(kind, msg, snakeAll(path[n:])...)
		}
	}
	if len(path) > 0 {
		if name, ok := path[0].(string); ok {
			for _, p := range op.parameters {
				if p.name == snake(name) {
					return place(p.in, p.name)(kind, msg, snakeAll(path[1:])...)
				}
			}
		}
	}
	return errs.BodyField(kind, msg, snakeAll(path)...)
}

// atVariable names the variable that the executor could not read.
func (op *operation) atVariable(g *gqlerror.Error) errs.Field {
	var path []any
	for _, step := range g.Path {
		switch s := step.(type) {
		case ast.PathName:
			path = append(path, string(s))
		case ast.PathIndex:
			path = append(path, int(s))
		}
	}
	if len(path) < 2 {
		return errs.BodyField("value_error", g.Message)
	}
	for _, p := range op.parameters {
		if p.name == path[1] {
			return place(p.in, p.name)("value_error", g.Message, path[2:]...)
		}
	}
	return errs.BodyField("value_error", g.Message, snakeAll(path[2:])...)
}

func joined(path []any) string {
	words := make([]string, len(path))
	for i, step := range path {
		words[i], _ = step.(string)
	}
	return strings.Join(words, "/")
}

func snakeAll(path []any) []any {
	out := make([]any, len(path))
	for i, step := range path {
		out[i] = step
		if name, ok := step.(string); ok {
			out[i] = snake(name)
		}
	}
	return out
}
