package account

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// ViewerOf returns the principal as the graph shows it.
func ViewerOf(p principal.Principal) *model.Viewer {
	viewer := &model.Viewer{Kind: model.ViewerKindKey, KeyID: &p.KeyID, Scopes: p.Scopes, Can: []model.Ability{}}
	if p.UserID != "" {
		viewer.Kind, viewer.UserID, viewer.KeyID, viewer.Role = model.ViewerKindUser, &p.UserID, nil, &p.Role
	}
	for _, ability := range model.Abilities {
		if p.Can(ability) {
			viewer.Can = append(viewer.Can, ability)
		}
	}
	return viewer
}

// ViewerWorkspaces returns a page of the workspaces that the caller may act in: a user's in joining
// order, or a key's own (see dbx.List).
func (s *Service) ViewerWorkspaces(ctx context.Context, args model.PageArgs) (*model.ViewerWorkspaceConnection, error) {
	return dbx.List[model.ViewerWorkspace]{
		Order: dbx.Order{Column: "joined_at", Time: true},
		Key:   func(w *model.ViewerWorkspace) (any, string) { return w.JoinedAt, w.WorkspaceID },
		From: func() *bun.SelectQuery {
			return s.db.NewSelect().TableExpr("(?) AS own", s.selectOwn(principal.Must(ctx)))
		},
		Select: func(q *bun.SelectQuery) *bun.SelectQuery { return q.ColumnExpr("*") },
	}.Page(ctx, s.db, args)
}

// selectOwn selects the workspaces that a principal may act in.
func (s *Service) selectOwn(p principal.Principal) *bun.SelectQuery {
	if p.UserID == "" {
		return s.db.NewSelect().TableExpr("workspace AS w").
			ColumnExpr("w.id, w.name, NULL AS role, w.created_at AS joined_at").Where("w.id = ?", p.WorkspaceID)
	}
	return s.db.NewSelect().TableExpr("membership AS m").Join("JOIN workspace AS w ON w.id = m.workspace_id").
		ColumnExpr("w.id, w.name, m.role, m.created_at AS joined_at").Where("m.user_id = ?", p.UserID)
}
