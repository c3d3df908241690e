package webhook

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// deferredWebhooks is the set of webhooks with deferred deliveries that this process knows.
// Deferred deliveries have no task.
type deferredWebhooks struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (w *deferredWebhooks) addIDs(ids ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		w.ids[id] = true
	}
}

func (w *deferredWebhooks) remove(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ids, id)
}

func (w *deferredWebhooks) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.ids))
}

// dispatchDeferred enqueues deferred deliveries of the webhooks with free slots. It returns the
// joined errors of all webhooks.
func (s *Service) dispatchDeferred(ctx context.Context) error {
	var failed []error
	for _, id := range s.deferred.list() {
		limit := s.limiter.freeSlots(id)
		if limit == 0 {
			continue
		}
		s.deferred.remove(id) // removed before the read, so that a delivery deferred during the read is not forgotten
		released, err := s.dispatchWebhook(ctx, id, limit)
		if err != nil || released == limit {
			s.deferred.addIDs(id)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (s *Service) dispatchWebhook(ctx context.Context, id string, limit int) (released int, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.findByIDForUpdate(ctx, tx, id)
		if err != nil || !w.IsActive {
			return err
		}
		released, err = s.enqueueDeferred(ctx, tx, w, limit)
		return err
	})
	if errs.Is(err, errs.NotFound) {
		return 0, nil
	}
	return released, err
}

// enqueueDeferred enqueues up to limit deferred deliveries of a webhook, oldest first, and only the
// first per ordering key. It returns their number. The caller holds the lock of the webhook's row,
// so that no delivery is enqueued twice.
func (s *Service) enqueueDeferred(ctx context.Context, tx dbx.Tx, w *model.Webhook, limit int) (int, error) {
	rows, err := nextDeferred(ctx, tx, w.ID, limit)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	var refs []taskRef
	var later []job.TaskArgs
	ids := make([]string, len(rows))
	for i, d := range rows {
		ids[i] = d.ID
		if r := (taskRef{d.ID, d.Generation + 1}); d.NextAttemptAt == nil {
			refs = append(refs, r)
		} else {
			later = append(later, job.TaskArgs{Ref: r.String(), At: *d.NextAttemptAt})
		}
	}
	if err := markEnqueued(ctx, tx, ids); err != nil {
		return 0, err
	}
	return len(rows), s.tasks.EnqueueTasks(ctx, tx, JobDelivery, append(tasksOf(refs), later...)...)
}

// deferredTimeout is the age at which deferred deliveries are looked up in the database. The
// process that deferred them may have stopped.
const deferredTimeout = 10 * time.Second

// findDeferred finds the webhooks with deliveries that are deferred for longer than
// deferredTimeout.
func (s *Service) findDeferred(ctx context.Context) error {
	ids, err := s.webhooksWithDeferred(ctx, model.Now().Add(-deferredTimeout))
	s.deferred.addIDs(ids...)
	return err
}
