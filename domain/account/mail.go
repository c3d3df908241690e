package account

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// The kinds of the package's mails.
const (
	MailInvite   = "invite"   // its subject is the invite, its secret that of the link
	MailPassword = "password" // for whoever has forgotten theirs; it has no subject
)

// Mails queues mails. domain/mail implements it.
type Mails interface {
	// Enqueue stores a mail in the caller's transaction. It returns errs.InvalidState if the gateway
	// sends no mails, and errs.RateLimited if the workspace has sent too many.
	Enqueue(ctx context.Context, tx dbx.Tx, mail *model.Mail, secret string) error
}

// MailBy sets what sends mails. It is called before the first request.
func (s *Service) MailBy(mails Mails) { s.mails = mails }

//go:embed *.tmpl
var mailFiles embed.FS

var mailTexts = template.Must(template.ParseFS(mailFiles, "mail.tmpl"))

// mailValues are what the texts of mails show.
type mailValues struct {
	Name, Workspace, Inviter, Email, Link, Until string
	Role                                         model.Role
}

// writeMail returns the text of a kind in a language: the first line is the subject.
func writeMail(kind, language string, values mailValues) (*model.MailText, error) {
	name := kind + ".en"
	if strings.HasPrefix(language, "de") {
		name = kind + ".de"
	}
	var text bytes.Buffer
	if err := mailTexts.ExecuteTemplate(&text, name, values); err != nil {
		return nil, fmt.Errorf("write a mail: %w", err)
	}
	subject, body, _ := strings.Cut(strings.TrimSpace(text.String()), "\n\n")
	return &model.MailText{Subject: subject, Body: body + "\n"}, nil
}

// mailInvite queues the mail with the link of an invite.
func (s *Service) mailInvite(ctx context.Context, tx dbx.Tx, invite *model.Invite, secret string) error {
	mail := &model.Mail{WorkspaceID: invite.WorkspaceID, Kind: MailInvite, SubjectID: invite.ID, Recipient: invite.Email}
	if err := s.mails.Enqueue(ctx, tx, mail, secret); err != nil {
		return err
	}
	invite.MailState, invite.MailError = &mail.State, nil
	return nil
}

// ComposeInvite returns the mail of an invite, or nil if the link works no longer.
func (s *Service) ComposeInvite(ctx context.Context, mail *model.Mail, secret string) (*model.MailText, error) {
	invite := new(model.Invite)
	err := dbx.Err(s.db.NewSelect().Model(invite).Where("id = ? AND hash = ? AND expires_at > ?", mail.SubjectID,
		hashOf(secret), model.Now()).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compose an invite: %w", err)
	}
	w, err := s.currentWorkspace(ctx, invite.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("compose an invite: %w", err)
	}
	inviter := new(model.User) // nobody for an invite of a key
	err = s.db.NewSelect().Model(inviter).Column("name").Where("id = ?", invite.CreatedBy).Scan(ctx)
	if err = dbx.Err(err); err != nil && !errs.Is(err, errs.NotFound) {
		return nil, fmt.Errorf("compose an invite: %w", err)
	}
	values := mailValues{Name: invite.Name, Workspace: w.Name, Role: invite.Role, Email: invite.Email,
		Link: s.publicURL + invitePath + secret, Until: mailDay(invite.ExpiresAt), Inviter: inviter.Name}
	return writeMail(MailInvite, w.MarketLanguage, values)
}

// NoteInviteMail stores in an invite how its mail ended.
func (s *Service) NoteInviteMail(ctx context.Context, tx dbx.Tx, mail *model.Mail) error {
	_, err := tx.NewUpdate().Model((*model.Invite)(nil)).Set("mail_state = ?", mail.State).Set("mail_error = ?", mail.Error).
		Where("id = ? AND mail_state = ?", mail.SubjectID, model.MailStateWaiting).Exec(ctx)
	return dbx.Err(err)
}

// ForgetPassword mails a link by which the user with an email sets a new password, if there is one
// who has a password. The caller does not learn whether there is. Call CountAttempt first. It
// returns errs.ValidationFailed for an email that is none, errs.RateLimited after too many requests,
// and errs.InvalidState if the gateway sends no mails.
func (s *Service) ForgetPassword(ctx context.Context, given string) error {
	email, err := checkPlainEmail(given)
	if err != nil {
		return err
	}
	if err := s.takeAttempt(ctx, s.pairKey("forgotten", email, ""), perForgotten); err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.mails.Enqueue(ctx, tx, &model.Mail{Kind: MailPassword, Recipient: email}, "")
	})
	if err != nil {
		return fmt.Errorf("forget password: %w", err)
	}
	return nil
}

// ComposePassword makes a link by which the user with the mail's address sets a password, and
// returns the mail; nil if there is no such user with a password.
func (s *Service) ComposePassword(ctx context.Context, mail *model.Mail, _ string) (*model.MailText, error) {
	secret, err := newSecret(resetStart)
	if err != nil {
		return nil, fmt.Errorf("compose a password's link: %w", err)
	}
	user, err := dbx.NilIfNotFound(s.userByEmail(ctx, s.db, mail.Recipient))
	if err != nil || user == nil || user.PasswordHash == nil {
		return nil, err
	}
	member, err := dbx.NilIfNotFound(s.findMembership(ctx, user.ID, ""))
	if err != nil || member == nil {
		return nil, err
	}
	w, err := s.currentWorkspace(ctx, member.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("compose a password's link: %w", err)
	}
	reset := &passwordReset{UserID: user.ID, WorkspaceID: w.ID, Hash: hashOf(secret), ExpiresAt: model.Now().Add(resetLife),
		IsMailed: true}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := storeReset(ctx, tx, reset); err != nil {
			return err
		}
		return s.auditAllWorkspaces(ctx, tx, user.ID, auditRecord{Action: "password.reset_mailed", Subject: user.ID})
	})
	if err != nil {
		return nil, fmt.Errorf("compose a password's link: %w", err)
	}
	return writeMail(MailPassword, w.MarketLanguage, mailValues{Name: user.Name, Email: user.Email,
		Link: s.publicURL + resetPath + secret, Until: mailDay(reset.ExpiresAt)})
}

// mailDay returns a time as mails show it.
func mailDay(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
