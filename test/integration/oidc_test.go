package integration

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/oidctest"
)

const callbackPath = "/api/public/auth/oidc/callback"

// withIssuer returns an app that trusts a local issuer, with one user of the email without a
// password.
func withIssuer(t *testing.T, email string) (*kit.App, *oidctest.Issuer) {
	t.Helper()
	issuer := oidctest.NewIssuer(t)
	a := kit.StartWith(t, app.Config{
		DataDir: t.TempDir(), Playground: t.TempDir(), PublicURL: "http://rostrum.test",
		OIDCIssuer: issuer.URL, OIDCClient: oidctest.Client, OIDCSecret: oidctest.Secret,
	})
	if _, err := a.AddUser(t.Context(), account.NewUser{Email: email, WorkspaceID: a.WorkspaceID,
		Role: model.RoleEditor}); err != nil {
		t.Fatal(err)
	}
	return a, issuer
}

// visitIssuer starts the sign-in at the issuer and returns the query of its redirect back to the
// app.
func visitIssuer(t *testing.T, b *kit.Browser) url.Values {
	t.Helper()
	leave := b.Do(t, "GET", "/api/public/auth/oidc", "").Want(t, 303)
	if cookie := cookieOf(leave, "rostrum_oidc"); cookie == nil || !cookie.HttpOnly {
		t.Errorf("the handshake's cookie is %+v", cookie)
	}
	back, err := url.Parse(b.Visit(t, leave.Header.Get("Location")).Header.Get("Location"))
	if err != nil || back.Host != "rostrum.test" || back.Path != callbackPath {
		t.Fatalf("the issuer redirects to %s, %v", back, err)
	}
	return back.Query()
}

func TestOIDC(t *testing.T) {
	t.Parallel()
	const email = "ines@example.org"
	verified := map[string]any{"email": "Ines@example.org", "sub": "ines"}
	t.Run("links_by_verified_email_then_by_subject", func(t *testing.T) {
		t.Parallel()
		a, issuer := withIssuer(t, email)
		for _, claims := range []map[string]any{verified,
			{"sub": "ines", "email": "married@example.org", "email_verified": false}} {
			issuer.SetClaims(claims)
			b := a.NewBrowser(t)
			answer := b.Do(t, "GET", callbackPath+"?"+visitIssuer(t, b).Encode(), "").Want(t, 303)
			if answer.Header.Get("Location") != "/console/" {
				t.Errorf("redirects to %s", answer.Header.Get("Location"))
			}
			b.Do(t, "POST", graphPath, whoami).Want(t, 200, a.WorkspaceID)
		}
	})
	t.Run("rejects_a_callback_without_a_handshake", func(t *testing.T) {
		t.Parallel()
		a, issuer := withIssuer(t, email)
		issuer.SetClaims(verified)
		attacker, victim := a.NewBrowser(t), a.NewBrowser(t)
		forged := visitIssuer(t, attacker)
		victim.Do(t, "GET", callbackPath+"?"+forged.Encode(), "").Want(t, 401)
		visitIssuer(t, victim)
		victim.Do(t, "GET", callbackPath+"?"+forged.Encode(), "").Want(t, 401)
		victim.Do(t, "GET", callbackPath+"?error=access_denied", "").Want(t, 401)
	})
	t.Run("rejects_a_code_of_another_handshake", func(t *testing.T) {
		t.Parallel()
		a, issuer := withIssuer(t, email)
		issuer.SetClaims(verified)
		stolen := visitIssuer(t, a.NewBrowser(t)).Get("code")
		b := a.NewBrowser(t)
		query := visitIssuer(t, b)
		query.Set("code", stolen)
		b.Do(t, "GET", callbackPath+"?"+query.Encode(), "").Want(t, 401)
	})
	t.Run("rejects_a_token_with_another_nonce", func(t *testing.T) {
		t.Parallel()
		a, issuer := withIssuer(t, email)
		issuer.SetClaims(map[string]any{"email": email, "sub": "ines", "nonce": "replayed"})
		b := a.NewBrowser(t)
		b.Do(t, "GET", callbackPath+"?"+visitIssuer(t, b).Encode(), "").Want(t, 401)
	})
}

