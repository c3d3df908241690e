package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/uptrace/bun"
	"golang.org/x/oauth2"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// notVouched returns the error of an identity token that is not accepted; the cause is logged only.
func notVouched(cause error) error {
	return errs.Wrap(cause, errs.Unauthenticated, "the identity token is not valid for this server; sign in again")
}

// userIdentity is a person as an identity token names them. Email and Verified may come from
// UserInfo.
type userIdentity struct {
	Issuer, Subject, Email string
	Verified               bool
	token                  usedToken
}

// claims are the members of a token or of UserInfo by their exact names. Decoding into a struct
// would also take "EMAIL" for "email".
type claims map[string]any

// text returns a claim that is a string; any other is empty.
func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// verified reports whether the provider has verified the email. Cognito and Apple send the boolean
// as a string.
func (c claims) verified() bool { return c["email_verified"] == true || c["email_verified"] == "true" }

// verifyToken verifies the token's signature, issuer, audience, expiry, and its nonce if given. It
// returns notVouched's error for an invalid token.
func (i *Issuer) verifyToken(ctx context.Context, raw string, nonce *string) (who userIdentity, err error) {
	provider, err := i.discoverProvider(ctx)
	if err != nil {
		return who, err
	}
	token, err := provider.Verifier(&oidc.Config{ClientID: i.config.ClientID}).Verify(i.clientContext(ctx), raw)
	if err != nil {
		return who, notVouched(err)
	}
	var payload json.RawMessage
	var c claims
	if err := errors.Join(token.Claims(&payload), token.Claims(&c)); err != nil {
		return who, notVouched(err)
	}
	if err := i.checkClaims(token, c, nonce); err != nil {
		return who, notVouched(err)
	}
	sum := sha256.Sum256(payload)
	return userIdentity{
		Issuer: token.Issuer, Subject: token.Subject, Email: c.text("email"), Verified: c.verified(),
		token: usedToken{Hash: hex.EncodeToString(sum[:]), ExpiresAt: token.Expiry.UTC()},
	}, nil
}

// checkClaims checks what the library does not: the subject, the party the token was made for, the
// nonce, and that the claims it has checked have their exact names.
func (i *Issuer) checkClaims(token *oidc.IDToken, c claims, nonce *string) error {
	audience, _ := c["aud"].([]any)
	expiry, _ := c["exp"].(float64)
	azp, hasParty := c["azp"]
	switch {
	case c.text("sub") == "" || strings.ContainsRune(c.text("sub")+c.text("email"), 0): // Postgres rejects NUL
		return errors.New("the token has no subject")
	case c.text("sub") != token.Subject || c.text("iss") != token.Issuer || c.text("nonce") != token.Nonce ||
		int64(expiry) != token.Expiry.Unix() ||
		c["aud"] != i.config.ClientID && !slices.Contains(audience, any(i.config.ClientID)):
		return errors.New("the token has a claim twice, in different cases")
	case hasParty && azp != i.config.ClientID:
		return fmt.Errorf("the token was made for the client %q", azp)
	case nonce != nil && token.Nonce != *nonce:
		return errors.New("the token's nonce is not the one of this sign-in")
	}
	return nil
}

// readUserInfo sets the email that the provider's UserInfo has, if there is one (OpenID Connect
// Core 1.0, section 5.3).
func (i *Issuer) readUserInfo(ctx context.Context, access oauth2.TokenSource, who *userIdentity) error {
	provider, err := i.discoverProvider(ctx)
	if err != nil || access == nil || provider.UserInfoEndpoint() == "" {
		return err
	}
	info, err := provider.UserInfo(i.clientContext(ctx), access)
	if err != nil {
		return noProvider(fmt.Errorf("read UserInfo: %w", err))
	}
	var c claims
	if err := info.Claims(&c); err != nil {
		return notVouched(err)
	}
	if c.text("sub") != who.Subject || strings.ContainsRune(c.text("email"), 0) {
		return notVouched(errors.New("UserInfo is about another subject"))
	}
	who.Email, who.Verified = c.text("email"), c.verified()
	return nil
}

// usedToken is an identity token that has opened a session. The hash is of its claims, because one
// token can be encoded in several ways.
type usedToken struct {
	bun.BaseModel `bun:"table:used_identity_token"`

	Hash      string    `bun:"hash,pk"`
	ExpiresAt time.Time `bun:"expires_at"`
}

// takeToken stores that the identity's token was used. It returns notVouched's error if it was
// before.
func takeToken(ctx context.Context, tx dbx.Tx, who userIdentity) error {
	err := insertRow(ctx, tx, &who.token)
	if errs.Is(err, errs.Conflict) {
		return notVouched(errors.New("the token was used before"))
	}
	return err
}

// deleteExpiredTokens deletes used tokens that have expired, which nobody accepts any more.
func (s *Service) deleteExpiredTokens(ctx context.Context) error {
	_, err := s.db.NewDelete().Model((*usedToken)(nil)).Where("expires_at <= ?", model.Now()).Exec(ctx)
	return dbx.Err(err)
}
