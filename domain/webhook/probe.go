package webhook

import (
	"context"
	"errors"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// runProbe sends one event to a webhook that was paused for failures: a kept one, or else the
// latest undelivered one. On success the webhook is resumed, otherwise the next probe is scheduled.
func (s *Service) runProbe(ctx context.Context, text string) error {
	r, err := parseTaskRef(text)
	if err != nil {
		return err
	}
	w, err := s.findByID(ctx, r.id)
	if errs.Is(err, errs.NotFound) || err == nil && !awaitsProbe(w, r.generation) {
		return nil
	}
	if err != nil {
		return err
	}
	tried, err := s.nextProbed(ctx, w)
	if err != nil {
		return err
	}
	if tried != nil {
		if err := s.sendEvent(ctx, tried); err != nil {
			return err
		}
	}
	return s.recordProbe(context.WithoutCancel(ctx), r, tried)
}

// awaitsProbe reports whether the webhook is paused for failures and this is its latest probe.
func awaitsProbe(w *model.Webhook, probe int) bool {
	return w.Held() && w.Probes == probe
}

func (s *Service) recordProbe(ctx context.Context, r taskRef, tried *deliveryResult) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.findByIDForUpdate(ctx, tx, r.id)
		if err != nil {
			return err
		}
		if !awaitsProbe(w, r.generation) {
			return errProbeOutdated
		}
		s.markChanged(tx, w)
		if tried != nil {
			if err := saveUpdates(ctx, tx, []*deliveryUpdate{newProbeUpdate(tried)}); err != nil {
				return err
			}
			if !tried.hasFailed() {
				return s.resumeWebhook(ctx, tx, w)
			}
		}
		if err := s.scheduleProbe(ctx, tx, w); err != nil {
			return err
		}
		return updateColumns(ctx, tx, w, stateColumns...)
	})
	if errors.Is(err, errProbeOutdated) || errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// errProbeOutdated rolls back the transaction of a probe that is no longer the latest.
var errProbeOutdated = errors.New("the probe is outdated")

// newProbeUpdate adds the attempt to the delivery without counting it as a try. The status changes
// on success, or when a kept delivery is so old that its retries would have ended.
func newProbeUpdate(r *deliveryResult) *deliveryUpdate {
	d := r.delivery
	row := &deliveryUpdate{RowID: d.ID, ExpectedGeneration: d.Generation, Generation: d.Generation, Status: d.Status,
		Tries: d.Tries, Attempts: append(d.Attempts, r.attempt), WaitingSince: d.WaitingSince,
		OrderingKey: d.OrderingKey}
	row.Attempts = row.Attempts[max(len(row.Attempts)-maxStoredAttempts, 0):]
	switch {
	case r.hasFailed() && d.Open() && r.finishedAt.Sub(d.CreatedAt) > maxRetryAge:
		row.finish(model.DeliveryStatusFailed)
		row.WaitingSince = nil
	case !r.hasFailed():
		row.finish(model.DeliveryStatusDelivered)
		row.WaitingSince, row.DeliveredAt = nil, &r.finishedAt
	}
	return row
}
