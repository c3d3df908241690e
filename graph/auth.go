package graph

import (
	"context"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
)

// keyHeader carries a workspace's key. A key in a query string is never read: addresses end up in logs.
const keyHeader = "X-API-Key"

// Identify finds who is asking by the header X-API-Key. Without the header the context comes back as it was, so that what
// needs no key still works; a key that is wrong, expired or revoked is an error.
func (s *Server) Identify(r *http.Request) (context.Context, error) {
	return s.identify(r.Context(), r.Header.Get(keyHeader))
}

func (s *Server) identify(ctx context.Context, key string) (context.Context, error) {
	if key == "" {
		return ctx, nil
	}
	principal, err := s.authenticate(ctx, key)
	if err != nil {
		return ctx, err
	}
	return model.WithPrincipal(ctx, principal), nil
}

// lost reports whether the key of a stream that is already open has stopped working; a check that itself fails cuts nobody off.
func (s *Server) lost(ctx context.Context, key string) error {
	if key == "" {
		return nil
	}
	_, err := s.authenticate(ctx, key)
	if err != nil && errs.From(err).Status() == http.StatusUnauthorized {
		return err
	}
	return nil
}

// need is the scope that a root field asks for.
type need struct {
	field string
	scope model.Scope
}

// authorize refuses an operation before anything of it runs. What describes the schema needs no key.
func authorize(ctx context.Context, needs []need) error {
	if len(needs) == 0 {
		return nil
	}
	principal, err := model.PrincipalFrom(ctx)
	if err != nil {
		return err
	}
	for _, n := range needs {
		if !principal.Allows(n.scope) {
			return errs.New(errs.InsufficientScope, "%s needs the scope %s", n.field, n.scope).With("needs", n.scope)
		}
	}
	return nil
}

// scopeOf reads what a root field needs from the schema: @scope, else read, and write for mutations.
func scopeOf(kind ast.Operation, field *ast.FieldDefinition) model.Scope {
	if d := field.Directives.ForName("scope"); d != nil {
		return model.Scope(strings.ToLower(d.Arguments.ForName("needs").Value.Raw))
	}
	if kind == ast.Mutation {
		return model.ScopeWrite
	}
	return model.ScopeRead
}
