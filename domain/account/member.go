package account

import (
	"context"
	"fmt"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// UpdateMember changes the role of a member. It returns errs.NotFound, or errs.Conflict for the
// last owner.
func (s *Service) UpdateMember(ctx context.Context, in api.UpdateMemberInput) (*api.UpdateMemberPayload, error) {
	var member *model.Membership
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		role := in.Role.Current()
		member, err = s.changeableMember(ctx, tx, in.MemberID, role)
		if err != nil || member.Role == role {
			return err
		}
		details := map[string]any{"from": member.Role, "to": role}
		member.Role = role
		if _, err := tx.NewUpdate().Model(member).Column("role").WherePK().Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		return s.insertAudit(ctx, tx, member.WorkspaceID, auditRecord{Action: "member.role_changed",
			Subject: member.UserID, Details: details})
	})
	if err != nil {
		return nil, fmt.Errorf("update member: %w", err)
	}
	return &api.UpdateMemberPayload{Member: member}, nil
}

// RemoveMember removes a member from the caller's workspace and ends all of the user's sessions;
// streams end within two seconds. What the user wrote stays. It returns errs.NotFound, or
// errs.Conflict for the last owner.
func (s *Service) RemoveMember(ctx context.Context, id string) (*api.RemoveMemberPayload, error) {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		member, err := s.changeableMember(ctx, tx, id, "")
		if err != nil {
			return err
		}
		if _, err := tx.NewDelete().Model(member).WherePK().Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		if err := endSessions(ctx, tx, member.UserID, ""); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, member.WorkspaceID, auditRecord{Action: "member.removed", Subject: member.UserID})
	})
	if err != nil {
		return nil, fmt.Errorf("remove member: %w", err)
	}
	return &api.RemoveMemberPayload{DeletedID: id}, nil
}

// changeableMember returns a member of the caller's workspace, which it locks. It returns
// errs.Conflict if the workspace would have no owner after the change to the role.
func (s *Service) changeableMember(ctx context.Context, tx dbx.Tx, id string, role model.Role) (*model.Membership,
	error) {
	p := principal.Must(ctx)
	if _, err := s.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
		return nil, err
	}
	member, err := readMember(ctx, tx, p.WorkspaceID, id)
	if err != nil || member.Role != model.RoleOwner || role == model.RoleOwner {
		return member, err
	}
	owners, err := tx.NewSelect().Model((*model.Membership)(nil)).Where("workspace_id = ? AND role = ?", p.WorkspaceID,
		model.RoleOwner).Count(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	if owners == 1 {
		return nil, errs.New(errs.Conflict, "the workspace's last owner must stay one; make another member an owner first")
	}
	return member, nil
}

// RoleOf returns the role of a user in a workspace, or "" if the user is no member.
func (s *Service) RoleOf(ctx context.Context, workspaceID, userID string) (model.Role, error) {
	member := new(model.Membership)
	err := dbx.Err(s.db.NewSelect().Model(member).Column("role").
		Where("workspace_id = ? AND user_id = ?", workspaceID, userID).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return member.Role.Current(), err
}

func readMember(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.Membership, error) {
	member := new(model.Membership)
	err := dbx.Err(tx.NewSelect().Model(member).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, errs.New(errs.NotFound, "there is no member %s in this workspace", id)
	}
	return member, err
}
