package webhook_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/model/optional"
	"rostrum/test/kit/poll"
)

func omittable[T any](v T) graphql.Omittable[*T] { return graphql.OmittableOf(&v) }

// orderedInput requests deliveries in the order of events.
func orderedInput(in *api.CreateWebhookInput) { in.Ordered = omittable(true) }

func TestDeliver(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/a")
		only := b.createWebhook("/only", func(in *api.CreateWebhookInput) { in.LinkID = omittable("lnk_2") })
		typed := b.createWebhook("/typed", func(in *api.CreateWebhookInput) {
			in.Events = graphql.OmittableOf([]model.EventType{model.EventTypeConversion})
		})
		b.appendEvents(newEvents("wsp_2", 1, "lnk_9"))
		events := append(b.appendOpenings(1, "lnk_1"), b.appendOpenings(1, "lnk_2")...)
		b.runTasksWithin(0)
		got := b.receiver.postsTo("/a")
		if len(got) != 2 || len(b.receiver.postsTo("/only")) != 1 || len(b.receiver.postsTo("/typed")) != 0 ||
			len(b.listDeliveries(typed.ID)) != 0 {
			t.Fatalf("%d, %d and %d posts", len(got), len(b.receiver.postsTo("/only")),
				len(b.receiver.postsTo("/typed")))
		}
		first := got[0]
		if first.header.Get("webhook-id") != events[0].ID || first.header.Get("Content-Type") != "application/json" ||
			first.header.Get("webhook-signature") != "" || !strings.Contains(first.body, `"event":"link.opened"`) {
			t.Errorf("got %+v", first)
		}
		for _, d := range append(b.listDeliveries(w.ID), b.listDeliveries(only.ID)...) {
			if d.Status != model.DeliveryStatusDelivered || len(d.Attempts) != 1 || *d.Attempts[0].Status != 200 ||
				d.DeliveredAt == nil {
				t.Errorf("delivery %+v", d)
			}
		}
	})
}

// TestDeliver_matches checks who hears of hits of saved searches: a webhook that names the event, of
// one search or of all. Nobody hears of a document that is not public.
func TestDeliver_matches(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.createWebhook("/links")
		matches := graphql.OmittableOf([]model.EventType{model.EventTypeSearchMatched})
		b.createWebhook("/every", func(in *api.CreateWebhookInput) { in.Events = matches })
		b.createWebhook("/one", func(in *api.CreateWebhookInput) {
			in.Events, in.SearchID = matches, omittable("sea_1")
		})
		hit := func(searchID string, isUnsent bool) *model.Event {
			return &model.Event{WorkspaceID: workspace, Event: model.EventSearchMatched, SubjectID: &searchID,
				Data: []byte(`{"search":{"id":"` + searchID + `"},"document":{"id":"doc_1"}}`), IsUnsent: isUnsent}
		}
		b.appendEvents([]*model.Event{hit("sea_1", false), hit("sea_2", false), hit("sea_1", true)})
		b.runTasksWithin(0)
		for path, want := range map[string]int{"/links": 0, "/every": 2, "/one": 1} {
			if got := len(b.receiver.postsTo(path)); got != want {
				t.Errorf("%s got %d posts, want %d", path, got, want)
			}
		}
		if got := b.receiver.postsTo("/one")[0].body; !strings.Contains(got, `"data":{"search":{"id":"sea_1"`) {
			t.Errorf("the body is %s", got)
		}
	})
}

