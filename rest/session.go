package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
)

// SessionCookie is the cookie that keeps a signed-in user's session. Scripts cannot read it, and other sites' pages do not send it.
const SessionCookie = "rostrum_login"

// handshakeCookie keeps what a browser must bring back from the identity provider.
const handshakeCookie = "rostrum_oidc"

// handshakeTime is how long the user may take at the identity provider.
const handshakeTime = 10 * time.Minute

const (
	sessionPath = "/api/public/auth/session"
	oidcPath    = "/api/public/auth/oidc"
	// CallbackPath is where an identity provider sends browsers back to.
	CallbackPath = oidcPath + "/callback"
)

// Sessions signs people in and out, as domain/account does.
type Sessions interface {
	SignIn(ctx context.Context, email, password string, v account.Visit) (*model.Session, error)
	SignInByToken(ctx context.Context, idToken string, v account.Visit) (*model.Session, error)
	Authorize(ctx context.Context) (address string, h account.Handshake, err error)
	SignInByCode(ctx context.Context, h account.Handshake, state, code string, v account.Visit) (*model.Session, error)
	SignOut(ctx context.Context, token string) error
	OwnWorkspaces(ctx context.Context, token string) ([]*model.OwnWorkspace, error)
}

// crossSite refuses what a page of another origin makes a browser send; what is no browser's request passes.
var crossSite = http.NewCrossOriginProtection()

// CheckOrigin fails with cross_origin when the request comes from a page of another origin and could change something.
func CheckOrigin(r *http.Request) error {
	if err := crossSite.Check(r); err != nil {
		return errs.Wrap(err, errs.CrossOrigin, "a signed-in user's requests must come from a page of this server")
	}
	return nil
}

// SessionToken is the secret of the request's session cookie; empty without one.
func SessionToken(r *http.Request) string {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (a *Adapter) visit(r *http.Request) account.Visit {
	return account.Visit{Address: a.config.Caller(r), Token: SessionToken(r)}
}

// signIn opens a session by email and password, or by an identity token.
func (a *Adapter) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := CheckOrigin(r); err != nil {
		return err
	}
	in, err := readCredentials(w, r)
	if err != nil {
		return err
	}
	var session *model.Session
	if in.IDToken != "" {
		session, err = a.config.Sessions.SignInByToken(r.Context(), in.IDToken, a.visit(r))
	} else {
		session, err = a.config.Sessions.SignIn(r.Context(), in.Email, in.Password, a.visit(r))
	}
	if err != nil {
		return err
	}
	a.setCookie(w, SessionCookie, "/", session.Token, session.ExpiresAt)
	return a.sendJSON(w, r, sessionBody{newUserBody(session.User), session.ExpiresAt.UTC()})
}

// signOut ends the session, if there is one.
func (a *Adapter) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := CheckOrigin(r); err != nil {
		return err
	}
	if err := a.config.Sessions.SignOut(r.Context(), SessionToken(r)); err != nil {
		return err
	}
	a.dropCookie(w, SessionCookie, "/")
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *Adapter) ownWorkspaces(w http.ResponseWriter, r *http.Request) error {
	found, err := a.config.Sessions.OwnWorkspaces(r.Context(), SessionToken(r))
	if err != nil {
		return err
	}
	body := workspacesBody{Workspaces: make([]workspaceBody, len(found))}
	for i, own := range found {
		body.Workspaces[i] = newWorkspaceBody(own)
	}
	return a.sendJSON(w, r, body)
}

// leave sends the browser to the identity provider.
func (a *Adapter) leave(w http.ResponseWriter, r *http.Request) error {
	address, h, err := a.config.Sessions.Authorize(r.Context())
	if err != nil {
		return err
	}
	value := strings.Join([]string{h.State, h.Nonce, h.Verifier}, ".")
	a.setCookie(w, handshakeCookie, oidcPath, value, time.Now().Add(handshakeTime))
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// comeBack signs the browser in that returns from the identity provider.
func (a *Adapter) comeBack(w http.ResponseWriter, r *http.Request) error {
	a.dropCookie(w, handshakeCookie, oidcPath)
	query := r.URL.Query()
	if query.Has("error") {
		return errs.New(errs.Unauthenticated, "the identity provider did not sign you in")
	}
	session, err := a.config.Sessions.SignInByCode(r.Context(), handshake(r), query.Get("state"), query.Get("code"), a.visit(r))
	if err != nil {
		return err
	}
	a.setCookie(w, SessionCookie, "/", session.Token, session.ExpiresAt)
	w.Header().Set("Location", "/playground")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

func handshake(r *http.Request) (h account.Handshake) {
	cookie, err := r.Cookie(handshakeCookie)
	if err != nil {
		return h
	}
	if parts := strings.Split(cookie.Value, "."); len(parts) == 3 {
		h = account.Handshake{State: parts[0], Nonce: parts[1], Verifier: parts[2]}
	}
	return h
}

// setCookie sets a cookie for this server's own pages; over TLS it is never sent without it.
func (a *Adapter) setCookie(w http.ResponseWriter, name, path, value string, until time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: path, Expires: until, MaxAge: int(time.Until(until).Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
	})
}

func (a *Adapter) dropCookie(w http.ResponseWriter, name, path string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Path: path, MaxAge: -1,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
	})
}

func (a *Adapter) sendJSON(w http.ResponseWriter, r *http.Request, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaJSON)
	a.write(w, r, text)
	return nil
}
