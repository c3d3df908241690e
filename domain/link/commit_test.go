package link_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/testkit"
)

// heard remembers what was told of in transactions that committed.
type heard struct {
	mu       sync.Mutex
	sessions []string
	fail     error // what every attempt to tell fails with; nil: none does
}

func (h *heard) announce(_ context.Context, tx dbx.Tx, events []*model.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fail != nil {
		return h.fail
	}
	tx.AfterCommit(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, e := range events {
			h.sessions = append(h.sessions, e.WorkspaceID+" "+*e.LinkID)
		}
	})
	return nil
}

type testBundle struct {
	*link.Committer
	*heard
	of   *model.Link
	made int
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	w := &model.Workspace{ID: model.NewID(model.WorkspacePrefix), Plan: model.PlanFree, CreatedAt: model.Now()}
	of := &model.Link{ID: model.NewID(model.LinkPrefix), WorkspaceID: w.ID, Slug: link.NewSlug(), Kind: model.LinkKindRedirect, CreatedAt: model.Now(), UpdatedAt: model.Now()}
	for _, row := range []any{w, of} {
		if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h := &heard{}
	return &testBundle{Committer: link.NewCommitter(db, h.announce), heard: h, of: of}
}

// openings are sessions that are new.
func (b *testBundle) openings(n int) []*link.Opening {
	out := make([]*link.Opening, n)
	for i := range out {
		b.made++
		v := &model.LinkSession{ID: fmt.Sprintf("vis_%s_%d", b.of.ID, b.made), WorkspaceID: b.of.WorkspaceID, LinkID: b.of.ID, OpenedAt: model.Now()}
		out[i] = link.NewOpening(v, &model.LinkSummary{ID: b.of.ID})
	}
	return out
}

// want checks that so many sessions are stored, counted and told of, and that the journal is empty.
func (b *testBundle) want(t *testing.T, n int) {
	t.Helper()
	rows, err := b.DB().NewSelect().Model((*model.LinkSession)(nil)).Where("link_id = ?", b.of.ID).Count(t.Context())
	counted := new(model.Link)
	if err == nil {
		err = b.DB().NewSelect().Model(counted).Where("id = ?", b.of.ID).Scan(t.Context())
	}
	left, err2 := b.DB().NewSelect().Model((*link.JournalRow)(nil)).Count(t.Context())
	if err != nil || err2 != nil || int(rows) != n || counted.OpenCount != n || len(b.sessions) != n || left != 0 {
		t.Errorf("%d stored, %d counted, %d told of, %d batches left; want %d (%v, %v)", rows, counted.OpenCount, len(b.sessions), left, n, err, err2)
	}
}

func TestCommitter(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("all that viewers waited for is stored once", func(t *testing.T) {
			b := setup(t, db)
			ctx, stop := context.WithCancel(t.Context())
			var running, viewers sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			for _, o := range b.openings(2000) {
				viewers.Go(func() { b.Wait(t.Context(), o) })
			}
			viewers.Wait()
			b.Settle(t.Context())
			stop()
			running.Wait()
			b.want(t, 2000)
		})
		t.Run("a second attempt changes nothing", func(t *testing.T) {
			b := setup(t, db)
			openings := b.openings(3)
			for range 2 {
				if err := b.Commit(t.Context(), slices.Concat(openings, openings[:1])); err != nil {
					t.Fatal(err)
				}
			}
			b.want(t, 3)
		})
		t.Run("what a process left in the journal is stored once by another", func(t *testing.T) {
			b := setup(t, db)
			left := link.NewBatch(b.openings(5))
			if err := b.Note(t.Context(), left); err != nil {
				t.Fatal(err)
			}
			if err := b.Recover(t.Context()); err != nil || len(b.sessions) != 0 {
				t.Errorf("a fresh batch is taken from its writer: %v, error %v", b.sessions, err)
			}
			past := model.Now().Add(-link.Abandoned - time.Second)
			if _, err := db.NewUpdate().Model((*link.JournalRow)(nil)).Set("created_at = ?", past).Where("1 = 1").Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := b.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.want(t, 5)
			other := link.NewBatch(b.openings(2))
			if err := b.Note(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			b.Store(t.Context(), left, other) // the writer was only slow
			b.want(t, 7)
		})
		t.Run("sessions of a removed link are dropped", func(t *testing.T) {
			b := setup(t, db)
			openings := b.openings(2)
			openings[0].Session.LinkID = "lnk_gone"
			if err := b.Commit(t.Context(), openings); err != nil {
				t.Fatal(err)
			}
			b.want(t, 1)
		})
		t.Run("viewers do not wait for a database that is down, and nothing is lost", func(t *testing.T) {
			b := setup(t, db)
			b.fail = errs.New(errs.Unavailable, "down")
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			began := time.Now()
			for _, o := range b.openings(20) {
				b.Wait(t.Context(), o)
			}
			if took := time.Since(began); took > link.CommitTime {
				t.Errorf("20 viewers waited %s", took)
			}
			b.mu.Lock()
			b.fail = nil
			b.mu.Unlock()
			for b.Down() {
				time.Sleep(time.Millisecond)
			}
			stop()
			running.Wait()
			b.want(t, 20)
		})
	})
}
