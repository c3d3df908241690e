package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rostrum/model"
	"rostrum/test/kit"
	"rostrum/test/kit/mailtest"
	"rostrum/test/kit/poll"
)

const mailSettingsPath = "/api/v1/auth/mail-settings"

// queueMails queues the mails that are due after a while.
func queueMails(t *testing.T, a *kit.App, after time.Duration) {
	t.Helper()
	if err := a.QueueMails(context.WithoutCancel(t.Context()), model.Now().Add(after)); err != nil {
		t.Fatal(err)
	}
}

// createTitled creates a document with a title and returns its id.
func createTitled(t *testing.T, a *kit.App, title, fields string) string {
	t.Helper()
	return field(t, a.Do(t, "POST", "/api/v1/documents", nil, fmt.Sprintf(`{"title": %q, "content": "The harbour was open."%s}`,
		title, fields)).Want(t, 200), "document", "id")
}

// checkWords checks that a text contains some words, and none of others.
func checkWords(t *testing.T, text string, want, unwanted []string) {
	t.Helper()
	for _, words := range want {
		if !strings.Contains(text, words) {
			t.Errorf("%q is missing in %s", words, text)
		}
	}
	for _, words := range unwanted {
		if strings.Contains(text, words) {
			t.Errorf("%q is in %s", words, text)
		}
	}
}

// TestNotice_alerts tells a member the events that they have chosen, a burst as one mail and the next
// one after five minutes. The mail has no word of texts that are not public, and none is sent to
// whoever has left or switched it off.
func TestNotice_alerts(t *testing.T) {
	eachMailing(t, func(t *testing.T, a *kit.App, relay *mailtest.Relay) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		join(t, a, owner, "ben@example.org", model.RoleViewer).
			Do(t, "PATCH", mailSettingsPath, `{"alerts": ["document.ready"]}`).Want(t, 200)
		owner.Do(t, "PATCH", mailSettingsPath, `{"alerts": ["document.ready", "link.opened"], "language": "de"}`).
			Want(t, 200, `"alerts":["link.opened","document.ready"]`, `"briefing_hour":null`, `"language":"de"`)
		harbour := createTitled(t, a, "Harbour opens", "")
		secret := createTitled(t, a, "Quiet acquisition", `, "visibility": "embargoed", "embargoed_until": "2099-01-01T00:00:00Z"`)
		internal := createTitled(t, a, "Inner circular", `, "visibility": "internal"`)
		createTitled(t, a, "Second quay", "")
		queueMails(t, a, 0) // too early: more may follow
		removeMember(t, owner, "ben@example.org")
		mail := mailedAfter(t, a, relay, 2*time.Minute, 1)
		if mail.To != "ines@example.org" || !strings.HasSuffix(mail.Subject, ": 3 Ereignisse") ||
			!strings.HasSuffix(mail.Stop, "/console/account>") {
			t.Errorf("%+v", mail)
		}
		checkWords(t, mail.Body, []string{"Dokument fertig: Harbour opens\n", "/console/documents/" + harbour, "Dokument fertig: Second quay\n",
			"Dokument fertig\n", "/console/documents/" + internal, "/console/account"},
			[]string{"Quiet", secret, "circular", "weitere"})
		third := createTitled(t, a, "Third pier", "")
		queueMails(t, a, 4*time.Minute) // the last mail is too new
		owner.Do(t, "PATCH", mailSettingsPath, `{"language": "fr"}`).Want(t, 200)
		mail = mailedAfter(t, a, relay, 8*time.Minute, 2)
		checkWords(t, mail.Body, []string{"Document ready: Third pier", third}, []string{"Harbour opens"})
		if !strings.HasSuffix(mail.Subject, ": Document ready: Third pier") {
			t.Errorf("the subject is %q", mail.Subject)
		}
		createTitled(t, a, "Fourth crane", "")
		owner.Do(t, "PATCH", mailSettingsPath, `{"alerts": []}`).Want(t, 200, `"alerts":[]`)
		queueMails(t, a, 20*time.Minute)
		owner.Do(t, "PATCH", mailSettingsPath, `{"alerts": ["document.ready"]}`).Want(t, 200)
		createTitled(t, a, "Fifth buoy", "")
		checkWords(t, mailedAfter(t, a, relay, 20*time.Minute, 3).Body, []string{"Fifth buoy"}, []string{"Fourth crane"})
		if sent := relay.Sent(); len(sent) != 3 {
			t.Errorf("%d mails: %+v", len(sent), sent)
		}
	})
}

