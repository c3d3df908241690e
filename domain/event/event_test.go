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
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// createWorkspaces inserts n workspaces and returns their ids.
func createWorkspaces(t *testing.T, db *dbx.DB, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = model.NewID(model.WorkspacePrefix)
		if _, err := db.NewInsert().Model(&model.Workspace{ID: ids[i], CreatedAt: model.Now()}).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// newEvents returns n link openings of a workspace.
func newEvents(workspaceID string, n int) []*model.Event {
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

func storedEvents(t *testing.T, db *dbx.DB, workspaceID string) []*model.Event {
	t.Helper()
	var events []*model.Event
	if err := db.NewSelect().Model(&events).Where("workspace_id = ?", workspaceID).Order("position").
		Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return events
}

func TestAppend(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		pubsub := dbtest.OpenLive(t, live.Config{Namespace: "append"})
		t.Run("positions have no gaps and are numbered per workspace", func(t *testing.T) {
			s := event.New(event.Config{DB: db, Live: pubsub})
			ids := createWorkspaces(t, db, 2)
			mixed := append(append(newEvents(ids[1], 2), newEvents(ids[0], 1)...), newEvents(ids[1], 1)...)
			appendAll(t, db, s, mixed)
			appendAll(t, db, s, newEvents(ids[1], 200))
			for i, want := range []int64{1, 2, 1, 3} {
				if e := mixed[i]; e.Position != want || e.ID == "" || e.Timestamp.IsZero() {
					t.Errorf("event %d is at %d, want %d: %+v", i, e.Position, want, e)
				}
			}
			group := storedEvents(t, db, ids[1])
			for i, e := range group {
				if e.Position != int64(i)+1 {
					t.Fatalf("event %d is at %d", i, e.Position)
				}
			}
			if len(group) != 203 || string(group[0].Viewer) != string(mixed[0].Viewer) ||
				*group[0].Link != *mixed[0].Link || group[0].Data != nil {
				t.Errorf("%d events, the first %+v", len(group), group[0])
			}
		})
		t.Run("a hook receives the events and can roll them back", func(t *testing.T) {
			var received []*model.Event
			failure := errors.New("no")
			s := event.New(event.Config{DB: db, Live: pubsub,
				Hooks: []event.AppendHook{func(_ context.Context, _ dbx.Tx, events []*model.Event) error {
					received = events
					return failure
				}}})
			id := createWorkspaces(t, db, 1)[0]
			err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
				return s.Append(ctx, tx, newEvents(id, 3))
			})
			if err == nil || len(received) != 3 || received[2].Position != 3 {
				t.Errorf("error %v, the hook received %d events", err, len(received))
			}
			if left := storedEvents(t, db, id); len(left) != 0 {
				t.Errorf("%d events of a rolled back transaction are stored", len(left))
			}
			failure = nil
			appendAll(t, db, s, newEvents(id, 1))
			if received[0].Position != 1 {
				t.Errorf("the first is at %d", received[0].Position)
			}
		})
		t.Run("concurrent appends neither deadlock nor leave gaps", func(t *testing.T) {
			s := event.New(event.Config{DB: db, Live: pubsub})
			ids := createWorkspaces(t, db, 3)
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for range 10 {
						var batch []*model.Event
						for _, i := range rand.Perm(len(ids)) {
							batch = append(batch, newEvents(ids[i], 2)...)
						}
						appendAll(t, db, s, batch)
					}
				})
			}
			group.Wait()
			for _, id := range ids {
				events := storedEvents(t, db, id)
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
