package app

import (
	"strings"
	"testing"

	"rostrum/errs"
	"rostrum/model"
)

// TestKeyRevoke ends a key by the operator's command while the app runs. It may be the last one.
func TestKeyRevoke(t *testing.T) {
	eachDatabase(t, func(t *testing.T, config Config) {
		a, id := newApp(t, config)
		made, err := a.accounts.Mint(t.Context(), id, "system", "n", []model.Scope{model.ScopeRead}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			keyList{Workspace: id}.Run(t.Context(), config), workspaceList{}.Run(t.Context(), config),
			keyRevoke{Workspace: id, Key: made.Key.ID}.Run(t.Context(), config),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		key, err := a.accounts.Key(t.Context(), id, made.Key.ID)
		if err != nil || keyState(key) != "revoked" {
			t.Errorf("the key is %+v, %v", key, err)
		}
		if err := (keyRevoke{Workspace: id, Key: "key_unknown"}).Run(t.Context(), config); !errs.Is(err, errs.NotFound) {
			t.Errorf("an unknown key: %v", err)
		}
		if err := (keyList{Workspace: "wsp_unknown"}).Run(t.Context(), config); !errs.Is(err, errs.NotFound) {
			t.Errorf("an unknown workspace: %v", err)
		}
	})
}

// TestVersion checks that the version names Go's.
func TestVersion(t *testing.T) {
	t.Parallel()
	if got := version(); !strings.HasPrefix(got, "rostrum ") || !strings.Contains(got, "go1.") {
		t.Errorf("the version is %q", got)
	}
}
