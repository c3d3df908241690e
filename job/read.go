package job

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
)

// Get returns a job, or only some of its columns, or nil if the workspace has no such job.
func (s *Service) Get(ctx context.Context, workspaceID, id string, columns ...string) (*model.Job, error) {
	q := s.db.NewSelect().Model((*model.Job)(nil)).Column(columns...).Where("id = ? AND workspace_id = ?", id, workspaceID)
	job, err := dbx.ReadOne[model.Job](ctx, s.db, q)
	return dbx.NilIfNotFound(job, err)
}

// newestFirst is the order of List.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// List returns a page of the workspace's jobs that match the filter, newest first, or only some of their columns. It returns
// errs.ValidationFailed for invalid page arguments.
func (s *Service) List(ctx context.Context, workspaceID string, page model.PageArgs, filter *api.JobFilter, columns ...string) (*model.JobConnection, error) {
	jobs, err := dbx.List[model.Job]{
		Order: newestFirst, Columns: columns,
		Key: func(j *model.Job) (any, string) { return j.CreatedAt, j.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return matchFilter(q.Where("workspace_id = ?", workspaceID), filter)
		},
	}.Page(ctx, s.db, page)
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

func matchFilter(q *bun.SelectQuery, filter *api.JobFilter) *bun.SelectQuery {
	if filter == nil {
		return q
	}
	if status := filter.Status.Value(); status != nil {
		q = q.Where("status = ?", *status)
	}
	if text := filter.JobTypeText.Value(); text != nil {
		q = q.Where("job_type = ?", *text)
	}
	if jobType := filter.JobType.Value(); jobType != nil {
		q = matchType(q, *jobType)
	}
	return q
}

// matchType selects the jobs of a type; JobTypeOther selects those of no known type.
func matchType(q *bun.SelectQuery, jobType model.JobType) *bun.SelectQuery {
	if jobType == model.JobTypeOther {
		return q.Where("job_type NOT IN ?", bun.Tuple(model.KnownJobTypes()))
	}
	return q.Where("job_type = ?", jobType)
}

// ByIDs returns the workspace's jobs with the ids, in no order, or only the named columns of them; ids without a job are left out.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Job, error) {
	return dbx.ByIDs[model.Job](ctx, s.db, workspaceID, ids, columns...)
}

// Pages returns a page of the workspace's jobs for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Job], error) {
	list := dbx.List[model.Job]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Job) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Job]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}
