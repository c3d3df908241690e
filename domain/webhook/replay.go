package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// Redeliver sends an event to a webhook again, with the id that it always has. It fails with not_found, and with invalid_state where
// the webhook is paused.
func (s *Service) Redeliver(ctx context.Context, webhookID, id string) (*model.ReplayPayload, error) {
	err := s.onActive(ctx, webhookID, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		d := new(model.Delivery)
		q := tx.NewSelect().Model(d).Where("workspace_id = ? AND webhook_id = ? AND id = ?", w.WorkspaceID, w.ID, id)
		return dbx.Err(s.db.Locked(q).Scan(ctx))
	}, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		var turn int
		_, err := anew(tx, w).Set("waiting_since = NULL, line = NULL").Where("id = ?", id).Returning("turn").Exec(ctx, &turn)
		if err != nil {
			return dbx.Err(err)
		}
		if err := s.tasks.EnqueueTasks(ctx, tx, deliverTask, job.Errand{Ref: ref{id, turn}.String()}); err != nil {
			return err
		}
		_, err = s.release(ctx, tx, w, atOnce)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("redeliver: %w", err)
	}
	return &model.ReplayPayload{Queued: 1}, nil
}

// Replay sends again the events of a span of time that are not still to be delivered, the oldest first, with the ids that they always
// have; tests are left out. It fails as Redeliver does.
func (s *Service) Replay(ctx context.Context, webhookID string, in model.ReplayInput) (*model.ReplayPayload, error) {
	var queued int64
	err := s.onActive(ctx, webhookID, nil, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		until := in.Until.Value()
		if until != nil && !until.After(in.Since) {
			return errs.Invalid(errs.BodyField("value_error", "must be later than since", "until"))
		}
		q := anew(tx, w).Set("waiting_since = ?", s.now()).Where("created_at >= ? AND NOT test", in.Since)
		if w.Ordered {
			q = q.Set("line = link_id")
		}
		if until != nil {
			q = q.Where("created_at < ?", *until)
		}
		if only := in.OnlyFailed.Value(); only != nil && *only {
			q = q.Where("status IN (?)", undelivered)
		} else {
			q = q.Where("status NOT IN (?)", open)
		}
		result, err := q.Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		tx.AfterCommit(func() { s.waiting.add(w.ID) })
		queued, err = result.RowsAffected()
		return dbx.Err(err)
	})
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	return &model.ReplayPayload{Queued: int(queued)}, nil
}

// onActive does something with a webhook of the caller that is not paused, its row locked; what is found is looked for before that is
// asked.
func (s *Service) onActive(ctx context.Context, id string, find, do func(context.Context, dbx.Tx, *model.Webhook) error) error {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.oneForUpdate(ctx, tx, p.WorkspaceID, id)
		if err == nil && find != nil {
			err = find(ctx, tx, w)
		}
		if err != nil {
			return err
		}
		if !w.IsActive {
			return errs.New(errs.InvalidState, "the webhook is paused; turn it on with is_active first")
		}
		return do(ctx, tx, w)
	})
}

// anew makes deliveries of the webhook as they were before their first attempt, but for what they tell of attempts.
func anew(tx dbx.Tx, w *model.Webhook) *bun.UpdateQuery {
	return tx.NewUpdate().Model((*model.Delivery)(nil)).
		Set("status = ?, tries = 0, turn = turn + 1, next_attempt_at = NULL, delivered_at = NULL", model.DeliveryStatusPending).
		Where("workspace_id = ? AND webhook_id = ?", w.WorkspaceID, w.ID)
}

// Test sends a webhook a sample of an event at once, also while it is paused, and lists it among its deliveries. What comes of it changes
// nothing else.
func (s *Service) Test(ctx context.Context, id string, in model.TestWebhookInput) (*model.TestWebhookPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.one(ctx, p.WorkspaceID, id)
	if err != nil {
		return nil, err
	}
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.entitled(ctx, tx, p.WorkspaceID) }); err != nil {
		return nil, err
	}
	sample := message.Sample(in.Event)
	if sample == nil {
		return nil, errs.Invalid(errs.BodyField("enum", "is no event that webhooks hear of", "event"))
	}
	sample.WorkspaceID = w.WorkspaceID
	r := &result{parcel: &parcel{webhook: w, event: sample}, at: s.now()}
	if err := s.send(ctx, r); err != nil {
		return nil, err
	}
	d := tested(r)
	if err := s.keep(context.WithoutCancel(ctx), d); err != nil {
		return nil, fmt.Errorf("test webhook: %w", err)
	}
	return &model.TestWebhookPayload{Status: r.attempt.Status, DurationMs: r.attempt.LatencyMs, Error: r.attempt.Error, Delivery: d}, nil
}

func (s *Service) keep(ctx context.Context, d *model.Delivery) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return insert(ctx, tx, []*model.Delivery{d}) })
}

func tested(r *result) *model.Delivery {
	d := &model.Delivery{
		ID: model.NewID(model.DeliveryPrefix), WorkspaceID: r.webhook.WorkspaceID, WebhookID: r.webhook.ID, EventID: r.event.ID,
		Event: r.event.Event, Test: true, Status: model.DeliveryStatusFailed, Attempts: []*model.DeliveryAttempt{r.attempt},
		CreatedAt: r.event.Timestamp.UTC().Truncate(time.Microsecond),
	}
	if !r.failed() {
		d.Status, d.DeliveredAt = model.DeliveryStatusDelivered, &r.at
	}
	return d
}