// mailedAfter queues the mails that are due after a while until n are sent, and returns the last. A
// mail whose end is not stored yet keeps the next one back.
func mailedAfter(t *testing.T, a *kit.App, relay *mailtest.Relay, after time.Duration, n int) mailtest.Sent {
	t.Helper()
	poll.Until(t, func() bool {
		queueMails(t, a, after)
		return len(relay.Sent()) >= n
	}, "%d mails are sent", n)
	return relay.Sent()[n-1]
}

// removeMember removes the member with an email.
func removeMember(t *testing.T, owner *kit.Browser, email string) {
	t.Helper()
	owner.Do(t, "DELETE", "/api/v1/members/"+memberIDs(t, owner)[email], "").Want(t, 204)
}

// TestNotice_briefing mails once a day what is new: hits, drafts that wait for the reader, and opens.
// A day with nothing new has no mail.
func TestNotice_briefing(t *testing.T) {
	eachMailing(t, func(t *testing.T, a *kit.App, relay *mailtest.Relay) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		owner.Do(t, "PATCH", mailSettingsPath, `{"briefing_hour": 24}`).Want(t, 422, `"pointer":"#/briefing_hour"`)
		owner.Do(t, "PATCH", mailSettingsPath, `{"briefing_hour": 7, "time_zone": "Mars/Olympus"}`).Want(t, 422, `"pointer":"#/time_zone"`)
		owner.Do(t, "PATCH", mailSettingsPath, `{"briefing_hour": 7, "time_zone": "Europe/Zurich", "language": "en-GB"}`).
			Want(t, 200, `"briefing_hour":7`, `"time_zone":"Europe/Zurich"`)
		queueMails(t, a, 25*time.Hour) // nothing is new
		a.Do(t, "POST", "/api/v1/searches", nil, `{"name": "Harbour", "filter": {"q": "harbour"}}`).Want(t, 201)
		createTitled(t, a, "Harbour opens", "")
		createTitled(t, a, "Quiet acquisition", `, "visibility": "embargoed", "embargoed_until": "2099-01-01T00:00:00Z"`)
		poll.Until(t, func() bool {
			return strings.Count(string(a.Do(t, "GET", "/api/v1/events?types=search.matched", nil, "").Body), `"search.matched"`) == 2
		}, "the search finds both")
		draft := queryData[struct {
			SaveDraft struct{ Draft struct{ ID string } }
		}](t, owner,
			`mutation { saveDraft(input: {title: "Our secret", content: "We open in March."}) { draft { id } } }`).SaveDraft.Draft.ID
		answerOf(t, owner, fmt.Sprintf(`mutation { requestDraftReview(input: {draftId: %q}) { draft { state } } }`, draft), "IN_REVIEW")
		mail := mailedAfter(t, a, relay, 50*time.Hour, 1)
		if mail.To != "ines@example.org" || !strings.HasSuffix(mail.Subject, ": your briefing") {
			t.Errorf("%+v", mail)
		}
		checkWords(t, mail.Body, []string{"New documents of the search Harbour", "- Harbour opens\n", "wait for your review",
			"/console/drafts/" + draft, "/console/account"}, []string{"Quiet", "secret", "cannot be read", "Opens of links"})
		queueMails(t, a, 100*time.Hour) // nothing is new
		createTitled(t, a, "Harbour closes", "")
		poll.Until(t, func() bool {
			return strings.Count(string(a.Do(t, "GET", "/api/v1/events?types=search.matched", nil, "").Body), `"search.matched"`) == 3
		}, "the search finds the third")
		checkWords(t, mailedAfter(t, a, relay, 150*time.Hour, 2).Body, []string{"Harbour closes", "wait for your review"},
			[]string{"Harbour opens"})
		if sent := relay.Sent(); len(sent) != 2 {
			t.Errorf("%d mails: %+v", len(sent), sent)
		}
	})
}

// TestNotice_none offers nothing without a mail server, and nothing to a key.
func TestNotice_none(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		createOwner(t, a, "ines@example.org")
		owner := newSignedIn(t, a, "ines@example.org")
		owner.Do(t, "PATCH", mailSettingsPath, `{"alerts": ["document.ready"]}`).Want(t, 409, "ROSTRUM_MAIL_URL")
		owner.Do(t, "GET", mailSettingsPath, "").Want(t, 200, `"alerts":[]`, `"time_zone":"UTC"`)
		a.Do(t, "GET", mailSettingsPath, nil, "").Want(t, 200, `"mail_settings":null`)
		a.Do(t, "PATCH", mailSettingsPath, nil, `{"briefing_hour": 7}`).Want(t, 409, "sign in")
	})
}