// TestSchedule runs all attempts of one delivery that the receiver rejects while it accepts others.
func TestSchedule(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/broken")
		events := b.appendOpenings(1, "lnk_1")
		b.receiver.setHandler("/broken", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("webhook-id") == events[0].ID {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		var pauses []time.Duration
		last := b.clock.now()
		for b.runNextTask() {
			if now := b.clock.now(); now.After(last) {
				pauses, last = append(pauses, now.Sub(last)), now
			}
			if b.listDeliveries(w.ID)[0].Open() {
				b.appendOpenings(1, "lnk_1")
				b.runTasksWithin(0)
			}
		}
		want := "[5s 30s 2m0s 10m0s 1h0m0s 3h0m0s 8h0m0s 16h0m0s 24h0m0s]"
		if got := strings.ReplaceAll(formatPauses(pauses), ",", ""); got != want {
			t.Errorf("pauses %s, want %s", got, want)
		}
		d := b.listDeliveries(w.ID)[0]
		if d.Status != model.DeliveryStatusFailed || len(d.Attempts) != 10 || d.NextAttemptAt != nil {
			t.Errorf("the delivery ended as %+v", d)
		}
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != 9 || c[model.DeliveryStatusFailed] != 1 {
			t.Errorf("the deliveries are %v", c)
		}
	})
}

func formatPauses(pauses []time.Duration) string {
	parts := make([]string, len(pauses))
	for i, p := range pauses {
		parts[i] = p.String()
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func TestSchedule_answers(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		header []string
		code   model.DeliveryErrorCode
		wait   time.Duration
	}{
		"redirects are not followed": {302, []string{"Location", "/elsewhere"}, model.DeliveryErrorCodeHTTPStatus,
			5 * time.Second},
		"an error": {404, nil, model.DeliveryErrorCodeHTTPStatus, 5 * time.Second},
		"a longer wait is granted": {429, []string{"Retry-After", "600"}, model.DeliveryErrorCodeHTTPStatus,
			10 * time.Minute},
		"a shorter one is not": {503, []string{"Retry-After", "1"}, model.DeliveryErrorCodeHTTPStatus,
			5 * time.Second},
		"an endless one is cut": {503, []string{"Retry-After", "99999999"}, model.DeliveryErrorCodeHTTPStatus,
			24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, b *testBundle) {
				b.receiver.setStatus("/x", test.status, test.header...)
				w := b.createWebhook("/x")
				b.appendOpenings(1, "lnk_1")
				b.runNextTask()
				d := b.listDeliveries(w.ID)[0]
				if d.Status != model.DeliveryStatusRetrying || *d.Attempts[0].Status != test.status ||
					*d.Attempts[0].ErrorCode != test.code {
					t.Errorf("the delivery is %+v", d)
				}
				if wait := d.NextAttemptAt.Sub(b.clock.now()); wait != test.wait {
					t.Errorf("the next attempt is in %s, want %s", wait, test.wait)
				}
				if n := len(b.receiver.postsTo("/elsewhere")); n != 0 {
					t.Error("the redirect was followed")
				}
			})
		})
	}
}

func TestDeliver_timeout(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.timeout = time.Second
		b.useService(b.queue)
		// The client ends TLS before it closes the connection. A handler that returned then could
		// still answer with 200.
		b.receiver.setHandler("/slow", func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		})
		slow := b.createWebhook("/slow")
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(0)
		if a := b.listDeliveries(slow.ID)[0].Attempts[0]; a.ErrorCode == nil ||
			*a.ErrorCode != model.DeliveryErrorCodeTimeout || a.Status != nil || a.LatencyMs < 900 {
			t.Errorf("the attempt is %+v", a)
		}
	})
}

func TestDeliver_long_answer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setHandler("/long", func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte("\x00\xff" + strings.Repeat("x", 5000)))
		})
		long := b.createWebhook("/long")
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(0)
		if a := b.listDeliveries(long.ID)[0].Attempts[0]; a.ErrorCode != nil || a.Body == nil || *a.Body != "\uFFFD"+
			strings.Repeat("x", 1022) {
			t.Errorf("the attempt is %+v", a)
		}
	})
}

