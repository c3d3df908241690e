package link_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// eventRecorder collects the events of transactions that committed.
type eventRecorder struct {
	mu       sync.Mutex
	sessions []string
	fail     error  // returned for every batch, or only for batches with an event of failCity
	failCity string // empty: every city
}

func (h *eventRecorder) appendEvents(_ context.Context, tx dbx.Tx, events []*model.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	failing := func(e *model.Event) bool { return strings.Contains(string(e.Viewer), h.failCity) }
	if h.fail != nil && slices.ContainsFunc(events, failing) {
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
	*eventRecorder
	of     *model.Link
	folder string // of the sessions in files
	made   int
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	w := &model.Workspace{ID: model.NewID(model.WorkspacePrefix), Plan: model.PlanFree, CreatedAt: model.Now()}
	of := &model.Link{ID: model.NewID(model.LinkPrefix), WorkspaceID: w.ID, Slug: link.NewSlug(),
		Kind: model.LinkKindRedirect, CreatedAt: model.Now(), UpdatedAt: model.Now()}
	for _, row := range []any{w, of} {
		if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h, folder := &eventRecorder{}, t.TempDir()
	return &testBundle{Committer: link.NewCommitter(db, h.appendEvents, folder), eventRecorder: h, of: of,
		folder: folder}
}

// newOpenings returns n new sessions.
func (b *testBundle) newOpenings(n int) []*link.Opening {
	out := make([]*link.Opening, n)
	for i := range out {
		b.made++
		v := &model.LinkSession{ID: fmt.Sprintf("vis_%s_%d", b.of.ID, b.made), WorkspaceID: b.of.WorkspaceID,
			LinkID: b.of.ID, OpenedAt: model.Now()}
		out[i] = link.NewOpening(v, &model.LinkSummary{ID: b.of.ID})
	}
	return out
}

// checkStored checks that n sessions are stored, counted and published and the journal is empty.
func (b *testBundle) checkStored(t *testing.T, n int) {
	t.Helper()
	rows, err := b.DB().NewSelect().Model((*model.LinkSession)(nil)).Where("link_id = ?", b.of.ID).Count(t.Context())
	counted := new(model.Link)
	if err == nil {
		err = b.DB().NewSelect().Model(counted).Where("id = ?", b.of.ID).Scan(t.Context())
	}
	left, err2 := b.DB().NewSelect().Model((*link.JournalRow)(nil)).Count(t.Context())
	if err != nil || err2 != nil || int(rows) != n || counted.OpenCount != n || len(b.sessions) != n || left != 0 {
		t.Errorf("%d stored, %d counted, %d published, %d batches left; want %d (%v, %v)", rows, counted.OpenCount,
			len(b.sessions), left, n, err, err2)
	}
	var active int
	err = b.DB().NewSelect().Table("link_activity").ColumnExpr("coalesce(sum(opens), 0)").
		Where("link_id = ?", b.of.ID).Scan(t.Context(), &active)
	if err != nil || active != n {
		t.Errorf("the activity has %d opens; want %d (%v)", active, n, err)
	}
	err = b.DB().NewSelect().Table("link_breakdown").ColumnExpr("coalesce(sum(opens), 0)").
		Where("link_id = ? AND dimension = 'all'", b.of.ID).Scan(t.Context(), &active)
	if err != nil || active != n {
		t.Errorf("the breakdown has %d opens; want %d (%v)", active, n, err)
	}
}

// abandonJournal makes every journal row old enough for recovery.
func (b *testBundle) abandonJournal(t *testing.T) {
	t.Helper()
	past := model.Now().Add(-link.AbandonedAfter - time.Second)
	if _, err := b.DB().NewUpdate().Model((*link.JournalRow)(nil)).Set("created_at = ?", past).Where("1 = 1").
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestCommitter_rejected_session checks that only the bad session of a batch is discarded: one that
// the database always rejects, or has not stored in time for a day. The batch does not stay in the
// journal.
func TestCommitter_rejected_session(t *testing.T) {
	rejections := map[string]error{
		"an error":  errs.New(errs.Internal, "rejected"),
		"a timeout": context.DeadlineExceeded,
	}
	twoDaysAgo := model.Now().Add(-48 * time.Hour)
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for name, rejection := range rejections {
			t.Run(name+" in the journal", func(t *testing.T) {
				b := setup(t, db)
				b.fail, b.failCity = rejection, "Atlantis"
				bad, good := b.newOpenings(9), b.newOpenings(4)
				bad[5].Session.City, bad[5].Session.OpenedAt = b.failCity, twoDaysAgo
				for _, openings := range [][]*link.Opening{bad, good} {
					if err := b.InsertJournal(t.Context(), link.NewBatch(openings)); err != nil {
						t.Fatal(err)
					}
				}
				b.abandonJournal(t)
				if err := b.recoverWithin(t, 20*time.Second); err != nil {
					t.Fatal(err)
				}
				b.checkStored(t, 12)
			})
			t.Run(name+" without the journal", func(t *testing.T) {
				b := setup(t, db)
				b.fail, b.failCity = rejection, "Atlantis"
				openings := b.newOpenings(9)
				openings[5].Session.City, openings[5].Session.OpenedAt = b.failCity, twoDaysAgo
				b.runWith(t, openings)
				b.checkStored(t, 8)
			})
		}
		t.Run("a batch that cannot be decoded", func(t *testing.T) {
			b := setup(t, db)
			row := &link.JournalRow{ID: "jnl_0", Sessions: "[", CreatedAt: model.Now()}
			if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := b.InsertJournal(t.Context(), link.NewBatch(b.newOpenings(3))); err != nil {
				t.Fatal(err)
			}
			b.abandonJournal(t)
			if err := b.recoverWithin(t, 20*time.Second); err != nil {
				t.Fatal(err)
			}
			b.checkStored(t, 3)
		})
	})
}

// TestCommitter_timeout checks that sessions stay in the journal or a file while a reachable
// database does not store them in time.
func TestCommitter_timeout(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("in the journal", func(t *testing.T) {
			b := setup(t, db)
			if err := b.InsertJournal(t.Context(), link.NewBatch(b.newOpenings(3))); err != nil {
				t.Fatal(err)
			}
			b.abandonJournal(t)
			for _, b.fail = range []error{context.DeadlineExceeded, nil} {
				if err := b.recoverWithin(t, time.Minute); err != nil {
					t.Fatal(err)
				}
			}
			b.checkStored(t, 3)
		})
		t.Run("in a file", func(t *testing.T) {
			b := setup(t, db)
			b.fail = context.DeadlineExceeded
			b.runWith(t, b.newOpenings(3))
			b.checkStored(t, 0)
			b.fail, b.Committer = nil, link.NewCommitter(db, b.appendEvents, b.folder)
			b.runWith(t, nil)
			b.checkStored(t, 3)
		})
	})
}

