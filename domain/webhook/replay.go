package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/webhook/message"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// ReplayDelivery sends an event to a webhook again, with the same event id. It returns
// errs.NotFound, or errs.InvalidState if the webhook is paused.
func (s *Service) ReplayDelivery(ctx context.Context, webhookID, id string) (*api.ReplayWebhookDeliveryPayload, error) {
	d := new(model.Delivery)
	_, err := s.withActiveWebhook(ctx, webhookID, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		q := tx.NewSelect().Model(d).Where("workspace_id = ? AND webhook_id = ? AND id = ?", w.WorkspaceID, w.ID, id)
		return dbx.Err(s.db.ForUpdate(q).Scan(ctx))
	}, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		_, err := resetDeliveries(tx, w).Set("waiting_since = NULL, ordering_key = NULL").Where("id = ?", id).
			Returning("*").Exec(ctx, d)
		if err != nil {
			return dbx.Err(err)
		}
		if err := s.tasks.EnqueueTasks(ctx, tx, JobDelivery,
			job.TaskArgs{Ref: taskRef{id, d.Generation}.String()}); err != nil {
			return err
		}
		_, err = s.enqueueDeferred(ctx, tx, w, maxConcurrent)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("replay delivery: %w", err)
	}
	return &api.ReplayWebhookDeliveryPayload{Delivery: d}, nil
}

// ReplayDeliveries sends the finished deliveries of a time span again with the same event ids,
// oldest first and without tests. It returns ReplayDelivery's errors, and errs.ValidationFailed for
// an empty time span.
func (s *Service) ReplayDeliveries(ctx context.Context,
	in api.ReplayWebhookDeliveriesInput) (*api.ReplayWebhookDeliveriesPayload, error) {
	var queued int64
	w, err := s.withActiveWebhook(ctx, in.WebhookID, nil, func(ctx context.Context, tx dbx.Tx, w *model.Webhook) error {
		until := in.Until.Value()
		if until != nil && !until.After(in.Since) {
			return errs.Invalid(errs.BodyField("value_error", "must be later than since", "until"))
		}
		q := resetDeliveries(tx, w).Set("waiting_since = ?", s.now()).Where("created_at >= ? AND NOT test", in.Since)
		if w.Ordered {
			q = q.Set("ordering_key = link_id")
		}
		if until != nil {
			q = q.Where("created_at < ?", *until)
		}
		if only := in.OnlyFailed.Value(); only != nil && *only {
			q = q.Where("status IN (?)", undeliveredStatuses)
		} else {
			q = q.Where("status NOT IN (?)", openStatuses)
		}
		result, err := q.Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		tx.AfterCommit(func() { s.deferred.addIDs(w.ID) })
		queued, err = result.RowsAffected()
		return dbx.Err(err)
	})
	if err != nil {
		return nil, fmt.Errorf("replay deliveries: %w", err)
	}
	return &api.ReplayWebhookDeliveriesPayload{Webhook: w, QueuedCount: int(queued)}, nil
}

// withActiveWebhook runs do in a transaction that locks the webhook, and returns the webhook.
// Errors come in this order: errs.NotFound for an unknown webhook, the error of find,
// errs.InvalidState if the webhook is paused.
func (s *Service) withActiveWebhook(
	ctx context.Context, id string, find, do func(context.Context, dbx.Tx, *model.Webhook) error,
) (w *model.Webhook, err error) {
	p := principal.Must(ctx)
	return w, s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if w, err = s.findForUpdate(ctx, tx, p.WorkspaceID, id); err == nil && find != nil {
			err = find(ctx, tx, w)
		}
		if err != nil {
			return err
		}
		s.markChanged(tx, w)
		if !w.IsActive {
			return errs.New(errs.InvalidState, "the webhook is paused; set is_active to true first")
		}
		return do(ctx, tx, w)
	})
}

// resetDeliveries returns an update that sets deliveries of the webhook back to before the first
// attempt. The log of attempts stays.
func resetDeliveries(tx dbx.Tx, w *model.Webhook) *bun.UpdateQuery {
	return tx.NewUpdate().Model((*model.Delivery)(nil)).
		Set("status = ?, tries = 0, generation = generation + 1, next_attempt_at = NULL, delivered_at = NULL",
			model.DeliveryStatusPending).
		Where("workspace_id = ? AND webhook_id = ?", w.WorkspaceID, w.ID)
}

// Test sends a sample event to a webhook at once, even while it is paused, and stores it as a
// delivery. The result does not change the webhook. It returns errs.NotFound, errs.UpgradeRequired,
// or errs.ValidationFailed for an unknown event.
func (s *Service) Test(ctx context.Context, in api.TestWebhookInput) (*api.TestWebhookPayload, error) {
	p := principal.Must(ctx)
	w, err := s.findWebhook(ctx, p.WorkspaceID, in.WebhookID)
	if err != nil {
		return nil, err
	}
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.checkPlan(ctx, tx, p.WorkspaceID)
	}); err != nil {
		return nil, err
	}
	sample := message.Sample(in.Event)
	if sample == nil {
		return nil, errs.Invalid(errs.BodyField("enum", "is not an event that webhooks receive", "event"))
	}
	sample.WorkspaceID = w.WorkspaceID
	r := &deliveryResult{loadedDelivery: &loadedDelivery{webhook: w, event: sample}, finishedAt: s.now()}
	if err := s.sendEvent(ctx, r); err != nil {
		return nil, err
	}
	d := newTestDelivery(r)
	if err := s.insertDelivery(context.WithoutCancel(ctx), d); err != nil {
		return nil, fmt.Errorf("test webhook: %w", err)
	}
	s.changed.add(w)
	return &api.TestWebhookPayload{Attempt: r.attempt, Delivery: d}, nil
}

func (s *Service) insertDelivery(ctx context.Context, d *model.Delivery) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return dbx.InsertRows(ctx, tx, []*model.Delivery{d})
	})
}

func newTestDelivery(r *deliveryResult) *model.Delivery {
	d := &model.Delivery{
		ID: model.NewID(model.DeliveryPrefix), WorkspaceID: r.webhook.WorkspaceID, WebhookID: r.webhook.ID,
		EventID:   r.event.ID,
		EventName: model.EventType(r.event.Event), Test: true, Status: model.DeliveryStatusFailed,
		Attempts:  []*model.DeliveryAttempt{r.attempt},
		CreatedAt: r.event.Timestamp.UTC().Truncate(time.Microsecond),
	}
	if !r.hasFailed() {
		d.Status, d.DeliveredAt = model.DeliveryStatusDelivered, &r.finishedAt
	}
	return d
}
