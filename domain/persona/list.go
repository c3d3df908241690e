package persona

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/principal"
)

// newestFirst is the order of personas and of interactions.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// List returns one page of the caller's personas with the named columns, or with all if none is named. The total is counted when it is
// selected.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.PersonaFilter, columns ...string,
) (*model.PersonaConnection, error) {
	p := principal.Must(ctx)
	page, err := dbx.List[model.Persona]{
		Order: newestFirst, Columns: columns,
		Key: func(row *model.Persona) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return s.applyFilter(q.Where("workspace_id = ?", p.WorkspaceID), filter)
		},
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	out := &model.PersonaConnection{Connection: page}
	if args.Limit != nil || args.Offset != nil {
		out.Limit, out.Offset = new(optional.ValueOr(args.Limit, dbx.DefaultLimit)), new(optional.ValueOr(args.Offset, 0))
	}
	return out, nil
}

// Categories returns the audience categories of the caller's personas in alphabetical order.
func (s *Service) Categories(ctx context.Context) ([]string, error) {
	p := principal.Must(ctx)
	return s.listCategories(ctx, p.WorkspaceID)
}

// ByIDs returns the workspace's personas with these ids, in no order, or only the named columns of them. Unknown ids are skipped.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Persona, error) {
	return dbx.ByIDs[model.Persona](ctx, s.db, workspaceID, ids, columns...)
}

// SelectIn returns a query of the workspace's personas under the alias p, for joins of other packages.
func (s *Service) SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	return db.NewSelect().TableExpr("persona AS p").Where("p.workspace_id = ?", workspaceID)
}

// Audience returns the active personas of the audience, oldest first. Categories restrict the result unless they are empty.
func (s *Service) Audience(ctx context.Context, workspaceID string, inCategories []string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	q := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND is_active AND include_in_audience", workspaceID)
	if len(inCategories) > 0 {
		q = q.Where("category IN ?", bun.Tuple(inCategories))
	}
	return rows, dbx.Err(q.Order("created_at", "id").Scan(ctx))
}

// applyFilter restricts the query to personas that match every given field of the filter.
func (s *Service) applyFilter(q *bun.SelectQuery, f *api.PersonaFilter) *bun.SelectQuery {
	if f == nil {
		return q
	}
	if words := f.Q.Value(); words != nil && strings.TrimSpace(*words) != "" {
		q = s.db.Matching(q, "persona", *words)
	}
	q = dbx.Equal(q, "category", f.Category.Value())
	q = dbx.Equal(q, "entity_kind_resolved", f.EntityKind.Value())
	return dbx.Equal(q, "is_active", f.IsActive.Value())
}

// Pages returns a page of the workspace's personas for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Persona], error) {
	list := dbx.List[model.Persona]{
		Order: newestFirst, Columns: columns,
		Key:   func(row *model.Persona) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Persona]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// InteractionPages returns a page of the workspace's interactions for each key, newest first and with the named columns: parent is the column that has the keys. It
// returns errs.ValidationFailed for invalid page arguments.
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

// InteractionsByID returns the workspace's interactions with the ids, in no order, or only the named columns of them; ids without an interaction are left out.
func (s *Service) InteractionsByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.PersonaInteraction, error) {
	return dbx.ByIDs[model.PersonaInteraction](ctx, s.db, workspaceID, ids, columns...)
}
