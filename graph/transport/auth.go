package transport

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/platform/principal"
)

// keyHeader carries a workspace's key.
const keyHeader = "X-API-Key"

// workspaceHeader names the workspace in which a signed-in user acts. With a key it must be the
// key's.
const workspaceHeader = "X-Workspace-Id"

// authenticate returns the request's context with its principal: of the header X-API-Key, else of a
// POST's session. Without either the context is unchanged, for operations that need no key.
func (s *Server) authenticate(r *http.Request) (context.Context, error) {
	if key := r.Header.Get(keyHeader); key != "" || s.config.Session == nil || r.Method != http.MethodPost {
		return s.IdentifyKey(r)
	}
	return s.IdentifySession(r)
}

// IdentifyKey returns the request's context with the principal of its key; without a key the
// context is unchanged. It ignores cookies. It fails for a key that is invalid, expired or revoked;
// [Server.RevalidateCredentials] checks that again later.
func (s *Server) IdentifyKey(r *http.Request) (context.Context, error) {
	if err := checkKeySource(r); err != nil {
		return r.Context(), err
	}
	return s.authenticateKey(r.Context(), r.Header.Get(keyHeader), r.Header.Get(workspaceHeader))
}

// IdentifySession returns the request's context with the user of its cookie, for any HTTP method.
// Without a session the context is unchanged.
func (s *Server) IdentifySession(r *http.Request) (context.Context, error) {
	ctx := r.Context()
	if err := checkKeySource(r); err != nil {
		return ctx, err
	}
	principal, err := s.config.Session(r)
	if err != nil || principal.UserID == "" {
		return ctx, err
	}
	return withCredentials(ctx, principal, func(ctx context.Context) error {
		current, err := s.config.Session(r.WithContext(ctx))
		switch {
		case err != nil:
			return err
		case current.UserID != principal.UserID:
			return errs.New(errs.Unauthenticated, "the session has ended; sign in again")
		case current.WorkspaceID != principal.WorkspaceID:
			return errs.New(errs.WorkspaceMismatch, "you are no member of the workspace any more")
		case current.Role != principal.Role:
			return errs.New(errs.InsufficientScope, "your role has changed; connect again")
		}
		return nil
	}), nil
}

// AcceptBearer returns a handler whose requests may have their key in the header Authorization as
// Bearer, which many clients send, instead of in X-API-Key. Tokens that are no keys of workspaces
// stay as they are: they may be those of a proxy.
func AcceptBearer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token := bearerToken(r.Header.Get("Authorization")); account.IsSecret(token) && r.Header.Get(keyHeader) == "" {
			r.Header.Set(keyHeader, token)
		}
		next.ServeHTTP(w, r)
	})
}

// bearerToken returns the token of an Authorization header with the scheme Bearer, or an empty
// string.
func bearerToken(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// checkKeySource returns errs.BadRequest if the headers contain different keys, and errs.InvalidKey
// if the query string contains one.
func checkKeySource(r *http.Request) error {
	keys := r.Header.Values(keyHeader)
	if len(keys) > 1 {
		return errs.New(errs.BadRequest, "send the header %s once", keyHeader)
	}
	token := bearerToken(r.Header.Get("Authorization"))
	if len(keys) == 1 && token != "" && token != keys[0] {
		return errs.New(errs.BadRequest, "the headers %s and Authorization have different keys; send %s only",
			keyHeader, keyHeader)
	}
	return rejectQueryKey(r)
}

// rejectQueryKey returns an error if the query string contains a key, even next to a valid header.
// Query strings end up in logs and browser histories, so the owner must learn that the key leaked.
func rejectQueryKey(r *http.Request) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	for name, values := range r.URL.Query() {
		if strings.EqualFold(name, keyHeader) || strings.EqualFold(name, "api_key") ||
			slices.ContainsFunc(values, account.IsSecret) {
			return errs.New(errs.InvalidKey, "a key in the address ends up in logs: revoke it, and send a new key in the header %s", keyHeader)
		}
	}
	return nil
}

func (s *Server) authenticateKey(ctx context.Context, key, workspace string) (context.Context, error) {
	if key == "" {
		return ctx, nil
	}
	principal, err := s.config.Authenticate(ctx, key)
	if err != nil {
		return ctx, err
	}
	if workspace != "" && workspace != principal.WorkspaceID {
		return ctx, errs.New(errs.WorkspaceMismatch, "the key belongs to another workspace than the header %s names",
			workspaceHeader)
	}
	return withCredentials(ctx, principal, func(ctx context.Context) error {
		_, err := s.config.Authenticate(ctx, key)
		return err
	}), nil
}

// credentialsKey is the context key of the function that checks the principal's credentials again.
type credentialsKey struct{}

func withCredentials(ctx context.Context, p principal.Principal,
	revalidate func(context.Context) error) context.Context {
	return context.WithValue(principal.With(ctx, p), credentialsKey{}, revalidate)
}

// revalidateInterval is the time between two checks of an open stream's credentials.
const revalidateInterval = 2 * time.Second

// RevalidateCredentials returns an error if the stream's credentials are no longer valid, for
// example because the key was revoked or the user has signed out. It ignores other errors of the
// check.
func (s *Server) RevalidateCredentials(ctx context.Context) error {
	revalidate, ok := ctx.Value(credentialsKey{}).(func(context.Context) error)
	if !ok {
		return nil
	}
	err := revalidate(ctx)
	if err == nil {
		return nil
	}
	if status := errs.From(err).Status(); status == http.StatusUnauthorized || status == http.StatusForbidden {
		return err
	}
	return nil
}
