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
	"rostrum/job"
	"rostrum/model"
)

// waiting are the webhooks that this process knows to have deliveries without a task.
type waiting struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (w *waiting) add(ids ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		w.ids[id] = true
	}
}

func (w *waiting) remove(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ids, id)
}

func (w *waiting) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.ids))
}

// look queues waiting deliveries of the webhooks that have room for them.
func (s *Service) look(ctx context.Context) error {
	var failed []error
	for _, id := range s.waiting.list() {
		room := s.gates.room(id)
		if room == 0 {
			continue
		}
		s.waiting.remove(id) // before it is read, so that what begins to wait meanwhile is not forgotten
		released, err := s.releaseOf(ctx, id, room)
		if err != nil || released == room {
			s.waiting.add(id)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (s *Service) releaseOf(ctx context.Context, id string, room int) (released int, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.byIDForUpdate(ctx, tx, id)
		if err != nil {
			return err
		}
		released, err = s.release(ctx, tx, w, room)
		return err
	})
	if errs.Is(err, errs.NotFound) {
		return 0, nil
	}
	return released, err
}

// release queues up to so many of the webhook's waiting deliveries, the oldest events first, of each line its first only. The
// webhook's row is locked, so that two never take the same.
func (s *Service) release(ctx context.Context, tx dbx.Tx, w *model.Webhook, room int) (int, error) {
	rows, err := first(ctx, tx, w.ID, room)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	errands := make([]job.Errand, len(rows))
	ids := make([]string, len(rows))
	for i, d := range rows {
		ids[i] = d.ID
		errands[i] = job.Errand{Ref: ref{d.ID, d.Turn + 1}.String()}
		if d.NextAttemptAt != nil {
			errands[i].At = *d.NextAttemptAt
		}
	}
	if err := queued(ctx, tx, ids); err != nil {
		return 0, err
	}
	return len(rows), s.tasks.EnqueueTasks(ctx, tx, deliverTask, errands...)
}

// waitedLong is when a waiting delivery is looked for in the database, as the process that knew of it may be gone.
const waitedLong = 10 * time.Second

// sweep finds the webhooks whose deliveries wait for long.
func (s *Service) sweep(ctx context.Context) error {
	ids, err := s.webhooksWaiting(ctx, model.Now().Add(-waitedLong))
	s.waiting.add(ids...)
	return err
}
