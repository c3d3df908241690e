package job

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// Get reads one job, or only some of its columns; nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, workspaceID, id string, columns ...string) (*model.Job, error) {
	q := s.db.NewSelect().Model((*model.Job)(nil)).Column(columns...).Where("id = ? AND workspace_id = ?", id, workspaceID)
	job, err := dbx.ReadOne[model.Job](ctx, s.db, q)
	return dbx.OrNone(job, err)
}

// newestFirst is the order of List.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// List reads a page of the workspace's jobs, newest first, or only some of their columns. A filter keeps those for which all of it
// holds. It fails with errs.ValidationFailed when the page is not one.
func (s *Service) List(ctx context.Context, workspaceID string, page model.PageArgs, filter *model.JobFilter, columns ...string) (*model.JobConnection, error) {
	window, err := dbx.NewWindow(page, newestFirst)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append([]string{"id", "created_at"}, columns...)
	}
	matching := func(q *bun.SelectQuery) *bun.SelectQuery {
		return matchFilter(q.Model((*model.Job)(nil)).Where("workspace_id = ?", workspaceID), filter)
	}
	jobs, err := dbx.Read[model.Job](ctx, s.db, window.Apply(matching(s.db.NewSelect()).Column(columns...)))
	if err != nil {
		return nil, err
	}
	c := dbx.Connect(window, jobs, func(j *model.Job) (any, string) { return j.CreatedAt, j.ID })
	c.Count = func(ctx context.Context) (int, error) {
		n, err := matching(s.db.NewSelect()).Count(ctx)
		return int(n), dbx.Err(err)
	}
	return &model.JobConnection{Connection: c}, nil
}

func matchFilter(q *bun.SelectQuery, filter *model.JobFilter) *bun.SelectQuery {
	if filter == nil {
		return q
	}
	if status := filter.Status.Value(); status != nil {
		q = q.Where("status = ?", *status)
	}
	if jobType := filter.JobType.Value(); jobType != nil {
		q = q.Where("job_type = ?", *jobType)
	}
	return q
}
