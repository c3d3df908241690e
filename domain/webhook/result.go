package webhook

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// maxStoredAttempts is the number of attempts that a delivery keeps.
const maxStoredAttempts = 20

// warnThresholds are the numbers of consecutive failed attempts at which a warning is logged.
var warnThresholds = []int{5, 10, 15}

// A webhook is paused after pauseThreshold consecutive failed attempts. It must also have failed
// for pauseDelay, because many events can fail in the seconds of a restart. A webhook with few
// events is paused after failing for pauseAfter, because a probe notices a recovery sooner than a
// late retry.
const (
	pauseThreshold = 20
	pauseDelay     = time.Minute
	pauseAfter     = time.Hour
)

// keepsFailing reports whether a webhook has failed so often, or for so long, that it is paused.
func keepsFailing(w *model.Webhook, now time.Time) bool {
	if w.FailingSince == nil {
		return false
	}
	failing := now.Sub(*w.FailingSince)
	return w.ConsecutiveFailures >= pauseThreshold && failing >= pauseDelay || failing >= pauseAfter
}

// storeResults stores results, enqueues retries and updates the webhooks. A transaction always
// locks a webhook's row before it writes the deliveries.
func (s *Service) storeResults(ctx context.Context, all []*deliveryResult) ([]struct{}, error) {
	out := make([]struct{}, len(all))
	rows := make([]*deliveryUpdate, len(all))
	var retries []job.TaskArgs
	for i, r := range all {
		var retry *job.TaskArgs
		if rows[i], retry = s.planUpdate(r); retry != nil {
			retries = append(retries, *retry)
		}
	}
	summaries := summarizeResults(all)
	store := func() error { return s.storeInTransaction(ctx, rows, retries, summaries) }
	if needNoTransaction(summaries) {
		store = func() error { return s.storeWithoutTransaction(ctx, rows, summaries) }
	}
	if err := store(); err != nil {
		return nil, err
	}
	observeResults(all)
	for _, r := range all {
		s.changed.add(r.webhook)
	}
	return out, nil
}

// needNoTransaction reports whether no result has failed or is ordered. A webhook then changes only
// if a success ends its consecutive failures.
func needNoTransaction(summaries map[string]*batchSummary) bool {
	for _, k := range summaries {
		if k.failing || k.ordered {
			return false
		}
	}
	return true
}

// storeWithoutTransaction stores results with one statement. It starts a transaction only if a
// webhook had failures before.
func (s *Service) storeWithoutTransaction(ctx context.Context, rows []*deliveryUpdate,
	summaries map[string]*batchSummary) error {
	if err := saveUpdates(ctx, s.db, rows); err != nil {
		return err
	}
	failing, err := s.anyFailing(ctx, summaries)
	if err != nil || !failing {
		return err
	}
	return s.storeInTransaction(ctx, nil, nil, summaries)
}

// storeInTransaction stores results, retries and changes of webhooks in one transaction.
func (s *Service) storeInTransaction(ctx context.Context, rows []*deliveryUpdate, retries []job.TaskArgs,
	summaries map[string]*batchSummary) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		webhooks, err := s.lockAffected(ctx, tx, summaries)
		if err != nil {
			return err
		}
		if err := saveUpdates(ctx, tx, rows); err != nil {
			return err
		}
		if err := s.tasks.EnqueueTasks(ctx, tx, JobDelivery, retries...); err != nil {
			return err
		}
		for _, w := range webhooks {
			if err := s.updateWebhook(ctx, tx, w, summaries[w.ID]); err != nil {
				return err
			}
		}
		return nil
	})
}

// planUpdate returns the new state of a delivery and, if it is retried, the task of the retry.
func (s *Service) planUpdate(r *deliveryResult) (*deliveryUpdate, *job.TaskArgs) {
	d := r.delivery
	row := &deliveryUpdate{
		RowID: d.ID, ExpectedGeneration: d.Generation, Generation: d.Generation, Status: d.Status, Attempts: d.Attempts,
		Tries:         d.Tries,
		NextAttemptAt: d.NextAttemptAt, OrderingKey: d.OrderingKey, DeliveredAt: d.DeliveredAt,
	}
	switch {
	case r.outcome == outcomeDeferred || r.outcome == outcomeSkipped && r.webhook.Held():
		row.WaitingSince = &r.finishedAt
		return row, nil
	case r.outcome == outcomeSkipped:
		row.finish(model.DeliveryStatusSkipped)
		return row, nil
	}
	row.Attempts = append(slices.Clone(d.Attempts), r.attempt)
	row.Attempts = row.Attempts[max(len(row.Attempts)-maxStoredAttempts, 0):]
	row.Tries++
	pause, ok := retryDelay(row.Tries, s.jitter(), r.retryAfter)
	switch {
	case !r.hasFailed():
		row.finish(model.DeliveryStatusDelivered)
		row.DeliveredAt = &r.finishedAt
	case r.receiverGone() || r.event == nil || !ok:
		row.finish(model.DeliveryStatusFailed)
	default:
		next := r.finishedAt.Add(pause)
		row.Status, row.NextAttemptAt, row.Generation = model.DeliveryStatusRetrying, &next, d.Generation+1
		return row, &job.TaskArgs{Ref: taskRef{d.ID, row.Generation}.String(), At: next}
	}
	return row, nil
}

