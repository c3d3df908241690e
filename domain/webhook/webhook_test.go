package webhook_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/model"
)

func given[T any](v T) graphql.Omittable[*T] { return graphql.OmittableOf(&v) }

// ordered makes a webhook that keeps the order of events.
func ordered(in *model.CreateWebhookInput) { in.Ordered = given(true) }

func TestDeliver(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/a")
		only := b.hook("/only", func(in *model.CreateWebhookInput) { in.LinkID = given("lnk_2") })
		typed := b.hook("/typed", func(in *model.CreateWebhookInput) { in.Events = graphql.OmittableOf([]string{model.EventConversion}) })
		b.append(opened("wsp_2", 1, "lnk_9"))
		events := append(b.happen(1, "lnk_1"), b.happen(1, "lnk_2")...)
		b.drain(0)
		got := b.receiver.posts("/a")
		if len(got) != 2 || len(b.receiver.posts("/only")) != 1 || len(b.receiver.posts("/typed")) != 0 || len(b.deliveries(typed.ID)) != 0 {
			t.Fatalf("%d, %d and %d posts", len(got), len(b.receiver.posts("/only")), len(b.receiver.posts("/typed")))
		}
		first := got[0]
		if first.header.Get("webhook-id") != events[0].ID || first.header.Get("Content-Type") != "application/json" ||
			first.header.Get("webhook-signature") != "" || !strings.Contains(first.body, `"event":"link.opened"`) {
			t.Errorf("got %+v", first)
		}
		for _, d := range append(b.deliveries(w.ID), b.deliveries(only.ID)...) {
			if d.Status != model.DeliveryStatusDelivered || len(d.Attempts) != 1 || *d.Attempts[0].Status != 200 || d.DeliveredAt == nil {
				t.Errorf("delivery %+v", d)
			}
		}
	})
}

// TestSchedule follows one delivery through all of its attempts.
func TestSchedule(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.respond("/broken", 503)
		w := b.hook("/broken")
		events := b.happen(1, "lnk_1")
		var pauses []time.Duration
		last := b.clock.now()
		for b.step() {
			if now := b.clock.now(); now.After(last) {
				pauses, last = append(pauses, now.Sub(last)), now
			}
		}
		want := "[5s 30s 2m0s 10m0s 1h0m0s 3h0m0s 8h0m0s 16h0m0s 24h0m0s]"
		if got := strings.ReplaceAll(sprint(pauses), ",", ""); got != want {
			t.Errorf("pauses %s, want %s", got, want)
		}
		d := b.deliveries(w.ID)[0]
		if d.Status != model.DeliveryStatusFailed || len(d.Attempts) != 10 || d.NextAttemptAt != nil {
			t.Errorf("it ended as %+v", d)
		}
		for _, p := range b.receiver.posts("/broken") {
			if p.header.Get("webhook-id") != events[0].ID {
				t.Errorf("an attempt has the id %s", p.header.Get("webhook-id"))
			}
		}
		if n := b.get(w.ID).ConsecutiveFailures; n != 10 {
			t.Errorf("%d failures in a row, want 10", n)
		}
	})
}

func sprint(pauses []time.Duration) string {
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
		"redirects are not followed": {302, []string{"Location", "/elsewhere"}, model.DeliveryErrorCodeHTTPStatus, 5 * time.Second},
		"an error":                   {404, nil, model.DeliveryErrorCodeHTTPStatus, 5 * time.Second},
		"a longer wait is granted":   {429, []string{"Retry-After", "600"}, model.DeliveryErrorCodeHTTPStatus, 10 * time.Minute},
		"a shorter one is not":       {503, []string{"Retry-After", "1"}, model.DeliveryErrorCodeHTTPStatus, 5 * time.Second},
		"an endless one is cut":      {503, []string{"Retry-After", "99999999"}, model.DeliveryErrorCodeHTTPStatus, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, b *bundle) {
				b.receiver.respond("/x", test.status, test.header...)
				w := b.hook("/x")
				b.happen(1, "lnk_1")
				b.step()
				d := b.deliveries(w.ID)[0]
				if d.Status != model.DeliveryStatusRetrying || *d.Attempts[0].Status != test.status || *d.Attempts[0].ErrorCode != test.code {
					t.Errorf("it is %+v", d)
				}
				if wait := d.NextAttemptAt.Sub(b.clock.now()); wait != test.wait {
					t.Errorf("the next attempt is %s away, want %s", wait, test.wait)
				}
				if n := len(b.receiver.posts("/elsewhere")); n != 0 {
					t.Error("the redirect was followed")
				}
			})
		})
	}
}

