// Package generated is the executor that gqlgen generates from the schema, and querySchema, which
// needs its unexported functions.
package generated

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// querySchema runs queries without the parts of the generated Exec that they do not need: a list of
// the functions of all inputs for [graphql.UnmarshalInputFromContext], which nothing calls, and a
// channel for the results of @defer.
type querySchema struct{ *executableSchema }

// NewQuerySchema creates the same schema as [NewExecutableSchema], for operations without @defer.
func NewQuerySchema(cfg Config) graphql.ExecutableSchema {
	return querySchema{&executableSchema{SchemaData: cfg.Schema, Resolvers: cfg.Resolvers, Directives: cfg.Directives,
		ComplexityRoot: cfg.Complexity}}
}

// Exec implements graphql.ExecutableSchema.
func (s querySchema) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	if op.Operation.Operation != ast.Query {
		return s.executableSchema.Exec(ctx)
	}
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		var buf bytes.Buffer
		_Query(ctx, newExecutionContext(op, s.executableSchema, nil), op.Operation.SelectionSet).MarshalGQL(&buf)
		return &graphql.Response{Data: buf.Bytes()}
	}
}
