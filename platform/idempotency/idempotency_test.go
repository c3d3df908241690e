package idempotency_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/idempotency"
	"rostrum/test/kit/dbtest"
)

type testBundle struct {
	*idempotency.Service
	db        *dbx.DB
	workspace string
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	return &testBundle{idempotency.New(db), db, newWorkspace(t, db)}
}

func newWorkspace(t *testing.T, db *dbx.DB) string {
	t.Helper()
	w := &model.Workspace{ID: model.NewID(model.WorkspacePrefix), Name: "Test", Plan: model.PlanFree,
		CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(w).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w.ID
}

func (b *testBundle) request(key, body string) idempotency.Request {
	return idempotency.Request{WorkspaceID: b.workspace, Key: key, Fingerprint: []byte(body)}
}

// claim starts a request that must be the first with its key.
func (b *testBundle) claim(t *testing.T, key, body string) *idempotency.Claim {
	t.Helper()
	claim, answer, err := b.Begin(t.Context(), b.request(key, body))
	if err != nil || answer != nil || claim == nil {
		t.Fatalf("claim %v, answer %s, error %v", claim, answer, err)
	}
	return claim
}

// commit runs a transaction of a claim that must end with the code of want; nil is a commit. An
// error of another code ends it.
func (b *testBundle) commit(t *testing.T, claim *idempotency.Claim, want error) {
	t.Helper()
	err := b.db.InTx(claim.Context(t.Context()), func(context.Context, dbx.Tx) error {
		if errs.Is(want, errs.IdempotencyInFlight) {
			return nil // the claim's own error
		}
		return want
	})
	if (err == nil) != (want == nil) || err != nil && errs.From(err).Code != errs.From(want).Code {
		t.Fatalf("the transaction ended with %v, want %v", err, want)
	}
}

// leaseUntil returns the end of the lease of the workspace's only key.
func (b *testBundle) leaseUntil(t *testing.T) (end time.Time) {
	t.Helper()
	if err := b.db.NewSelect().Table("idempotency").Column("lease_until").Where("workspace_id = ?", b.workspace).
		Scan(t.Context(), &end); err != nil {
		t.Fatal(err)
	}
	return end
}

// age moves a time column of every key into the past.
func (b *testBundle) age(t *testing.T, column string, by time.Duration) {
	t.Helper()
	_, err := b.db.NewUpdate().Table("idempotency").Set("? = ?", bun.Ident(column), model.Now().Add(-by)).
		Where("1 = 1").Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

func TestBegin(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("a stored response is returned again", func(t *testing.T) {
			b := setup(t, db)
			if err := b.claim(t, "k", "body").Complete(t.Context(), []byte("rsk_secret")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				claim, answer, err := b.Begin(t.Context(), b.request("k", "body"))
				if err != nil || claim != nil || string(answer) != "rsk_secret" {
					t.Errorf("claim %v, answer %q, error %v", claim, answer, err)
				}
			}
		})
		t.Run("another request with the key fails, running or stored", func(t *testing.T) {
			b := setup(t, db)
			claim := b.claim(t, "k", "body")
			if _, _, err := b.Begin(t.Context(), b.request("k", "other")); !errs.Is(err, errs.IdempotencyMismatch) {
				t.Errorf("while it runs: %v", err)
			}
			if err := claim.Complete(t.Context(), []byte("a")); err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.Begin(t.Context(), b.request("k", "other")); !errs.Is(err, errs.IdempotencyMismatch) {
				t.Errorf("when it is stored: %v", err)
			}
		})
		t.Run("keys of two workspaces are independent", func(t *testing.T) {
			b := setup(t, db)
			b.claim(t, "k", "body")
			b.workspace = newWorkspace(t, db)
			b.claim(t, "k", "other")
		})
		t.Run("one of many requests receives the claim", func(t *testing.T) {
			b := setup(t, db)
			var won, waiting atomic.Int64
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					claim, _, err := b.Begin(t.Context(), b.request("k", "body"))
					switch {
					case err == nil && claim != nil:
						won.Add(1)
					case errs.Is(err, errs.IdempotencyInFlight):
						waiting.Add(1)
					}
				})
			}
			all.Wait()
			if won.Load() != 1 || waiting.Load() != 19 {
				t.Errorf("%d have the claim and %d were in flight", won.Load(), waiting.Load())
			}
		})
		t.Run("a released key may be used for another request", func(t *testing.T) {
			b := setup(t, db)
			if released, err := b.claim(t, "k", "body").Release(t.Context()); err != nil || !released {
				t.Fatal(released, err)
			}
			b.claim(t, "k", "other")
		})
		t.Run("a key is free after the lease of a crashed process, which cannot complete it", func(t *testing.T) {
			b := setup(t, db)
			lost := b.claim(t, "k", "body")
			b.age(t, "lease_until", time.Second)
			if _, _, err := b.Begin(t.Context(), b.request("k", "other")); !errs.Is(err, errs.IdempotencyMismatch) {
				t.Errorf("the key still belongs to its request: %v", err)
			}
			claim := b.claim(t, "k", "body")
			if err := lost.Complete(t.Context(), []byte("late")); err != nil {
				t.Fatal(err)
			}
			if released, err := lost.Release(t.Context()); err != nil || released {
				t.Fatal(released, err)
			}
			if err := claim.Complete(t.Context(), []byte("right")); err != nil {
				t.Fatal(err)
			}
			if _, answer, err := b.Begin(t.Context(), b.request("k", "body")); string(answer) != "right" {
				t.Errorf("answer %q, error %v", answer, err)
			}
		})
		t.Run("a running request renews its lease until it ends", func(t *testing.T) {
			b := setup(t, db)
			claim := b.claim(t, "k", "body")
			first := b.leaseUntil(t)
			for deadline := time.Now().Add(time.Minute); !b.leaseUntil(t).
				After(first); time.Sleep(50 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the lease is not renewed")
				}
			}
			if err := claim.Complete(t.Context(), []byte("a")); err != nil {
				t.Fatal(err)
			}
		})
		t.Run("a lease that has ended is not renewed", func(t *testing.T) {
			b := setup(t, db)
			b.claim(t, "k", "body")
			b.age(t, "lease_until", time.Second)
			ended := b.leaseUntil(t)
			time.Sleep(4 * time.Second)
			if again := b.leaseUntil(t); !again.Equal(ended) {
				t.Errorf("a lease until %s was renewed until %s", ended, again)
			}
		})
		t.Run("a lease of a clock that was ahead does not block its key", func(t *testing.T) {
			b := setup(t, db)
			b.claim(t, "k", "body")
			b.age(t, "lease_until", -time.Hour)
			b.claim(t, "k", "body")
		})
		t.Run("a request that committed is not executed again after a crash", func(t *testing.T) {
			b := setup(t, db)
			claim := b.claim(t, "k", "body")
			b.commit(t, claim, nil)
			if released, err := claim.Release(t.Context()); err != nil || released {
				t.Errorf("the key is released: %v, %v", released, err)
			}
			b.age(t, "lease_until", time.Second)
			if _, _, err := b.Begin(t.Context(), b.request("k", "body")); !errs.Is(err, errs.Conflict) {
				t.Errorf("the request may run again: %v", err)
			}
		})
		t.Run("a request whose transaction was rolled back may be sent again", func(t *testing.T) {
			b := setup(t, db)
			claim := b.claim(t, "k", "body")
			b.commit(t, claim, errs.New(errs.Unavailable, "the database cannot be reached"))
			if released, err := claim.Release(t.Context()); err != nil || !released {
				t.Errorf("the key is not released: %v, %v", released, err)
			}
		})
		t.Run("a replaced claim cannot commit", func(t *testing.T) {
			b := setup(t, db)
			lost := b.claim(t, "k", "body")
			b.age(t, "lease_until", time.Second)
			b.claim(t, "k", "body")
			b.commit(t, lost, errs.New(errs.IdempotencyInFlight, ""))
		})
		t.Run("a response over 256 KB is not stored", func(t *testing.T) {
			b := setup(t, db)
			long := bytes.Repeat([]byte("a"), 256<<10+1)
			if err := b.claim(t, "pure", "body").Complete(t.Context(), long); err != nil {
				t.Fatal(err)
			}
			b.claim(t, "pure", "body")
			claim := b.claim(t, "k", "body")
			b.commit(t, claim, nil)
			if err := claim.Complete(t.Context(), long); err != nil {
				t.Fatal(err)
			}
			if _, answer, err := b.Begin(t.Context(), b.request("k", "body")); !errs.Is(err, errs.Conflict) ||
				answer != nil {
				t.Errorf("answer of %d bytes, error %v", len(answer), err)
			}
		})
		t.Run("a key is free after the retention, pruned or not", func(t *testing.T) {
			b := setup(t, db)
			if err := b.claim(t, "k", "body").Complete(t.Context(), []byte("a")); err != nil {
				t.Fatal(err)
			}
			b.age(t, "created_at", idempotency.Retention+time.Second)
			if err := b.claim(t, "k", "other").Complete(t.Context(), []byte("b")); err != nil {
				t.Fatal(err)
			}
			if _, answer, err := b.Begin(t.Context(), b.request("k", "other")); string(answer) != "b" {
				t.Errorf("answer %q, error %v", answer, err)
			}
			b.age(t, "created_at", idempotency.Retention+time.Second)
			if n, err := b.Prune(t.Context(), model.Now()); n == 0 || err != nil {
				t.Errorf("pruned %d, %v", n, err)
			}
			b.claim(t, "k", "third")
			if n, err := b.Prune(t.Context(), model.Now()); n != 0 || err != nil {
				t.Errorf("pruned %d that have not expired, %v", n, err)
			}
		})
		t.Run("the table holds neither the key nor the response in clear", func(t *testing.T) {
			b := setup(t, db)
			if err := b.claim(t, "order-4711", "body").Complete(t.Context(), []byte("rsk_secret")); err != nil {
				t.Fatal(err)
			}
			var row struct{ KeyHash, Answer []byte }
			err := db.NewSelect().Table("idempotency").Column("key_hash", "answer").
				Where("workspace_id = ?", b.workspace).Scan(t.Context(), &row)
			if err != nil || len(row.Answer) == 0 {
				t.Fatalf("answer %q, %v", row.Answer, err)
			}
			if bytes.Contains(row.KeyHash, []byte("4711")) || bytes.Contains(row.Answer, []byte("rsk_")) {
				t.Errorf("the table contains %q and %q", row.KeyHash, row.Answer)
			}
		})
	})
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values []string
		good   bool
	}{
		"printable":             {[]string{"8e03978e-40d5-43dd-bc93-6894a57f9324"}, true},
		"at the maximum length": {[]string{strings.Repeat("k", 255)}, true},
		"too long":              {[]string{strings.Repeat("k", 256)}, false},
		"empty":                 {[]string{""}, false},
		"not printable":         {[]string{"a\tb"}, false},
		"not ASCII":             {[]string{"schlüssel"}, false},
		"twice":                 {[]string{"a", "b"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := idempotency.ParseKey(c.values)
			if (err == nil) != c.good || err != nil && errs.From(err).Fields[0].Pointer != "#/"+idempotency.Header {
				t.Errorf("error %v", err)
			}
		})
	}
}
