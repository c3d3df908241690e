package event

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// feed is the end of a workspace's feed. Its row's lock is what makes the feed one order.
type feed struct {
	bun.BaseModel `bun:"table:event_feed,alias:feed"`

	WorkspaceID string `bun:"workspace_id,pk"`
	Position    int64  `bun:"position"` // of the newest event
}

// extend moves the ends of the feeds on and gives where they are then. It locks the feeds in the order in which they are given.
func extend(ctx context.Context, tx dbx.Tx, by []*feed) (map[string]int64, error) {
	var moved []*feed
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

func insert(ctx context.Context, tx dbx.Tx, events []*model.Event) error {
	_, err := tx.NewInsert().Model(&events).Exec(ctx)
	return dbx.Err(err)
}

// Get reads one event's columns (all when none is named); nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, workspaceID, id string, columns ...string) (*model.Event, error) {
	e := new(model.Event)
	err := s.db.NewSelect().Model(e).Column(columns...).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return dbx.OrNone(e, err)
}

// end is the newest event's id and position; both are empty when nothing has happened yet.
func (s *Service) end(ctx context.Context, workspaceID string) (*model.Event, error) {
	e := new(model.Event)
	err := dbx.Err(s.db.NewSelect().Model(e).Column("id", "position").Where("workspace_id = ?", workspaceID).
		Order("position DESC").Limit(1).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return &model.Event{}, nil
	}
	return e, err
}

// oldest is the position of the oldest event that is kept, 0 when nothing has happened yet.
func (s *Service) oldest(ctx context.Context, workspaceID string) (int64, error) {
	var position int64
	err := s.db.NewSelect().Model((*model.Event)(nil)).ColumnExpr("coalesce(min(position), 0)").
		Where("workspace_id = ?", workspaceID).Scan(ctx, &position)
	return position, dbx.Err(err)
}

// between reads the events behind one position and up to another, the first ones up to the limit.
func (s *Service) between(ctx context.Context, workspaceID string, behind, upTo int64, types []string, limit int) ([]*model.Event, error) {
	events := []*model.Event{}
	q := s.db.NewSelect().Model(&events).Where("workspace_id = ? AND position > ? AND position <= ?", workspaceID, behind, upTo)
	if len(types) > 0 {
		q = q.Where("event IN ?", bun.Tuple(types))
	}
	return events, dbx.Err(q.Order("position").Limit(int64(limit)).Scan(ctx))
}

// drop deletes events from before an instant, the oldest first and the newest of a workspace never, and tells how many.
func (s *Service) drop(ctx context.Context, before time.Time, limit int) (int64, error) {
	end := s.db.NewSelect().Model((*feed)(nil)).Column("position").Where("feed.workspace_id = event.workspace_id")
	old := s.db.NewSelect().Model((*model.Event)(nil)).Column("id").
		Where("timestamp < ? AND event.position < (?)", before, end).Order("timestamp", "position").Limit(int64(limit))
	result, err := s.db.NewDelete().Model((*model.Event)(nil)).Where("id IN (?)", old).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	return result.RowsAffected()
}
