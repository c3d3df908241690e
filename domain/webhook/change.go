package webhook

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/model"
)

// recordInterval is the time in which all changes of a webhook are one event.
const recordInterval = 500 * time.Millisecond

// changedWebhooks maps each webhook that changed since its last event to its workspace, by id. A
// change of its deliveries counts too.
type changedWebhooks struct {
	mu  sync.Mutex
	ids map[string]string
}

func (c *changedWebhooks) add(webhooks ...*model.Webhook) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range webhooks {
		c.ids[w.ID] = w.WorkspaceID
	}
}

// takeAll removes and returns all webhooks of the set.
func (c *changedWebhooks) takeAll() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.ids
	c.ids = map[string]string{}
	return taken
}

// addDeliveries adds the webhooks of the deliveries.
func (c *changedWebhooks) addDeliveries(deliveries []*model.Delivery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range deliveries {
		c.ids[d.WebhookID] = d.WorkspaceID
	}
}

// putBack adds the webhooks that takeAll removed.
func (c *changedWebhooks) putBack(taken map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.ids, taken)
}

// markChanged has an event of the webhooks recorded after the transaction has committed.
func (s *Service) markChanged(tx dbx.Tx, webhooks ...*model.Webhook) {
	tx.AfterCommit(func() { s.changed.add(webhooks...) })
}

// recordChanges adds an event of each webhook that changed since the last call to its workspace's
// feed. Deliveries do not record it in their own transactions, because each would lock the feed.
// After an error the next call records the changes, except in a workspace that was deleted.
func (s *Service) recordChanges(ctx context.Context) error {
	changed := s.changed.takeAll()
	if len(changed) == 0 {
		return nil
	}
	err := s.storeChanges(ctx, changed)
	if !dbx.IsOrphan(err) {
		return err
	}
	var failed []error
	for id, workspaceID := range changed {
		if err := s.storeChanges(ctx, map[string]string{id: workspaceID}); err != nil && !dbx.IsOrphan(err) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// storeChanges adds an event of each webhook in one transaction. Its error is dbx.IsOrphan if a
// workspace does not exist; after any other error the webhooks count as changed again.
func (s *Service) storeChanges(ctx context.Context, changed map[string]string) error {
	err := s.db.InTx(ctx, func(_ context.Context, tx dbx.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(changed)) {
			s.recordChange(tx, changed[id], model.EventWebhookChanged, id)
		}
		return nil
	})
	if err != nil && !dbx.IsOrphan(err) {
		s.changed.putBack(changed)
	}
	return err
}

// recordLast records the changes of the last moments before the end of ctx.
func (s *Service) recordLast(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	return s.recordChanges(ctx)
}

// recordTimeout limits the time of recordLast.
const recordTimeout = 2 * time.Second
