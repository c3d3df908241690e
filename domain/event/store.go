package event

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// feedEnd is the end of a workspace's feed. Locking its row orders the feed.
type feedEnd struct {
	bun.BaseModel `bun:"table:event_feed,alias:feed"`

	WorkspaceID string `bun:"workspace_id,pk"`
	Position    int64  `bun:"position"` // of the newest event
}

// extendFeeds increases the last positions of feeds and returns them. It locks the feeds in the
// given order.
func extendFeeds(ctx context.Context, tx dbx.Tx, by []*feedEnd) (map[string]int64, error) {
	var moved []*feedEnd
	_, err := tx.NewInsert().Model(&by).On("CONFLICT (workspace_id) DO UPDATE").
		Set("position = feed.position + excluded.position").Returning("workspace_id, position").Exec(ctx, &moved)
	if err != nil {
		return nil, dbx.Err(err)
	}
	ends := make(map[string]int64, len(moved))
	for _, f := range moved {
		ends[f.WorkspaceID] = f.Position
	}
	return ends, nil
}

// LockFeed locks the workspace's feed until the end of the transaction. Call it before rows that a
// transaction with the feed's lock may wait for, for example webhooks, if the own one appends too.
func LockFeed(ctx context.Context, tx dbx.Tx, workspaceID string) error {
	_, err := extendFeeds(ctx, tx, []*feedEnd{{WorkspaceID: workspaceID}})
	return err
}

// Get returns one event, or nil if the workspace has none with this id. If columns are named, it
// reads only these.
func (s *Service) Get(ctx context.Context, workspaceID, id string, columns ...string) (*model.Event, error) {
	e := new(model.Event)
	err := s.db.NewSelect().Model(e).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return dbx.NilIfNotFound(e, err)
}

// ByIDs returns the events of any workspace with these ids, in no order. Unknown ids are omitted.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]*model.Event, error) {
	events := []*model.Event{}
	if len(ids) == 0 {
		return events, nil
	}
	err := s.db.NewSelect().Model(&events).Where("id IN ?", bun.Tuple(ids)).Scan(ctx)
	return events, dbx.Err(err)
}

// readEnd returns the newest event's id and position; both are empty if there is no event.
func (s *Service) readEnd(ctx context.Context, workspaceID string) (*model.Event, error) {
	e := new(model.Event)
	err := dbx.Err(s.db.NewSelect().Model(e).Column("id", "position").Where("workspace_id = ?", workspaceID).
		Order("position DESC").Limit(1).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return &model.Event{}, nil
	}
	return e, err
}

// oldestPosition returns the position of the oldest stored event; 0 if there is none.
func (s *Service) oldestPosition(ctx context.Context, workspaceID string) (int64, error) {
	var position int64
	err := s.db.NewSelect().Model((*model.Event)(nil)).ColumnExpr("coalesce(min(position), 0)").
		Where("workspace_id = ?", workspaceID).Scan(ctx, &position)
	return position, dbx.Err(err)
}

// eventsBetween returns the first events after one position up to another. No types mean all types.
func (s *Service) eventsBetween(ctx context.Context, workspaceID string, after, upTo int64, types []string,
	limit int) ([]*model.Event, error) {
	events := []*model.Event{}
	q := s.db.NewSelect().Model(&events).Where("workspace_id = ? AND position > ? AND position <= ?", workspaceID,
		after, upTo)
	if len(types) > 0 {
		q = q.Where("event IN ?", bun.Tuple(types))
	}
	return events, dbx.Err(q.Order("position").Limit(int64(limit)).Scan(ctx))
}

// eventsBefore returns at most limit of the newest events before a position, newest first.
func (s *Service) eventsBefore(ctx context.Context, workspaceID string, before int64, types []string,
	limit int) ([]*model.Event, error) {
	events := []*model.Event{}
	q := s.db.NewSelect().Model(&events).Where("workspace_id = ? AND position < ? AND event IN ?", workspaceID, before,
		bun.Tuple(types))
	return events, dbx.Err(q.Order("position DESC").Limit(int64(limit)).Scan(ctx))
}

// count returns the number of the workspace's stored events of these types.
func (s *Service) count(ctx context.Context, workspaceID string, types []string) (int, error) {
	n, err := s.db.NewSelect().Model((*model.Event)(nil)).Where("workspace_id = ? AND event IN ?", workspaceID,
		bun.Tuple(types)).Count(ctx)
	return int(n), dbx.Err(err)
}

// dropBefore deletes the oldest events before a time, except each workspace's newest, and returns
// how many.
func (s *Service) dropBefore(ctx context.Context, before time.Time, limit int) (int64, error) {
	end := s.db.NewSelect().Model((*feedEnd)(nil)).Column("position").Where("feed.workspace_id = event.workspace_id")
	old := s.db.NewSelect().Model((*model.Event)(nil)).Column("id").
		Where("timestamp < ? AND event.position < (?)", before, end).Order("timestamp", "position").Limit(int64(limit))
	result, err := s.db.NewDelete().Model((*model.Event)(nil)).Where("?", s.db.Among("id", old)).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	return result.RowsAffected()
}

// InWorkspace returns the workspace's events with the ids (see dbx.ByIDs).
func (s *Service) InWorkspace(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Event,
	error) {
	events := []*model.Event{}
	if len(ids) == 0 {
		return events, nil
	}
	err := s.db.NewSelect().Model(&events).Column(columns...).Where("workspace_id = ? AND id IN ?", workspaceID,
		bun.Tuple(ids)).Scan(ctx)
	return events, dbx.Err(err)
}
