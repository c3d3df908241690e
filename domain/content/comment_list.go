package content

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// commentFilter returns the conditions of the filter of comments.
var commentFilter = dbx.Filter[api.DraftCommentFilter]{
	dbx.MatchBy(func(f *api.DraftCommentFilter) *bool { return f.IsResolved.Value() },
		func(q *bun.SelectQuery, isResolved bool) *bun.SelectQuery {
			if isResolved {
				return q.Where("resolved_at IS NOT NULL")
			}
			return q.Where("resolved_at IS NULL")
		}),
	dbx.MatchValue("parent_id", func(f *api.DraftCommentFilter) *string { return f.ParentID.Value() }),
}

// commentList describes the comments that match the filter, or the replies to the comment that it
// names.
func commentList(workspaceID string, filter *api.DraftCommentFilter, columns []string) dbx.List[model.DraftComment] {
	list := allComments(workspaceID, columns)
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery {
		if q = all(q); filter == nil || filter.ParentID.Value() == nil {
			q = q.Where("parent_id IS NULL")
		}
		if commentFilter.IsEmpty(filter) {
			return q
		}
		return commentFilter.Apply(q, filter)
	}
	return list
}

// allComments describes the comments and the replies of a workspace, oldest first.
func allComments(workspaceID string, columns []string) dbx.List[model.DraftComment] {
	return dbx.List[model.DraftComment]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:   func(row *model.DraftComment) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// Comments returns one page of the comments on a draft, oldest first. It returns errs.NotFound for
// an unknown draft.
func (s *Service) Comments(ctx context.Context, draftID string, args model.PageArgs, filter *api.DraftCommentFilter,
	columns ...string) (*model.DraftCommentConnection, error) {
	return draftPage(ctx, s, draftID, commentList(principal.Must(ctx).WorkspaceID, filter, columns), args)
}

// CommentPages returns a page of the comments on each draft, or of the replies to each comment if
// the parent is parent_id, oldest first (see dbx.Nested). Replies have no filter.
func (s *Service) CommentPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.DraftCommentFilter,
	columns ...string,
) ([]*model.DraftCommentConnection, error) {
	list := allComments(workspaceID, columns)
	if parent != "parent_id" {
		list = commentList(workspaceID, filter, columns)
	}
	return dbx.Nested[model.DraftComment]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// CommentsByID returns the workspace's comments and replies with the ids (see dbx.ByIDs).
func (s *Service) CommentsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) (
	[]*model.DraftComment, error) {
	return dbx.ByIDs[model.DraftComment](ctx, s.db, workspaceID, ids, columns...)
}

// Mentions returns one page of the comments and replies that mention the caller, newest first,
// without those of resolved comments.
func (s *Service) Mentions(ctx context.Context, args model.PageArgs, columns ...string) (*model.DraftCommentConnection,
	error) {
	p := principal.Must(ctx)
	list := allComments(p.WorkspaceID, columns)
	all := list.Where
	list.Order.Desc = true
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery {
		resolved := s.db.NewSelect().TableExpr("draft_comment AS thread").ColumnExpr("1").
			Where("thread.id = coalesce(draft_comment.parent_id, draft_comment.id)").Where("thread.resolved_at IS NOT NULL")
		return s.db.Containing(all(q).Where("mentioned_user_ids IS NOT NULL"), "mentioned_user_ids", p.UserID).
			Where("NOT EXISTS (?)", resolved)
	}
	return list.Page(ctx, s.db, args)
}