func TestDeliver_timeout_and_long_answers(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.serve("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		b.receiver.serve("/long", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("\x00\xff" + strings.Repeat("x", 5000))) })
		slow, long := b.hook("/slow"), b.hook("/long")
		b.happen(1, "lnk_1")
		b.drain(0)
		if a := b.deliveries(slow.ID)[0].Attempts[0]; *a.ErrorCode != model.DeliveryErrorCodeTimeout || a.Status != nil || a.LatencyMs < 900 {
			t.Errorf("slow: %+v", a)
		}
		if a := b.deliveries(long.ID)[0].Attempts[0]; a.ErrorCode != nil || *a.Body != "\uFFFD"+strings.Repeat("x", 1022) {
			t.Errorf("long: %+v", a)
		}
	})
}

// TestPause fails a webhook until it is paused, and lets it recover.
func TestPause(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.respond("/down", 500)
		w := b.hook("/down")
		b.happen(19, "lnk_1")
		b.drain(0)
		if w = b.get(w.ID); !w.IsActive || w.ConsecutiveFailures != 19 {
			t.Fatalf("after 19 failures: %+v", w)
		}
		b.happen(1, "lnk_1")
		b.drain(0)
		if w = b.get(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonFailures || w.ConsecutiveFailures != 20 {
			t.Fatalf("after 20 failures: %+v", w)
		}
		b.happen(2, "lnk_1")
		b.drain(4 * time.Minute)
		if c := b.count(w.ID); c[model.DeliveryStatusSkipped] != 22 || len(b.receiver.posts("/down")) != 20 {
			t.Fatalf("paused, it has %v after %d posts", c, len(b.receiver.posts("/down")))
		}
		b.drain(2 * time.Minute) // the first probe
		if n := len(b.receiver.posts("/down")); n != 21 || b.get(w.ID).IsActive {
			t.Fatalf("%d posts after a probe that failed", n)
		}
		b.receiver.respond("/down", 200)
		b.drain(20 * time.Minute) // the second
		if w = b.get(w.ID); !w.IsActive || w.PausedReason != nil || w.ConsecutiveFailures != 0 {
			t.Fatalf("after a probe that succeeded: %+v", w)
		}
		replayed, err := b.Replay(b.ctx, w.ID, model.ReplayInput{Since: b.clock.now().Add(-time.Hour), OnlyFailed: given(true)})
		if err != nil || replayed.Queued != 21 {
			t.Fatalf("replayed %+v, %v", replayed, err)
		}
		if err := b.Look(b.ctx); err != nil {
			t.Fatal(err)
		}
		b.drain(0)
		if c := b.count(w.ID); c[model.DeliveryStatusDelivered] != 22 {
			t.Errorf("after the replay: %v", c)
		}
	})
}

func TestPause_by_a_receiver_that_is_gone(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.respond("/gone", 410)
		w := b.hook("/gone")
		b.happen(1, "lnk_1")
		b.drain(48 * time.Hour)
		if w = b.get(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonGone || len(b.receiver.posts("/gone")) != 1 {
			t.Errorf("it is %+v after %d posts", w, len(b.receiver.posts("/gone")))
		}
	})
}

func TestPause_by_its_owner(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.respond("/x", 500)
		w := b.hook("/x")
		b.happen(2, "lnk_1")
		b.step()
		if _, err := b.Update(b.ctx, w.ID, model.UpdateWebhookInput{IsActive: given(false)}); err != nil {
			t.Fatal(err)
		}
		b.happen(1, "lnk_1")
		b.drain(48 * time.Hour)
		if c := b.count(w.ID); c[model.DeliveryStatusSkipped] != 3 || len(b.receiver.posts("/x")) != 1 || b.get(w.ID).IsActive {
			t.Fatalf("%v after %d posts", c, len(b.receiver.posts("/x")))
		}
		_, err := b.Replay(b.ctx, w.ID, model.ReplayInput{Since: b.clock.now().Add(-time.Hour)})
		_, err2 := b.Redeliver(b.ctx, w.ID, b.deliveries(w.ID)[0].ID)
		if !errs.Is(err, errs.InvalidState) || !errs.Is(err2, errs.InvalidState) {
			t.Errorf("paused, a replay gives %v and a redelivery %v", err, err2)
		}
	})
}

