package webhook_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"rostrum/api"
	"rostrum/model"
)

// recordedChanges records the changes since the last call and returns the ids of the changed
// webhooks.
func (b *testBundle) recordedChanges() []string {
	b.t.Helper()
	after := b.feedEnd()
	if err := b.RecordChanges(b.ctx); err != nil {
		b.t.Fatal(err)
	}
	var rows []*model.Event
	if err := b.db.NewSelect().Model(&rows).Where("position > ?", after).Order("position").
		Scan(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	ids := []string{}
	for _, e := range rows {
		if e.Event != model.EventWebhookChanged || e.WorkspaceID != workspace {
			b.t.Errorf("the feed has %+v", e)
		}
		ids = append(ids, *e.SubjectID)
	}
	return ids
}

// feedEnd returns the position of the newest event.
func (b *testBundle) feedEnd() (end int64) {
	b.t.Helper()
	if err := b.db.NewSelect().Model((*model.Event)(nil)).ColumnExpr("coalesce(max(position), 0)").
		Scan(b.t.Context(), &end); err != nil {
		b.t.Fatal(err)
	}
	return end
}

// TestChange records an event for each step of a webhook and its deliveries. None of the events is
// delivered.
func TestChange(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w, other := b.createWebhook("/a"), b.createWebhook("/other",
			func(in *api.CreateWebhookInput) { in.LinkID = omittable("lnk_2") })
		check := func(step string, want ...string) {
			t.Helper()
			slices.Sort(want)
			if got := b.recordedChanges(); !slices.Equal(got, want) {
				t.Errorf("%s is recorded for %v, want %v", step, got, want)
			}
		}
		check("the creation of two", w.ID, other.ID)
		check("nothing")
		b.appendOpenings(3, "lnk_1")
		check("deliveries to be sent", w.ID)
		b.receiver.setStatus("/a", http.StatusServiceUnavailable)
		b.runTasksWithin(0)
		check("failed attempts", w.ID)
		b.receiver.setStatus("/a", http.StatusOK)
		b.runTasksWithin(time.Minute)
		check("attempts that succeed", w.ID)
		if _, err := b.ReplayDelivery(b.ctx, w.ID, b.listDeliveries(w.ID)[0].ID); err != nil {
			t.Fatal(err)
		}
		check("a delivery that is queued again", w.ID)
		b.runTasksWithin(0)
		check("its attempt", w.ID)
		if _, err := b.Test(b.ctx, api.TestWebhookInput{WebhookID: other.ID,
			Event: model.EventLinkOpened}); err != nil {
			t.Fatal(err)
		}
		check("a sample", other.ID)
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(false)}); err != nil {
			t.Fatal(err)
		}
		check("a pause", w.ID)
		if _, err := b.Delete(b.ctx, w.ID); err != nil {
			t.Fatal(err)
		}
		check("a deletion", w.ID)
		if got := len(b.receiver.postsTo("/a")); got != 7 {
			t.Errorf("the receiver has %d requests", got)
		}
	})
}

// TestChange_after_an_error records changes that could not be recorded before.
func TestChange_after_an_error(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/a")
		b.renameFeed("event_feed", "lost_feed")
		if err := b.RecordChanges(b.ctx); err == nil {
			t.Error("the changes were recorded without a feed")
		}
		b.renameFeed("lost_feed", "event_feed")
		if got := b.recordedChanges(); !slices.Equal(got, []string{w.ID}) {
			t.Errorf("recorded for %v", got)
		}
	})
}

// TestChange_of_a_deleted_workspace deletes a workspace after its webhooks changed. Other
// workspaces' changes are recorded; its own do not return.
func TestChange_of_a_deleted_workspace(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.createWebhook("/a")
		b.recordedChanges()
		kept := b.createWebhook("/b")
		b.AddChanged(&model.Webhook{ID: "whk_gone", WorkspaceID: "wsp_gone"})
		for _, want := range [][]string{{kept.ID}, {}} {
			if got := b.recordedChanges(); !slices.Equal(got, want) {
				t.Errorf("recorded for %v, not %v", got, want)
			}
		}
	})
}

func (b *testBundle) renameFeed(from, to string) {
	b.t.Helper()
	if _, err := b.db.Writer().ExecContext(b.t.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
		b.t.Fatal(err)
	}
}

// TestChange_at_the_end ends the service right after a change.
func TestChange_at_the_end(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/a")
		ctx, stop := context.WithCancel(t.Context())
		stop()
		b.Run(ctx)
		if n, err := b.db.NewSelect().Model((*model.Event)(nil)).
			Where("event = ? AND subject_id = ?", model.EventWebhookChanged, w.ID).Count(t.Context()); err != nil ||
			n != 1 {
			t.Errorf("%d events (%v)", n, err)
		}
	})
}