// runWith runs the committer until it has taken the openings, and stops it.
func (b *testBundle) runWith(t *testing.T, openings []*link.Opening) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running, viewers sync.WaitGroup
	running.Go(func() { b.Run(ctx) })
	for _, o := range openings {
		viewers.Go(func() { b.Submit(t.Context(), o) })
	}
	viewers.Wait()
	stop()
	running.Wait()
}

// recoverWithin recovers the journal; it returns an error if that takes longer than limit.
func (b *testBundle) recoverWithin(t *testing.T, limit time.Duration) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- b.RecoverJournal(t.Context()) }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return fmt.Errorf("recovery takes longer than %s", limit)
	}
}

func TestCommitter(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("all submitted sessions are stored once", func(t *testing.T) {
			b := setup(t, db)
			ctx, stop := context.WithCancel(t.Context())
			var running, viewers sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			for _, o := range b.newOpenings(2000) {
				viewers.Go(func() { b.Submit(t.Context(), o) })
			}
			viewers.Wait()
			b.WaitForFlush(t.Context())
			stop()
			running.Wait()
			b.checkStored(t, 2000)
		})
		t.Run("a second attempt changes nothing", func(t *testing.T) {
			b := setup(t, db)
			openings := b.newOpenings(3)
			for range 2 {
				if err := b.Commit(t.Context(), slices.Concat(openings, openings[:1])); err != nil {
					t.Fatal(err)
				}
			}
			b.checkStored(t, 3)
		})
		t.Run("sessions left in the journal are stored once by another process", func(t *testing.T) {
			b := setup(t, db)
			left := link.NewBatch(b.newOpenings(5))
			if err := b.InsertJournal(t.Context(), left); err != nil {
				t.Fatal(err)
			}
			if err := b.RecoverJournal(t.Context()); err != nil || len(b.sessions) != 0 {
				t.Errorf("a recent batch was recovered: %v, error %v", b.sessions, err)
			}
			b.abandonJournal(t)
			if err := b.RecoverJournal(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.checkStored(t, 5)
			other := link.NewBatch(b.newOpenings(2))
			if err := b.InsertJournal(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			b.StoreJournaled(t.Context(), left, other) // the writer was only slow
			b.checkStored(t, 7)
		})
		t.Run("sessions of a removed link are dropped", func(t *testing.T) {
			b := setup(t, db)
			openings := b.newOpenings(2)
			openings[0].Session.LinkID = "lnk_gone"
			if err := b.Commit(t.Context(), openings); err != nil {
				t.Fatal(err)
			}
			b.checkStored(t, 1)
		})
		t.Run("viewers do not wait for an unavailable database, and nothing is lost", func(t *testing.T) {
			b := setup(t, db)
			b.fail = errs.New(errs.Unavailable, "down")
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			for _, o := range b.newOpenings(20) {
				b.Submit(t.Context(), o)
			}
			b.mu.Lock()
			b.fail = nil
			b.mu.Unlock()
			poll.Until(t, func() bool { return !b.Unavailable() }, "the database counts as unavailable")
			stop()
			running.Wait()
			b.checkStored(t, 20)
		})
	})
}
