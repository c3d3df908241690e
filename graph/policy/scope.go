package policy

import (
	"context"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// fieldScope is the scope that a field requires.
type fieldScope struct {
	field string
	scope model.Scope
}

// authorize returns an error if the context's principal lacks a scope. Introspection needs no
// principal.
func authorize(ctx context.Context, required []fieldScope) error {
	if len(required) == 0 {
		return nil
	}
	principal, err := principal.From(ctx)
	if err != nil {
		return err
	}
	for _, r := range required {
		if !principal.Allows(r.scope) {
			return errs.New(errs.InsufficientScope, "%s needs the scope %s", r.field, r.scope).With("needs", r.scope)
		}
	}
	return nil
}

// ScopeOf returns the scope of a field's @scope directive. By default a mutation needs write, and
// any other field read.
func ScopeOf(kind ast.Operation, field *ast.FieldDefinition) model.Scope {
	if d := field.Directives.ForName("scope"); d != nil {
		return model.Scope(strings.ToLower(d.Arguments.ForName("needs").Value.Raw))
	}
	if kind == ast.Mutation {
		return model.ScopeWrite
	}
	return model.ScopeRead
}
