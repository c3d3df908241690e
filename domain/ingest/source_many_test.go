package ingest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/ingest"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// addSources stores sources that are due.
func addSources(t *testing.T, db *dbx.DB, workspaceID, site string, number int) {
	t.Helper()
	now := model.Now()
	rows := make([]*model.Source, number)
	for i := range rows {
		rows[i] = &model.Source{ID: fmt.Sprintf("src_%s%04d", workspaceID, i), WorkspaceID: workspaceID, Kind: model.SourceKindFeed,
			URL: fmt.Sprintf("%s/%d", site, i), IntervalMinutes: 60, Visibility: model.VisibilityPublic,
			TitleIncludes: []string{}, TitleExcludes: []string{}, Tags: []string{}, CreatedAt: now, NextPollAt: &now}
	}
	err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return dbx.InsertRows(ctx, tx, rows) })
	if err != nil {
		t.Fatal(err)
	}
}

// TestSource_claims lets processes claim due sources at the same time: each is claimed once, and again
// when its lease has ended.
func TestSource_claims(t *testing.T) {
	const number, processes = 200, 2
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		at := model.Now().Add(time.Second)
		b.SetClock(func() time.Time { return at })
		addSources(t, db, "w", "http://example.com", number)
		for round := range 2 {
			var mu sync.Mutex
			claimed := map[string]int{}
			var running sync.WaitGroup
			for range processes {
				running.Go(func() {
					for {
						rows, err := b.ClaimDue(t.Context(), 7)
						if err != nil {
							t.Error(err)
						}
						if err != nil || len(rows) == 0 {
							return
						}
						mu.Lock()
						for _, row := range rows {
							claimed[row.ID]++
							if row.LeaseToken != int64(round+1) {
								t.Errorf("%s has the token %d", row.ID, row.LeaseToken)
							}
						}
						mu.Unlock()
					}
				})
			}
			running.Wait()
			for id, times := range claimed {
				if times != 1 {
					t.Errorf("%s was claimed %d times", id, times)
				}
			}
			// A process skips rows that another one is locking, and may find none although some are free.
			rest, err := b.ClaimDue(t.Context(), number)
			if err != nil || len(claimed)+len(rest) != number {
				t.Errorf("%d and %d were claimed (%v)", len(claimed), len(rest), err)
			}
			at = at.Add(ingest.PollLease)
		}
	})
}

// TestSource_thousand polls a thousand sources in one process, at most MaxPolls of them at the same
// time.
func TestSource_thousand(t *testing.T) {
	const number, limit = 1000, 5 * time.Minute // a thousand transactions take long with the race detector
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		var open, requests atomic.Int64
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if polls := open.Add(1); polls > ingest.MaxPolls { // each poll sends one request
				t.Errorf("%d polls at the same time", polls)
			}
			defer open.Add(-1)
			requests.Add(1)
			fmt.Fprint(w, `<rss version="2.0"><channel><title>Empty</title></channel></rss>`)
		}))
		t.Cleanup(site.Close)
		addSources(t, db, "w", site.URL, number)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		if !poll.HoldsWithin(limit, func() bool { return requests.Load() >= number }) {
			t.Errorf("%d of %d sources were polled within %s", requests.Load(), number, limit)
		}
		stop()
		running.Wait()
		polled, err := db.NewSelect().Model((*model.Source)(nil)).Where("last_polled_at IS NOT NULL").Count(t.Context())
		if err != nil || polled < number-ingest.MaxPolls {
			t.Errorf("%d sources have their outcome (%v)", polled, err)
		}
	})
}

// TestSource_fair: a workspace without a poll under way goes before one whose sources are due for
// longer, and no workspace has all polls.
func TestSource_fair(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		at := model.Now().Add(time.Second)
		b.SetClock(func() time.Time { return at })
		if _, err := db.NewInsert().Model(&model.Workspace{ID: "other", RunLimit: 100, CreatedAt: at}).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		addSources(t, db, "w", "http://example.com", 20)
		addSources(t, db, "other", "http://example.org", 1)
		for _, step := range []struct {
			underWay map[string]int
			want     string
		}{
			{map[string]int{}, "w"}, {map[string]int{"w": 1}, "other"}, {map[string]int{"w": 1}, "w"},
			{map[string]int{"w": ingest.MaxOwnPolls - 1}, "w"}, {map[string]int{"w": ingest.MaxOwnPolls}, ""},
		} {
			src, err := b.ClaimNext(t.Context(), step.underWay)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if src != nil {
				got = src.WorkspaceID
			}
			if got != step.want {
				t.Errorf("with %v under way %q, want %q", step.underWay, got, step.want)
			}
		}
	})
}
