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
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

// refused fails the test unless the error names the field.
func refused(t *testing.T, err error, field string) {
	t.Helper()
	e, ok := errors.AsType[*errs.Error](err)
	if !ok || e.Code != errs.ValidationFailed || len(e.Fields) != 1 || e.Fields[0].Pointer != "#/"+field {
		t.Errorf("%v, want %s refused", err, field)
	}
}

// aged are openings of a while ago, with ids of then.
func aged(workspaceID string, n int, age time.Duration) []*model.Event {
	events := opened(workspaceID, n)
	for _, e := range events {
		e.Timestamp = model.Now().Add(-age)
		id := ulid.MustNewDefault(e.Timestamp)
		e.ID = model.EventPrefix + "_" + strings.ToLower(id.String())
	}
	return events
}

func TestTidy(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := process(t, db, live.Config{Namespace: "tidy"})
		ids := workspaces(t, db, 2)
		busy, quiet := ids[0], ids[1]
		old, young := aged(busy, 2500, event.KeptFor+time.Hour), opened(busy, 2)
		appendAll(t, db, s, old)
		appendAll(t, db, s, young)
		appendAll(t, db, s, aged(quiet, 3, event.KeptFor+time.Hour))
		last := stored(t, db, quiet)[2]
		if err := s.Tidy(t.Context(), model.Now()); err != nil {
			t.Fatal(err)
		}
		if left := stored(t, db, busy); !slices.Equal(idsOf(left), idsOf(young)) {
			t.Errorf("%d events are left", len(left))
		}
		t.Run("a cursor at a quiet feed's end stays good", func(t *testing.T) {
			if page := pageOf(t, s, quiet, &last.ID, nil, 10); len(page.Events) != 0 || page.NextCursor != last.ID {
				t.Errorf("%+v", page)
			}
		})
		t.Run("a page behind what is kept no longer is gone", func(t *testing.T) {
			for _, after := range []string{old[0].ID, old[2499].ID, event.Start} {
				if page, err := s.Page(t.Context(), busy, &after, nil, 10); !errs.Is(err, errs.CursorGone) {
					t.Errorf("behind %s: %v, %v", after, page, err)
				}
			}
			if page := pageOf(t, s, busy, nil, nil, 10); !slices.Equal(idsOf(page.Events), idsOf(young)) {
				t.Errorf("without a cursor: %v", idsOf(page.Events))
			}
		})
		t.Run("a stream says that it is stale and goes on with the oldest", func(t *testing.T) {
			events, err := s.Watch(t.Context(), busy, &old[7].ID, []string{model.EventLinkOpened})
			if err != nil {
				t.Fatal(err)
			}
			if e := next(t, events); e.Event != event.Stale || e.ID != old[7].ID {
				t.Errorf("%+v comes first", e)
			}
			for _, want := range young {
				if e := next(t, events); e.ID != want.ID {
					t.Errorf("%s comes, want %s", e.ID, want.ID)
				}
			}
			appendAll(t, db, s, opened(busy, 1))
			if e := next(t, events); e.Position != 2503 {
				t.Errorf("then %d comes", e.Position)
			}
		})
	})
}
