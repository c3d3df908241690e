package webhook_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/model"
)

func TestSigning(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.SetClock(model.Now) // the verifier has its own
		w := b.hook("/s", func(in *model.CreateWebhookInput) { in.Signing = given(true) })
		former := *w.SigningSecret
		verified := func(secret string) bool {
			b.happen(1, "lnk_1")
			b.drain(time.Hour)
			all := b.receiver.posts("/s")
			last := all[len(all)-1]
			v, err := standardwebhooks.NewWebhook(secret)
			return err == nil && v.Verify([]byte(last.body), last.header) == nil
		}
		if !verified(former) || b.get(w.ID).SigningSecret != nil {
			t.Fatal("the signature is not the secret's, or the secret is shown again")
		}
		fresh, err := b.Rotate(b.ctx, w.ID, &model.RotateWebhookSecretInput{OverlapSeconds: given(600)})
		if err != nil || fresh.PreviousValidUntil == nil {
			t.Fatal(fresh, err)
		}
		if !verified(former) || !verified(fresh.Secret) {
			t.Error("in the overlap both secrets verify")
		}
		last, err := b.Rotate(b.ctx, w.ID, &model.RotateWebhookSecretInput{OverlapSeconds: given(0)})
		if err != nil || last.PreviousValidUntil != nil || verified(fresh.Secret) || !verified(last.Secret) {
			t.Errorf("without overlap only the new secret verifies (%v)", err)
		}
	})
}

func TestTest(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/t")
		for _, event := range []string{model.EventLinkOpened, model.EventConversion, model.EventFormSubmitted} {
			out, err := b.Test(b.ctx, w.ID, model.TestWebhookInput{Event: event})
			if err != nil || *out.Status != 200 || out.Error != nil || !out.Delivery.Test {
				t.Errorf("%s: %+v, %v", event, out, err)
			}
		}
		for _, p := range b.receiver.posts("/t") {
			if !strings.Contains(p.body, `"test":true`) {
				t.Errorf("a test is not marked: %s", p.body)
			}
		}
		b.receiver.respond("/t", 500)
		if out, err := b.Test(b.ctx, w.ID, model.TestWebhookInput{Event: model.EventConversion}); err != nil || *out.Status != 500 || out.Error == nil {
			t.Errorf("a test that fails: %+v, %v", out, err)
		}
		if b.get(w.ID).ConsecutiveFailures != 0 || len(b.deliveries(w.ID)) != 4 {
			t.Error("tests count, or are not listed")
		}
		if _, err := b.Test(b.ctx, w.ID, model.TestWebhookInput{Event: "nothing"}); !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("an unknown event gives %v", err)
		}
		if _, err := b.Redeliver(b.ctx, w.ID, b.deliveries(w.ID)[0].ID); err != nil {
			t.Fatal(err)
		}
		b.step()
		all := b.receiver.posts("/t")
		if last := all[len(all)-1]; last.header.Get("webhook-id") != b.deliveries(w.ID)[0].EventID || !strings.Contains(last.body, `"test":true`) {
			t.Errorf("a test is redelivered as %+v", last)
		}
	})
}

func TestChat(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		b.hook("/chat/T1/B1/x")
		b.happen(1, "lnk_1")
		b.drain(0)
		if got := b.receiver.posts("/chat/T1/B1/x"); len(got) != 1 || !strings.Contains(got[0].body, `"blocks"`) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAddress tries every form of address that must not be reached; none makes a webhook.
func TestAddress(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		strict := b.room(&line{clock: b.clock, tasks: b.line.tasks}, nil)
		for _, url := range []string{
			"http://example.com/", "ftp://example.com/", "https://user@example.com/", "https://user:pw@example.com/", "https:///x", "example.com",
			"https://127.0.0.1/", "https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "https://10.0.0.1/", "https://192.168.1.1/",
			"https://172.16.0.1/", "https://169.254.169.254/latest", "https://100.64.0.1/", "https://0.0.0.0/", "https://0/", "https://2130706433/",
			"https://0177.0.0.1/", "https://017700000001/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://[::1]/", "https://[::]/",
			"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fd00::1]/", "https://[fe80::1]/", "https://[64:ff9b::7f00:1]/",
			"https://１２７.0.0.1/", "https://255.255.255.255/", "https://224.0.0.1/",
		} {
			_, err := strict.Create(b.ctx, model.CreateWebhookInput{URL: url})
			if failure := errs.From(err); failure.Code != errs.ValidationFailed || len(failure.Fields) != 1 || failure.Fields[0].Pointer != "#/url" {
				t.Errorf("%s: %v", url, err)
			}
		}
		if all, err := strict.List(b.ctx); err != nil || len(all) != 0 {
			t.Errorf("%d were made (%v)", len(all), err)
		}
	})
}

