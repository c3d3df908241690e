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

// ReactionsOf returns the reactions to each document with one query.
func (s *Service) ReactionsOf(ctx context.Context, docs []*model.Document) ([][]*model.Reaction, error) {
	p := principal.Must(ctx)
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	rows, err := s.reactionsToDocuments(ctx, p.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	byDocument := make(map[string][]*model.Reaction, len(docs))
	for _, row := range rows {
		byDocument[*row.DocumentID] = append(byDocument[*row.DocumentID], row)
	}
	out := make([][]*model.Reaction, len(docs))
	for i, d := range docs {
		if out[i] = byDocument[d.ID]; out[i] == nil {
			out[i] = []*model.Reaction{}
		}
	}
	return out, nil
}

// Reaction returns one reaction, or nil if the workspace has no such reaction.
func (s *Service) Reaction(ctx context.Context, id string) (*model.Reaction, error) {
	p := principal.Must(ctx)
	return dbx.NilIfNotFound(s.reactionByID(ctx, p.WorkspaceID, id))
}
