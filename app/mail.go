package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"rostrum/domain/account"
	"rostrum/domain/mail"
	"rostrum/domain/notice"
)

// newMailServer returns the mail server of the settings; nil if mails are not sent.
func (c Config) newMailServer(roots *x509.CertPool) (*mail.Server, error) {
	switch {
	case c.MailURL == "" && c.MailFrom == "":
		return nil, nil
	case c.MailURL == "" || c.MailFrom == "":
		return nil, errors.New("ROSTRUM_MAIL_URL and ROSTRUM_MAIL_FROM are set together or not at all")
	}
	server, err := mail.NewServer(c.MailURL, c.MailFrom, roots)
	if err != nil {
		return nil, fmt.Errorf("ROSTRUM_MAIL_URL and ROSTRUM_MAIL_FROM: %w", err)
	}
	return server, nil
}

// buildMails builds what sends mails, and says who composes them.
func (a *App) buildMails(roots *x509.CertPool) error {
	server, err := a.config.newMailServer(roots)
	if err != nil {
		return err
	}
	a.mails = mail.New(mail.Config{DB: a.db, Tasks: a.jobs, Sealer: a.sealer, CheckSeal: a.webhooks.CheckSealTx, Server: server})
	a.mails.Register(account.MailInvite, mail.Kind{Compose: a.accounts.ComposeInvite, OnEnd: a.accounts.NoteInviteMail})
	a.mails.Register(account.MailPassword, mail.Kind{Compose: a.accounts.ComposePassword})
	a.accounts.MailBy(a.mails)
	return nil
}

// buildNotices builds what tells members by mail what happens.
func (a *App) buildNotices() {
	a.notices = notice.New(notice.Config{DB: a.db, Mails: a.mails, Events: a.events, Accounts: a.accounts, Documents: a.documents,
		Drafts: a.content.Drafts, Sources: a.ingest.Sources, PublicURL: a.config.publicURL()})
	a.mails.Register(notice.MailAlert, mail.Kind{Compose: a.notices.ComposeAlert})
	a.mails.Register(notice.MailBriefing, mail.Kind{Compose: a.notices.ComposeBriefing})
}

// QueueMails queues the alerts and briefings that are due at a time, as Start does by itself every
// half minute.
func (a *App) QueueMails(ctx context.Context, now time.Time) error {
	return a.notices.QueueDue(ctx, now)
}