// TestAddress_that_turns_private makes a webhook of a public look, whose name leads inside when it is dialled.
func TestAddress_that_turns_private(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		strict := b.room(&line{clock: b.clock, tasks: b.line.tasks}, []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})
		strict.SetClock(b.clock.now)
		b.happen(1, "lnk_1")
		b.step()
		a := b.deliveries(w.ID)[0].Attempts[0]
		if *a.ErrorCode != model.DeliveryErrorCodeBlockedAddress || a.Status != nil || a.Body != nil || len(b.receiver.posts("/x")) != 0 {
			t.Errorf("it is %+v", a)
		}
	})
}

func TestUpdate(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		for name, test := range map[string]struct {
			id   string
			in   model.UpdateWebhookInput
			code errs.Code
		}{
			"an empty patch":              {w.ID, model.UpdateWebhookInput{}, errs.ValidationFailed},
			"a null state":                {w.ID, model.UpdateWebhookInput{IsActive: graphql.OmittableOf[*bool](nil)}, errs.ValidationFailed},
			"another workspace's webhook": {"whk_other", model.UpdateWebhookInput{}, errs.NotFound},
		} {
			if _, err := b.Update(b.ctx, test.id, test.in); !errs.Is(err, test.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.Create(b.ctx, model.CreateWebhookInput{URL: b.receiver.URL, LinkID: given("lnk_9")}); !errs.Is(err, errs.NotFound) {
			t.Errorf("a foreign link: %v", err)
		}
		if _, err := b.Create(b.ctx, model.CreateWebhookInput{URL: b.receiver.URL, Events: graphql.OmittableOf([]string{"link.opened", "x"})}); errs.From(err).Fields[0].Pointer != "#/events/1" {
			t.Errorf("an unknown event: %v", err)
		}
	})
}

func TestDelete_drops_what_is_pending(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		b.happen(3, "lnk_1")
		if _, err := b.Delete(b.ctx, w.ID); err != nil {
			t.Fatal(err)
		}
		b.drain(time.Hour)
		if len(b.receiver.posts("/x")) != 0 || len(b.deliveries(w.ID)) != 0 {
			t.Error("something is left")
		}
		if _, err := b.Delete(b.ctx, w.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("again: %v", err)
		}
	})
}

func TestTidy(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		b.happen(3, "lnk_1")
		b.step()
		b.step()
		b.clock.move(b.clock.now().Add(31 * 24 * time.Hour))
		if err := b.Tidy(b.ctx); err != nil {
			t.Fatal(err)
		}
		if left := b.deliveries(w.ID); len(left) != 1 || left[0].Status != model.DeliveryStatusPending {
			t.Errorf("%d are left", len(left))
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "x": 0, "-5": 0, "30": 30 * time.Second, "Thu, 01 Jan 2026 00:01:00 GMT": time.Minute, "Wed, 31 Dec 2025 00:00:00 GMT": 0,
		"9223372036854775807": 24 * time.Hour, strconv.Itoa(1 << 40): 24 * time.Hour,
	} {
		if got := webhook.RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

// TestTenant asks as another workspace for everything of the first one.
func TestTenant(t *testing.T) {
	each(t, func(t *testing.T, b *bundle) {
		w := b.hook("/x")
		b.happen(1, "lnk_1")
		b.drain(0)
		d := b.deliveries(w.ID)[0]
		ctx := model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: "wsp_2"})
		if found, err := b.Get(ctx, w.ID); found != nil || err != nil {
			t.Errorf("the webhook: %v, %v", found, err)
		}
		if found, err := b.Delivery(ctx, w.ID, d.ID); found != nil || err != nil {
			t.Errorf("the delivery: %v, %v", found, err)
		}
		if found, err := b.DeliveryByID(ctx, d.ID); found != nil || err != nil {
			t.Errorf("the delivery by its id: %v, %v", found, err)
		}
		_, listed := b.Deliveries(ctx, w.ID, model.PageArgs{}, nil)
		_, again := b.Redeliver(ctx, w.ID, d.ID)
		_, replayed := b.Replay(ctx, w.ID, model.ReplayInput{})
		_, tested := b.Test(ctx, w.ID, model.TestWebhookInput{Event: model.EventConversion})
		_, rotated := b.Rotate(ctx, w.ID, nil)
		_, removed := b.Delete(ctx, w.ID)
		for i, err := range []error{listed, again, replayed, tested, rotated, removed} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if c := b.count(w.ID); c[model.DeliveryStatusDelivered] != 1 || len(b.receiver.posts("/x")) != 1 {
			t.Errorf("something was changed: %v", c)
		}
	})
}
