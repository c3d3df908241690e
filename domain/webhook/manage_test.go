package webhook_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"rostrum/api"
	"rostrum/domain/webhook"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

func TestSigning(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.SetClock(model.Now) // the verifier uses the system clock
		w := b.createWebhook("/s", func(in *api.CreateWebhookInput) { in.Signing = omittable(true) })
		former := *w.SigningSecret
		verified := func(secret string) bool {
			b.appendOpenings(1, "lnk_1")
			b.runTasksWithin(time.Hour)
			all := b.receiver.postsTo("/s")
			last := all[len(all)-1]
			v, err := standardwebhooks.NewWebhook(secret)
			return err == nil && v.Verify([]byte(last.body), last.header) == nil
		}
		if !verified(former) || b.getWebhook(w.ID).SigningSecret != nil {
			t.Fatal("the signature does not match the secret, or the secret is returned again")
		}
		fresh, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID, OverlapSeconds: omittable(600)})
		if err != nil || fresh.PreviousValidUntil == nil {
			t.Fatal(fresh, err)
		}
		if !verified(former) || !verified(fresh.Secret) {
			t.Error("during the overlap a secret does not verify")
		}
		second, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID, OverlapSeconds: omittable(300)})
		if err != nil || !verified(former) || !verified(fresh.Secret) || !verified(second.Secret) {
			t.Errorf("a second rotation ends the overlap of the first (%v)", err)
		}
		last, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID, OverlapSeconds: omittable(0)})
		if err != nil || last.PreviousValidUntil != nil || verified(second.Secret) || !verified(last.Secret) ||
			!verified(former) {
			t.Errorf("without overlap the old secret verifies, or the new one or one that was promised does not (%v)", err)
		}
		for range 20 {
			_, err = b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID})
		}
		if !errs.Is(err, errs.Conflict) {
			t.Errorf("secrets add up without a limit (%v)", err)
		}
	})
}

// TestSeal loses the key of the secrets.
func TestSeal(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		if err := b.CheckSeal(t.Context()); err != nil {
			t.Fatal(err)
		}
		useKey := func(first byte) {
			b.sealKey[0] = first
			b.useService(b.queue)
		}
		useKey(1)
		if err := b.CheckSeal(t.Context()); err != nil {
			t.Errorf("a database without secrets refuses another key: %v", err)
		}
		w := b.createWebhook("/s", func(in *api.CreateWebhookInput) { in.Signing = omittable(true) })
		useKey(2)
		if err := b.CheckSeal(t.Context()); err == nil || !strings.Contains(err.Error(), "rostrum seal renew") {
			t.Errorf("another key is accepted: %v", err)
		}
		if _, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID}); err == nil {
			t.Error("a secret was encrypted with another key")
		}
		b.appendOpenings(1, "lnk_1")
		b.runNextTask()
		attempts := b.listDeliveries(w.ID)[0].Attempts
		if len(attempts) != 1 || *attempts[0].ErrorCode != model.DeliveryErrorCodeNotSigned ||
			!strings.Contains(*attempts[0].Error, "rotate") {
			t.Errorf("the attempts are %+v", attempts)
		}
		b.otherLost = []webhook.LostSecret{{WorkspaceID: workspace, ID: "src_1", Name: "Press", Action: "source.password_lost"}}
		lost, err := b.RenewSeal(t.Context())
		if err != nil || len(lost) != 2 || lost[0].ID != "src_1" || lost[1].ID != w.ID {
			t.Errorf("lost are %+v, %v", lost, err)
		}
		for _, want := range []string{"source.password_lost src_1 map[name:Press]", "webhook.secret_lost " + w.ID} {
			if !slices.ContainsFunc(b.audited, func(entry string) bool { return strings.HasPrefix(entry, want) }) {
				t.Errorf("the audit log has no %q: %q", want, b.audited)
			}
		}
		if err := b.CheckSeal(t.Context()); err != nil {
			t.Errorf("the renewed key is refused: %v", err)
		}
		useKey(3)
		if err := b.CheckSeal(t.Context()); err == nil || !strings.Contains(err.Error(), "1 passwords of mailboxes") {
			t.Errorf("another key than that of the mailboxes is accepted: %v", err)
		}
		useKey(2)
		if out, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID}); err != nil ||
			out.PreviousValidUntil != nil {
			t.Errorf("%+v, %v", out, err)
		}
		b.runTasksWithin(time.Hour)
		if len(b.receiver.postsTo("/s")) != 1 {
			t.Error("the delivery was not sent after the rotation")
		}
	})
}