// TestPause fails deliveries until the webhook is paused, and then lets it recover.
func TestPause(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/down", 500)
		w := b.createWebhook("/down")
		b.appendOpenings(22, "lnk_1")
		b.runTasksWithin(2 * time.Second)
		if w = b.getWebhook(w.ID); !w.IsActive || w.ConsecutiveFailures != 22 {
			t.Fatalf("after 22 failures in two seconds: %+v", w)
		}
		b.runTasksWithin(3 * time.Minute)
		if w = b.getWebhook(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonFailures {
			t.Fatalf("after three minutes: %+v", w)
		}
		b.appendOpenings(2, "lnk_1")
		b.runTasksWithin(0)
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusPending]+c[model.DeliveryStatusRetrying] != 24 {
			t.Fatalf("the paused webhook has %v", c)
		}
		before := len(b.receiver.postsTo("/down"))
		b.runTasksWithin(10 * time.Minute) // probes
		if n := len(b.receiver.postsTo("/down")) - before; n != 3 || b.getWebhook(w.ID).IsActive {
			t.Fatalf("%d posts by probes that failed in ten minutes", n)
		}
		b.receiver.setStatus("/down", 200)
		b.runTasksWithin(5 * time.Minute)
		if w = b.getWebhook(w.ID); !w.IsActive || w.PausedReason != nil || w.ConsecutiveFailures != 0 ||
			w.FailingSince != nil {
			t.Fatalf("after a probe that succeeded: %+v", w)
		}
		b.dispatchAll()
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != 24 {
			t.Errorf("after the pause: %v", c)
		}
	})
}

// TestPause_events checks that another webhook gets each pause and resumption of a webhook once, also if
// their tasks run twice, in the order in which they happened.
func TestPause_events(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/down", 500)
		b.createWebhook("/watch", func(in *api.CreateWebhookInput) {
			in.Events = graphql.OmittableOf([]model.EventType{model.EventTypeWebhookPaused, model.EventTypeWebhookResumed})
		})
		w := b.createWebhook("/down")
		b.appendOpenings(30, "lnk_1")
		b.runTasksWithin(5 * time.Minute)
		b.receiver.setStatus("/down", 200)
		b.runTasksWithin(10 * time.Minute)
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(false)}); err != nil {
			t.Fatal(err)
		}
		ref := w.ID + ":3"
		for range 2 {
			if err := b.queue.tasks[webhook.JobAnnounce].Work(t.Context(), ref); err != nil {
				t.Fatalf("announce %s: %v", ref, err)
			}
		}
		b.runTasksWithin(time.Minute)
		var told []string
		for _, post := range b.receiver.postsTo("/watch") {
			var body struct {
				Event string
				Data  eventdata.Webhook
			}
			if err := json.Unmarshal([]byte(post.body), &body); err != nil || body.Data.Webhook.ID != w.ID {
				t.Fatalf("posted %s: %v", post.body, err)
			}
			told = append(told, body.Event+" "+optional.ValueOr(body.Data.Reason, ""))
		}
		want := []string{"webhook.paused failures", "webhook.resumed ", "webhook.paused owner"}
		if !slices.Equal(told, want) {
			t.Errorf("the other webhook got %q, want %q", told, want)
		}
	})
}

// TestPause_outage opens a link 1,000 times while the receiver fails. Once back, the receiver gets
// every event. An ordered webhook of another link gets its events in order.
func TestPause_outage(t *testing.T) {
	for name, outage := range map[string]time.Duration{"two seconds": 2 * time.Second, "two minutes": 2 * time.Minute,
		"two days": 48 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, b *testBundle) {
				b.receiver.setStatus("/down", 500)
				b.receiver.setStatus("/ordered", 503)
				only := func(link string) func(*api.CreateWebhookInput) {
					return func(in *api.CreateWebhookInput) { in.LinkID = omittable(link) }
				}
				plain, ordered := b.createWebhook("/down", only("lnk_1")),
					b.createWebhook("/ordered", orderedInput, only("lnk_2"))
				var events []*model.Event
				for range 10 {
					b.appendOpenings(100, "lnk_1")
					events = append(events, b.appendOpenings(10, "lnk_2")...)
					b.runTasksWithin(outage / 10)
				}
				failed := len(b.receiver.postsTo("/ordered"))
				b.receiver.setStatus("/down", 200)
				b.receiver.setStatus("/ordered", 200)
				b.runTasksWithin(10 * time.Minute)
				b.dispatchAll()
				for w, want := range map[*model.Webhook]int{plain: 1000, ordered: 100} {
					if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != want ||
						!b.getWebhook(w.ID).IsActive {
						t.Errorf("%s: the deliveries are %v", w.URL, c)
					}
				}
				received := b.receiver.postsTo("/ordered")[failed:]
				for i, post := range received {
					if len(received) != len(events) || post.header.Get("webhook-id") != events[i].ID {
						t.Fatalf("the event %d of %d is not in its place", i, len(received))
					}
				}
			})
		})
	}
}

