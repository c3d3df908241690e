package audience

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// newest is the order of a document's reactions.
var newest = dbx.Order{Column: "created_at", Time: true, Desc: true}

// Reactions reads a page of what personas make of a document, newest first; nil when the workspace has no such document.
func (s *Service) Reactions(ctx context.Context, documentID string, args model.PageArgs) (*model.ReactionConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	doc, err := s.Documents.Get(ctx, documentID, "id")
	if err != nil || doc == nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, newest)
	if err != nil {
		return nil, err
	}
	rows, err := s.page(ctx, p.WorkspaceID, documentID, window)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(row *model.Reaction) (any, string) { return row.CreatedAt, row.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.count(ctx, p.WorkspaceID, documentID) }
	return &model.ReactionConnection{Connection: page}, nil
}

// ReactionsOf reads what personas make of documents, all with one statement, in the order of the documents.
func (s *Service) ReactionsOf(ctx context.Context, docs []*model.Document) ([][]*model.Reaction, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	rows, err := s.ofDocuments(ctx, p.WorkspaceID, ids)
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

// Reaction reads one reaction; nil when the workspace has none of that id.
func (s *Service) Reaction(ctx context.Context, id string) (*model.Reaction, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return dbx.OrNone(s.reaction(ctx, p.WorkspaceID, id))
}
