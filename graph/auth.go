package graph

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
)

// keyHeader carries a workspace's key.
const keyHeader = "X-API-Key"

// workspaceHeader names the workspace that a signed-in user acts in; beside a key it must name the key's own.
const workspaceHeader = "X-Workspace-Id"

// Identify finds who is asking: by the header X-API-Key, else by the session of a POST. With neither the context comes back as
// it was, so that what needs no key still works; a key that is wrong, expired or revoked is an error. The context remembers the
// proof, which [Server.Lost] checks again while a stream is open.
func (s *Server) Identify(r *http.Request) (context.Context, error) {
	if key := r.Header.Get(keyHeader); key != "" || s.session == nil || r.Method != http.MethodPost {
		return s.IdentifyKey(r)
	}
	return s.IdentifySession(r)
}

// IdentifyKey finds whose key a request carries, and does not look at cookies.
func (s *Server) IdentifyKey(r *http.Request) (context.Context, error) {
	if err := checkAddress(r); err != nil {
		return r.Context(), err
	}
	return s.identify(r.Context(), r.Header.Get(keyHeader), r.Header.Get(workspaceHeader))
}

// IdentifySession finds the signed-in user of a request that carries no key, whatever its method.
func (s *Server) IdentifySession(r *http.Request) (context.Context, error) {
	ctx := r.Context()
	if err := checkAddress(r); err != nil {
		return ctx, err
	}
	principal, err := s.session(r)
	if err != nil || principal.UserID == "" {
		return ctx, err
	}
	return proven(ctx, principal, func(ctx context.Context) error {
		still, err := s.session(r.WithContext(ctx))
		if err == nil && still.UserID == "" {
			return errs.New(errs.Unauthenticated, "the session is over; sign in again")
		}
		return err
	}), nil
}

// checkAddress refuses a request whose address carries a key, also beside a good one: addresses end up in logs and histories, and
// who sends one there has to hear of it.
func checkAddress(r *http.Request) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	for name, values := range r.URL.Query() {
		if strings.EqualFold(name, keyHeader) || strings.EqualFold(name, "api_key") || slices.ContainsFunc(values, account.IsSecret) {
			return errs.New(errs.InvalidKey, "a key in the address ends up in logs: revoke it, and send its successor in the header %s", keyHeader)
		}
	}
	return nil
}

func (s *Server) identify(ctx context.Context, key, workspace string) (context.Context, error) {
	if key == "" {
		return ctx, nil
	}
	principal, err := s.authenticate(ctx, key)
	if err != nil {
		return ctx, err
	}
	if workspace != "" && workspace != principal.WorkspaceID {
		return ctx, errs.New(errs.WorkspaceMismatch, "the key belongs to another workspace than %s names", workspaceHeader)
	}
	return proven(ctx, principal, func(ctx context.Context) error {
		_, err := s.authenticate(ctx, key)
		return err
	}), nil
}

// proofKey is where a context keeps the check of what its principal was proven by.
type proofKey struct{}

func proven(ctx context.Context, p model.Principal, again func(context.Context) error) context.Context {
	return context.WithValue(model.WithPrincipal(ctx, p), proofKey{}, again)
}

// recheckTime is the pause between two checks of what an open stream was entered with.
const recheckTime = 2 * time.Second

// Lost reports whether what an open stream was entered with has stopped working: its key was revoked or its time is over, its
// user has signed out or left the workspace. A check that itself fails cuts nobody off.
func (s *Server) Lost(ctx context.Context) error {
	again, ok := ctx.Value(proofKey{}).(func(context.Context) error)
	if !ok {
		return nil
	}
	err := again(ctx)
	if err == nil {
		return nil
	}
	if status := errs.From(err).Status(); status == http.StatusUnauthorized || status == http.StatusForbidden {
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
