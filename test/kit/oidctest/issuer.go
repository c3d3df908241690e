// Package oidctest is an OpenID Connect issuer for tests of the sign-in.
package oidctest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that is registered with an Issuer.
const (
	Client = "rostrum"
	Secret = "issuer-secret"
)

// Issuer is an OpenID Connect issuer on loopback: discovery, keys, authorization without a page,
// and tokens for codes under PKCE.
type Issuer struct {
	*httptest.Server
	t   testing.TB
	key *rsa.PrivateKey

	// Name is the issuer's URL in the discovery and in tokens, by default the server's URL.
	Name string

	mu       sync.Mutex
	claims   map[string]any        // of the next token, merged over the defaults
	userInfo map[string]any        // what UserInfo responds with
	codes    map[string]url.Values // authorization requests by their code
}

// NewIssuer starts an issuer until the end of the test.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t, key: NewSigner(t), codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("GET /userinfo", i.sendUserInfo)
	i.Server = httptest.NewServer(mux)
	i.Name = i.URL
	t.Cleanup(i.Close)
	return i
}

// NewSigner creates a key for signing tokens.
func NewSigner(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// SetClaims sets the claims of later tokens, merged over the defaults.
func (i *Issuer) SetClaims(claims map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.claims = claims
}

// SetUserInfo sets what UserInfo responds with.
func (i *Issuer) SetUserInfo(claims map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.userInfo = claims
}

func (i *Issuer) sendUserInfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer a" {
		http.Error(w, "no token", http.StatusUnauthorized)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	sendJSON(w, i.userInfo)
}

// Token returns an identity token with the claims merged over the defaults (nil removes one),
// signed with the key, or with the issuer's when it is nil.
func (i *Issuer) Token(claims map[string]any, key *rsa.PrivateKey) string {
	i.t.Helper()
	if key == nil {
		key = i.key
	}
	all := map[string]any{
		"iss": i.Name, "aud": Client, "sub": "subject-1", "email_verified": true,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	maps.Copy(all, claims)
	maps.DeleteFunc(all, func(_ string, claim any) bool { return claim == nil })
	text, err := json.Marshal(all)
	if err != nil {
		i.t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "one"}},
		nil)
	if err != nil {
		i.t.Fatal(err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		i.t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, map[string]any{
		"issuer": i.Name, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"jwks_uri":                              i.URL + "/keys",
		"userinfo_endpoint":                     i.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"code"},
		"subject_types_supported": []string{"public"},
	})
}

func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "one", Algorithm: "RS256",
		Use: "sig"}}})
}

// authorize redirects to the callback with a code, without asking the user.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if query.Get("client_id") != Client || query.Get("code_challenge_method") != "S256" || query.Get("nonce") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	i.mu.Lock()
	i.codes[code] = query
	i.mu.Unlock()
	back := url.Values{"code": {code}, "state": {query.Get("state")}}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// token exchanges a code for an identity token, once, after it has checked the client and its PKCE
// verifier.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	asked, ok := i.codes[r.FormValue("code")]
	delete(i.codes, r.FormValue("code"))
	claims := maps.Clone(i.claims)
	i.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	proof := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !ok || id != Client || secret != Secret || r.FormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(proof[:]) != asked.Get("code_challenge") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		sendJSON(w, map[string]any{"error": "invalid_grant"})
		return
	}
	if claims["nonce"] == nil {
		claims = maps.Clone(claims)
		if claims == nil {
			claims = map[string]any{}
		}
		claims["nonce"] = asked.Get("nonce")
	}
	sendJSON(w, map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": 60,
		"id_token": i.Token(claims, nil)})
}

func sendJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
