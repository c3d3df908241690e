package webhook

import (
	"context"
	"errors"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// probe sends one event that could not be delivered to a webhook that its failures have paused; when that succeeds the webhook is on
// again, else the next probe comes later.
func (s *Service) probe(ctx context.Context, text string) error {
	r, err := parseRef(text)
	if err != nil {
		return err
	}
	w, err := s.byID(ctx, r.id)
	if errs.Is(err, errs.NotFound) || err == nil && !probed(w, r.turn) {
		return nil
	}
	if err != nil {
		return err
	}
	tried, err := s.lastUndelivered(ctx, w)
	if err != nil {
		return err
	}
	if tried != nil {
		if err := s.send(ctx, tried); err != nil {
			return err
		}
	}
	return s.probedWith(context.WithoutCancel(ctx), r, tried)
}

// probed reports whether the webhook waits for this probe.
func probed(w *model.Webhook, turn int) bool {
	return w.PausedReason != nil && *w.PausedReason == model.PausedReasonFailures && w.Probes == turn
}

func (s *Service) probedWith(ctx context.Context, r ref, tried *result) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.byIDForUpdate(ctx, tx, r.id)
		if err != nil {
			return err
		}
		if !probed(w, r.turn) {
			return errVoid
		}
		if tried != nil {
			if err := save(ctx, tx, []*settled{probedRow(tried)}); err != nil {
				return err
			}
			if !tried.failed() {
				return resume(ctx, tx, w)
			}
		}
		if err := s.probeLater(ctx, tx, w); err != nil {
			return err
		}
		return update(ctx, tx, w, state...)
	})
	if errors.Is(err, errVoid) || errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// errVoid ends the transaction of a probe that is no longer waited for.
var errVoid = errors.New("the webhook waits for no such probe")

// probedRow adds the attempt to the delivery, which stays what it was unless it has arrived.
func probedRow(r *result) *settled {
	d := r.delivery
	row := &settled{RowID: d.ID, AtTurn: d.Turn, Turn: d.Turn, Status: d.Status, Tries: d.Tries, Attempts: append(d.Attempts, r.attempt)}
	row.Attempts = row.Attempts[max(len(row.Attempts)-keptAttempts, 0):]
	if !r.failed() {
		row.Status, row.DeliveredAt = model.DeliveryStatusDelivered, &r.at
	}
	return row
}
