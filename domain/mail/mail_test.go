package mail_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"rostrum/dbx"
	"rostrum/domain/mail"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/seal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/mailtest"
)

// tasks keeps the work of a registered task, which tests run, and the refs of queued tasks.
type tasks struct {
	work func(ctx context.Context, ref string) error
	refs []string
}

func (q *tasks) RegisterTask(_ string, task job.Task) { q.work = task.Work }

func (q *tasks) EnqueueTasks(_ context.Context, _ dbx.Tx, _ string, args ...job.TaskArgs) error {
	for _, one := range args {
		q.refs = append(q.refs, one.Ref)
	}
	return nil
}

// bundle is a service with a kind of mails, whose text is the secret.
type bundle struct {
	*mail.Service
	db    *dbx.DB
	tasks *tasks
	relay *mailtest.Relay
	ended []model.Mail
	gone  bool // whether mails are not to be sent any more
}

func setup(t *testing.T, db *dbx.DB) *bundle {
	t.Helper()
	b := &bundle{db: db, tasks: &tasks{}, relay: mailtest.NewRelay(t)}
	sealer, err := seal.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	b.Service = mail.New(mail.Config{DB: db, Tasks: b.tasks, Sealer: sealer,
		CheckSeal: func(context.Context, dbx.Tx) error { return nil }, Server: serverOf(t, "smtps", b.relay.Port, mailtest.Password)})
	b.Register("test", mail.Kind{
		Compose: func(_ context.Context, m *model.Mail, secret string) (*model.MailText, error) {
			if b.gone {
				return nil, nil
			}
			return &model.MailText{Subject: "Grüße: " + m.SubjectID, Body: secret}, nil
		},
		OnEnd: func(_ context.Context, _ dbx.Tx, m *model.Mail) error {
			b.ended = append(b.ended, *m)
			return nil
		},
	})
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// serverOf returns the server of a port, with the certificate authority of tests.
func serverOf(t *testing.T, scheme string, port int, password string) *mail.Server {
	t.Helper()
	address := url.URL{Scheme: scheme, User: url.UserPassword(mailtest.Username, password), Host: fmt.Sprintf("127.0.0.1:%d", port)}
	server, err := mail.NewServer(address.String(), "Rostrum <rostrum@example.com>", mailtest.Roots())
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// enqueue queues a mail, and runs its task with the result.
func (b *bundle) enqueue(t *testing.T, secret string) (*model.Mail, error) {
	t.Helper()
	m := &model.Mail{WorkspaceID: "w", Kind: "test", SubjectID: "inv_1", Recipient: "ben@example.org"}
	err := b.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return b.Enqueue(ctx, tx, m, secret) })
	if err != nil {
		t.Fatal(err)
	}
	return m, b.tasks.work(t.Context(), m.ID)
}

// stored returns the row of a mail.
func (b *bundle) stored(t *testing.T, id string) *model.Mail {
	t.Helper()
	m := new(model.Mail)
	if err := b.db.NewSelect().Model(m).Where("id = ?", id).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSend sends a mail with a secret once, also if its task runs twice. The secret is sealed in the
// row, and deleted when the mail is sent.
func TestSend(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		m, err := b.enqueue(t, "Bitte öffnen:\n\nhttps://example.org/#rsi_1\n")
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Secret) == 0 || strings.Contains(string(m.Secret), "rsi_1") {
			t.Errorf("the secret is stored as %q", m.Secret)
		}
		if err := b.tasks.work(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
		want := mailtest.Sent{To: "ben@example.org", From: `"Rostrum" <rostrum@example.com>`, Subject: "Grüße: inv_1",
			MessageID: "<" + m.ID + "@example.com>", Body: "Bitte öffnen:\n\nhttps://example.org/#rsi_1\n"}
		if sent := b.relay.Sent(); len(sent) != 1 || sent[0] != want {
			t.Errorf("sent are %+v", sent)
		}
		if row := b.stored(t, m.ID); row.State != model.MailStateSent || row.Secret != nil || row.EndedAt == nil || row.Error != nil {
			t.Errorf("the row is %+v", row)
		}
		if len(b.ended) != 1 || b.ended[0].State != model.MailStateSent {
			t.Errorf("ended are %+v", b.ended)
		}
	})
}