func TestOIDC_token(t *testing.T) {
	t.Parallel()
	const email = "ines@example.org"
	a, issuer := withIssuer(t, email)
	post := func(t *testing.T, token string) *kit.Response {
		return a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(`{"id_token": %q}`, token))
	}
	good := issuer.Token(map[string]any{"email": email}, nil)
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"not_a_token":      "x",
		"another_audience": issuer.Token(map[string]any{"email": email, "aud": "another"}, nil),
		"another_issuer":   issuer.Token(map[string]any{"email": email, "iss": "https://evil.example"}, nil),
		"expired": issuer.Token(map[string]any{"email": email,
			"exp": time.Now().Add(-time.Hour).Unix()}, nil),
		"anothers_signature":       issuer.Token(map[string]any{"email": email}, oidctest.NewSigner(t)),
		"no_signature":             parts[0] + "." + parts[1] + ".",
		"algorithm_none":           "eyJhbGciOiJub25lIn0." + parts[1] + ".",
		"an_unverified_email":      issuer.Token(map[string]any{"email": email, "email_verified": false}, nil),
		"no_email":                 issuer.Token(map[string]any{}, nil),
		"nobody's_email":           issuer.Token(map[string]any{"email": "nobody@example.org"}, nil),
		"a_claim_of_another_shape": issuer.Token(map[string]any{"email": 5}, nil),
		"no_subject":               issuer.Token(map[string]any{"email": email, "sub": nil}, nil),
		"an_empty_subject":         issuer.Token(map[string]any{"email": email, "sub": ""}, nil),
		"another_party":            issuer.Token(map[string]any{"email": email, "azp": "another"}, nil),
		"another_partys_audience": issuer.Token(map[string]any{"email": email, "azp": "another",
			"aud": []string{oidctest.Client, "another"}}, nil),
		"a_subject_in_capitals":   issuer.Token(map[string]any{"email": email, "sub": nil, "SUB": "subject-1"}, nil),
		"an_audience_in_capitals": issuer.Token(map[string]any{"email": email, "aud": "x", "AUD": oidctest.Client}, nil),
		"an_expiry_in_capitals": issuer.Token(map[string]any{"email": email,
			"exp": time.Now().Add(-time.Hour).Unix(), "EXP": time.Now().Add(time.Hour).Unix()}, nil),
		"an_email_in_capitals": issuer.Token(map[string]any{"email": "nobody@example.org", "EMAIL": email}, nil),
		"a_verification_in_capitals": issuer.Token(map[string]any{"email": email, "email_verified": false,
			"EMAIL_VERIFIED": true}, nil),
		"a_text_that_is_not_true": issuer.Token(map[string]any{"email": email, "email_verified": "yes"}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			answer := post(t, token).Want(t, 401, `"code":"unauthenticated"`)
			if cookieOf(answer, "rostrum_login") != nil {
				t.Error("a session was created")
			}
		})
	}
	t.Run("good_once", func(t *testing.T) {
		if cookieOf(post(t, good).Want(t, 200, email), "rostrum_login") == nil {
			t.Error("no session was created")
		}
		post(t, good).Want(t, 401)
		post(t, `{"payload":"`+parts[1]+`","protected":"`+parts[0]+`","signature":"`+parts[2]+`"}`).Want(t, 401)
	})
	t.Run("another_subject_cannot_take_over_the_email", func(t *testing.T) {
		post(t, issuer.Token(map[string]any{"email": email, "sub": "other"}, nil)).Want(t, 401)
	})
	t.Run("claims_named_like_the_issuer_and_the_subject_are_not_used", func(t *testing.T) {
		post(t, issuer.Token(map[string]any{"email": email, "sub": "other", "subject": "subject-1",
			"issuer": issuer.URL}, nil)).Want(t, 401)
	})
	t.Run("a_user_without_a_password_cannot_sign_in_with_a_password", func(t *testing.T) {
		a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, email, "nobody's")).Want(t, 401)
	})
}