func TestTest(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/t")
		for _, event := range model.EventTypes {
			out, err := b.Test(b.ctx, api.TestWebhookInput{WebhookID: w.ID, Event: event})
			if err != nil || *out.Attempt.Status != 200 || out.Attempt.Error != nil || !out.Delivery.Test {
				t.Errorf("%s: %+v, %v", event, out, err)
			}
		}
		for _, p := range b.receiver.postsTo("/t") {
			if !strings.Contains(p.body, `"test":true`) {
				t.Errorf("a test is not marked: %s", p.body)
			}
		}
		b.receiver.setStatus("/t", 500)
		if out, err := b.Test(b.ctx, api.TestWebhookInput{WebhookID: w.ID, Event: model.EventConversion}); err != nil ||
			*out.Attempt.Status != 500 || out.Attempt.Error == nil {
			t.Errorf("a failing test delivery: %+v, %v", out, err)
		}
		if b.getWebhook(w.ID).ConsecutiveFailures != 0 || len(b.listDeliveries(w.ID)) != len(model.EventTypes)+1 {
			t.Error("test deliveries count as failures, or are not listed")
		}
		if _, err := b.Test(b.ctx, api.TestWebhookInput{WebhookID: w.ID, Event: "nothing"}); !errs.Is(err,
			errs.ValidationFailed) {
			t.Errorf("an unknown event returns %v", err)
		}
		if _, err := b.ReplayDelivery(b.ctx, w.ID, b.listDeliveries(w.ID)[0].ID); err != nil {
			t.Fatal(err)
		}
		b.runNextTask()
		all := b.receiver.postsTo("/t")
		if last := all[len(all)-1]; last.header.Get("webhook-id") != b.listDeliveries(w.ID)[0].EventID ||
			!strings.Contains(last.body, `"test":true`) {
			t.Errorf("a test is redelivered as %+v", last)
		}
	})
}

func TestChat(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		b.createWebhook("/chat/T1/B1/x")
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(0)
		if got := b.receiver.postsTo("/chat/T1/B1/x"); len(got) != 1 || !strings.Contains(got[0].body, `"blocks"`) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAddress checks that every form of a private address is rejected.
func TestAddress(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		strict := b.newService(&fakeQueue{clock: b.clock, tasks: b.queue.tasks}, nil)
		for _, url := range []string{
			"http://example.com/", "ftp://example.com/", "https://user@example.com/", "https://user:pw@example.com/",
			"https:///x", "example.com",
			"https://127.0.0.1/", "https://localhost/", "https://LOCALHOST./", "https://a.localhost/",
			"https://10.0.0.1/", "https://192.168.1.1/",
			"https://172.16.0.1/", "https://169.254.169.254/latest", "https://100.64.0.1/", "https://0.0.0.0/",
			"https://0/", "https://2130706433/",
			"https://0177.0.0.1/", "https://017700000001/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/",
			"https://[::1]/", "https://[::]/",
			"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fd00::1]/", "https://[fe80::1]/",
			"https://[64:ff9b::7f00:1]/",
			"https://１２７.0.0.1/", "https://255.255.255.255/", "https://224.0.0.1/",
		} {
			_, err := strict.Create(b.ctx, api.CreateWebhookInput{URL: url})
			if failure := errs.From(err); failure.Code != errs.ValidationFailed || len(failure.Fields) != 1 ||
				failure.Fields[0].Pointer != "#/url" {
				t.Errorf("%s: %v", url, err)
			}
		}
		if all, err := strict.List(b.ctx, model.PageArgs{}); err != nil || len(all.Nodes) != 0 {
			t.Errorf("webhooks were created: %+v, %v", all, err)
		}
	})
}

// TestAddress_resolves_to_private delivers to a webhook with a host that was public at first and
// resolves to a private address later.
func TestAddress_resolves_to_private(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		strict := b.newService(&fakeQueue{clock: b.clock, tasks: b.queue.tasks},
			[]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})
		strict.SetClock(b.clock.now)
		b.appendOpenings(1, "lnk_1")
		b.runNextTask()
		a := b.listDeliveries(w.ID)[0].Attempts[0]
		if *a.ErrorCode != model.DeliveryErrorCodeBlockedAddress || a.Status != nil || a.Body != nil ||
			len(b.receiver.postsTo("/x")) != 0 {
			t.Errorf("the attempt is %+v", a)
		}
	})
}

