package webhook

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// keptAttempts is how many attempts a delivery tells of.
const keptAttempts = 20

// warnAt are the numbers of failed attempts in a row at which the log warns, and pauseAt that at which the webhook is paused.
var warnAt = []int{5, 10, 15}

const pauseAt = 20

// settle writes what became of deliveries, queues those that are tried again, and judges their webhooks. A webhook's row is always
// locked before deliveries are written with it.
func (s *Service) settle(ctx context.Context, all []*result) ([]struct{}, error) {
	out := make([]struct{}, len(all))
	rows := make([]*settled, len(all))
	var again []job.Errand
	for i, r := range all {
		var errand *job.Errand
		if rows[i], errand = s.judge(r); errand != nil {
			again = append(again, *errand)
		}
	}
	streaks := streaksOf(all)
	if quiet(streaks) {
		return out, s.settleQuietly(ctx, rows, streaks)
	}
	return out, s.settleAll(ctx, rows, again, streaks)
}

// quiet reports whether nothing follows from the results but that they are kept, and that failures are over: none has failed, also
// not one that a success came behind.
func quiet(streaks map[string]*streak) bool {
	for _, k := range streaks {
		if k.troubled || k.ordered {
			return false
		}
	}
	return true
}

// settleQuietly spares the transaction where no webhook needs to be judged.
func (s *Service) settleQuietly(ctx context.Context, rows []*settled, streaks map[string]*streak) error {
	if err := save(ctx, s.db, rows); err != nil {
		return err
	}
	failing, err := s.anyFails(ctx, streaks)
	if err != nil || !failing {
		return err
	}
	return s.settleAll(ctx, nil, nil, streaks)
}

// settleAll writes results and what follows from them in one transaction.
func (s *Service) settleAll(ctx context.Context, rows []*settled, again []job.Errand, streaks map[string]*streak) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		webhooks, err := s.troubled(ctx, tx, streaks)
		if err != nil {
			return err
		}
		if err := save(ctx, tx, rows); err != nil {
			return err
		}
		if err := s.tasks.EnqueueTasks(ctx, tx, deliverTask, again...); err != nil {
			return err
		}
		for _, w := range webhooks {
			if err := s.follow(ctx, tx, w, streaks[w.ID]); err != nil {
				return err
			}
		}
		return nil
	})
}

// judge decides what a delivery is from now on, and whether it is tried again.
func (s *Service) judge(r *result) (*settled, *job.Errand) {
	d := r.delivery
	row := &settled{
		RowID: d.ID, AtTurn: d.Turn, Turn: d.Turn, Status: d.Status, Attempts: d.Attempts, Tries: d.Tries,
		NextAttemptAt: d.NextAttemptAt, Line: d.Line, DeliveredAt: d.DeliveredAt,
	}
	switch {
	case r.outcome == parked:
		row.WaitingSince = &r.at
		return row, nil
	case r.outcome == skipped:
		row.end(model.DeliveryStatusSkipped)
		return row, nil
	}
	row.Attempts = append(slices.Clone(d.Attempts), r.attempt)
	row.Attempts = row.Attempts[max(len(row.Attempts)-keptAttempts, 0):]
	row.Tries++
	pause, again := pauseAfter(row.Tries, s.jitter(), r.wait)
	switch {
	case !r.failed():
		row.end(model.DeliveryStatusDelivered)
		row.DeliveredAt = &r.at
	case r.gone() || r.event == nil || !again:
		row.end(model.DeliveryStatusFailed)
	default:
		next := r.at.Add(pause)
		row.Status, row.NextAttemptAt, row.Turn = model.DeliveryStatusRetrying, &next, d.Turn+1
		return row, &job.Errand{Ref: ref{d.ID, row.Turn}.String(), At: next}
	}
	return row, nil
}

// streak is what a batch says of one webhook.
type streak struct {
	id        string
	succeeded bool
	failed    int  // attempts since the last success
	troubled  bool // one has failed
	gone      bool // the receiver says that it is
	ordered   bool // and one of its deliveries may have let the next go
}

func streaksOf(all []*result) map[string]*streak {
	byID := map[string]*streak{}
	for _, r := range all {
		k := byID[r.webhook.ID]
		if k == nil {
			k = &streak{id: r.webhook.ID}
			byID[k.id] = k
		}
		k.ordered = k.ordered || r.delivery.Line != nil
		switch {
		case r.outcome != sent || r.event == nil:
		case r.failed():
			k.failed++
			k.troubled = true
			k.gone = k.gone || r.gone()
		default:
			k.succeeded, k.failed = true, 0
		}
	}
	return byID
}

// follow draws the consequences for a webhook whose row is locked.
func (s *Service) follow(ctx context.Context, tx dbx.Tx, w *model.Webhook, k *streak) error {
	stored, before := w.ConsecutiveFailures, w.ConsecutiveFailures
	if k.succeeded {
		before = 0
	}
	w.ConsecutiveFailures = before + k.failed
	switch {
	case !w.IsActive:
		return nil
	case k.gone:
		return s.pause(ctx, tx, w, model.PausedReasonGone)
	case w.ConsecutiveFailures >= pauseAt:
		return s.pause(ctx, tx, w, model.PausedReasonFailures)
	}
	warn(ctx, w, before)
	if w.ConsecutiveFailures != stored {
		if err := update(ctx, tx, w, "consecutive_failures"); err != nil {
			return err
		}
	}
	if !k.ordered {
		return nil
	}
	_, err := s.release(ctx, tx, w, atOnce)
	return err
}

// warn tells the operator of a webhook that keeps failing; its owner sees the number.
func warn(ctx context.Context, w *model.Webhook, before int) {
	for _, n := range warnAt {
		if before < n && w.ConsecutiveFailures >= n {
			slog.WarnContext(ctx, "a webhook keeps failing", "webhook", w.ID, "workspace", w.WorkspaceID, "failures", w.ConsecutiveFailures, "paused_at", pauseAt)
		}
	}
}

// end closes the row.
func (row *settled) end(status model.DeliveryStatus) {
	row.Status, row.NextAttemptAt, row.Line = status, nil, nil
}

// settled is what a result changes in the row of its delivery, if that is still at the turn.
type settled struct {
	RowID         string                   `bun:"row_id"`
	AtTurn        int                      `bun:"at_turn"`
	Turn          int                      `bun:"turn"`
	Status        model.DeliveryStatus     `bun:"status"`
	Attempts      []*model.DeliveryAttempt `bun:"attempts,type:jsonb"`
	Tries         int                      `bun:"tries"`
	NextAttemptAt *time.Time               `bun:"next_attempt_at"`
	WaitingSince  *time.Time               `bun:"waiting_since"`
	Line          *string                  `bun:"line"`
	DeliveredAt   *time.Time               `bun:"delivered_at"`
}
