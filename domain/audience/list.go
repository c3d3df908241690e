package audience

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// newest is the order of a document's reactions.
var newest = dbx.Order{Column: "created_at", Time: true, Desc: true}

// choices are the filter and the orders of lists of reactions.
var choices = dbx.Choices[model.Reaction, api.ReactionFilter, model.ReactionOrderField]{
	Filter: dbx.Filter[api.ReactionFilter]{
		dbx.MatchAny("personaIds", "persona_id", func(f *api.ReactionFilter) []string { return f.PersonaIds.Value() }),
		dbx.MatchAny("documentIds", "document_id",
			func(f *api.ReactionFilter) []string { return f.DocumentIds.Value() }),
		dbx.MatchValue("status", func(f *api.ReactionFilter) *model.ReactionStatus { return f.Status.Value() }),
		dbx.MatchAny("sentiments", "sentiment", func(f *api.ReactionFilter) []model.ReactionSentiment { return f.Sentiments.Value() }),
		dbx.MatchNumber("rating", "rating", func(f *api.ReactionFilter) (from, to *float64) {
			if r := f.Rating.Value(); r != nil {
				return r.From, r.To
			}
			return nil, nil
		}),
		dbx.MatchTime("created", "created_at", func(f *api.ReactionFilter) *model.TimeRange { return f.Created.Value() }),
	},
	Orders: dbx.NewOrders[model.ReactionOrderField, model.Reaction](map[model.ReactionOrderField]string{
		model.ReactionOrderFieldCreatedAt: "created_at", model.ReactionOrderFieldRating: "rating",
	}),
}

// newList returns the list of reactions that match the filter, newest first unless an order is
// given.
func (s *Service) newList(
	workspaceID string, filter *api.ReactionFilter, order *model.ReactionOrder, columns []string,
) (dbx.List[model.Reaction], error) {
	persona := dbx.Joined{Key: "persona_id", Rows: func() *bun.SelectQuery {
		return s.Personas.SelectIn(s.DB, workspaceID)
	}}
	return choices.Apply(dbx.List[model.Reaction]{
		Order: newest, Columns: columns, Joined: map[string]dbx.Joined{"persona": persona},
		Key:   func(row *model.Reaction) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}, filter, order)
}

// Reactions returns a page of a document's reactions that match the filter, newest first unless an
// order is given. It returns nil for an unknown document, and an error for invalid arguments.
func (s *Service) Reactions(
	ctx context.Context, documentID string, args model.PageArgs, filter *api.ReactionFilter, order *model.ReactionOrder,
) (*model.ReactionConnection, error) {
	p := principal.Must(ctx)
	doc, err := s.Documents.Get(ctx, documentID, "id")
	if err != nil || doc == nil {
		return nil, err
	}
	list, err := s.newList(p.WorkspaceID, filter, order, nil)
	if err != nil {
		return nil, err
	}
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where("document_id = ?", documentID) }
	page, err := list.Page(ctx, s.DB, args)
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

// ReactionPages returns a page of the reactions that match the filter per key in the column parent,
// newest first unless an order is given. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) ReactionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.ReactionFilter,
	order *model.ReactionOrder,
	columns ...string,
) ([]*model.Connection[model.Reaction], error) {
	list, err := s.newList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	return dbx.Nested[model.Reaction]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
}

// CurrentReactions returns a query of document_id and rating, by people or else by a text model, of
// the completed reactions to current texts.
func (s *Service) CurrentReactions(workspaceID string) *bun.SelectQuery {
	return s.Documents.SelectIn(s.DB, workspaceID).
		ColumnExpr("d.id AS document_id, coalesce(r.observed_rating, r.rating) AS rating").
		Join("JOIN reaction AS r ON r.workspace_id = d.workspace_id AND r.document_id = d.id AND r.version = d.version").
		Where("r.status = ?", model.ReactionStatusCompleted)
}

// ReactionsByID returns the workspace's reactions with the ids (see dbx.ByIDs).
func (s *Service) ReactionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Reaction, error) {
	return dbx.ByIDs[model.Reaction](ctx, s.DB, workspaceID, ids, columns...)
}
