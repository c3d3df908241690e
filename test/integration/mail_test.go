package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/mailtest"
	"rostrum/test/kit/poll"
)

const forgottenPath = "/api/public/auth/password/forgotten"

// eachMailing runs a test on every stack, with an app that sends its mails to a relay.
func eachMailing(t *testing.T, test func(*testing.T, *kit.App, *mailtest.Relay)) {
	t.Helper()
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			relay := mailtest.NewRelay(t)
			a := stack.StartChanged(t, func(c *app.Config) {
				c.MailURL, c.MailFrom = relay.Address(), "Rostrum <rostrum@example.com>"
			})
			test(t, a, relay)
		})
	}
}

// secretIn returns the secret of the link in a mail.
func secretIn(t *testing.T, mail mailtest.Sent, path string) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(path) + `#(\S+)`).FindStringSubmatch(mail.Body)
	if found == nil {
		t.Fatalf("no link to %s in %q", path, mail.Body)
	}
	return found[1]
}

// TestMail_invite mails the link of an invite in the workspace's language, and its renewal. The
// person joins by it. A refused mail says why.
func TestMail_invite(t *testing.T) {
	eachMailing(t, func(t *testing.T, a *kit.App, relay *mailtest.Relay) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		owner.Do(t, "PATCH", "/api/v1/workspace", `{"market_language": "de", "name": "Küste"}`).Want(t, 200)
		answer := owner.Do(t, "POST", "/api/v1/invites", `{"email": "ben@example.org", "name": "Ben", "role": "author", "send_mail": true}`).
			Want(t, 201, `"mail_state":"waiting"`)
		mail := relay.Wait(t, 1)[0]
		if mail.To != "ben@example.org" || !strings.Contains(mail.Subject, "lädt Sie zu Küste ein") ||
			!strings.Contains(mail.Body, "Guten Tag Ben") || !strings.Contains(mail.Body, "mit der Rolle Autor") {
			t.Errorf("%+v", mail)
		}
		if link := field(t, answer, "link"); !strings.Contains(mail.Body, link) {
			t.Errorf("the mail has another link than %s: %s", link, mail.Body)
		}
		poll.Until(t, func() bool {
			return strings.Contains(string(owner.Do(t, "GET", "/api/v1/invites", "").Body), `"mail_state":"sent"`)
		}, "the invite says that it was mailed")
		id := field(t, answer, "invite", "id")
		owner.Do(t, "POST", "/api/v1/invites/"+id+"/renew?send_mail=true", "").Want(t, 200, `"mail_state":"waiting"`)
		secret := secretIn(t, relay.Wait(t, 2)[1], "/console/invite")
		if secret == secretIn(t, mail, "/console/invite") {
			t.Error("the renewed link is the former one")
		}
		a.NewBrowser(t).Do(t, "POST", "/api/public/auth/invite/accept", fmt.Sprintf(`{"secret": %q, "password": %q}`, secret, password)).
			Want(t, 200)
		relay.Refuse(func(string) error { return &smtp.SMTPError{Code: 550, Message: "no such user here"} })
		owner.Do(t, "POST", "/api/v1/invites", `{"email": "nobody@example.org", "role": "viewer", "send_mail": true}`).Want(t, 201)
		poll.Until(t, func() bool {
			body := string(owner.Do(t, "GET", "/api/v1/invites", "").Body)
			return strings.Contains(body, `"mail_state":"failed"`) && strings.Contains(body, "no such user here")
		}, "the invite says why it was not mailed")
	})
}

// TestMail_password mails a link for a forgotten password to the user's address alone. It works for
// members of several workspaces too, once, and the answer does not tell whether there is a user.
func TestMail_password(t *testing.T) {
	eachMailing(t, func(t *testing.T, a *kit.App, relay *mailtest.Relay) {
		createOwner(t, a, "ines@example.org")
		other, _, err := a.Provision(t.Context(), account.NewWorkspace{Name: "Second", Plan: model.PlanTeam})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.AddUser(t.Context(), account.NewUser{Email: "ines@example.org", WorkspaceID: other, Role: model.RoleViewer}); err != nil {
			t.Fatal(err)
		}
		guest := a.NewBrowser(t)
		unknown := guest.Do(t, "POST", forgottenPath, `{"email": "nobody@example.org"}`).Want(t, 202)
		known := guest.Do(t, "POST", forgottenPath, `{"email": "Ines@example.org"}`).Want(t, 202)
		if string(unknown.Body) != string(known.Body) {
			t.Errorf("%s differs from %s", unknown.Body, known.Body)
		}
		mail := relay.Wait(t, 1)[0]
		if mail.To != "ines@example.org" || len(relay.Sent()) != 1 {
			t.Errorf("%+v", relay.Sent())
		}
		set := fmt.Sprintf(`{"secret": %q, "password": "another password"}`, secretIn(t, mail, "/console/reset"))
		guest.Do(t, "POST", "/api/public/auth/password", set).Want(t, 200)
		a.NewBrowser(t).Do(t, "POST", "/api/public/auth/password", set).Want(t, 404)
		a.NewBrowser(t).Do(t, "POST", authPath, fmt.Sprintf(signInAs, "ines@example.org", "another password")).Want(t, 200)
		guest.Do(t, "POST", forgottenPath, `{"email": "no email"}`).Want(t, 422, `#/email`)
		for range 4 {
			guest.Do(t, "POST", forgottenPath, `{"email": "ines@example.org"}`).Want(t, 202)
		}
		guest.Do(t, "POST", forgottenPath, `{"email": "ines@example.org"}`).Want(t, 429)
	})
}

// TestMail_none says that a server without a mail server sends none, and invites nobody then.
func TestMail_none(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		owner.Do(t, "POST", "/api/v1/invites", `{"email": "ben@example.org", "role": "viewer", "send_mail": true}`).
			Want(t, 409, "ROSTRUM_MAIL_URL")
		owner.Do(t, "GET", "/api/v1/invites", "").Want(t, 200, `"invites":[]`)
		a.NewBrowser(t).Do(t, "POST", forgottenPath, `{"email": "ines@example.org"}`).Want(t, 409)
	})
}
