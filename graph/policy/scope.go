package policy

import (
	"context"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// fieldScope is what a field requires: of a key a scope, of a member an ability of the role.
type fieldScope struct {
	field   string
	scope   model.Scope
	ability model.Ability
}

func newFieldScope(kind ast.Operation, field *ast.FieldDefinition) fieldScope {
	return fieldScope{field.Name, ScopeOf(kind, field), AbilityOf(kind, field)}
}

// authorize returns an error if the context's principal lacks a scope or an ability. Introspection
// needs no principal.
func authorize(ctx context.Context, required []fieldScope) error {
	if len(required) == 0 {
		return nil
	}
	p, err := principal.From(ctx)
	if err != nil {
		return err
	}
	for _, r := range required {
		switch {
		case p.UserID != "" && !p.Role.Can(r.ability):
			return errs.New(errs.InsufficientScope, "%s needs the ability %s, which the role %s does not have", r.field,
				r.ability, p.Role).With("needs", r.scope).With("ability", r.ability)
		case p.UserID == "" && !p.Allows(r.scope):
			return errs.New(errs.InsufficientScope, "%s needs the scope %s", r.field, r.scope).With("needs", r.scope)
		}
	}
	return nil
}

// AbilityOf returns the ability of a field's @can directive. By default it is what only a key with
// the field's scope may do, so a mutation that nobody thought about is for editors.
func AbilityOf(kind ast.Operation, field *ast.FieldDefinition) model.Ability {
	if d := field.Directives.ForName("can"); d != nil {
		return model.Ability(strings.ToLower(d.Arguments.ForName("needs").Value.Raw))
	}
	switch ScopeOf(kind, field) {
	case model.ScopeRead:
		return model.AbilityRead
	case model.ScopeAdmin:
		return model.AbilityManage
	case model.ScopeWrite:
	}
	return model.AbilityEdit
}

// ScopeOfOperation returns the scope that a key needs to run a valid operation: the highest of its
// fields'.
func ScopeOfOperation(op *ast.OperationDefinition) model.Scope {
	need := model.ScopeRead
	for _, f := range flattenFields(op.SelectionSet) {
		need = higherScope(need, higherScope(ScopeOf(op.Operation, f.Definition), scopeBelow(f)))
	}
	return need
}

// scopeBelow returns the highest scope that the fields below a field name.
func scopeBelow(field *ast.Field) model.Scope {
	need := model.ScopeRead
	for _, f := range flattenFields(field.SelectionSet) {
		need = higherScope(need, higherScope(ScopeOf(ast.Query, f.Definition), scopeBelow(f)))
	}
	return need
}

// higherScope returns the scope that includes the other.
func higherScope(a, b model.Scope) model.Scope {
	if (principal.Principal{Scopes: []model.Scope{a}}).Allows(b) {
		return a
	}
	return b
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
