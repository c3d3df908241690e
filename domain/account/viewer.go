package account

import (
	"context"

	"rostrum/model"
	"rostrum/principal"
)

// ViewerOf returns the principal as the graph shows it.
func ViewerOf(p principal.Principal) *model.Viewer {
	if p.UserID != "" {
		return &model.Viewer{Kind: model.ViewerKindUser, UserID: &p.UserID, Scopes: p.Scopes}
	}
	return &model.Viewer{Kind: model.ViewerKindKey, KeyID: &p.KeyID, Scopes: p.Scopes}
}

// ViewerWorkspaces returns the workspaces that the caller may act in: of a user in joining order, of a key its own.
func (s *Service) ViewerWorkspaces(ctx context.Context) ([]*model.ViewerWorkspace, error) {
	p := principal.Must(ctx)
	if p.UserID == "" {
		w, err := s.Workspace(ctx)
		if err != nil {
			return nil, err
		}
		return []*model.ViewerWorkspace{{WorkspaceID: w.ID, Name: w.Name}}, nil
	}
	own, err := s.workspacesOf(ctx, p.UserID)
	out := make([]*model.ViewerWorkspace, len(own))
	for i, w := range own {
		out[i] = &model.ViewerWorkspace{WorkspaceID: w.ID, Name: w.Name, Role: &w.Role}
	}
	return out, err
}