// TestSend_refused tries a mail again that the server does not take now, and gives up one that it
// never takes, or after a day.
func TestSend_refused(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		b.relay.Refuse(func(string) error { return &smtp.SMTPError{Code: 451, Message: "come back later"} })
		m, err := b.enqueue(t, "x")
		if err == nil {
			t.Error("the task ends without an error")
		}
		if row := b.stored(t, m.ID); row.State != model.MailStateWaiting || row.Error == nil || !strings.Contains(*row.Error, "come back later") {
			t.Errorf("the row is %+v", row)
		}
		b.relay.Refuse(nil)
		if err := b.tasks.work(t.Context(), m.ID); err != nil || len(b.relay.Sent()) != 1 {
			t.Errorf("%d are sent, error %v", len(b.relay.Sent()), err)
		}
		b.relay.Refuse(func(string) error { return &smtp.SMTPError{Code: 550, Message: "no such user"} })
		if m, err = b.enqueue(t, "x"); err != nil {
			t.Errorf("a final refusal is tried again: %v", err)
		}
		row := b.stored(t, m.ID)
		if row.State != model.MailStateFailed || row.Secret != nil || !strings.Contains(*row.Error, "no such user") {
			t.Errorf("the row is %+v", row)
		}
		b.relay.Refuse(func(string) error { return &smtp.SMTPError{Code: 451, Message: "later"} })
		m, _ = b.enqueue(t, "x")
		if _, err := db.NewUpdate().Model(m).Set("created_at = ?", model.Now().Add(-25*time.Hour)).WherePK().Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := b.tasks.work(t.Context(), m.ID); err != nil || b.stored(t, m.ID).State != model.MailStateFailed {
			t.Errorf("after a day it is %s, error %v", b.stored(t, m.ID).State, err)
		}
	})
}

// TestSend_dropped does not send what has ended meanwhile.
func TestSend_dropped(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		b.gone = true
		m, err := b.enqueue(t, "x")
		if row := b.stored(t, m.ID); err != nil || row.State != model.MailStateDropped || len(b.relay.Sent()) != 0 {
			t.Errorf("the row is %+v, error %v", row, err)
		}
	})
}

// TestEnqueue_limit refuses the 501st mail of a workspace in a day, and forgets old ones.
func TestEnqueue_limit(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		rows := make([]*model.Mail, 501)
		for i := range rows {
			rows[i] = &model.Mail{ID: model.NewID(model.MailPrefix), WorkspaceID: "w", Kind: "test", State: model.MailStateSent,
				CreatedAt: model.Now()}
		}
		rows[500].CreatedAt = model.Now().Add(-31 * 24 * time.Hour)
		if _, err := db.NewInsert().Model(&rows).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		try := func() error {
			return db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				return b.Enqueue(ctx, tx, &model.Mail{WorkspaceID: "w", Kind: "test", Recipient: "a@example.org"}, "")
			})
		}
		if err := try(); !errs.Is(err, errs.RateLimited) {
			t.Errorf("the 501st: %v", err)
		}
		if _, err := db.NewDelete().Model(rows[0]).WherePK().Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := try(); err != nil {
			t.Errorf("the 500th: %v", err)
		}
		n, err := db.NewSelect().Model((*model.Mail)(nil)).Where("id = ?", rows[500].ID).Count(t.Context())
		if n != 0 || err != nil {
			t.Errorf("%d old mails are stored, error %v", n, err)
		}
	})
}

// TestServer sends by STARTTLS too, and says what is wrong with a password and with an address.
func TestServer(t *testing.T) {
	relay := mailtest.NewRelay(t)
	m := &model.Mail{ID: "mai_1", Recipient: "ben@example.org", CreatedAt: time.Now()}
	text := &model.MailText{Subject: "s", Body: "b"}
	if err := serverOf(t, "smtp", relay.PlainPort, mailtest.Password).Send(t.Context(), m, text); err != nil || len(relay.Sent()) != 1 {
		t.Errorf("%d are sent, error %v", len(relay.Sent()), err)
	}
	if err := serverOf(t, "smtps", relay.Port, "wrong").Send(t.Context(), m, text); err == nil {
		t.Error("a wrong password is taken")
	}
	for _, address := range []string{"", "http://mail.example.org", "smtp://", "mail.example.org:587"} {
		if _, err := mail.NewServer(address, "a@example.org", nil); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	if _, err := mail.NewServer("smtp://mail.example.org", "nobody", nil); err == nil || strings.Contains(err.Error(), "nobody") {
		t.Errorf("a wrong sender: %v", err)
	}
}
