package webhook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// TestAudit changes a webhook and reads the audit entries, which name no address.
func TestAudit(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		w := b.createWebhook("/chat/secret")
		if _, err := b.Update(b.ctx, api.UpdateWebhookInput{WebhookID: w.ID, IsActive: omittable(false)}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Rotate(b.ctx, api.RotateWebhookSecretInput{WebhookID: w.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Delete(b.ctx, w.ID); err != nil {
			t.Fatal(err)
		}
		for i, action := range []string{"created", "updated", "secret_rotated", "deleted"} {
			if i >= len(b.audited) || !strings.HasPrefix(b.audited[i], "webhook."+action+" "+w.ID) {
				t.Errorf("entry %d is not %s: %v", i, action, b.audited)
			}
		}
		if strings.Contains(fmt.Sprint(b.audited), "/secret") {
			t.Errorf("an entry has the address: %v", b.audited)
		}
	})
}

// TestChatAddress reads the address of a chat with each scope.
func TestChatAddress(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		chat, other := b.createWebhook("/chat/secret"), b.createWebhook("/plain")
		for scope, hidden := range map[model.Scope]bool{model.ScopeRead: true, model.ScopeWrite: false} {
			ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: workspace,
				Scopes: []model.Scope{scope}})
			listed, err := b.List(ctx, model.PageArgs{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Get(ctx, chat.ID)
			if err != nil {
				t.Fatal(err)
			}
			byID, err := b.ByIDs(ctx, workspace, []string{chat.ID})
			if err != nil {
				t.Fatal(err)
			}
			pages, err := b.Pages(ctx, workspace, "workspace_id", []string{workspace}, model.PageArgs{}, "id", "url")
			if err != nil || len(pages[0].Nodes) != 2 {
				t.Fatalf("%d pages, %v", len(pages), err)
			}
			for _, w := range slices.Concat(listed.Nodes, byID, pages[0].Nodes, []*model.Webhook{got}) {
				switch {
				case w.ID == other.ID && w.URL != other.URL:
					t.Errorf("%s: %s is %s", scope, other.URL, w.URL)
				case w.ID == chat.ID && strings.Contains(w.URL, "secret") == hidden:
					t.Errorf("%s: the chat's address is %s", scope, w.URL)
				}
			}
		}
	})
}

// TestCreate_at_the_limit creates more webhooks than a workspace may have.
func TestCreate_at_the_limit(t *testing.T) {
	eachDatabase(t, func(t *testing.T, b *testBundle) {
		for range 50 {
			b.createWebhook("/many")
		}
		if _, err := b.Create(b.ctx, api.CreateWebhookInput{URL: b.receiver.URL + "/many"}); !errs.Is(err,
			errs.Conflict) {
			t.Errorf("the 51st webhook: %v", err)
		}
	})
}
