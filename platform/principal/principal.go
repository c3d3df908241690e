// Package principal carries the authenticated caller of a request or of a job in its context.
package principal

import (
	"context"
	"slices"

	"rostrum/errs"
	"rostrum/model"
)

// Principal is the caller that a key or a session authenticated. It acts in exactly one workspace.
type Principal struct {
	WorkspaceID string
	KeyID       string     // empty for a signed-in user
	UserID      string     // empty for a key
	SessionID   string     // of the user; empty for a key
	Role        model.Role // of the user; empty for a key
	Scopes      []model.Scope
}

// Actor returns the name for created_by, cancelled_by and similar columns: the user's id for a
// session, "system" for a key.
func (p Principal) Actor() string {
	if p.UserID != "" {
		return p.UserID
	}
	return "system"
}

// Allows reports whether the principal has the scope. Each scope includes the lower ones (admin,
// write, read).
func (p Principal) Allows(need model.Scope) bool {
	order := []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeAdmin}
	for _, have := range p.Scopes {
		if slices.Index(order, have) >= slices.Index(order, need) {
			return true
		}
	}
	return false
}

// Can reports whether the principal has the ability: a user by the role, a key by its scopes.
func (p Principal) Can(need model.Ability) bool {
	if p.UserID != "" {
		return p.Role.Can(need)
	}
	return slices.ContainsFunc(p.Scopes, func(s model.Scope) bool { return slices.Contains(s.Abilities(), need) })
}

// CheckOwner returns errs.InsufficientScope unless the principal made the object itself or may
// change the objects of others. what names the object, for example "draft".
func (p Principal) CheckOwner(what string, madeBy *string) error {
	if p.Can(model.AbilityEdit) || p.UserID != "" && madeBy != nil && *madeBy == p.UserID {
		return nil
	}
	return errs.New(errs.InsufficientScope, "the %s is another's, and the role %s may remove its own only", what, p.Role).
		With("needs", model.ScopeWrite).With("ability", model.AbilityEdit)
}

type contextKey struct{}

// With returns a context whose operations run as the principal.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the principal of the context. It returns an error with code errs.Unauthenticated if
// there is none.
func From(ctx context.Context) (Principal, error) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	if !ok {
		return Principal{}, errs.New(errs.Unauthenticated, "send a workspace key in the header X-API-Key")
	}
	return p, nil
}

// Must returns the principal of the context. It panics without one, which the graph's policy rules
// out: it rejects unauthenticated requests before a resolver runs.
func Must(ctx context.Context) Principal {
	p, err := From(ctx)
	if err != nil {
		panic(err)
	}
	return p
}