func TestPlan_that_has_no_webhooks_pauses_them(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		b.happen(1, "lnk_1")
		if err := b.accounts.SetPlan(t.Context(), workspace, model.PlanFree); err != nil {
			t.Fatal(err)
		}
		b.drain(time.Hour)
		if w = b.get(w.ID); w.IsActive || *w.PausedReason != model.PausedReasonPlan || b.count(w.ID)[model.DeliveryStatusSkipped] != 1 {
			t.Errorf("it is %+v", w)
		}
		_, err := b.Update(b.ctx, w.ID, model.UpdateWebhookInput{IsActive: given(true)})
		if failure := errs.From(err); failure.Code != errs.UpgradeRequired || failure.Extra["upgrade_required"] != true {
			t.Errorf("it is resumed with %v", err)
		}
		if _, err := b.Update(b.ctx, w.ID, model.UpdateWebhookInput{Label: given("kept")}); err != nil {
			t.Errorf("it is renamed with %v", err)
		}
		if err := b.accounts.SetPlan(t.Context(), workspace, model.PlanTeam); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Update(b.ctx, w.ID, model.UpdateWebhookInput{IsActive: given(true)}); err != nil || !b.get(w.ID).IsActive {
			t.Errorf("after the upgrade it is resumed with %v", err)
		}
	})
}

// TestOrder holds the second event of a link back while the first is tried, and no other link's.
func TestOrder(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.receiver.respond("/o", 500)
		w := b.hook("/o", ordered)
		first := b.happen(3, "lnk_1")
		b.drain(0)
		other := b.happen(1, "lnk_2")
		b.drain(0)
		ids := func() (all []string) {
			for _, p := range b.receiver.posts("/o") {
				all = append(all, p.header.Get("webhook-id"))
			}
			return all
		}
		if got := ids(); len(got) != 2 || got[0] != first[0].ID || got[1] != other[0].ID {
			t.Fatalf("got %v", got)
		}
		b.receiver.respond("/o", 200)
		b.drain(time.Minute)
		got := slices.DeleteFunc(ids()[2:], func(id string) bool { return id == other[0].ID })
		if want := []string{first[0].ID, first[1].ID, first[2].ID}; !slices.Equal(got, want) {
			t.Errorf("then %v, want %v", got, want)
		}
		if c := b.count(w.ID); c[model.DeliveryStatusDelivered] != 4 {
			t.Errorf("it ends with %v", c)
		}
	})
}

func TestOrder_goes_on_behind_one_that_is_given_up(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/o", ordered)
		b.receiver.respond("/o", 500)
		b.happen(2, "lnk_1")
		for len(b.receiver.posts("/o")) < 10 {
			b.step()
		}
		b.receiver.respond("/o", 200)
		b.drain(time.Minute)
		if c := b.count(w.ID); c[model.DeliveryStatusFailed] != 1 || c[model.DeliveryStatusDelivered] != 1 {
			t.Errorf("it ends with %v", c)
		}
	})
}

// TestTasks works five hundred deliveries to each of two webhooks at once: none is lost, and a receiver that hangs delays no other.
func TestTasks(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		hang := make(chan struct{})
		t.Cleanup(func() { close(hang) })
		b.receiver.serve("/hang", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		})
		b.startOnQueue()
		stuck, fine := b.hook("/hang"), b.hook("/fine")
		b.happen(500, "lnk_1")
		eventually(t, func() bool { return b.count(fine.ID)[model.DeliveryStatusDelivered] == 500 })
		if c := b.count(stuck.ID); c[model.DeliveryStatusDelivered] != 0 || c[model.DeliveryStatusPending]+c[model.DeliveryStatusRetrying]+c[model.DeliveryStatusSkipped] != 500 {
			t.Errorf("the stuck one has %v", c)
		}
		seen := map[string]bool{}
		for _, p := range b.receiver.posts("/fine") {
			seen[p.header.Get("webhook-id")] = true
		}
		if len(seen) != 500 {
			t.Errorf("%d events arrived", len(seen))
		}
	})
}

// TestTasks_try_again_what_failed_among_successes has a receiver refuse every third event once, while the others' results are written
// with the refusals in one piece of work.
func TestTasks_try_again_what_failed_among_successes(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		var mu sync.Mutex
		first := map[string]bool{}
		b.receiver.serve("/flaky", func(w http.ResponseWriter, r *http.Request) {
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
		w := b.hook("/flaky")
		b.happen(60, "lnk_1")
		eventually(t, func() bool { return b.count(w.ID)[model.DeliveryStatusDelivered] == 60 })
	})
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come true")
		}
	}
}
