package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

var allScopes = []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeAdmin}

// testBundle is the account service with a database, one workspace and its first key.
type testBundle struct {
	*account.Service
	db         *dbx.DB
	pubsub     *live.Live
	first      *api.MintKeyPayload
	ctx        context.Context // with the principal of the first key
	secret     string
	budgetTold <-chan int // the percentages that were recorded
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	pubsub, err := live.Open(t.Context(), live.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pubsub.Close() })
	told := make(chan int, 100)
	s := account.New(account.Config{DB: db, Live: pubsub,
		RecordBudget: func(_ dbx.Tx, _ *model.Workspace, percent int) { told <- percent }})
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
	return &testBundle{Service: s, db: db, pubsub: pubsub, first: first, ctx: principal.With(t.Context(), p),
		secret: first.Secret, budgetTold: told}
}

func wantCode(t *testing.T, err error, code errs.Code) {
	t.Helper()
	if !errs.Is(err, code) {
		t.Errorf("error is %v, want %s", err, code)
	}
}

func TestAuthenticate(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		t.Run("a mistyped secret runs no query", func(t *testing.T) {
			for _, wrong := range []string{"", "rsk_", "x" + s.secret, s.secret[:20], flipCharacter(s.secret, 10),
				flipCharacter(s.secret, len(s.secret)-1)} {
				ctx, count := dbx.WithCounter(t.Context())
				_, err := s.Authenticate(ctx, wrong)
				wantCode(t, err, errs.InvalidKey)
				if count.Load() != 0 {
					t.Errorf("%q ran %d statements, want 0", wrong, count.Load())
				}
			}
		})
		t.Run("a known key is cached", func(t *testing.T) {
			ctx, count := dbx.WithCounter(t.Context())
			for range 5 {
				if _, err := s.Authenticate(ctx, s.secret); err != nil {
					t.Fatal(err)
				}
			}
			if count.Load() > 1 {
				t.Errorf("5 requests ran %d statements, want at most 1", count.Load())
			}
		})
		t.Run("a use is recorded once a minute", func(t *testing.T) {
			for range 5 {
				if _, err := s.Authenticate(t.Context(), s.secret); err != nil {
					t.Fatal(err)
				}
			}
			if queued := s.QueuedUses(); queued != 1 {
				t.Errorf("%d uses are queued, want 1", queued)
			}
		})
		t.Run("only the hash is stored", func(t *testing.T) {
			key, err := s.Key(t.Context(), s.first.Key.WorkspaceID, s.first.Key.ID)
			if err != nil || strings.Contains(string(key.Hash), s.secret) || !strings.HasPrefix(s.secret, key.Prefix) {
				t.Errorf("stored key %+v, error %v", key, err)
			}
		})
		t.Run("an expired key returns its own error", func(t *testing.T) {
			soon := model.Now().Add(50 * time.Millisecond)
			made, err := s.Mint(t.Context(), s.first.Key.WorkspaceID, "system", "short", allScopes, &soon)
			if err != nil {
				t.Fatal(err)
			}
			poll.Until(t, func() bool { return model.Now().After(soon) }, "the key does not expire")
			_, err = s.Authenticate(t.Context(), made.Secret)
			wantCode(t, err, errs.KeyExpired)
		})
	})
}

// flipCharacter changes one character of a secret.
func flipCharacter(secret string, at int) string {
	other := byte('a')
	if secret[at] == other {
		other = 'b'
	}
	return secret[:at] + string(other) + secret[at+1:]
}

func TestMintKey(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		t.Run("a key cannot have more scopes than its creator", func(t *testing.T) {
			reader := principal.With(t.Context(), principal.Principal{WorkspaceID: s.first.Key.WorkspaceID,
				Scopes: []model.Scope{model.ScopeRead}})
			_, err := s.MintKey(reader, api.MintKeyInput{Name: "wide", Scopes: graphql.OmittableOf(allScopes)})
			wantCode(t, err, errs.InsufficientScope)
		})
		t.Run("without scopes a key gets those of its creator", func(t *testing.T) {
			made, err := s.MintKey(s.ctx, api.MintKeyInput{Name: "same"})
			if err != nil || len(made.Key.Scopes) != len(allScopes) {
				t.Errorf("created %+v, error %v", made, err)
			}
		})
		t.Run("an expiry in the past is a field error", func(t *testing.T) {
			past := model.Now().Add(-time.Hour)
			_, err := s.MintKey(s.ctx, api.MintKeyInput{Name: "late", ExpiresAt: graphql.OmittableOf(&past)})
			wantCode(t, err, errs.ValidationFailed)
			if fields := errs.From(err).Fields; len(fields) != 1 || fields[0].Pointer != "#/expiresAt" {
				t.Errorf("fields are %+v", fields)
			}
		})
	})
}

func rotateInput(id string, seconds int) api.RotateKeyInput {
	return api.RotateKeyInput{KeyID: id, OverlapSeconds: graphql.OmittableOf(&seconds)}
}

func TestRotateKey(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		mint := func(t *testing.T, expires *time.Time) *api.MintKeyPayload {
			t.Helper()
			made, err := s.Mint(t.Context(), s.first.Key.WorkspaceID, "system", "old", []model.Scope{model.ScopeRead},
				expires)
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
		t.Run("without overlap the old key expires immediately", func(t *testing.T) {
			old := mint(t, nil)
			fresh, err := s.RotateKey(s.ctx, rotateInput(old.Key.ID, 0))
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Authenticate(t.Context(), old.Secret)
			wantCode(t, err, errs.KeyRevoked)
			if p, err := s.Authenticate(t.Context(), fresh.Secret); err != nil || len(p.Scopes) != 1 ||
				p.Scopes[0] != model.ScopeRead {
				t.Errorf("the new key authenticates as %+v, error %v", p, err)
			}
			_, err = s.RotateKey(s.ctx, rotateInput(old.Key.ID, 0))
			wantCode(t, err, errs.InvalidState)
		})
		t.Run("with overlap both keys work until the expiry at most", func(t *testing.T) {
			expires := model.Now().Add(time.Hour)
			old := mint(t, &expires)
			fresh, err := s.RotateKey(s.ctx, rotateInput(old.Key.ID, 604800))
			if err != nil {
				t.Fatal(err)
			}
			if !fresh.Previous.ValidUntil.Equal(expires) || fresh.Key.ExpiresAt == nil ||
				!fresh.Key.ExpiresAt.Equal(expires) {
				t.Errorf("old until %s, new until %v, want %s", fresh.Previous.ValidUntil, fresh.Key.ExpiresAt, expires)
			}
			for _, secret := range []string{old.Secret, fresh.Secret} {
				if _, err := s.Authenticate(t.Context(), secret); err != nil {
					t.Errorf("%v", err)
				}
			}
		})
		t.Run("a key of another workspace is not found", func(t *testing.T) {
			other := setup(t, db)
			_, err := s.RotateKey(s.ctx, rotateInput(other.first.Key.ID, 0))
			wantCode(t, err, errs.NotFound)
		})
	})
}

func TestRevokeKey(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		_, err := s.RevokeKey(s.ctx, s.first.Key.ID)
		wantCode(t, err, errs.Conflict)

		second, err := s.MintKey(s.ctx, api.MintKeyInput{Name: "second"})
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
		keys, err := s.Keys(s.ctx, model.PageArgs{})
		if err != nil || len(keys.Nodes) != 2 || keys.Nodes[0].ID != second.Key.ID || keys.Nodes[0].RevokedAt == nil {
			t.Errorf("keys are %+v, error %v", keys, err)
		}
	})
}
