package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// StartCursor is the cursor before the first event of a feed; an empty feed returns it.
const StartCursor = model.EventPrefix + "_00000000000000000000000000"

// Page returns a page of the stored events in their order. First and After read from the oldest on,
// Last and Before from the newest back. types selects events by name; the total counts all events
// of these types. Cursors are ids of events.
//
// It returns errs.CursorGone if events after the cursor may have been deleted. It returns
// errs.ValidationFailed for an unknown id or type, and for arguments of both directions.
func (s *Service) Page(ctx context.Context, workspaceID string, args model.PageArgs,
	types []model.EventType) (*model.EventConnection, error) {
	backward := args.Last != nil || args.Before != nil
	if err := checkTypes(types); err != nil {
		return nil, err
	}
	var mixed errs.FieldErrors
	dbx.CheckMixedPaging(args, &mixed)
	if err := mixed.Err(); err != nil {
		return nil, err
	}
	end, err := s.readEnd(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	names := wantedNames(types)
	var page *model.EventConnection
	if backward {
		page, err = s.pageBefore(ctx, workspaceID, args, names, end)
	} else {
		page, err = s.pageAfter(ctx, workspaceID, args, names, end)
	}
	if err != nil {
		return nil, err
	}
	page.Cursor = func(e *model.Event) string { return e.ID }
	page.Count = func(ctx context.Context) (int, error) { return s.count(ctx, workspaceID, names) }
	return page, nil
}

func (s *Service) pageAfter(ctx context.Context, workspaceID string, args model.PageArgs, names []string,
	end *model.Event) (*model.EventConnection, error) {
	var position int64
	if args.After != nil {
		var err error
		if position, err = s.cursorPosition(ctx, workspaceID, *args.After, "after"); err != nil {
			return nil, err
		}
	}
	size := optional.ValueOr(args.First, dbx.DefaultPerPage)
	events, err := s.eventsBetween(ctx, workspaceID, position, end.Position, names, size+1)
	if err != nil {
		return nil, err
	}
	page := &model.EventConnection{Nodes: events[:min(size, len(events))], Before: position > 0,
		Behind: len(events) > size}
	page.End = new(nextCursor(page.Nodes, size, args.After, end))
	return page, nil
}

func (s *Service) pageBefore(ctx context.Context, workspaceID string, args model.PageArgs, names []string,
	end *model.Event) (*model.EventConnection, error) {
	before := end.Position + 1
	if args.Before != nil {
		var err error
		if before, err = s.cursorPosition(ctx, workspaceID, *args.Before, "before"); err != nil {
			return nil, err
		}
	}
	size := optional.ValueOr(args.Last, dbx.DefaultPerPage)
	events, err := s.eventsBefore(ctx, workspaceID, before, names, size+1)
	if err != nil {
		return nil, err
	}
	page := &model.EventConnection{Nodes: events[:min(size, len(events))], Before: len(events) > size,
		Behind: before <= end.Position}
	slices.Reverse(page.Nodes)
	if args.Before == nil {
		page.End = new(cmp.Or(end.ID, StartCursor))
	} else if len(page.Nodes) == 0 {
		page.End = args.Before
	}
	return page, nil
}

// Pages returns a page of events per key in the column parent, newest first (see dbx.Nested).
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, values []string, args model.PageArgs, columns ...string,
) ([]*model.EventConnection, error) {
	list := dbx.List[model.Event]{
		Order: dbx.Order{Column: "position", Number: true, Desc: true}, Columns: columns,
		Key:   func(e *model.Event) (any, string) { return e.Position, e.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Event]{List: list, Parent: parent}.Pages(ctx, s.db, values, args)
}

// nextCursor returns the last event of a full page, or else the end of the feed.
func nextCursor(events []*model.Event, first int, after *string, end *model.Event) string {
	switch {
	case len(events) == first:
		return events[first-1].ID
	case end.ID != "":
		return end.ID
	case after != nil:
		return *after
	}
	return StartCursor
}

// wantedNames returns the names of the given types of events, or of all types.
func wantedNames(types []model.EventType) []string {
	if len(types) == 0 {
		types = model.EventTypes
	}
	return model.Names(types)
}

// Cursor returns the position of the newest event of the feed, of any kind, as a cursor.
func (s *Service) Cursor(ctx context.Context, workspaceID string) (string, error) {
	end, err := s.readEnd(ctx, workspaceID)
	return cmp.Or(end.ID, StartCursor), err
}

// CursorTime returns when the event of a cursor happened. The start of a feed is the beginning of
// time. It returns errs.ValidationFailed for a cursor that is not of the workspace.
func (s *Service) CursorTime(ctx context.Context, workspaceID, cursor string) (time.Time, error) {
	if cursor == StartCursor {
		return time.Unix(0, 0), nil
	}
	e, err := s.Get(ctx, workspaceID, cursor, "timestamp")
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("find the cursor: %w", err)
	case e != nil:
		return e.Timestamp, nil
	case isExpired(cursor):
		return ulidTime(cursor)
	}
	return time.Time{}, errInvalidCursor("after")
}

// checkTypes returns an error for an unknown type, because its watcher would never receive an
// event.
func checkTypes(types []model.EventType) error {
	for _, t := range types {
		if !slices.Contains(model.EventTypes, t) {
			return errs.Invalid(errs.QueryField("enum",
				"must be one of "+strings.Join(model.Names(model.EventTypes), ", "), "types"))
		}
	}
	return nil
}

// cursorPosition returns the position of the event with the id cursor. name is the argument for
// errors.
func (s *Service) cursorPosition(ctx context.Context, workspaceID, cursor, name string) (int64, error) {
	if cursor == StartCursor {
		oldest, err := s.oldestPosition(ctx, workspaceID)
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
	case isExpired(cursor):
		return 0, errGone()
	}
	return 0, errInvalidCursor(name)
}

func errInvalidCursor(name string) error {
	return errs.Invalid(errs.QueryField("bad_cursor", "is not the id of an event of this workspace", name))
}

// isExpired reports whether an event with that id is old enough to be deleted.
func isExpired(id string) bool {
	made, err := ulidTime(id)
	return err == nil && strings.HasPrefix(id, model.EventPrefix+"_") && time.Since(made) > retention-time.Hour
}

// ulidTime returns the time that is part of an event's id.
func ulidTime(id string) (time.Time, error) {
	made, err := ulid.ParseStrict(strings.TrimPrefix(id, model.EventPrefix+"_"))
	return ulid.Time(made.Time()), err
}

func errGone() error {
	return errs.New(errs.CursorGone, "events after this cursor have been deleted; omit after to continue with the oldest event")
}
