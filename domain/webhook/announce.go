package webhook

import (
	"context"
	"errors"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// switchState counts a pause or a resumption of a locked webhook and queues its event; the caller
// saves the webhook. The event has a transaction of its own, because this one holds the webhook's row,
// for which events with the feed's lock may wait.
func (s *Service) switchState(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	w.Switches++
	return s.tasks.EnqueueTasks(ctx, tx, JobAnnounce, job.TaskArgs{Ref: taskRef{w.ID, w.Switches}.String()})
}

// runAnnouncement appends the event of a webhook's latest pause or resumption, once. It leaves out a
// state that has passed, because the task of the next one tells that.
func (s *Service) runAnnouncement(ctx context.Context, text string) error {
	r, err := parseTaskRef(text)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w := new(model.Webhook)
		if err := tx.NewSelect().Model(w).Where("id = ?", r.id).Scan(ctx); err != nil {
			return dbx.Err(err)
		}
		if w.Switches != r.generation || w.Announced == w.Switches {
			return nil
		}
		if err := s.appendState(ctx, tx, w); err != nil {
			return err
		}
		return markAnnounced(ctx, tx, w)
	})
	if errs.Is(err, errs.NotFound) || errors.Is(err, errAnnounced) {
		return nil
	}
	return err
}

// errAnnounced rolls back a second announcement of the same state.
var errAnnounced = errors.New("the state of the webhook was announced")

func markAnnounced(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
	done, err := tx.NewUpdate().Model(w).Set("announced = ?", w.Switches).
		Where("id = ? AND announced < ?", w.ID, w.Switches).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errAnnounced)
	}
	return nil
}
