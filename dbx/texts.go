package dbx

import (
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// AnyOf completes a condition on a column, as in Where("id ?", AnyOf(ids)). Read sends the texts as
// one parameter, so the statement is the same for every number of texts.
type AnyOf []string

// AppendQuery implements schema.QueryAppender.
func (t AnyOf) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if arguments, ok := gen.Dialect().(*argumentDialect); ok {
		return append(arguments.addArgument(append(b, "= ANY("...), []string(t)), ')'), nil
	}
	return gen.AppendQuery(b, "IN ?", bun.Tuple([]string(t))), nil
}

// textArray is an array of texts for a server, which Read sends as one parameter.
type textArray []string

// AppendQuery implements schema.QueryAppender.
func (t textArray) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	if arguments, ok := gen.Dialect().(*argumentDialect); ok {
		return append(arguments.addArgument(b, []string(t)), "::text[]"...), nil
	}
	return gen.AppendQuery(b, "ARRAY[?]", bun.List([]string(t))), nil
}
