package notice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/periodic"
)

const (
	// lookInterval is how often Run looks for mails that are due.
	lookInterval = 30 * time.Second
	// alertDelay is how long an alert waits for further events, so that a burst is one mail.
	alertDelay = time.Minute
	// alertInterval is the least time between two alerts to a person.
	alertInterval = 5 * time.Minute
)

// Run queues the mails that are due until the context is canceled. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	if !s.Mails.SendsMail() {
		return
	}
	periodic.Now(ctx, lookInterval, "queue alerts and briefings", func(ctx context.Context) error {
		return s.QueueDue(ctx, s.DB.Now())
	})
}

// QueueDue queues the alerts and briefings that are due at a time. It may run in several processes.
// A failure for one person does not keep the mails of others.
func (s *Service) QueueDue(ctx context.Context, now time.Time) error {
	alerts, err := s.alertable(ctx, now)
	if err != nil {
		return fmt.Errorf("find alerts: %w", err)
	}
	briefings, err := s.briefable(ctx, now)
	if err != nil {
		return fmt.Errorf("find briefings: %w", err)
	}
	ends, err := s.Events.Ends(ctx, workspacesOf(alerts, briefings))
	if err != nil {
		return fmt.Errorf("find the ends of feeds: %w", err)
	}
	var failed []error
	for _, settings := range alerts {
		if until := ends[settings.WorkspaceID]; until > settings.AlertedPosition {
			failed = append(failed, s.queueAlert(ctx, settings, until, now))
		}
	}
	for _, settings := range briefings {
		failed = append(failed, s.queueBriefing(ctx, settings, ends[settings.WorkspaceID], now))
	}
	return errors.Join(failed...)
}

// workspacesOf returns the workspaces of settings.
func workspacesOf(lists ...[]*model.MailSettings) []string {
	known, ids := map[string]bool{}, []string{}
	for _, rows := range lists {
		for _, row := range rows {
			if !known[row.WorkspaceID] {
				known[row.WorkspaceID], ids = true, append(ids, row.WorkspaceID)
			}
		}
	}
	return ids
}

// queueAlert queues an alert of the chosen events up to a position, unless the first of them is so
// new that more may follow.
func (s *Service) queueAlert(ctx context.Context, read *model.MailSettings, until int64, now time.Time) error {
	told := model.MailRange{After: read.AlertedPosition, Until: until}
	first, _, err := s.Events.Range(ctx, read.WorkspaceID, told, model.Names(read.Alerts), 1)
	if err != nil || len(first) > 0 && first[0].Timestamp.After(now.Add(-alertDelay)) {
		return err
	}
	return s.queue(ctx, read, MailAlert, told, len(first) > 0, func(settings *model.MailSettings, isMailed bool) bool {
		if settings.AlertedPosition != read.AlertedPosition || len(settings.Alerts) == 0 {
			return false
		}
		settings.AlertedPosition = until
		if isMailed {
			settings.AlertedAt = &now
		}
		return true
	})
}

// queueBriefing queues a briefing of what happened up to a position, and sets when the next is due.
func (s *Service) queueBriefing(ctx context.Context, read *model.MailSettings, until int64, now time.Time) error {
	told := model.MailRange{After: read.BriefedPosition, Until: until}
	news, _, err := s.Events.Range(ctx, read.WorkspaceID, told, briefingNames, 1)
	if err != nil {
		return err
	}
	return s.queue(ctx, read, MailBriefing, told, len(news) > 0, func(settings *model.MailSettings, _ bool) bool {
		if settings.BriefingAt == nil || !settings.BriefingAt.Equal(*read.BriefingAt) {
			return false
		}
		settings.BriefedPosition, settings.BriefingAt = until, nextBriefing(settings, now)
		return true
	})
}

// queue changes settings with move, which reports whether they are still those that were read, and
// queues a mail of a range if there is something to be told. While a mail of its kind waits, and when
// the workspace has sent too many, it changes nothing: what is due stays due.
func (s *Service) queue(ctx context.Context, read *model.MailSettings, kind string, told model.MailRange, isMailed bool,
	move func(settings *model.MailSettings, isMailed bool) bool) error {
	users, err := s.Accounts.UsersByID(ctx, read.WorkspaceID, []string{read.UserID}, "email")
	if err != nil || len(users) == 0 {
		return err
	}
	mail := &model.Mail{WorkspaceID: read.WorkspaceID, Kind: kind, SubjectID: read.UserID, Recipient: users[0].Email,
		Detail: &told}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		settings, err := s.lockStored(ctx, tx, read)
		if err != nil || !move(settings, isMailed) {
			return err
		}
		if isMailed {
			if waits, err := s.Mails.Waits(ctx, tx, mail); err != nil || waits {
				return err
			}
			if err := s.Mails.Enqueue(ctx, tx, mail, ""); err != nil {
				return err
			}
		}
		return save(ctx, tx, settings)
	})
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.RateLimited) {
		return nil
	}
	return err
}
