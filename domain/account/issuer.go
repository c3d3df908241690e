package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
	"golang.org/x/text/unicode/norm"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// IssuerConfig configures an OpenID Connect issuer and this program as its client.
type IssuerConfig struct {
	URL, ClientID, ClientSecret string
	// Callback is the absolute URL to which the issuer redirects browsers.
	Callback string
}

// Issuer authenticates users by OpenID Connect Core 1.0. Its endpoints are discovered at first use
// and after an error again, so the program starts without the issuer.
type Issuer struct {
	config IssuerConfig
	client *http.Client

	discovery singleflight.Group
	provider  atomic.Pointer[oidc.Provider]
}

// NewIssuer returns an issuer without contacting it.
func NewIssuer(config IssuerConfig) *Issuer {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the standard library's own
	return &Issuer{config: config, client: &http.Client{Transport: transport, Timeout: 10 * time.Second}}
}

// Trust enables sign-in with the issuer.
func (s *Service) Trust(issuer *Issuer) { s.issuer = issuer }

func noProvider(cause error) error {
	return errs.Wrap(cause, errs.Unavailable, "the identity provider does not answer; try again later")
}

// errNoIssuer is returned if no issuer is configured.
var errNoIssuer = errs.New(errs.NotFound, "signing in by OpenID Connect is not configured here")

func (s *Service) trustedIssuer() (*Issuer, error) {
	if s.issuer == nil {
		return nil, errNoIssuer
	}
	return s.issuer, nil
}

// Handshake is the browser's state during a sign-in at the issuer. State prevents forged redirects,
// Nonce prevents replayed tokens, and Verifier is PKCE's (RFC 7636).
type Handshake struct{ State, Nonce, Verifier string }

// Authorize starts an OpenID Connect sign-in. It returns the issuer's URL for the browser and the
// handshake to bring back, or errs.Unavailable if the issuer does not respond.
func (s *Service) Authorize(ctx context.Context) (address string, h Handshake, err error) {
	issuer, err := s.trustedIssuer()
	if err != nil {
		return "", h, err
	}
	provider, err := issuer.discoverProvider(ctx)
	if err != nil {
		return "", h, err
	}
	h = Handshake{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return issuer.oauthConfig(provider).AuthCodeURL(h.State, oidc.Nonce(h.Nonce),
		oauth2.S256ChallengeOption(h.Verifier)), h, nil
}

// SignInByCode completes Authorize's sign-in with the state and code of the issuer's redirect. It
// returns errs.Unauthenticated if they do not match the handshake, or if the identity has no user.
func (s *Service) SignInByCode(ctx context.Context, h Handshake, state, code string, v SignInOrigin) (*model.Session,
	error) {
	issuer, err := s.trustedIssuer()
	if err != nil {
		return nil, err
	}
	if err := s.CountAttempt(ctx, v); err != nil {
		return nil, err
	}
	if h.State == "" || subtle.ConstantTimeCompare([]byte(h.State), []byte(state)) == 0 {
		return nil, errs.New(errs.Unauthenticated,
			"this sign-in was not begun in this browser, or too long ago; begin again")
	}
	response, err := issuer.exchangeCode(ctx, code, h.Verifier)
	if err != nil {
		return nil, err
	}
	return s.signInIdentity(ctx, issuer, response, &h.Nonce, v)
}

// SignInByToken opens a session for an identity token that the issuer made for this program. Call
// CountAttempt first. It returns SignInByCode's errors.
func (s *Service) SignInByToken(ctx context.Context, raw string, v SignInOrigin) (*model.Session, error) {
	issuer, err := s.trustedIssuer()
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("value_error", errNoIssuer.Message, "id_token"))
	}
	return s.signInIdentity(ctx, issuer, tokenResponse{identity: raw}, nil, v)
}

// signInIdentity opens a session for the user of an identity token. A user who is not linked yet
// needs a verified email, which some providers give in UserInfo only.
func (s *Service) signInIdentity(ctx context.Context, issuer *Issuer, response tokenResponse, nonce *string,
	v SignInOrigin) (*model.Session, error) {
	who, err := issuer.verifyToken(ctx, response.identity, nonce)
	if err != nil {
		return nil, err
	}
	_, err = s.userByIdentity(ctx, s.db, who.Issuer, who.Subject)
	if errs.Is(err, errs.NotFound) && who.Email == "" {
		err = issuer.readUserInfo(ctx, response.access, &who)
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	user, err := s.vouchedFor(ctx, who)
	if err != nil {
		return nil, err
	}
	return s.openSession(ctx, user, "oidc", v)
}

// vouchedFor returns the user of an identity: by its verified email at first, later by its subject.
// It takes the identity's token, so that a copy of it is worthless.
func (s *Service) vouchedFor(ctx context.Context, who userIdentity) (user *model.User, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		user, err = s.userByIdentity(ctx, tx, who.Issuer, who.Subject)
		if errs.Is(err, errs.NotFound) {
			user, err = bindVerified(ctx, tx, who)
		}
		if err != nil {
			return err
		}
		return takeToken(ctx, tx, who)
	})
	return user, err
}

