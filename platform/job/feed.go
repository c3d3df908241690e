package job

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/live"
)

// errUncarried makes the feed read the database because a notification does not carry the job.
var errUncarried = errors.New("the notification does not carry the job")

// WatchWorkspace returns a channel of the workspace's jobs as they change, until the context ends.
// If since is not zero, jobs changed since then come first. A slow reader may miss intermediate
// states, but always receives the latest.
func (s *Service) WatchWorkspace(ctx context.Context, workspaceID string, since time.Time) (<-chan *model.Job, error) {
	return s.boards.Read(ctx, since, live.LatestState[*model.Job]{
		Topic: workspaceTopic(workspaceID),
		Decode: func(_ context.Context, payload []byte) (*model.Job, error) {
			var n jobNotification
			if json.Unmarshal(payload, &n) != nil {
				return nil, errUncarried
			}
			event := n.rebuildEvent(workspaceID)
			if event == nil {
				return nil, errUncarried
			}
			return event.State, nil
		},
		Changed: func(ctx context.Context, after live.Change, most int) ([]*model.Job, error) {
			return s.changedSince(ctx, workspaceID, after, most)
		},
		ChangeOf: func(j *model.Job) live.Change {
			return live.Change{ID: j.ID, Version: int64(j.Position), At: j.UpdatedAt}
		},
	})
}

func (s *Service) changedSince(ctx context.Context, workspaceID string, after live.Change, most int) ([]*model.Job,
	error) {
	q := s.db.NewSelect().Model((*model.Job)(nil)).
		Where("workspace_id = ? AND (updated_at, id) > (?, ?)", workspaceID, after.At, after.ID).
		Order("updated_at", "id").Limit(int64(most))
	return dbx.Read[model.Job](ctx, s.db, q)
}
