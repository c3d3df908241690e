package rest

import (
	"bytes"
	"context"
	_ "embed" // signin.html
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// SessionCookie is the cookie with a signed-in user's session. Scripts cannot read it, and pages of
// other sites do not send it.
const SessionCookie = openapi.SessionCookie

// handshakeCookie is the cookie that a browser returns from the identity provider.
const handshakeCookie = "rostrum_oidc"

// handshakeTime is how long a user may take to sign in at the identity provider.
const handshakeTime = 10 * time.Minute

const (
	sessionPath = "/api/public/auth/session"
	oidcPath    = "/api/public/auth/oidc"
	// CallbackPath is the path that an identity provider redirects browsers to.
	CallbackPath = oidcPath + "/callback"
)

// Sessions signs users in and out; domain/account implements it.
type Sessions interface {
	CountAttempt(ctx context.Context, v account.SignInOrigin) error
	SignIn(ctx context.Context, email, password string, v account.SignInOrigin) (*model.Session, error)
	SignInByToken(ctx context.Context, idToken string, v account.SignInOrigin) (*model.Session, error)
	Authorize(ctx context.Context) (address string, h account.Handshake, err error)
	SignInByCode(ctx context.Context, h account.Handshake, state, code string, v account.SignInOrigin) (*model.Session,
		error)
	SignOut(ctx context.Context, token string) error
	OwnWorkspaces(ctx context.Context, token string) ([]*model.OwnWorkspace, error)
}

// crossOriginProtection rejects browser requests from pages of another origin; other clients are
// not affected.
var crossOriginProtection = http.NewCrossOriginProtection()

// CheckOrigin returns a cross_origin error when a page of another origin sent a request that could
// change something.
func CheckOrigin(r *http.Request) error {
	if err := crossOriginProtection.Check(r); err != nil {
		return errs.Wrap(err, errs.CrossOrigin, "a signed-in user's requests must come from a page of this server")
	}
	return nil
}

// SessionToken returns the secret in the session cookie, or an empty string.
func SessionToken(r *http.Request) string {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (a *Adapter) newVisit(r *http.Request) account.SignInOrigin {
	return account.SignInOrigin{Address: a.config.ClientAddress(r), Token: SessionToken(r), Agent: r.UserAgent()}
}

// signIn creates a session by email and password, or by an identity token.
func (a *Adapter) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := CheckOrigin(r); err != nil {
		return err
	}
	origin := a.newVisit(r)
	if err := a.config.Sessions.CountAttempt(r.Context(), origin); err != nil {
		return err
	}
	in, err := readCredentials(w, r)
	if err != nil {
		return err
	}
	var session *model.Session
	if in.IDToken != "" {
		session, err = a.config.Sessions.SignInByToken(r.Context(), in.IDToken, origin)
		a.logOIDC(r, err)
	} else {
		origin.Code = in.Code
		session, err = a.config.Sessions.SignIn(r.Context(), in.Email, in.Password, origin)
	}
	return a.sendSession(w, r, session, err)
}

// sendSession sets the cookie of a new session and sends its user, unless err is set.
func (a *Adapter) sendSession(w http.ResponseWriter, r *http.Request, session *model.Session, err error) error {
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
	a.clearCookie(w, SessionCookie, "/")
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

// redirectToIssuer redirects the browser to the identity provider.
func (a *Adapter) redirectToIssuer(w http.ResponseWriter, r *http.Request) error {
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

// completeOIDC signs in a browser that returns from the identity provider.
func (a *Adapter) completeOIDC(w http.ResponseWriter, r *http.Request) error {
	a.clearCookie(w, handshakeCookie, oidcPath)
	query := r.URL.Query()
	if query.Has("error") {
		cause := fmt.Errorf("%.100q: %.300q", query.Get("error"), query.Get("error_description"))
		return errs.Wrap(cause, errs.Unauthenticated, "the identity provider did not sign you in; "+
			"sign in again, or ask its administrator for access")
	}
	session, err := a.config.Sessions.SignInByCode(r.Context(), readHandshake(r), query.Get("state"), query.Get("code"),
		a.newVisit(r))
	if err != nil {
		return err
	}
	a.setCookie(w, SessionCookie, "/", session.Token, session.ExpiresAt)
	w.Header().Set("Location", "/console/")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// logOIDC logs why a sign-in at the issuer failed, which the response does not say in full.
func (a *Adapter) logOIDC(r *http.Request, err error) {
	if err != nil {
		a.log.WarnContext(r.Context(), "a sign-in by OpenID Connect failed", "error", err, "request_id",
			requestIDOf(r.Context()))
	}
}

//go:embed page/signin.html
var failedPageText string

var failedPage = template.Must(template.New("").Parse(failedPageText))

// failOIDC logs the error, and shows it as a page to a browser, which would else be left with JSON.
func (a *Adapter) failOIDC(w http.ResponseWriter, r *http.Request, err error) {
	a.logOIDC(r, err)
	accept := web.ParseAccept(r.Header)
	if accept.Quality(openapi.MediaPage) <= accept.Quality(openapi.MediaProblem) {
		a.writeProblem(w, r, err)
		return
	}
	e := errs.From(err)
	view := struct{ Text, Console, RequestID string }{e.Message, consolePath, requestIDOf(r.Context())}
	var page bytes.Buffer
	if err := failedPage.Execute(&page, view); err != nil {
		a.writeProblem(w, r, err)
		return
	}
	withPolicy("style-src 'unsafe-inline'")(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(e.Status())
		if r.Method != http.MethodHead {
			a.writeBody(w, r, page.Bytes())
		}
	}))(w, r)
}

func readHandshake(r *http.Request) (h account.Handshake) {
	cookie, err := r.Cookie(handshakeCookie)
	if err != nil {
		return h
	}
	if parts := strings.Split(cookie.Value, "."); len(parts) == 3 {
		h = account.Handshake{State: parts[0], Nonce: parts[1], Verifier: parts[2]}
	}
	return h
}

// setCookie sets a cookie for this server's pages; with TLS it is sent over TLS only.
func (a *Adapter) setCookie(w http.ResponseWriter, name, path, value string, until time.Time) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the public address
		Name: name, Value: value, Path: path, Expires: until, MaxAge: int(time.Until(until).Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
	})
}

func (a *Adapter) clearCookie(w http.ResponseWriter, name, path string) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the public address
		Name: name, Path: path, MaxAge: -1,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
	})
}

func (a *Adapter) sendJSON(w http.ResponseWriter, r *http.Request, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", stored.MediaJSON)
	a.writeBody(w, r, text)
	return nil
}