// bindVerified links the user of the identity's verified email to it. It accepts no email that
// Unicode considers another spelling of one, for example with the Kelvin sign for K, because the
// provider may have verified it for another person.
func bindVerified(ctx context.Context, tx dbx.Tx, who userIdentity) (*model.User, error) {
	switch {
	case who.Email == "":
		return nil, errs.New(errs.Unauthenticated, "the identity provider did not send your email address; "+
			"ask its administrator to release the claim \"email\" to this server")
	case !who.Verified:
		return nil, errs.New(errs.Unauthenticated, "the identity provider has not verified your email address; "+
			"verify it there, then sign in again")
	case !norm.NFKC.IsNormalString(who.Email):
		return nil, errs.New(errs.Unauthenticated,
			"your email address has a character that looks like another one; ask the operator of this server to add you")
	}
	user, err := bindIdentity(ctx, tx, lowerASCII(who.Email), who.Issuer, who.Subject)
	if errs.Is(err, errs.NotFound) || err == nil && user.ID == "" {
		return nil, errs.New(errs.Unauthenticated, "nobody with your email address may sign in here by this account; "+
			"ask the operator of this server to add you")
	}
	return user, err
}

// discoverProvider returns the issuer's endpoints; concurrent requests share one discovery. It
// returns errs.Unavailable if the issuer does not respond, or the context's error.
func (i *Issuer) discoverProvider(ctx context.Context) (*oidc.Provider, error) {
	if known := i.provider.Load(); known != nil {
		return known, nil
	}
	discovered := i.discovery.DoChan("", func() (any, error) {
		provider, err := i.discover(i.clientContext(ctx))
		if err == nil {
			i.provider.Store(provider)
		}
		return provider, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-discovered:
		if result.Err != nil {
			return nil, noProvider(result.Err)
		}
		provider, _ := result.Val.(*oidc.Provider)
		return provider, nil
	}
}

// discover reads the provider's metadata. The provider decides whether its URL ends with a slash,
// because its tokens name that URL literally.
func (i *Issuer) discover(ctx context.Context) (*oidc.Provider, error) {
	provider, err := oidc.NewProvider(ctx, i.config.URL)
	mismatch, ok := errors.AsType[*oidc.IssuerMismatchError](err)
	if ok && strings.TrimSuffix(mismatch.Discovered, "/") == strings.TrimSuffix(i.config.URL, "/") {
		return oidc.NewProvider(ctx, mismatch.Discovered)
	}
	return provider, err
}

// clientContext returns a context with the issuer's HTTP client. It outlives the request, because
// the provider is cached.
func (i *Issuer) clientContext(ctx context.Context) context.Context {
	return oidc.ClientContext(context.WithoutCancel(ctx), i.client)
}

func (i *Issuer) oauthConfig(provider *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: i.config.ClientID, ClientSecret: i.config.ClientSecret, RedirectURL: i.config.Callback,
		Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// tokenResponse is the provider's response to a code: an identity token, and a token for UserInfo,
// nil without one.
type tokenResponse struct {
	identity string
	access   oauth2.TokenSource
}

// exchangeCode exchanges the code for tokens. It returns errNotVouched or errs.Unavailable.
func (i *Issuer) exchangeCode(ctx context.Context, code, verifier string) (response tokenResponse, err error) {
	provider, err := i.discoverProvider(ctx)
	if err != nil {
		return response, err
	}
	token, err := i.oauthConfig(provider).Exchange(i.clientContext(ctx), code, oauth2.VerifierOption(verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok &&
		refused.Response.StatusCode < http.StatusInternalServerError {
		return response, notVouched(err)
	}
	if err != nil {
		return response, noProvider(err)
	}
	response.identity, _ = token.Extra("id_token").(string)
	response.access = oauth2.StaticTokenSource(token)
	return response, nil
}
