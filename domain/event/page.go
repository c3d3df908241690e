package event

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/errs"
	"rostrum/model"
)

// Start is the cursor in front of a feed's first event, which an empty feed gives to go on behind.
const Start = model.EventPrefix + "_00000000000000000000000000"

// Page reads what is kept behind an event, oldest first, or from the oldest on without after; types keep the events of these names. It
// fails with errs.CursorGone when events behind that one may have been dropped, and with errs.ValidationFailed for an id that no event of the workspace
// has and for a type that there is none of.
func (s *Service) Page(ctx context.Context, workspaceID string, after *string, types []string, first int) (*model.EventPage, error) {
	if err := checkTypes(types); err != nil {
		return nil, err
	}
	behind := int64(0)
	if after != nil {
		var err error
		if behind, err = s.place(ctx, workspaceID, *after); err != nil {
			return nil, err
		}
	}
	end, err := s.end(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	events, err := s.between(ctx, workspaceID, behind, end.Position, types, first)
	if err != nil {
		return nil, err
	}
	return &model.EventPage{Events: events, NextCursor: nextCursor(events, first, after, end)}, nil
}

// nextCursor is the last event of a full page; behind one that is not full nothing more has happened up to the feed's end.
func nextCursor(events []*model.Event, first int, after *string, end *model.Event) string {
	switch {
	case len(events) == first:
		return events[first-1].ID
	case end.ID != "":
		return end.ID
	case after != nil:
		return *after
	}
	return Start
}

// checkTypes fails for a name that no event has, which would otherwise be waited for in vain.
func checkTypes(types []string) error {
	for _, name := range types {
		if !slices.Contains(model.EventNames, name) {
			return errs.Invalid(errs.QueryField("enum", "must be one of "+strings.Join(model.EventNames, ", "), "types"))
		}
	}
	return nil
}

// place is the position of the event of that id.
func (s *Service) place(ctx context.Context, workspaceID, cursor string) (int64, error) {
	if cursor == Start {
		oldest, err := s.oldest(ctx, workspaceID)
		if err == nil && oldest > 1 {
			err = errGone()
		}
		return 0, err
	}
	e, err := s.Get(ctx, workspaceID, cursor, "position")
	switch {
	case err != nil:
		return 0, fmt.Errorf("find the cursor: %w", err)
	case e != nil:
		return e.Position, nil
	case dropped(cursor):
		return 0, errGone()
	}
	return 0, errs.Invalid(errs.QueryField("bad_cursor", "is not the id of an event of this workspace", "after"))
}

// dropped reports whether an event of that id would be kept no longer.
func dropped(id string) bool {
	text, ok := strings.CutPrefix(id, model.EventPrefix+"_")
	made, err := ulid.ParseStrict(text)
	return ok && err == nil && time.Since(ulid.Time(made.Time())) > keptFor-time.Hour
}

func errGone() error {
	return errs.New(errs.CursorGone, "events behind that one are kept no longer; leave after out to go on with the oldest that is kept")
}
