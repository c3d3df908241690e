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
	q := s.db.NewSelect().Model((*model.Job)(nil)).Column(columns...).
		Where("id = ? AND workspace_id = ?", id, workspaceID)
	job, err := dbx.ReadOne[model.Job](ctx, s.db, q)
	return dbx.NilIfNotFound(job, err)
}

// newestFirst is the order of List.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// choices are the filter and the orders of lists of jobs.
var choices = dbx.Choices[model.Job, api.JobFilter, model.JobOrderField]{
	Filter: dbx.Filter[api.JobFilter]{
		dbx.MatchValue("status", func(f *api.JobFilter) *model.JobStatus { return f.Status.Value() }),
		dbx.MatchValue("job_type", func(f *api.JobFilter) *string { return f.JobTypeText.Value() }),
		dbx.MatchBy(func(f *api.JobFilter) *model.JobType { return f.JobType.Value() }, matchType),
		dbx.MatchAny("statuses", "status", func(f *api.JobFilter) []model.JobStatus { return f.Statuses.Value() }),
		dbx.MatchValue("document_id", func(f *api.JobFilter) *string { return f.DocumentID.Value() }),
		dbx.MatchValue("user_id", func(f *api.JobFilter) *string { return f.CreatedByID.Value() }),
		dbx.MatchTime("created", "created_at", func(f *api.JobFilter) *model.TimeRange { return f.Created.Value() }),
		dbx.MatchBy(func(f *api.JobFilter) *bool { return f.IsDismissed.Value() }, matchDismissed),
		dbx.MatchTime("finished", "completed_at", func(f *api.JobFilter) *model.TimeRange { return f.Finished.Value() }),
	},
	Orders: dbx.NewOrders[model.JobOrderField, model.Job](map[model.JobOrderField]string{
		model.JobOrderFieldCreatedAt: "created_at", model.JobOrderFieldFinishedAt: "completed_at",
	}),
}

// newList returns the list of jobs that match the filter, newest first unless an order is given.
func newList(workspaceID string, filter *api.JobFilter, order *model.JobOrder, columns []string) (dbx.List[model.Job],
	error) {
	return choices.Apply(dbx.List[model.Job]{
		Order: newestFirst, Columns: columns,
		Key:   func(j *model.Job) (any, string) { return j.CreatedAt, j.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}, filter, order)
}

// List returns a page of the jobs that match the filter, newest first unless an order is given. If
// columns are named, it reads only these. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) List(
	ctx context.Context, workspaceID string, page model.PageArgs, filter *api.JobFilter, order *model.JobOrder,
	columns ...string,
) (*model.JobConnection, error) {
	list, err := newList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	jobs, err := list.Page(ctx, s.db, page)
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

// matchDismissed selects the jobs whose failure was dismissed, or all others.
func matchDismissed(q *bun.SelectQuery, isDismissed bool) *bun.SelectQuery {
	if isDismissed {
		return q.Where("dismissed_at IS NOT NULL")
	}
	return q.Where("dismissed_at IS NULL")
}

// matchType selects the jobs of a type; JobTypeOther selects every unknown type.
func matchType(q *bun.SelectQuery, jobType model.JobType) *bun.SelectQuery {
	if jobType == model.JobTypeOther {
		return q.Where("job_type NOT IN ?", bun.Tuple(model.KnownJobTypes()))
	}
	return q.Where("job_type = ?", jobType)
}

// ByIDs returns the workspace's jobs with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Job,
	error) {
	return dbx.ByIDs[model.Job](ctx, s.db, workspaceID, ids, columns...)
}

// Pages is List per key, for example the jobs of each document; parent is the column with the keys.
// It returns errs.ValidationFailed for invalid arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.JobFilter,
	order *model.JobOrder, columns ...string,
) ([]*model.Connection[model.Job], error) {
	list, err := newList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	return dbx.Nested[model.Job]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}
