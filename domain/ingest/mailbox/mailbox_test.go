package mailbox_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"rostrum/domain/ingest/mailbox"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/test/kit/mailtest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func newDialer(allow []netip.Prefix) *fetch.Client {
	return fetch.New(fetch.Config{Allow: allow, Roots: mailtest.Roots(), PerHost: 100, Pause: time.Nanosecond})
}

func inboxOf(port int, security model.MailboxSecurity) model.Mailbox {
	return model.Mailbox{Host: "127.0.0.1", Port: port, Username: mailtest.Username, Folder: "INBOX", Security: security}
}

func TestSession(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for n := range 3 {
		server.Deliver(t, at, fmt.Sprintf("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= %d\r\nMessage-ID: <%d@a>\r\n\r\nText %d\r\n", n, n, n))
	}
	for _, box := range []model.Mailbox{inboxOf(server.Port, model.MailboxSecurityTLS),
		inboxOf(server.PlainPort, model.MailboxSecuritySTARTTLS), inboxOf(server.PlainPort, model.MailboxSecurityNone)} {
		s, err := mailbox.Open(t.Context(), newDialer(loopback), box, mailtest.Password)
		if err != nil {
			t.Fatal(box.Security, err)
		}
		defer s.Close()
		first, err := s.UIDAt(t.Context(), 1)
		if err != nil || first != 1 || s.Count != 3 || s.UIDValidity == 0 {
			t.Errorf("%s: the first UID is %d of %d, %v", box.Security, first, s.Count, err)
		}
		uids, total, err := s.UIDsAfter(t.Context(), 1, 1)
		if err != nil || len(uids) != 1 || uids[0] != 2 || total != 2 {
			t.Errorf("UIDs after 1: %v of %d, %v", uids, total, err)
		}
		if uids, total, err := s.UIDsAfter(t.Context(), 3, 9); err != nil || len(uids) != 0 || total != 0 {
			t.Errorf("UIDs after the last: %v of %d, %v", uids, total, err)
		}
		heads, err := s.Heads(t.Context(), []uint32{2, 3, 77})
		if err != nil || len(heads) != 2 || heads[0].Subject != "Grüße 1" || heads[1].MessageID != "2@a" ||
			!heads[0].Received.Equal(at) {
			t.Errorf("heads: %+v, %v", heads, err)
		}
		body, err := s.Mail(t.Context(), 3, 1000)
		if err != nil || !strings.Contains(string(body), "Text 2") {
			t.Errorf("mail: %q, %v", body, err)
		}
		if body, err := s.Mail(t.Context(), 77, 1000); body != nil || err != nil {
			t.Errorf("a mail that is gone: %q, %v", body, err)
		}
		if _, err := s.Mail(t.Context(), 3, 5); !errors.Is(err, mailbox.ErrTooLarge) {
			t.Errorf("a large mail: %v", err)
		}
	}
	if server.Unseen(t) != 3 {
		t.Error("reading marks mails as read")
	}
}

func TestOpen_says_what_is_wrong(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	wrongFolder, wrongHost, unsafe := inboxOf(server.Port, model.MailboxSecurityTLS),
		inboxOf(server.Port, model.MailboxSecurityTLS), inboxOf(server.PlainPort, model.MailboxSecurityTLS)
	wrongFolder.Folder, wrongHost.Host = "Press", "localhost" // the certificate has no such name
	closed := inboxOf(1, model.MailboxSecurityTLS)
	for name, c := range map[string]struct {
		box      model.Mailbox
		password string
		allow    []netip.Prefix
		want     mailbox.Kind
	}{
		"password":    {inboxOf(server.Port, model.MailboxSecurityTLS), "wrong", loopback, mailbox.Refused},
		"folder":      {wrongFolder, mailtest.Password, loopback, mailbox.Folder},
		"certificate": {wrongHost, mailtest.Password, loopback, mailbox.TLS},
		"no TLS":      {unsafe, mailtest.Password, loopback, mailbox.TLS},
		"port":        {closed, mailtest.Password, loopback, mailbox.Kind(fetch.Connection)},
		"private":     {inboxOf(server.Port, model.MailboxSecurityTLS), mailtest.Password, nil, mailbox.Kind(fetch.Blocked)},
	} {
		_, err := mailbox.Open(t.Context(), newDialer(c.allow), c.box, c.password)
		failed, ok := errors.AsType[*mailbox.Error](err)
		if !ok || failed.Kind != c.want || failed.Message() == "" || failed.Code() == "" {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestOpen_ends_with_its_context checks that a silent server does not hold a poll.
func TestOpen_ends_with_its_context(t *testing.T) {
	t.Parallel()
	s := startHostile(t, func(w *hostile) { <-w.ended })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := mailbox.Open(ctx, newDialer(loopback), s, "p"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent server: %v", err)
	}
}
