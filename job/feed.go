package job

import (
	"context"
	"encoding/json"
	"errors"

	"rostrum/dbx"
	"rostrum/live"
	"rostrum/model"
)

// errUncarried makes a board read the database where news do not carry the job.
var errUncarried = errors.New("the news do not carry the job")

// WatchWorkspace gives each job of the workspace whenever it has changed, until the context ends. A reader that is slower
// than the changes gets a job's latest state and not each one between.
func (s *Service) WatchWorkspace(ctx context.Context, workspaceID string) (<-chan *model.Job, error) {
	return s.boards.Read(ctx, live.Board[*model.Job]{
		Topic: workspaceTopic(workspaceID),
		Open: func(_ context.Context, payload []byte) (*model.Job, error) {
			var n news
			if json.Unmarshal(payload, &n) != nil {
				return nil, errUncarried
			}
			event := n.event(workspaceID)
			if event == nil {
				return nil, errUncarried
			}
			return event.Job, nil
		},
		Changed: func(ctx context.Context, behind live.Change, most int) ([]*model.Job, error) {
			return s.changed(ctx, workspaceID, behind, most)
		},
		Of: func(j *model.Job) live.Change {
			return live.Change{ID: j.ID, Version: int64(j.Position), At: j.UpdatedAt}
		},
	})
}

func (s *Service) changed(ctx context.Context, workspaceID string, behind live.Change, most int) ([]*model.Job, error) {
	q := s.db.NewSelect().Model((*model.Job)(nil)).
		Where("workspace_id = ? AND (updated_at, id) > (?, ?)", workspaceID, behind.At, behind.ID).Order("updated_at", "id").Limit(int64(most))
	return dbx.Read[model.Job](ctx, s.db, q)
}
