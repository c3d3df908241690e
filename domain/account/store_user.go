package account

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

func insertRow(ctx context.Context, tx dbx.Tx, row any) error {
	_, err := tx.NewInsert().Model(row).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) userByEmail(ctx context.Context, db dbx.Reader, email string) (*model.User, error) {
	user := new(model.User)
	err := db.NewSelect().Model(user).Where("email = ?", email).Scan(ctx)
	return user, dbx.Err(err)
}

func (s *Service) userByIdentity(ctx context.Context, db dbx.Reader, issuer, subject string) (*model.User, error) {
	user := new(model.User)
	err := db.NewSelect().Model(user).Where("oidc_issuer = ? AND oidc_subject = ?", issuer, subject).Scan(ctx)
	return user, dbx.Err(err)
}

// bindIdentity links a user to an identity. A password that was chosen by an invite's link is
// removed and its sessions end, because the one who had the link may not own the email. It returns errs.NotFound if the user is linked already.
func bindIdentity(ctx context.Context, tx dbx.Tx, email, issuer, subject string) (*model.User, error) {
	user := new(model.User)
	_, err := tx.NewUpdate().Model(user).Set("oidc_issuer = ?", issuer).Set("oidc_subject = ?", subject).
		Set("password_hash = CASE WHEN is_invited THEN NULL ELSE password_hash END").
		Where("email = ? AND oidc_subject IS NULL", email).Returning("*").Exec(ctx)
	if err = dbx.Err(err); err == nil && user.IsInvited {
		err = endSessions(ctx, tx, user.ID, "")
	}
	return user, err
}

// sessionExists reports whether a session was not ended, and its user not removed.
func (s *Service) sessionExists(ctx context.Context, open storedSignIn) (bool, error) {
	found, err := s.db.NewSelect().Model((*model.SignIn)(nil)).Where("id = ? AND user_id = ?", open.ID, open.UserID).
		Exists(ctx)
	return found, dbx.Err(err)
}

// findMembership returns the user's membership in the named workspace, or their first one.
func (s *Service) findMembership(ctx context.Context, userID, workspaceID string) (*model.Membership, error) {
	m := new(model.Membership)
	q := s.db.NewSelect().Model(m).Where("user_id = ?", userID).Order("created_at", "workspace_id").Limit(1)
	if workspaceID != "" {
		q = q.Where("workspace_id = ?", workspaceID)
	}
	return m, dbx.Err(q.Scan(ctx))
}

func workspaceIDs(ctx context.Context, tx dbx.Tx, userID string) ([]string, error) {
	var ids []string
	err := tx.NewSelect().Model((*model.Membership)(nil)).Column("workspace_id").Where("user_id = ?", userID).
		Order("created_at", "workspace_id").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}

// workspacesOf reads memberships, workspaces and live keys with one query each.
func (s *Service) workspacesOf(ctx context.Context, userID string) ([]*model.OwnWorkspace, error) {
	var joined []*model.Membership
	err := s.db.NewSelect().Model(&joined).Where("user_id = ?", userID).Order("created_at", "workspace_id").Scan(ctx)
	if err != nil || len(joined) == 0 {
		return []*model.OwnWorkspace{}, dbx.Err(err)
	}
	ids := make([]string, len(joined))
	for i, m := range joined {
		ids[i] = m.WorkspaceID
	}
	var workspaces []*model.Workspace
	if err := s.db.NewSelect().Model(&workspaces).Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	var keys []*model.APIKey
	err = whereLive(s.db.NewSelect().Model(&keys).ExcludeColumn("hash").Where("workspace_id IN (?)", bun.List(ids))).
		Order("created_at DESC", "id DESC").Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	return joinWorkspaces(joined, workspaces, keys), nil
}

func joinWorkspaces(joined []*model.Membership, workspaces []*model.Workspace,
	keys []*model.APIKey) []*model.OwnWorkspace {
	byID := make(map[string]*model.OwnWorkspace, len(workspaces))
	for _, w := range workspaces {
		byID[w.ID] = &model.OwnWorkspace{Workspace: w, Keys: []*model.APIKey{}}
	}
	for _, key := range keys {
		if own := byID[key.WorkspaceID]; own != nil {
			own.Keys = append(own.Keys, key)
		}
	}
	out := make([]*model.OwnWorkspace, 0, len(joined))
	for _, m := range joined {
		if own := byID[m.WorkspaceID]; own != nil {
			own.Role = m.Role
			out = append(out, own)
		}
	}
	return out
}

func (s *Service) readMembers(ctx context.Context, workspaceID string) ([]*model.Member, error) {
	var joined []*model.Membership
	err := s.db.NewSelect().Model(&joined).Where("workspace_id = ?", workspaceID).Order("created_at", "user_id").
		Scan(ctx)
	if err != nil || len(joined) == 0 {
		return []*model.Member{}, dbx.Err(err)
	}
	byID := make(map[string]*model.User, len(joined))
	ids := make([]string, len(joined))
	for i, m := range joined {
		ids[i] = m.UserID
	}
	var users []*model.User
	if err := s.db.NewSelect().Model(&users).Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	for _, u := range users {
		byID[u.ID] = u
	}
	out := make([]*model.Member, len(joined))
	for i, m := range joined {
		out[i] = &model.Member{User: byID[m.UserID], Role: m.Role, JoinedAt: m.CreatedAt}
	}
	return out, nil
}
