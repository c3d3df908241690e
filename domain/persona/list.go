package persona

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// newest is the one order of a list of personas.
var newest = dbx.Order{Column: "created_at", Time: true, Desc: true}

// List reads one page of the caller's personas, of each only the named columns (all when none is named). The total is counted only when
// it is asked for.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *model.PersonaFilter, columns ...string,
) (*model.PersonaConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, newest)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "id", newest.Column)
	}
	rows, err := s.page(ctx, p.WorkspaceID, window, filter, columns)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(row *model.Persona) (any, string) { return row.CreatedAt, row.ID })
	page.Count = func(ctx context.Context) (int, error) { return s.count(ctx, p.WorkspaceID, filter) }
	out := &model.PersonaConnection{Connection: page}
	if args.Limit != nil || args.Offset != nil {
		out.Limit, out.Offset = new(model.ValueOr(args.Limit, dbx.DefaultLimit)), new(model.ValueOr(args.Offset, 0))
	}
	return out, nil
}

// Categories lists the audience categories of the caller's personas in alphabetical order.
func (s *Service) Categories(ctx context.Context) ([]string, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.categories(ctx, p.WorkspaceID)
}

// ByIDs reads the workspace's personas of these ids, in no order; ids that name none are left out.
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	if len(ids) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Scan(ctx)
	return rows, dbx.Err(err)
}

// Audience reads the workspace's personas that are active and react as members of the audience, of these categories only where any is named,
// oldest first.
func (s *Service) Audience(ctx context.Context, workspaceID string, categories []string) ([]*model.Persona, error) {
	rows := []*model.Persona{}
	q := s.db.NewSelect().Model(&rows).Where("workspace_id = ? AND is_active AND include_in_audience", workspaceID)
	if len(categories) > 0 {
		q = q.Where("category IN ?", bun.Tuple(categories))
	}
	return rows, dbx.Err(q.Order("created_at", "id").Scan(ctx))
}

// narrow keeps the personas that match every given field of the filter.
func (s *Service) narrow(q *bun.SelectQuery, f *model.PersonaFilter) *bun.SelectQuery {
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