func TestUpdate(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		for name, test := range map[string]struct {
			in   api.UpdateWebhookInput
			code errs.Code
		}{
			"an empty patch": {api.UpdateWebhookInput{WebhookID: w.ID}, errs.ValidationFailed},
			"a null state": {api.UpdateWebhookInput{WebhookID: w.ID,
				IsActive: graphql.OmittableOf[*bool](nil)}, errs.ValidationFailed},
			"another workspace's webhook": {api.UpdateWebhookInput{WebhookID: "whk_other"}, errs.NotFound},
		} {
			if _, err := b.Update(b.ctx, test.in); !errs.Is(err, test.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.Create(b.ctx, api.CreateWebhookInput{URL: b.receiver.URL, LinkID: omittable("lnk_9")}); !errs.Is(
			err, errs.NotFound) {
			t.Errorf("a foreign link: %v", err)
		}
		if _, err := b.Create(b.ctx, api.CreateWebhookInput{URL: b.receiver.URL,
			Events: graphql.OmittableOf([]model.EventType{"link.opened", "x"})}); errs.From(err).
			Fields[0].Pointer != "#/events/1" {
			t.Errorf("an unknown event: %v", err)
		}
		matches := graphql.OmittableOf([]model.EventType{model.EventTypeSearchMatched})
		for name, c := range map[string]struct {
			in      api.CreateWebhookInput
			pointer string
			code    errs.Code
		}{
			"a search without its event": {api.CreateWebhookInput{URL: b.receiver.URL, SearchID: omittable("sea_1")},
				"#/searchId", errs.ValidationFailed},
			"hits of a link": {api.CreateWebhookInput{URL: b.receiver.URL, LinkID: omittable("lnk_1"), Events: matches},
				"#/events/0", errs.ValidationFailed},
			"a foreign search": {api.CreateWebhookInput{URL: b.receiver.URL, SearchID: omittable("sea_9"),
				Events: matches}, "", errs.NotFound},
		} {
			_, err := b.Create(b.ctx, c.in)
			if fields := errs.From(err).Fields; !errs.Is(err, c.code) || c.pointer != "" && fields[0].Pointer != c.pointer {
				t.Errorf("%s: %v, %+v", name, err, fields)
			}
		}
	})
}

func TestDelete_drops_pending_deliveries(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		b.appendOpenings(3, "lnk_1")
		if _, err := b.Delete(b.ctx, w.ID); err != nil {
			t.Fatal(err)
		}
		b.runTasksWithin(time.Hour)
		if len(b.receiver.postsTo("/x")) != 0 || len(b.listDeliveries(w.ID)) != 0 {
			t.Error("rows are left")
		}
		if _, err := b.Delete(b.ctx, w.ID); !errs.Is(err, errs.NotFound) {
			t.Errorf("a second delete returns %v", err)
		}
	})
}

func TestDeleteExpired(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		for range 3 {
			b.appendOpenings(1, "lnk_1")
		}
		b.runNextTask()
		b.runNextTask()
		b.clock.advanceTo(b.clock.now().Add(31 * 24 * time.Hour))
		if err := b.DeleteExpired(b.ctx); err != nil {
			t.Fatal(err)
		}
		if left := b.listDeliveries(w.ID); len(left) != 1 || left[0].Status != model.DeliveryStatusPending {
			t.Errorf("%d deliveries are left", len(left))
		}
	})
}

// TestTenant checks that another workspace cannot read or change a webhook.
func TestTenant(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/x")
		b.appendOpenings(1, "lnk_1")
		b.runTasksWithin(0)
		d := b.listDeliveries(w.ID)[0]
		ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: "wsp_2"})
		if found, err := b.Get(ctx, w.ID); found != nil || err != nil {
			t.Errorf("the webhook: %v, %v", found, err)
		}
		if found, err := b.Delivery(ctx, w.ID, d.ID); found != nil || err != nil {
			t.Errorf("the delivery: %v, %v", found, err)
		}
		if found, err := b.DeliveryByID(ctx, d.ID); found != nil || err != nil {
			t.Errorf("the delivery by its id: %v, %v", found, err)
		}
		_, listed := b.Deliveries(ctx, w.ID, model.PageArgs{}, nil, nil)
		_, again := b.ReplayDelivery(ctx, w.ID, d.ID)
		_, replayed := b.ReplayDeliveries(ctx, api.ReplayWebhookDeliveriesInput{WebhookID: w.ID})
		_, tested := b.Test(ctx, api.TestWebhookInput{WebhookID: w.ID, Event: model.EventConversion})
		_, rotated := b.Rotate(ctx, api.RotateWebhookSecretInput{WebhookID: w.ID})
		_, removed := b.Delete(ctx, w.ID)
		for i, err := range []error{listed, again, replayed, tested, rotated, removed} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if c := b.countByStatus(w.ID); c[model.DeliveryStatusDelivered] != 1 || len(b.receiver.postsTo("/x")) != 1 {
			t.Errorf("a delivery was changed: %v", c)
		}
	})
}
