package audience

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/principal"
)

// newest is the order of a document's reactions.
var newest = dbx.Order{Column: "created_at", Time: true, Desc: true}

// Reactions returns a page of the reactions to a document, newest first, or nil if the workspace has no such document. It returns
// an error for invalid page arguments.
func (s *Service) Reactions(ctx context.Context, documentID string, args model.PageArgs) (*model.ReactionConnection, error) {
	p := principal.Must(ctx)
	doc, err := s.Documents.Get(ctx, documentID, "id")
	if err != nil || doc == nil {
		return nil, err
	}
	page, err := dbx.List[model.Reaction]{
		Order: newest,
		Key:   func(row *model.Reaction) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("workspace_id = ? AND document_id = ?", p.WorkspaceID, documentID)
		},
	}.Page(ctx, s.DB, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Reaction returns one reaction, or nil if the workspace has no such reaction.
func (s *Service) Reaction(ctx context.Context, id string) (*model.Reaction, error) {
	p := principal.Must(ctx)
	return dbx.NilIfNotFound(s.reactionByID(ctx, p.WorkspaceID, id))
}

// ReactionPages returns a page of the workspace's reactions for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
func (s *Service) ReactionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Reaction], error) {
	list := dbx.List[model.Reaction]{
		Order: newest, Columns: columns,
		Key:   func(row *model.Reaction) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Reaction]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
}

// ReactionsByID returns the workspace's reactions with the ids, in no order, or only the named columns of them; ids without a reaction are left out.
func (s *Service) ReactionsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Reaction, error) {
	return dbx.ByIDs[model.Reaction](ctx, s.DB, workspaceID, ids, columns...)
}
