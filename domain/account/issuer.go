package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// IssuerConfig names an OpenID Connect issuer and what the program is to it.
type IssuerConfig struct {
	URL, ClientID, ClientSecret string
	// Callback is the absolute address that the issuer sends browsers back to.
	Callback string
}

// Issuer vouches for who someone is (OpenID Connect Core 1.0). It is asked for its endpoints when it is first needed, and again
// until it answers, so that the program starts without it.
type Issuer struct {
	config IssuerConfig
	client *http.Client

	mu       sync.Mutex
	provider *oidc.Provider
}

// NewIssuer names the issuer; nothing is asked of it yet.
func NewIssuer(config IssuerConfig) *Issuer {
	return &Issuer{config: config, client: &http.Client{Timeout: 10 * time.Second}}
}

// Trust makes the room take the issuer's word for who its users are.
func (s *Service) Trust(issuer *Issuer) { s.issuer = issuer }

// errNoIssuer is what a sign-in by OpenID Connect says where none is configured.
var errNoIssuer = errs.New(errs.NotFound, "signing in by OpenID Connect is not configured here")

func (s *Service) trusted() (*Issuer, error) {
	if s.issuer == nil {
		return nil, errNoIssuer
	}
	return s.issuer, nil
}

// Handshake is what a browser keeps between leaving for the issuer and coming back: the state against forged returns, the nonce
// against replayed tokens, and the verifier of PKCE (RFC 7636).
type Handshake struct{ State, Nonce, Verifier string }

// Authorize begins a sign-in by OpenID Connect: the address at the issuer to send the browser to, and what it must bring back.
func (s *Service) Authorize(ctx context.Context) (address string, h Handshake, err error) {
	issuer, err := s.trusted()
	if err != nil {
		return "", h, err
	}
	provider, err := issuer.discover(ctx)
	if err != nil {
		return "", h, err
	}
	h = Handshake{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return issuer.oauth(provider).AuthCodeURL(h.State, oidc.Nonce(h.Nonce), oauth2.S256ChallengeOption(h.Verifier)), h, nil
}

// SignInByCode ends what Authorize began, with the state and the code of the issuer's answer. It fails with unauthenticated
// when the answer does not belong to the handshake or vouches for nobody who is a user here.
func (s *Service) SignInByCode(ctx context.Context, h Handshake, state, code string, v Visit) (*model.Session, error) {
	issuer, err := s.trusted()
	if err != nil {
		return nil, err
	}
	if err := s.attempt(ctx, "", v.Address); err != nil {
		return nil, err
	}
	if h.State == "" || subtle.ConstantTimeCompare([]byte(h.State), []byte(state)) == 0 {
		return nil, errs.New(errs.Unauthenticated, "this sign-in was not begun in this browser, or too long ago; begin again")
	}
	raw, err := issuer.exchange(ctx, code, h.Verifier)
	if err != nil {
		return nil, err
	}
	return s.admit(ctx, issuer, raw, &h.Nonce, v.Token)
}

// SignInByToken opens a session for who brings an identity token that the issuer made for this program. It fails like SignInByCode.
func (s *Service) SignInByToken(ctx context.Context, raw string, v Visit) (*model.Session, error) {
	issuer, err := s.trusted()
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("value_error", errNoIssuer.Message, "id_token"))
	}
	if err := s.attempt(ctx, "", v.Address); err != nil {
		return nil, err
	}
	return s.admit(ctx, issuer, raw, nil, v.Token)
}

// errNotVouched is all that a sign-in by an identity token says when it fails.
var errNotVouched = errs.New(errs.Unauthenticated, "the identity token is not good for signing in here")

// identity is what an issuer says of a user.
type identity struct {
	Issuer, Subject string
	Email           string `json:"email"`
	Verified        bool   `json:"email_verified"`
}

func (s *Service) admit(ctx context.Context, issuer *Issuer, raw string, nonce *string, previous string) (*model.Session, error) {
	who, err := issuer.verify(ctx, raw, nonce)
	if err != nil {
		return nil, err
	}
	user, err := s.vouchedFor(ctx, who)
	if err != nil {
		return nil, err
	}
	return s.open(ctx, user, "oidc", previous)
}

// vouchedFor finds the user of an identity; the first time by an email that the issuer has verified, from then on by the subject.
func (s *Service) vouchedFor(ctx context.Context, who identity) (user *model.User, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		user, err = s.userByIdentity(ctx, tx, who.Issuer, who.Subject)
		if errs.Is(err, errs.NotFound) && who.Verified {
			user, err = bindIdentity(ctx, tx, normal(who.Email), who.Issuer, who.Subject)
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

func (i *Issuer) discover(ctx context.Context) (*oidc.Provider, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.provider != nil {
		return i.provider, nil
	}
	provider, err := oidc.NewProvider(i.outgoing(ctx), i.config.URL)
	if err != nil {
		return nil, errs.Wrap(err, errs.Unavailable, "the identity provider does not answer; try again later")
	}
	i.provider = provider
	return provider, nil
}

// outgoing lends the issuer's client to the libraries, beyond the end of the request that asks first.
func (i *Issuer) outgoing(ctx context.Context) context.Context {
	return oidc.ClientContext(context.WithoutCancel(ctx), i.client)
}

func (i *Issuer) oauth(provider *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: i.config.ClientID, ClientSecret: i.config.ClientSecret, RedirectURL: i.config.Callback,
		Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

// exchange trades the code for an identity token.
func (i *Issuer) exchange(ctx context.Context, code, verifier string) (string, error) {
	provider, err := i.discover(ctx)
	if err != nil {
		return "", err
	}
	token, err := i.oauth(provider).Exchange(i.outgoing(ctx), code, oauth2.VerifierOption(verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response.StatusCode < http.StatusInternalServerError {
		return "", errNotVouched
	}
	if err != nil {
		return "", errs.Wrap(err, errs.Unavailable, "the identity provider does not answer; try again later")
	}
	raw, _ := token.Extra("id_token").(string)
	return raw, nil
}

// verify checks the token's signature, issuer, audience and time, and its nonce where one was given out.
func (i *Issuer) verify(ctx context.Context, raw string, nonce *string) (identity, error) {
	provider, err := i.discover(ctx)
	if err != nil {
		return identity{}, err
	}
	token, err := provider.Verifier(&oidc.Config{ClientID: i.config.ClientID}).Verify(i.outgoing(ctx), raw)
	if err != nil {
		return identity{}, errNotVouched
	}
	if nonce != nil && subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(*nonce)) == 0 {
		return identity{}, errNotVouched
	}
	who := identity{Issuer: token.Issuer, Subject: token.Subject}
	if err := token.Claims(&who); err != nil {
		return identity{}, errNotVouched
	}
	return who, nil
}