// batchSummary counts the results of one webhook in a batch.
type batchSummary struct {
	id           string
	succeeded    bool
	failed       int       // failed attempts since the last success
	failingSince time.Time // time of the first of them
	failing      bool      // an attempt has failed
	receiverGone bool      // an attempt was answered with 410 Gone
	ordered      bool      // a delivery has an ordering key, so that the next may be released
}

func summarizeResults(all []*deliveryResult) map[string]*batchSummary {
	byID := map[string]*batchSummary{}
	for _, r := range all {
		k := byID[r.webhook.ID]
		if k == nil {
			k = &batchSummary{id: r.webhook.ID}
			byID[k.id] = k
		}
		k.ordered = k.ordered || r.delivery.OrderingKey != nil
		switch {
		case r.outcome != outcomeSent || r.event == nil:
		case r.hasFailed():
			if k.failed++; k.failed == 1 {
				k.failingSince = r.finishedAt
			}
			k.failing = true
			k.receiverGone = k.receiverGone || r.receiverGone()
		default:
			k.succeeded, k.failed = true, 0
		}
	}
	return byID
}

// countFailures adds a batch to the failures of a webhook, and returns how many it had before.
func (k *batchSummary) countFailures(w *model.Webhook) (before int) {
	if k.succeeded {
		w.ConsecutiveFailures, w.FailingSince = 0, nil
	}
	before = w.ConsecutiveFailures
	w.ConsecutiveFailures += k.failed
	if w.FailingSince == nil && k.failed > 0 {
		w.FailingSince = &k.failingSince
	}
	return before
}

// updateWebhook updates the failure count of a locked webhook, pauses it at a limit, and releases
// ordered deliveries.
func (s *Service) updateWebhook(ctx context.Context, tx dbx.Tx, w *model.Webhook, k *batchSummary) error {
	stored := w.ConsecutiveFailures
	before := k.countFailures(w)
	switch {
	case !w.IsActive:
		return nil
	case k.receiverGone:
		return s.pauseWebhook(ctx, tx, w, model.PausedReasonGone)
	case keepsFailing(w, s.now()):
		return s.pauseWebhook(ctx, tx, w, model.PausedReasonFailures)
	}
	warnFailing(ctx, w, before)
	if w.ConsecutiveFailures != stored {
		if err := updateColumns(ctx, tx, w, "consecutive_failures", "failing_since"); err != nil {
			return err
		}
	}
	if !k.ordered {
		return nil
	}
	_, err := s.enqueueDeferred(ctx, tx, w, maxConcurrent)
	return err
}

// warnFailing logs a warning when the failure count passes one of warnThresholds.
func warnFailing(ctx context.Context, w *model.Webhook, before int) {
	for _, n := range warnThresholds {
		if before < n && w.ConsecutiveFailures >= n {
			slog.WarnContext(ctx, "a webhook keeps failing", "webhook", w.ID, "workspace", w.WorkspaceID, "failures",
				w.ConsecutiveFailures, "paused_at", pauseThreshold)
		}
	}
}

// finish sets a final status.
func (row *deliveryUpdate) finish(status model.DeliveryStatus) {
	row.Status, row.NextAttemptAt, row.OrderingKey = status, nil, nil
}

// deliveryUpdate is the new state of a delivery. It applies only if the generation is still
// ExpectedGeneration.
type deliveryUpdate struct {
	RowID              string                   `bun:"row_id"`
	ExpectedGeneration int                      `bun:"expected_generation"`
	Generation         int                      `bun:"generation"`
	Status             model.DeliveryStatus     `bun:"status"`
	Attempts           []*model.DeliveryAttempt `bun:"attempts,type:jsonb"`
	Tries              int                      `bun:"tries"`
	NextAttemptAt      *time.Time               `bun:"next_attempt_at"`
	WaitingSince       *time.Time               `bun:"waiting_since"`
	OrderingKey        *string                  `bun:"ordering_key"`
	DeliveredAt        *time.Time               `bun:"delivered_at"`
}
