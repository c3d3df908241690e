package event_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// wantInvalidField fails the test unless the error is a validation error of the field.
func wantInvalidField(t *testing.T, err error, field string) {
	t.Helper()
	e, ok := errors.AsType[*errs.Error](err)
	if !ok || e.Code != errs.ValidationFailed || len(e.Fields) != 1 || e.Fields[0].Pointer != "#/"+field {
		t.Errorf("error %v, want a validation error of %s", err, field)
	}
}

// oldEvents returns n openings of the given age, with ids of that time.
func oldEvents(workspaceID string, n int, age time.Duration) []*model.Event {
	events := newEvents(workspaceID, n)
	for _, e := range events {
		e.Timestamp = model.Now().Add(-age)
		id := ulid.MustNewDefault(e.Timestamp)
		e.ID = model.EventPrefix + "_" + strings.ToLower(id.String())
	}
	return events
}

func TestDeleteOld(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "tidy"})
		ids := createWorkspaces(t, db, 2)
		busy, idle := ids[0], ids[1]
		old, recent := oldEvents(busy, 2500, event.Retention+time.Hour), newEvents(busy, 2)
		appendAll(t, db, s, old)
		appendAll(t, db, s, recent)
		appendAll(t, db, s, oldEvents(idle, 3, event.Retention+time.Hour))
		last := storedEvents(t, db, idle)[2]
		if err := s.DeleteOld(t.Context(), model.Now()); err != nil {
			t.Fatal(err)
		}
		if left := storedEvents(t, db, busy); !slices.Equal(eventIDs(left), eventIDs(recent)) {
			t.Errorf("%d events are stored", len(left))
		}
		t.Run("a cursor at the end of an idle feed stays valid", func(t *testing.T) {
			if page := readPage(t, s, idle, &last.ID, nil, 10); len(page.Nodes) != 0 || *page.End != last.ID {
				t.Errorf("%+v", page)
			}
		})
		t.Run("a cursor of a deleted event returns CURSOR_GONE", func(t *testing.T) {
			for _, after := range []string{old[0].ID, old[2499].ID, event.StartCursor} {
				if page, err := s.Page(t.Context(), busy, model.PageArgs{After: &after}, nil); !errs.Is(err,
					errs.CursorGone) {
					t.Errorf("after %s: %v, %v", after, page, err)
				}
			}
			if page := readPage(t, s, busy, nil, nil, 10); !slices.Equal(eventIDs(page.Nodes), eventIDs(recent)) {
				t.Errorf("without a cursor: %v", eventIDs(page.Nodes))
			}
		})
		t.Run("a stream with an old cursor sends stale and then the oldest events", func(t *testing.T) {
			events, err := s.Watch(t.Context(), busy, &old[7].ID, []model.EventType{model.EventTypeLinkOpened})
			if err != nil {
				t.Fatal(err)
			}
			if e := nextEvent(t, events); e.Event != event.Stale || e.ID != old[7].ID {
				t.Errorf("the first event is %+v", e)
			}
			for _, want := range recent {
				if e := nextEvent(t, events); e.ID != want.ID {
					t.Errorf("got event %s, want %s", e.ID, want.ID)
				}
			}
			appendAll(t, db, s, newEvents(busy, 1))
			if e := nextEvent(t, events); e.Position != 2503 {
				t.Errorf("the next event is at %d", e.Position)
			}
		})
	})
}
