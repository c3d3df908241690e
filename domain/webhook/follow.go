package webhook

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// Follow makes the deliveries of events that were appended to feeds, in the transaction that appends them: one for each webhook that hears
// of the event, skipped where that is paused.
func (s *Service) Follow(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	webhooks, err := s.listening(ctx, tx, events)
	if err != nil || len(webhooks) == 0 {
		return err
	}
	deliveries, errands := s.address(webhooks, events)
	if len(deliveries) == 0 {
		return nil
	}
	if err := insert(ctx, tx, deliveries); err != nil {
		return fmt.Errorf("make deliveries: %w", err)
	}
	if err := s.tasks.EnqueueTasks(ctx, tx, deliverTask, errands...); err != nil {
		return err
	}
	for _, w := range webhooks {
		if !w.Ordered || !w.IsActive {
			continue
		}
		if _, err := s.release(ctx, tx, w, atOnce); err != nil {
			return err
		}
	}
	return nil
}

// address makes a delivery for each webhook that hears of an event, in the order in which webhooks are locked.
func (s *Service) address(webhooks []*model.Webhook, events []*model.Event) (all []*model.Delivery, errands []job.Errand) {
	now := s.now()
	for _, e := range events {
		for _, w := range webhooks {
			if !hears(w, e) {
				continue
			}
			d := &model.Delivery{
				ID: model.NewID(model.DeliveryPrefix), WorkspaceID: w.WorkspaceID, WebhookID: w.ID, EventID: e.ID, Event: e.Event,
				Position: e.Position, LinkID: e.LinkID, Status: model.DeliveryStatusPending, Attempts: []*model.DeliveryAttempt{}, CreatedAt: now,
			}
			switch {
			case !w.IsActive:
				d.Status = model.DeliveryStatusSkipped
			case w.Ordered && e.LinkID != nil:
				d.Line, d.WaitingSince = e.LinkID, &now
			default:
				d.Turn = 1
				errands = append(errands, job.Errand{Ref: ref{d.ID, 1}.String()})
			}
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b *model.Delivery) int { return cmp.Compare(a.WebhookID, b.WebhookID) })
	return all, errands
}

func hears(w *model.Webhook, e *model.Event) bool {
	return w.WorkspaceID == e.WorkspaceID && (w.LinkID == nil || e.LinkID != nil && *w.LinkID == *e.LinkID) &&
		(len(w.Events) == 0 || slices.Contains(w.Events, e.Event))
}
