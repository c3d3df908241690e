package link

import (
	"context"
	"github.com/uptrace/bun"
	"rostrum/dbx"
	"rostrum/model"
)

// SessionPages returns a page of viewer sessions per key, newest first, for example the sessions of
// each link; parent is the column with the keys (see dbx.Nested).
func (s *Service) SessionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.LinkSession], error) {
	s.committer.waitForFlush(ctx)
	list := dbx.List[model.LinkSession]{
		Order: newestFirst("opened_at"), Columns: columns,
		Key:   func(row *model.LinkSession) (any, string) { return row.OpenedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.LinkSession]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// ConversionPages is SessionPages for conversions, without scroll milestones.
func (s *Service) ConversionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.LinkConversion], error) {
	s.committer.waitForFlush(ctx)
	list := dbx.List[model.LinkConversion]{
		Order: newestFirst("created_at"), Columns: columns,
		Key: func(row *model.LinkConversion) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("workspace_id = ?", workspaceID).Where(noMilestones)
		},
	}
	return dbx.Nested[model.LinkConversion]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// SubmissionPages is SessionPages for form submissions.
func (s *Service) SubmissionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.LinkSubmission], error) {
	s.committer.waitForFlush(ctx)
	list := dbx.List[model.LinkSubmission]{
		Order: newestFirst("created_at"), Columns: columns,
		Key:   func(row *model.LinkSubmission) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.LinkSubmission]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// ConversionsByID is ByIDs for conversions.
func (s *Service) ConversionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.LinkConversion, error) {
	return dbx.ByIDs[model.LinkConversion](ctx, s.db, workspaceID, ids, columns...)
}

// SubmissionsByID is ByIDs for form submissions.
func (s *Service) SubmissionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.LinkSubmission, error) {
	return dbx.ByIDs[model.LinkSubmission](ctx, s.db, workspaceID, ids, columns...)
}
