package event_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

// workspaces makes some in the database.
func workspaces(t *testing.T, db *dbx.DB, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = model.NewID(model.WorkspacePrefix)
		if _, err := db.NewInsert().Model(&model.Workspace{ID: ids[i], CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// opened are n openings of a link, for one workspace.
func opened(workspaceID string, n int) []*model.Event {
	events := make([]*model.Event, n)
	for i := range events {
		link := "lnk_1"
		events[i] = &model.Event{
			WorkspaceID: workspaceID, Event: model.EventLinkOpened, LinkID: &link,
			Link:   &model.LinkSummary{ID: link, Slug: "s", Title: "T & <b>", ShortURL: "http://localhost/l/s"},
			Viewer: []byte(fmt.Sprintf(`{"country":"DE","city":"Köln","device":"n%d"}`, i)),
		}
	}
	return events
}

func appendAll(t *testing.T, db *dbx.DB, s *event.Service, events []*model.Event) {
	t.Helper()
	err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return s.Append(ctx, tx, events) })
	if err != nil {
		t.Error(err)
	}
}

func stored(t *testing.T, db *dbx.DB, workspaceID string) []*model.Event {
	t.Helper()
	var events []*model.Event
	if err := db.NewSelect().Model(&events).Where("workspace_id = ?", workspaceID).Order("position").Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return events
}

func TestAppend(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		news := testkit.OpenLive(t, live.Config{Namespace: "append"})
		t.Run("positions have no gaps and workspaces their own", func(t *testing.T) {
			s := event.New(db, news)
			ids := workspaces(t, db, 2)
			mixed := append(append(opened(ids[1], 2), opened(ids[0], 1)...), opened(ids[1], 1)...)
			appendAll(t, db, s, mixed)
			appendAll(t, db, s, opened(ids[1], 200))
			for i, want := range []int64{1, 2, 1, 3} {
				if e := mixed[i]; e.Position != want || e.ID == "" || e.Timestamp.IsZero() {
					t.Errorf("event %d is at %d, want %d: %+v", i, e.Position, want, e)
				}
			}
			all := stored(t, db, ids[1])
			for i, e := range all {
				if e.Position != int64(i)+1 {
					t.Fatalf("event %d is at %d", i, e.Position)
				}
			}
			if len(all) != 203 || string(all[0].Viewer) != string(mixed[0].Viewer) || *all[0].Link != *mixed[0].Link || all[0].Data != nil {
				t.Errorf("%d events, the first %+v", len(all), all[0])
			}
		})
		t.Run("a follower hears of events and can undo them", func(t *testing.T) {
			var heard []*model.Event
			failure := errors.New("no")
			s := event.New(db, news, func(_ context.Context, _ dbx.Tx, events []*model.Event) error {
				heard = events
				return failure
			})
			id := workspaces(t, db, 1)[0]
			err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return s.Append(ctx, tx, opened(id, 3)) })
			if err == nil || len(heard) != 3 || heard[2].Position != 3 {
				t.Errorf("%v, heard of %d", err, len(heard))
			}
			if left := stored(t, db, id); len(left) != 0 {
				t.Errorf("%d events are left of an undone transaction", len(left))
			}
			failure = nil
			appendAll(t, db, s, opened(id, 1))
			if heard[0].Position != 1 {
				t.Errorf("the first is at %d", heard[0].Position)
			}
		})
		t.Run("many at once neither wait for each other forever nor leave gaps", func(t *testing.T) {
			s := event.New(db, news)
			ids := workspaces(t, db, 3)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for range 10 {
						var batch []*model.Event
						for _, i := range rand.Perm(len(ids)) {
							batch = append(batch, opened(ids[i], 2)...)
						}
						appendAll(t, db, s, batch)
					}
				})
			}
			all.Wait()
			for _, id := range ids {
				events := stored(t, db, id)
				for i, e := range events {
					if e.Position != int64(i)+1 {
						t.Fatalf("event %d is at %d", i, e.Position)
					}
				}
				if len(events) != 160 {
					t.Errorf("%d events, want 160", len(events))
				}
			}
		})
	})
}
