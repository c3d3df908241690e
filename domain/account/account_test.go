package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

var allScopes = []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeAdmin}

// bundle is a room with one workspace and its first key.
type bundle struct {
	*account.Service
	db     *dbx.DB
	news   *live.Live
	first  *model.MintKeyPayload
	ctx    context.Context // of the first key's principal
	secret string
}

func setup(t *testing.T, db *dbx.DB) *bundle {
	t.Helper()
	news, err := live.Open(t.Context(), live.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { news.Close() })
	s := account.New(db, news)
	w, err := s.CreateWorkspace(t.Context(), account.NewWorkspace{Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Mint(t.Context(), w.ID, "system", "first", allScopes, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Authenticate(t.Context(), first.Secret)
	if err != nil {
		t.Fatal(err)
	}
	return &bundle{Service: s, db: db, news: news, first: first, ctx: model.WithPrincipal(t.Context(), p), secret: first.Secret}
}

func wantCode(t *testing.T, err error, code errs.Code) {
	t.Helper()
	if !errs.Is(err, code) {
		t.Errorf("error is %v, want %s", err, code)
	}
}

func TestAuthenticate(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		t.Run("a_mistyped_secret_asks_no_database", func(t *testing.T) {
			for _, wrong := range []string{"", "rsk_", "x" + s.secret, s.secret[:20], flip(s.secret, 10), flip(s.secret, len(s.secret)-1)} {
				ctx, count := dbx.WithCounter(t.Context())
				_, err := s.Authenticate(ctx, wrong)
				wantCode(t, err, errs.InvalidKey)
				if count.Load() != 0 {
					t.Errorf("%q cost %d statements", wrong, count.Load())
				}
			}
		})
		t.Run("a_known_key_asks_the_database_once", func(t *testing.T) {
			ctx, count := dbx.WithCounter(t.Context())
			for range 5 {
				if _, err := s.Authenticate(ctx, s.secret); err != nil {
					t.Fatal(err)
				}
			}
			if count.Load() > 1 {
				t.Errorf("5 requests cost %d statements", count.Load())
			}
		})
		t.Run("only_the_hash_is_stored", func(t *testing.T) {
			key, err := s.Key(t.Context(), s.first.Key.WorkspaceID, s.first.Key.ID)
			if err != nil || strings.Contains(string(key.Hash), s.secret) || !strings.HasPrefix(s.secret, key.Prefix) {
				t.Errorf("stored key %+v, error %v", key, err)
			}
		})
		t.Run("an_expired_key_says_so", func(t *testing.T) {
			soon := model.Now().Add(50 * time.Millisecond)
			made, err := s.Mint(t.Context(), s.first.Key.WorkspaceID, "system", "short", allScopes, &soon)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(soon) + time.Millisecond)
			_, err = s.Authenticate(t.Context(), made.Secret)
			wantCode(t, err, errs.KeyExpired)
		})
	})
}

// flip changes one character of a secret.
func flip(secret string, at int) string {
	other := byte('a')
	if secret[at] == other {
		other = 'b'
	}
	return secret[:at] + string(other) + secret[at+1:]
}

func TestMintKey(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		t.Run("no_wider_than_its_maker", func(t *testing.T) {
			reader := model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: s.first.Key.WorkspaceID, Scopes: []model.Scope{model.ScopeRead}})
			_, err := s.MintKey(reader, model.MintKeyInput{Name: "wide", Scopes: graphql.OmittableOf(allScopes)})
			wantCode(t, err, errs.InsufficientScope)
		})
		t.Run("takes_its_makers_scopes_when_none_are_given", func(t *testing.T) {
			made, err := s.MintKey(s.ctx, model.MintKeyInput{Name: "same"})
			if err != nil || len(made.Key.Scopes) != len(allScopes) {
				t.Errorf("made %+v, error %v", made, err)
			}
		})
		t.Run("an_expiry_in_the_past_names_the_field", func(t *testing.T) {
			past := model.Now().Add(-time.Hour)
			_, err := s.MintKey(s.ctx, model.MintKeyInput{Name: "late", ExpiresAt: graphql.OmittableOf(&past)})
			wantCode(t, err, errs.ValidationFailed)
			if fields := errs.From(err).Fields; len(fields) != 1 || fields[0].Pointer != "#/expiresAt" {
				t.Errorf("fields are %+v", fields)
			}
		})
	})
}

func rotation(seconds int) *model.RotateKeyInput {
	return &model.RotateKeyInput{OverlapSeconds: graphql.OmittableOf(&seconds)}
}

func TestRotateKey(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		mint := func(t *testing.T, expires *time.Time) *model.MintKeyPayload {
			t.Helper()
			made, err := s.Mint(t.Context(), s.first.Key.WorkspaceID, "system", "old", []model.Scope{model.ScopeRead}, expires)
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
		t.Run("without_overlap_the_old_key_ends_at_once", func(t *testing.T) {
			old := mint(t, nil)
			fresh, err := s.RotateKey(s.ctx, old.Key.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Authenticate(t.Context(), old.Secret)
			wantCode(t, err, errs.KeyRevoked)
			if p, err := s.Authenticate(t.Context(), fresh.Secret); err != nil || len(p.Scopes) != 1 || p.Scopes[0] != model.ScopeRead {
				t.Errorf("the new key gives %+v, error %v", p, err)
			}
			_, err = s.RotateKey(s.ctx, old.Key.ID, nil)
			wantCode(t, err, errs.InvalidState)
		})
		t.Run("with_overlap_both_work_and_neither_outlives_the_expiry", func(t *testing.T) {
			expires := model.Now().Add(time.Hour)
			old := mint(t, &expires)
			fresh, err := s.RotateKey(s.ctx, old.Key.ID, rotation(604800))
			if err != nil {
				t.Fatal(err)
			}
			if !fresh.Previous.ValidUntil.Equal(expires) || fresh.Key.ExpiresAt == nil || !fresh.Key.ExpiresAt.Equal(expires) {
				t.Errorf("old until %s, new until %v, want %s", fresh.Previous.ValidUntil, fresh.Key.ExpiresAt, expires)
			}
			for _, secret := range []string{old.Secret, fresh.Secret} {
				if _, err := s.Authenticate(t.Context(), secret); err != nil {
					t.Errorf("%v", err)
				}
			}
		})
		t.Run("another_workspaces_key_is_not_found", func(t *testing.T) {
			other := setup(t, db)
			_, err := s.RotateKey(s.ctx, other.first.Key.ID, nil)
			wantCode(t, err, errs.NotFound)
		})
	})
}

func TestRevokeKey(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		_, err := s.RevokeKey(s.ctx, s.first.Key.ID)
		wantCode(t, err, errs.Conflict)

		second, err := s.MintKey(s.ctx, model.MintKeyInput{Name: "second"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := s.RevokeKey(s.ctx, second.Key.ID); err != nil {
				t.Errorf("revoking is not idempotent: %v", err)
			}
		}
		_, err = s.Authenticate(t.Context(), second.Secret)
		wantCode(t, err, errs.KeyRevoked)
		keys, err := s.Keys(s.ctx)
		if err != nil || len(keys) != 2 || keys[0].ID != second.Key.ID || keys[0].RevokedAt == nil {
			t.Errorf("keys are %+v, error %v", keys, err)
		}
	})
}
