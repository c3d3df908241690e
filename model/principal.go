package model

import (
	"context"
	"slices"

	"rostrum/errs"
)

// Principal is who is asking: a key, or a signed-in user, acting in exactly one workspace.
type Principal struct {
	WorkspaceID string
	KeyID       string // empty for a signed-in user
	UserID      string // empty for a key
	Scopes      []Scope
}

// Actor names the principal in created_by, cancelled_by and the like: the user's id for a session, else system.
func (p Principal) Actor() string {
	if p.UserID != "" {
		return p.UserID
	}
	return "system"
}

// Allows reports whether the principal has the scope; each scope includes those below it (admin, write, read).
func (p Principal) Allows(need Scope) bool {
	order := []Scope{ScopeRead, ScopeWrite, ScopeAdmin}
	for _, have := range p.Scopes {
		if slices.Index(order, have) >= slices.Index(order, need) {
			return true
		}
	}
	return false
}

type principalKey struct{}

// WithPrincipal says who is asking in everything done under the context.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom tells who is asking, or fails with errs.Unauthenticated when nobody has said so.
func PrincipalFrom(ctx context.Context) (Principal, error) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	if !ok {
		return Principal{}, errs.New(errs.Unauthenticated, "send a workspace key in the header X-API-Key")
	}
	return p, nil
}
