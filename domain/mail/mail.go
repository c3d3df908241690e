package mail

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/seal"
)

// Queue is the queue of the package's tasks, and Workers the number of its workers in a process.
const (
	Queue   = "mail"
	Workers = 2
)

// taskSend is the task that sends a mail. Its ref is the mail's id.
const taskSend = "mail.send"

// taskTime is the timeout of an attempt.
const taskTime = 24 * time.Second

// retryTime is how long after its creation a mail is tried again.
const retryTime = 24 * time.Hour

// retention is how long mails are stored.
const retention = 30 * 24 * time.Hour

// maxPerDay limits the mails of a kind and a workspace in 24 hours, so that alerts do not keep back
// invites.
const maxPerDay = 500

// Tasks queues tasks without a public row.
type Tasks interface {
	RegisterTask(name string, task job.Task)
	EnqueueTasks(ctx context.Context, tx dbx.Tx, name string, args ...job.TaskArgs) error
}

// Kind is how a package composes its mails.
type Kind struct {
	// Compose returns the text of a mail, or nil if it must not be sent any more. secret is what
	// Enqueue was given.
	Compose func(ctx context.Context, mail *model.Mail, secret string) (*model.MailText, error)
	// OnEnd runs in the transaction that ends a mail, with its state; optional.
	OnEnd func(ctx context.Context, tx dbx.Tx, mail *model.Mail) error
}

// Config holds the dependencies of a Service.
type Config struct {
	DB     *dbx.DB
	Tasks  Tasks
	Sealer *seal.Sealer // encrypts secrets in mails
	// CheckSeal returns an error if the secrets of the database are sealed with another key.
	CheckSeal func(ctx context.Context, tx dbx.Tx) error
	Server    *Server // nil if the gateway sends no mails
}

// Service sends mails.
type Service struct {
	Config
	kinds map[string]Kind
}

// New returns a Service and registers its task.
func New(c Config) *Service {
	s := &Service{Config: c, kinds: map[string]Kind{}}
	s.Tasks.RegisterTask(taskSend, job.Task{Queue: Queue, Timeout: taskTime, Work: s.send})
	return s
}

// Register adds a kind of mails. It is called before the first mail is queued.
func (s *Service) Register(name string, kind Kind) { s.kinds[name] = kind }

// SendsMail reports whether the gateway has a mail server.
func (s *Service) SendsMail() bool { return s.Server != nil }

// Enqueue stores a mail in the caller's transaction and queues it. It sets the mail's id, time and
// state. It returns errs.InvalidState without a mail server, and errs.RateLimited for a workspace
// with 500 mails of the kind in the last 24 hours.
func (s *Service) Enqueue(ctx context.Context, tx dbx.Tx, mail *model.Mail, secret string) error {
	if !s.SendsMail() {
		return errs.New(errs.InvalidState, "this server sends no mails: its operator has set no ROSTRUM_MAIL_URL")
	}
	mail.ID, mail.CreatedAt, mail.State = model.NewID(model.MailPrefix), model.Now(), model.MailStateWaiting
	if err := s.makeRoom(ctx, tx, mail); err != nil {
		return err
	}
	if secret != "" {
		if err := s.CheckSeal(ctx, tx); err != nil {
			return err
		}
		mail.Secret = s.Sealer.Seal(mail.ID, secret)
	}
	if _, err := tx.NewInsert().Model(mail).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.Tasks.EnqueueTasks(ctx, tx, taskSend, job.TaskArgs{Ref: mail.ID})
}

// Waits reports whether a mail of the same workspace, kind and subject waits to be sent.
func (s *Service) Waits(ctx context.Context, tx dbx.Tx, mail *model.Mail) (bool, error) {
	found, err := tx.NewSelect().Model((*model.Mail)(nil)).Where("coalesce(workspace_id, '') = ? AND kind = ? AND subject_id = ?",
		mail.WorkspaceID, mail.Kind, mail.SubjectID).Where("state = ?", model.MailStateWaiting).Exists(ctx)
	return found, dbx.Err(err)
}

