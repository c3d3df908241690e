package webhook_test

import (
	"testing"

	"rostrum/model"
)

// TestTask_of_several_deliveries checks that a task sends all of its deliveries and retries only
// the failed one. A task that runs again sends nothing.
func TestTask_of_several_deliveries(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/down", 500)
		up, down := b.createWebhook("/up"), b.createWebhook("/down")
		b.appendOpenings(3, "lnk_1")
		q, _ := b.queue.takeNext()
		for range 2 {
			if err := b.queue.tasks[q.name].Work(t.Context(), q.Ref); err != nil {
				t.Fatal(err)
			}
		}
		if sent, failed := len(b.receiver.postsTo("/up")), len(b.receiver.postsTo("/down")); sent != 3 || failed != 3 {
			t.Errorf("the task sent %d and %d requests, want 3 and 3", sent, failed)
		}
		if c, d := b.countByStatus(up.ID), b.countByStatus(down.ID); c[model.DeliveryStatusDelivered] != 3 ||
			d[model.DeliveryStatusRetrying] != 3 {
			t.Errorf("the deliveries are %v and %v", c, d)
		}
		if len(b.queue.queue) != 3 {
			t.Errorf("%d tasks are queued, want one for each retry", len(b.queue.queue))
		}
	})
}