// TestOIDC_providers signs in with the tokens of providers that follow the specification loosely.
func TestOIDC_providers(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]struct {
		user, suffix    string
		token, userInfo map[string]any
		status          int
	}{
		"verified_as_text": {token: map[string]any{"email": "kim@example.org", "email_verified": "true"}, status: 303},
		"not_verified_as_text": {token: map[string]any{"email": "kim@example.org", "email_verified": "false"},
			status: 401},
		"email_in_user_info": {token: map[string]any{"email_verified": nil}, userInfo: map[string]any{
			"sub": "subject-1", "email": "Kim@example.org", "email_verified": "true"}, status: 303},
		"unverified_in_user_info": {userInfo: map[string]any{"sub": "subject-1", "email": "kim@example.org"},
			status: 401},
		"user_info_in_capitals": {userInfo: map[string]any{"sub": "subject-1", "EMAIL": "kim@example.org",
			"email_verified": true}, status: 401},
		"user_info_of_another": {userInfo: map[string]any{"sub": "subject-2", "email": "kim@example.org",
			"email_verified": true}, status: 401},
		"issuer_with_slash": {suffix: "/", token: map[string]any{"email": "kim@example.org"}, status: 303},
		"audience_as_list": {token: map[string]any{"email": "kim@example.org", "azp": oidctest.Client,
			"aud": []string{oidctest.Client, "other"}}, status: 303},
		"kelvin_sign":           {token: map[string]any{"email": "\u212aim@example.org"}, status: 401},
		"kelvin_sign_in_domain": {user: "a@kim.example", token: map[string]any{"email": "a@\u212aim.example"}, status: 401},
		"dotted_capital_i":      {token: map[string]any{"email": "k\u0130m@example.org"}, status: 401},
		"full_width_letter": {user: "\uff4bim@example.org", token: map[string]any{"email": "\uff4bim@example.org"},
			status: 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, issuer := withIssuer(t, cmp.Or(given.user, "kim@example.org"))
			issuer.Name += given.suffix
			issuer.SetClaims(given.token)
			issuer.SetUserInfo(given.userInfo)
			b := a.NewBrowser(t)
			b.Do(t, "GET", callbackPath+"?"+visitIssuer(t, b).Encode(), "").Want(t, given.status)
		})
	}
}

// TestOIDC_failurePage checks what a person sees in the browser, and that other clients get JSON.
func TestOIDC_failurePage(t *testing.T) {
	t.Parallel()
	a, issuer := withIssuer(t, "kim@example.org")
	issuer.SetClaims(map[string]any{"email": "nobody@example.org"})
	for name, back := range map[string]func(b *kit.Browser) string{
		"denied":    func(*kit.Browser) string { return "error=access_denied" },
		"no_user":   func(b *kit.Browser) string { return visitIssuer(t, b).Encode() },
		"no_cookie": func(*kit.Browser) string { return visitIssuer(t, a.NewBrowser(t)).Encode() },
	} {
		b := a.NewBrowser(t)
		path := callbackPath + "?" + back(b)
		answer := b.Do(t, "GET", path, "", "Accept: text/html,application/xhtml+xml,*/*;q=0.8").
			Want(t, 401, "You are not signed in", `href="/console/"`)
		if media := answer.Header.Get("Content-Type"); media != "text/html; charset=utf-8" {
			t.Errorf("%s: the failure is shown as %s", name, media)
		}
		b.Do(t, "GET", path, "", "Accept: application/json").Want(t, 401, `"code":"unauthenticated"`)
	}
	for _, reason := range []string{"access_denied", "nobody with your email address"} {
		if !logOutput.has(reason) {
			t.Errorf("the log does not say %q", reason)
		}
	}
}

// TestOIDC_down checks that the app starts without the issuer and logs the failure.
func TestOIDC_down(t *testing.T) {
	t.Parallel()
	a := kit.StartWith(t, app.Config{
		DataDir: t.TempDir(), Playground: t.TempDir(), OIDCIssuer: "http://127.0.0.1:1", OIDCClient: "a",
		OIDCSecret: "b",
	})
	b := a.NewBrowser(t)
	b.Do(t, "GET", "/api/public/auth/oidc", "").Want(t, 503, `"code":"unavailable"`)
	b.Do(t, "POST", authPath, `{"id_token": "x"}`).Want(t, 503)
}