// TestPause_resumed_by_its_owner releases kept deliveries when the owner resumes a webhook before
// the next probe.
func TestPause_resumed_by_its_owner(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/down", 500)
		w := b.createWebhook("/down")
		b.appendOpenings(30, "lnk_1")
		b.runTasksWithin(3 * time.Minute)
		b.receiver.setStatus("/down", 200)
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(true)}); err != nil {
			t.Fatal(err)
		}
		b.dispatchAll()
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != 30 {
			t.Errorf("the deliveries are %v", c)
		}
	})
}

func TestPause_receiver_gone(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/gone", 410)
		w := b.createWebhook("/gone")
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(48 * time.Hour)
		if w = b.getWebhook(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonGone ||
			len(b.receiver.postsTo("/gone")) != 1 {
			t.Errorf("the webhook is %+v after %d posts", w, len(b.receiver.postsTo("/gone")))
		}
	})
}

func TestPause_by_its_owner(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/x", 500)
		w := b.createWebhook("/x")
		b.appendOpenings(1, "lnk_1")
		b.appendOpenings(1, "lnk_1") // in a task of its own
		b.runNextTask()
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(false)}); err != nil {
			t.Fatal(err)
		}
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(48 * time.Hour)
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusSkipped] != 3 || len(b.receiver.postsTo("/x")) != 1 ||
			b.getWebhook(w.ID).IsActive {
			t.Fatalf("%v after %d posts", c, len(b.receiver.postsTo("/x")))
		}
		_, err := b.ReplayDeliveries(b.ctx, api.ReplayWebhookDeliveriesInput{WebhookID: w.ID,
			Since: b.clock.now().Add(-time.Hour)})
		_, err2 := b.ReplayDelivery(b.ctx, w.ID, b.listDeliveries(w.ID)[0].ID)
		if !errs.Is(err, errs.InvalidState) || !errs.Is(err2, errs.InvalidState) {
			t.Errorf("while paused, a replay returns %v and a redelivery %v", err, err2)
		}
	})
}

func TestPlan_without_webhooks_pauses_them(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		b.appendOpenings(1, "lnk_1")
		if err := b.accounts.SetPlan(t.Context(), workspace, model.PlanFree); err != nil {
			t.Fatal(err)
		}
		b.runTasksWithin(time.Hour)
		if w = b.getWebhook(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonPlan ||
			b.countByStatus(w.ID)[model.DeliveryStatusSkipped] != 1 {
			t.Errorf("the webhook is %+v", w)
		}
		_, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(true)})
		if failure := errs.From(err); failure.Code != errs.UpgradeRequired ||
			failure.Extra["upgrade_required"] != true {
			t.Errorf("resuming returns %v", err)
		}
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, Label: omittable("kept")}); err != nil {
			t.Errorf("renaming returns %v", err)
		}
		if err := b.accounts.SetPlan(t.Context(), workspace, model.PlanTeam); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(true)}); err != nil ||
			!b.getWebhook(w.ID).IsActive {
			t.Errorf("after the upgrade resuming returns %v", err)
		}
	})
}

