package persona

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// newestFirst is the order of personas and of interactions.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// orders are the orders that callers can choose.
var orders = dbx.NewOrders[model.PersonaOrderField, model.Persona](map[model.PersonaOrderField]string{
	model.PersonaOrderFieldName: "name", model.PersonaOrderFieldCreatedAt: "created_at",
	model.PersonaOrderFieldLastInteraction: "last_interaction",
})

// newList returns the list of personas that match the filter, newest first unless an order is
// given. It returns errs.ValidationFailed for an invalid filter.
func (s *Service) newList(workspaceID string, filter *api.PersonaFilter, order *model.PersonaOrder,
	columns []string) (dbx.List[model.Persona], error) {
	choices := dbx.Choices[model.Persona, api.PersonaFilter, model.PersonaOrderField]{Filter: s.filter(),
		Orders: orders}
	list := dbx.List[model.Persona]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Persona) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	if order != nil && order.Field == model.PersonaOrderFieldLastInteraction {
		last := s.db.NewSelect().TableExpr("persona_interaction AS asked").ColumnExpr("max(asked.created_at)").
			Where("asked.workspace_id = persona.workspace_id AND asked.persona_id = persona.id")
		rows := s.db.NewSelect().TableExpr("persona").ColumnExpr("persona.*, (?) AS last_interaction", last)
		list.From = func() *bun.SelectQuery {
			return s.db.NewSelect().Model((*model.Persona)(nil)).ModelTableExpr("(?) AS persona", rows)
		}
	}
	return choices.Apply(list, filter, order)
}

// List returns one page of the personas that match the filter, newest first unless an order is
// given. It counts the total on demand. If columns are named, it reads only these. It returns
// errs.ValidationFailed for invalid arguments.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.PersonaFilter, order *model.PersonaOrder, columns ...string,
) (*model.PersonaConnection, error) {
	list, err := s.newList(principal.Must(ctx).WorkspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	out := &model.PersonaConnection{Connection: page}
	if args.Limit != nil || args.Offset != nil {
		out.Limit, out.Offset = new(optional.ValueOr(args.Limit, dbx.DefaultLimit)),
			new(optional.ValueOr(args.Offset, 0))
	}
	return out, nil
}

// Categories returns the audience categories of the caller's personas in alphabetical order.
func (s *Service) Categories(ctx context.Context) ([]string, error) {
	p := principal.Must(ctx)
	return s.listCategories(ctx, p.WorkspaceID)
}

// ByIDs returns the workspace's personas with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Persona,
	error) {
	return dbx.ByIDs[model.Persona](ctx, s.db, workspaceID, ids, columns...)
}

// SelectIn returns a query of the personas under the alias p, for joins of other packages.
func (s *Service) SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	return db.NewSelect().TableExpr("persona AS p").Where("p.workspace_id = ?", workspaceID)
}

// Audience returns the active personas of the audience, oldest first. If categories are given, it
// returns only theirs.
func (s *Service) Audience(ctx context.Context, workspaceID string, inCategories []string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	q := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND is_active AND include_in_audience", workspaceID)
	if len(inCategories) > 0 {
		q = q.Where("category IN ?", bun.Tuple(inCategories))
	}
	return rows, dbx.Err(q.Order("created_at", "id").Scan(ctx))
}

// filter returns the conditions of the filter of personas.
func (s *Service) filter() dbx.Filter[api.PersonaFilter] {
	return dbx.Filter[api.PersonaFilter]{
		dbx.MatchWords(s.db, "persona", func(f *api.PersonaFilter) *string { return f.Q.Value() }),
		dbx.MatchValue("category", func(f *api.PersonaFilter) *string { return f.Category.Value() }),
		dbx.MatchValue("entity_kind_resolved", func(f *api.PersonaFilter) *model.EntityKind { return f.EntityKind.Value() }),
		dbx.MatchValue("is_active", func(f *api.PersonaFilter) *bool { return f.IsActive.Value() }),
		dbx.MatchPart("name", func(f *api.PersonaFilter) *string { return f.Name.Value() }),
		dbx.MatchBy(func(f *api.PersonaFilter) *bool { return f.HasVoice.Value() },
			func(q *bun.SelectQuery, has bool) *bun.SelectQuery {
				return q.Where("(default_voice_profile_id IS NOT NULL) = ?", has)
			}),
		dbx.MatchTime("created", "created_at", func(f *api.PersonaFilter) *model.TimeRange { return f.Created.Value() }),
	}
}

// Pages returns a page of the personas that match the filter per key in the column parent, newest
// first unless an order is given. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.PersonaFilter,
	order *model.PersonaOrder,
	columns ...string,
) ([]*model.Connection[model.Persona], error) {
	list, err := s.newList(workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	return dbx.Nested[model.Persona]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// InteractionPages returns a page of interactions per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) InteractionPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.PersonaInteraction], error) {
	list := dbx.List[model.PersonaInteraction]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.PersonaInteraction) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.PersonaInteraction]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// InteractionsByID returns the workspace's interactions with the ids (see dbx.ByIDs).
func (s *Service) InteractionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.PersonaInteraction, error) {
	return dbx.ByIDs[model.PersonaInteraction](ctx, s.db, workspaceID, ids, columns...)
}
