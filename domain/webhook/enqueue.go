package webhook

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// EnqueueDeliveries creates a delivery and its task for each event and subscribed webhook, in the
// transaction that appends the events. Deliveries of a paused webhook are skipped, but if it was
// paused for failures they are kept until it is resumed.
func (s *Service) EnqueueDeliveries(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	webhooks, err := s.subscribedWebhooks(ctx, tx, events)
	if err != nil || len(webhooks) == 0 {
		return err
	}
	deliveries, refs := s.buildDeliveries(webhooks, events)
	if len(deliveries) == 0 {
		return nil
	}
	if err := dbx.InsertRows(ctx, tx, deliveries); err != nil {
		return fmt.Errorf("make deliveries: %w", err)
	}
	tx.AfterCommit(func() { s.changed.addDeliveries(deliveries) })
	if err := s.tasks.EnqueueTasks(ctx, tx, JobDelivery, tasksOf(refs)...); err != nil {
		return err
	}
	for _, w := range webhooks {
		if !w.Ordered || !w.IsActive {
			continue
		}
		if _, err := s.enqueueDeferred(ctx, tx, w, maxConcurrent); err != nil {
			return err
		}
	}
	return nil
}

// buildDeliveries returns a delivery per event and subscribed webhook, in the order in which
// webhooks are locked, and references to the deliveries that are sent at once.
func (s *Service) buildDeliveries(webhooks []*model.Webhook, events []*model.Event) (all []*model.Delivery,
	refs []taskRef) {
	now := s.now()
	for _, e := range events {
		for _, w := range webhooks {
			if !isSubscribed(w, e) {
				continue
			}
			d := &model.Delivery{
				ID: model.NewID(model.DeliveryPrefix), WorkspaceID: w.WorkspaceID, WebhookID: w.ID, EventID: e.ID,
				EventName: model.EventType(e.Event),
				Position:  e.Position, LinkID: e.LinkID, Status: model.DeliveryStatusPending,
				Attempts: []*model.DeliveryAttempt{}, CreatedAt: now,
			}
			ordered := w.Ordered && e.LinkID != nil
			if ordered {
				d.OrderingKey = e.LinkID
			}
			switch {
			case !w.IsActive && !w.Held():
				d.Status, d.OrderingKey = model.DeliveryStatusSkipped, nil
			case ordered || w.Held():
				d.WaitingSince = &now
			default:
				d.Generation = 1
				refs = append(refs, taskRef{d.ID, 1})
			}
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b *model.Delivery) int { return cmp.Compare(a.WebhookID, b.WebhookID) })
	return all, refs
}

// isSubscribed reports whether a webhook receives an event. One that names no events receives those
// of links.
func isSubscribed(w *model.Webhook, e *model.Event) bool {
	wanted, of := w.Events, w.LinkID
	if len(wanted) == 0 {
		wanted = model.LinkEventTypes
	}
	subject := e.LinkID
	if e.Event == model.EventSearchMatched {
		subject, of = e.SubjectID, w.SearchID
	}
	return w.WorkspaceID == e.WorkspaceID && slices.Contains(wanted, model.EventType(e.Event)) &&
		(of == nil || subject != nil && *of == *subject)
}
