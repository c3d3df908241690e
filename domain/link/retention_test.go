package link_test

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// addSessions stores n sessions of the link, each with a conversion. Their ids have the time made,
// and they were opened at the time opened.
func (b *testBundle) addSessions(t *testing.T, n int, made, opened time.Time) {
	t.Helper()
	sessions, conversions := make([]*model.LinkSession, n), make([]*model.LinkConversion, n)
	for i := range n {
		id := model.ViewerPrefix + "_" + strings.ToLower(ulid.MustNew(ulid.Timestamp(made), rand.Reader).String()) +
			"0123456789abcdef"
		sessions[i] = &model.LinkSession{ID: id, WorkspaceID: b.of.WorkspaceID, LinkID: b.of.ID, OpenedAt: opened}
		conversions[i] = &model.LinkConversion{
			ID: model.NewID(model.ConversionPrefix), WorkspaceID: b.of.WorkspaceID, LinkID: b.of.ID, SessionID: id,
			Type: "custom", CreatedAt: opened,
		}
	}
	for _, rows := range []any{&sessions, &conversions} {
		if _, err := b.DB().NewInsert().Model(rows).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.DB().NewUpdate().Model((*model.Link)(nil)).Set("opens = opens + ?", n).Where("id = ?", b.of.ID).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// countRows returns the number of rows of a model.
func countRows(t *testing.T, db *dbx.DB, of any) int {
	t.Helper()
	n, err := db.NewSelect().Model(of).Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// TestService_old_sessions checks that old sessions are deleted in batches, and that counts and
// conversions stay.
func TestService_old_sessions(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		redis, err := live.Open(t.Context(), live.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer redis.Close()
		const retention = 100 * 24 * time.Hour
		now := model.Now()
		limit := now.Add(-retention)
		b.addSessions(t, 2100, limit.Add(-time.Hour), limit.Add(-time.Hour))
		// a page that was read for two hours before its report
		b.addSessions(t, 1, limit.Add(-time.Hour), limit.Add(time.Hour))
		b.addSessions(t, 2, limit.Add(time.Hour), limit.Add(time.Hour))
		b.addSessions(t, 3, now, now)
		files, err := blob.Open(t.Context(), "", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		s, err := link.New(t.Context(), link.Config{DB: db, Live: redis, AppendEvents: b.appendEvents,
			Files: files, Folder: t.TempDir(), Retention: retention})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx) })
		left := func() int { return countRows(t, db, (*model.LinkSession)(nil)) }
		poll.Until(t, func() bool { return left() <= 6 }, "%d sessions are stored", left())
		cancel()
		running.Wait()
		if n := left(); n != 6 {
			t.Errorf("%d sessions are left", n)
		}
		counted := new(model.Link)
		if err := db.NewSelect().Model(counted).Where("id = ?", b.of.ID).Scan(t.Context()); err != nil ||
			counted.OpenCount != 2106 {
			t.Errorf("%d opens are counted (%v)", counted.OpenCount, err)
		}
		if n := countRows(t, db, (*model.LinkConversion)(nil)); n != 2106 {
			t.Errorf("%d conversions are left", n)
		}
	})
}