// TestOrder checks that a link's second event waits for retries of the first. Other links are not
// delayed.
func TestOrder(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.receiver.setStatus("/o", 500)
		w := b.createWebhook("/o", orderedInput)
		first := b.appendOpenings(3, "lnk_1")
		b.runTasksWithin(0)
		other := b.appendOpenings(1, "lnk_2")
		b.runTasksWithin(0)
		ids := func() (all []string) {
			for _, p := range b.receiver.postsTo("/o") {
				all = append(all, p.header.Get("webhook-id"))
			}
			return all
		}
		if got := ids(); len(got) != 2 || got[0] != first[0].ID || got[1] != other[0].ID {
			t.Fatalf("got %v", got)
		}
		b.receiver.setStatus("/o", 200)
		b.runTasksWithin(time.Minute)
		got := slices.DeleteFunc(ids()[2:], func(id string) bool { return id == other[0].ID })
		if want := []string{first[0].ID, first[1].ID, first[2].ID}; !slices.Equal(got, want) {
			t.Errorf("then %v, want %v", got, want)
		}
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != 4 {
			t.Errorf("the deliveries are %v", c)
		}
	})
}

func TestOrder_continues_after_a_failed_delivery(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/o", orderedInput)
		b.receiver.setStatus("/o", 500)
		b.appendOpenings(2, "lnk_1")
		b.runTasksWithin(2 * time.Hour)
		b.clock.advanceTo(b.clock.now().Add(49 * time.Hour)) // TestPause_outage runs the probes of two days
		b.runTasksWithin(time.Hour)
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusPending]+c[model.DeliveryStatusRetrying] != 2 {
			t.Errorf("before the end of the retries the deliveries are %v", c)
		}
		for b.countByStatus(w.ID)[model.DeliveryStatusFailed] == 0 {
			b.runNextTask()
		}
		b.receiver.setStatus("/o", 200)
		b.runTasksWithin(5 * time.Minute)
		b.dispatchAll()
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusFailed] != 1 || c[model.DeliveryStatusDelivered] != 1 {
			t.Errorf("the deliveries are %v", c)
		}
	})
}

// TestTasks runs five hundred deliveries to each of two webhooks. None is lost, and a hanging
// receiver does not delay the other.
func TestTasks(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		hang := make(chan struct{})
		t.Cleanup(func() { close(hang) })
		b.receiver.setHandler("/hang", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		})
		b.startOnQueue()
		stuck, fine := b.createWebhook("/hang"), b.createWebhook("/fine")
		b.appendOpenings(500, "lnk_1")
		waitUntil(t, func() bool { return b.countByStatus(fine.ID)[model.DeliveryStatusDelivered] == 500 })
		if c := b.countByStatus(stuck.ID); c[model.DeliveryStatusDelivered] != 0 || c[model.DeliveryStatusPending]+
			c[model.DeliveryStatusRetrying]+c[model.DeliveryStatusSkipped] != 500 {
			t.Errorf("the stuck webhook has %v", c)
		}
		seen := map[string]bool{}
		for _, p := range b.receiver.postsTo("/fine") {
			seen[p.header.Get("webhook-id")] = true
		}
		if len(seen) != 500 {
			t.Errorf("%d events arrived", len(seen))
		}
	})
}

// TestTasks_retry_failures_among_successes rejects every third event once. Results of successes and
// failures are written in one batch.
func TestTasks_retry_failures_among_successes(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		var mu sync.Mutex
		first := map[string]bool{}
		b.receiver.setHandler("/flaky", func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			id := r.Header.Get("webhook-id")
			if !first[id] {
				if first[id] = true; len(first)%3 == 0 {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}
		})
		b.startOnQueue()
		w := b.createWebhook("/flaky")
		b.appendOpenings(60, "lnk_1")
		waitUntil(t, func() bool { return b.countByStatus(w.ID)[model.DeliveryStatusDelivered] == 60 })
	})
}

func waitUntil(t *testing.T, condition func() bool) {
	t.Helper()
	poll.Until(t, condition, "the condition does not hold")
}