// makeRoom deletes the workspace's mails whose time is over, and checks how many it has sent.
func (s *Service) makeRoom(ctx context.Context, tx dbx.Tx, mail *model.Mail) error {
	_, err := tx.NewDelete().Model((*model.Mail)(nil)).Where("coalesce(workspace_id, '') = ? AND created_at < ?",
		mail.WorkspaceID, mail.CreatedAt.Add(-retention)).Exec(ctx)
	if err != nil || mail.WorkspaceID == "" {
		return dbx.Err(err)
	}
	n, err := tx.NewSelect().Model((*model.Mail)(nil)).Where("coalesce(workspace_id, '') = ? AND created_at > ? AND kind = ?",
		mail.WorkspaceID, mail.CreatedAt.Add(-24*time.Hour), mail.Kind).Count(ctx)
	if err == nil && n >= maxPerDay {
		return errs.New(errs.RateLimited, "the workspace has sent %d such mails in the last 24 hours; try again later", maxPerDay).
			With("retry_after", 3600)
	}
	return dbx.Err(err)
}

// send composes and sends a mail that waits. It may run twice.
func (s *Service) send(ctx context.Context, id string) error {
	mail := new(model.Mail)
	err := dbx.Err(s.DB.NewSelect().Model(mail).Where("id = ? AND state = ?", id, model.MailStateWaiting).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil // sent already, or deleted with its workspace
	}
	if err != nil {
		return fmt.Errorf("send mail: %w", err)
	}
	text, err := s.compose(ctx, mail)
	if err == nil && text == nil {
		return s.end(ctx, mail, model.MailStateDropped, nil)
	}
	if err == nil {
		err = s.Server.Send(ctx, mail, text)
	}
	switch {
	case err == nil:
		return s.end(ctx, mail, model.MailStateSent, nil)
	case ctx.Err() == nil && (isFinal(err) || s.DB.Now().Sub(mail.CreatedAt) > retryTime):
		return s.end(ctx, mail, model.MailStateFailed, err)
	}
	s.noteError(ctx, mail, err)
	return fmt.Errorf("send mail: %w", err)
}

func (s *Service) compose(ctx context.Context, mail *model.Mail) (*model.MailText, error) {
	kind, known := s.kinds[mail.Kind]
	if !known {
		return nil, errs.New(errs.Internal, "no package composes mails of the kind %s", mail.Kind)
	}
	var secret string
	if mail.Secret != nil {
		var err error
		if secret, err = s.Sealer.Open(mail.ID, mail.Secret); err != nil {
			return nil, errs.Wrap(err, errs.Internal, "the mail's secret was sealed with another key")
		}
	}
	return kind.Compose(ctx, mail, secret)
}

// end stores the state of a mail that is not tried again.
func (s *Service) end(ctx context.Context, mail *model.Mail, state model.MailState, failure error) error {
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		mail.State, mail.EndedAt, mail.Secret, mail.Error = state, new(model.Now()), nil, errorText(failure)
		result, err := tx.NewUpdate().Model(mail).Column("state", "ended_at", "secret", "error").
			Where("id = ? AND state = ?", mail.ID, model.MailStateWaiting).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 { // another run was faster
			return dbx.Err(err)
		}
		if hear := s.kinds[mail.Kind].OnEnd; hear != nil {
			return hear(ctx, tx, mail)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("end mail: %w", err)
	}
	return nil
}

// noteError stores why an attempt failed. It ignores an error, because the next attempt notes again.
func (s *Service) noteError(ctx context.Context, mail *model.Mail, failure error) {
	_, _ = s.DB.NewUpdate().Model((*model.Mail)(nil)).Set("error = ?", errorText(failure)).
		Where("id = ? AND state = ?", mail.ID, model.MailStateWaiting).Exec(context.WithoutCancel(ctx))
}
