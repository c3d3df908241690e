package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"rostrum/model"
	"rostrum/test/kit"
)

const factorPath = "/api/v1/auth/second-factor"

// addFactor turns the second factor of a browser's user on. It returns the secret of the app and the
// recovery codes.
func addFactor(t *testing.T, b *kit.Browser) (secret string, codes []string) {
	t.Helper()
	var made struct{ Secret, URI string }
	answer := b.Do(t, "POST", factorPath, fmt.Sprintf(`{"current_password": %q}`, password)).Want(t, 201, "<svg ")
	if err := json.Unmarshal(answer.Body, &made); err != nil || !strings.HasPrefix(made.URI, "otpauth://totp/Rostrum:") {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	b.Do(t, "GET", factorPath, "").Want(t, 200, `"second_factor":null`)
	var confirmed struct {
		RecoveryCodes []string `json:"recovery_codes"`
	}
	answer = b.Do(t, "POST", factorPath+"/confirm", codeBody(t, made.Secret, 0)).Want(t, 200)
	if err := json.Unmarshal(answer.Body, &confirmed); err != nil || len(confirmed.RecoveryCodes) != 10 {
		t.Fatalf("%s (%v)", answer.Body, err)
	}
	return made.Secret, confirmed.RecoveryCodes
}

// codeBody returns a body with the code that an app shows the number of periods from now on.
func codeBody(t *testing.T, secret string, periods int) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(periods)*30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"code": %q}`, code)
}

// signInBody adds email and password to a body with a code, which may be empty.
func signInBody(email, code string) string {
	return fmt.Sprintf(`{"email": %q, "password": %q, %s}`, email, password, strings.Trim(code, "{}"))
}

// TestSecondFactor turns a second factor on, signs in with codes of the app and recovery codes, and
// turns it off. A code works once, and a link for a new password does not get around it.
func TestSecondFactor(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		other := newSignedIn(t, a, "ines@example.org")
		t.Run("needs_the_password_and_a_code", func(t *testing.T) {
			owner.Do(t, "POST", factorPath+"/confirm", `{"code": "123456"}`).Want(t, 409, "startSecondFactor")
			owner.Do(t, "POST", factorPath, `{"current_password": "wrong password"}`).Want(t, 422, `"pointer":"#/current_password"`)
			owner.Do(t, "POST", factorPath+"/remove", `{"code": "123456"}`).Want(t, 409, "off")
		})
		secret, codes := addFactor(t, owner)
		owner.Do(t, "POST", factorPath, fmt.Sprintf(`{"current_password": %q}`, password)).Want(t, 409, "turn it off with a code")
		owner.Do(t, "GET", factorPath, "").Want(t, 200, `"recovery_codes_left":10`)
		other.Do(t, "POST", graphPath, whoami).Want(t, 401)
		signIn := func(code string) *kit.Response {
			return a.NewBrowser(t).Do(t, "POST", "/api/public/auth/session", signInBody("ines@example.org", code))
		}
		signIn(`"code": ""`).Want(t, 401, `"code":"second_factor_required"`)
		signIn(codeBody(t, secret, 0)).Want(t, 422, `"pointer":"#/code"`, "once") // has turned it on
		next := codeBody(t, secret, 1)
		signIn(next).Want(t, 200)
		signIn(next).Want(t, 422, `"pointer":"#/code"`)
		signIn(fmt.Sprintf(`"code": %q`, strings.ToUpper(strings.ReplaceAll(codes[0], "-", " ")))).Want(t, 200)
		signIn(fmt.Sprintf(`"code": %q`, codes[0])).Want(t, 422, `"pointer":"#/code"`)
		t.Run("a_link_for_a_password_needs_a_code", func(t *testing.T) { testFactorLink(t, a, owner) })
		t.Run("codes_are_replaced", func(t *testing.T) {
			answer := owner.Do(t, "POST", factorPath+"/recovery-codes", fmt.Sprintf(`{"code": %q}`, codes[1])).Want(t, 200)
			signIn(fmt.Sprintf(`"code": %q`, codes[2])).Want(t, 422)
			var renewed struct {
				RecoveryCodes []string `json:"recovery_codes"`
			}
			if err := json.Unmarshal(answer.Body, &renewed); err != nil {
				t.Fatal(err)
			}
			owner.Do(t, "POST", factorPath+"/remove", fmt.Sprintf(`{"code": %q}`, renewed.RecoveryCodes[9])).Want(t, 200)
			signIn(`"code": ""`).Want(t, 200)
		})
	})
}

// testFactorLink resets the password of a member with a second factor by an owner's link, and then the
// second factor.
func testFactorLink(t *testing.T, a *kit.App, owner *kit.Browser) {
	guest := join(t, a, owner, "ola@example.org", model.RoleAuthor)
	_, codes := addFactor(t, guest)
	member := memberIDs(t, owner)["ola@example.org"]
	var made struct{ Link string }
	answer := owner.Do(t, "POST", "/api/v1/members/"+member+"/password-link", "").Want(t, 201)
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		t.Fatal(err)
	}
	_, link, _ := strings.Cut(made.Link, "#")
	set := func(code string) *kit.Response {
		return a.NewBrowser(t).Do(t, "POST", "/api/public/auth/password",
			fmt.Sprintf(`{"secret": %q, "password": "a third password", "code": %q}`, link, code))
	}
	set("").Want(t, http.StatusUnauthorized, "second_factor_required")
	set(codes[0]).Want(t, 200)
	has := `{"query": "{ workspace { members { nodes { user { email } hasSecondFactor } } } }"}`
	owner.Do(t, "POST", graphPath, has).Want(t, 200, `"hasSecondFactor":true`)
	owner.Do(t, "DELETE", "/api/v1/members/"+member+"/second-factor", "").Want(t, 204)
	owner.Do(t, "DELETE", "/api/v1/members/"+member+"/second-factor", "").Want(t, 409)
	guest.Do(t, "POST", graphPath, whoami).Want(t, 401)
	a.NewBrowser(t).Do(t, "POST", "/api/public/auth/session",
		`{"email": "ola@example.org", "password": "a third password"}`).Want(t, 200)
}

// TestSecondFactor_tries refuses codes after ten wrong ones, also the right one.
func TestSecondFactor_tries(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		_, codes := addFactor(t, newSignedIn(t, a, "ines@example.org"))
		signIn := func(code string) *kit.Response {
			return a.NewBrowser(t).Do(t, "POST", "/api/public/auth/session",
				signInBody("ines@example.org", fmt.Sprintf(`"code": %q`, code)))
		}
		for range 10 {
			signIn("wrong").Want(t, 422)
		}
		signIn(codes[0]).Want(t, 429, "too many")
	})
}
