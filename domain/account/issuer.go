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
	raw, err := issuer.exchangeCode(ctx, code, h.Verifier)
	if err != nil {
		return nil, err
	}
	return s.signInIdentity(ctx, issuer, raw, &h.Nonce, v.Token)
}

// SignInByToken opens a session for an identity token that the issuer made for this program. Call
// CountAttempt first. It returns SignInByCode's errors.
func (s *Service) SignInByToken(ctx context.Context, raw string, v SignInOrigin) (*model.Session, error) {
	issuer, err := s.trustedIssuer()
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("value_error", errNoIssuer.Message, "id_token"))
	}
	return s.signInIdentity(ctx, issuer, raw, nil, v.Token)
}

// errNotVouched is returned for every rejected identity token.
var errNotVouched = errs.New(errs.Unauthenticated, "the identity token is not valid for this server")

// userIdentity holds the claims of an identity token. Issuer and Subject come from the verified
// token, not from its claims.
type userIdentity struct {
	Issuer   string `json:"-"`
	Subject  string `json:"-"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
}

func (s *Service) signInIdentity(ctx context.Context, issuer *Issuer, raw string, nonce *string,
	previous string) (*model.Session, error) {
	who, err := issuer.verifyToken(ctx, raw, nonce)
	if err != nil {
		return nil, err
	}
	user, err := s.vouchedFor(ctx, who)
	if err != nil {
		return nil, err
	}
	return s.openSession(ctx, user, "oidc", previous)
}

// vouchedFor returns the user of an identity: by its verified email at first, later by its subject.
// It returns errNotVouched for an unknown identity.
func (s *Service) vouchedFor(ctx context.Context, who userIdentity) (user *model.User, err error) {
	if strings.ContainsRune(who.Subject+who.Email, 0) {
		return nil, errNotVouched // Postgres rejects NUL
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		user, err = s.userByIdentity(ctx, tx, who.Issuer, who.Subject)
		if errs.Is(err, errs.NotFound) && who.Verified {
			user, err = bindIdentity(ctx, tx, normalizeEmail(who.Email), who.Issuer, who.Subject)
		}
		if err == nil && user.ID == "" {
			return errNotVouched
		}
		return err
	})
	if errs.Is(err, errs.NotFound) {
		return nil, errNotVouched
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
		provider, err := oidc.NewProvider(i.clientContext(ctx), i.config.URL)
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
			return nil, errs.Wrap(result.Err, errs.Unavailable,
				"the identity provider does not answer; try again later")
		}
		provider, _ := result.Val.(*oidc.Provider)
		return provider, nil
	}
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

// exchangeCode exchanges the code for an identity token. It returns errNotVouched or
// errs.Unavailable.
func (i *Issuer) exchangeCode(ctx context.Context, code, verifier string) (string, error) {
	provider, err := i.discoverProvider(ctx)
	if err != nil {
		return "", err
	}
	token, err := i.oauthConfig(provider).Exchange(i.clientContext(ctx), code, oauth2.VerifierOption(verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok &&
		refused.Response.StatusCode < http.StatusInternalServerError {
		return "", errNotVouched
	}
	if err != nil {
		return "", errs.Wrap(err, errs.Unavailable, "the identity provider does not answer; try again later")
	}
	raw, _ := token.Extra("id_token").(string)
	return raw, nil
}

// verifyToken verifies the token's signature, issuer, audience, expiry, and its nonce if given. It
// returns errNotVouched for an invalid token.
func (i *Issuer) verifyToken(ctx context.Context, raw string, nonce *string) (userIdentity, error) {
	provider, err := i.discoverProvider(ctx)
	if err != nil {
		return userIdentity{}, err
	}
	token, err := provider.Verifier(&oidc.Config{ClientID: i.config.ClientID}).Verify(i.clientContext(ctx), raw)
	if err != nil {
		return userIdentity{}, errNotVouched
	}
	if nonce != nil && subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(*nonce)) == 0 {
		return userIdentity{}, errNotVouched
	}
	who := userIdentity{Issuer: token.Issuer, Subject: token.Subject}
	if err := token.Claims(&who); err != nil {
		return userIdentity{}, errNotVouched
	}
	return who, nil
}
