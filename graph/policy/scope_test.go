package policy

import (
	"context"
	"testing"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// TestAuthorize checks that of a user the role counts and of a key the scopes.
func TestAuthorize(t *testing.T) {
	t.Parallel()
	save := []fieldScope{{"saveDraft", model.ScopeWrite, model.AbilityWrite}}
	for name, c := range map[string]struct {
		caller  principal.Principal
		allowed bool
	}{
		"author":              {principal.Principal{UserID: "usr_1", Role: model.RoleAuthor}, true},
		"viewer":              {principal.Principal{UserID: "usr_1", Role: model.RoleViewer}, false},
		"viewer with a scope": {principal.Principal{UserID: "usr_1", Role: model.RoleViewer, Scopes: []model.Scope{model.ScopeAdmin}}, false},
		"user without a role": {principal.Principal{UserID: "usr_1"}, false},
		"key that writes":     {principal.Principal{KeyID: "key_1", Scopes: []model.Scope{model.ScopeWrite}}, true},
		"key that reads":      {principal.Principal{KeyID: "key_1", Scopes: []model.Scope{model.ScopeRead}}, false},
	} {
		err := authorize(principal.With(context.Background(), c.caller), save)
		if allowed := err == nil; allowed != c.allowed || !allowed && !errs.Is(err, errs.InsufficientScope) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := authorize(context.Background(), save); !errs.Is(err, errs.Unauthenticated) {
		t.Errorf("without a caller: %v", err)
	}
}

// TestAuthorize_table checks every ability with every role.
func TestAuthorize_table(t *testing.T) {
	t.Parallel()
	for _, role := range model.Roles {
		ctx := principal.With(context.Background(), principal.Principal{UserID: "usr_1", Role: role})
		for _, ability := range model.Abilities {
			err := authorize(ctx, []fieldScope{{"field", model.ScopeAdmin, ability}})
			if (err == nil) != role.Can(ability) {
				t.Errorf("%s as %s: %v", ability, role, err)
			}
		}
	}
}
