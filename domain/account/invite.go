package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

const (
	// inviteLife is how long the link of an invite works.
	inviteLife = 7 * 24 * time.Hour
	// maxInvites limits the invites of a workspace that are neither accepted nor revoked.
	maxInvites = 100
	// invitePath and resetPath are pages of the console. Browsers do not send the secret after #.
	invitePath = "/console/invite#"
	resetPath  = "/console/reset#"
)

// Invite invites a person to the caller's workspace and returns the link, which is not stored. It
// returns errs.ValidationFailed for an email that is none, and errs.Conflict for a member, a second
// invite of an email, or at the limit of 100 invites. It returns the errors of Mails.Enqueue if the
// link is to be mailed.
func (s *Service) Invite(ctx context.Context, in api.InviteMemberInput) (*api.InviteMemberPayload, error) {
	p := principal.Must(ctx)
	email, err := checkPlainEmail(in.Email)
	if err != nil {
		return nil, err
	}
	now := model.Now()
	invite := &model.Invite{
		ID: model.NewID(model.InvitePrefix), WorkspaceID: p.WorkspaceID, Email: email,
		Name: optional.ValueOr(in.Name.Value(), ""), Role: in.Role.Current(), CreatedBy: p.Actor(), CreatedAt: now,
		ExpiresAt: now.Add(inviteLife),
	}
	secret, err := newSecret(inviteStart)
	if err != nil {
		return nil, fmt.Errorf("invite: %w", err)
	}
	invite.Hash = hashOf(secret)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if optional.ValueOr(in.SendMail.Value(), false) {
			if err := s.mailInvite(ctx, tx, invite, secret); err != nil {
				return err
			}
		}
		return s.storeInvite(ctx, tx, invite)
	})
	if err != nil {
		return nil, fmt.Errorf("invite: %w", err)
	}
	return &api.InviteMemberPayload{Invite: invite, Link: s.publicURL + invitePath + secret}, nil
}

func (s *Service) storeInvite(ctx context.Context, tx dbx.Tx, invite *model.Invite) error {
	if _, err := s.LockWorkspace(ctx, tx, invite.WorkspaceID); err != nil {
		return err
	}
	n, err := tx.NewSelect().Model((*model.Invite)(nil)).Where("workspace_id = ?", invite.WorkspaceID).Count(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n >= maxInvites {
		return errs.New(errs.Conflict, "the workspace has %d invites already; revoke one first", maxInvites)
	}
	if err := checkNoMember(ctx, tx, invite.WorkspaceID, invite.Email); err != nil {
		return err
	}
	if err := insertRow(ctx, tx, invite); errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "%s is invited already; send that invite anew, or revoke it", invite.Email)
	} else if err != nil {
		return err
	}
	return s.insertAudit(ctx, tx, invite.WorkspaceID, auditRecord{Action: "member.invited", Subject: invite.ID,
		Details: map[string]any{"email": invite.Email, "role": invite.Role}})
}

// checkNoMember returns errs.Conflict if a user with the email is a member of the workspace.
func checkNoMember(ctx context.Context, tx dbx.Tx, workspaceID, email string) error {
	found, err := tx.NewSelect().Model((*model.Membership)(nil)).Join("JOIN app_user AS u ON u.id = membership.user_id").
		Where("membership.workspace_id = ? AND u.email = ?", workspaceID, email).Exists(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if found {
		return errs.New(errs.Conflict, "%s is a member of this workspace already", email)
	}
	return nil
}

// RenewInvite gives an invite a new link for 7 days; the former one ends. It returns errs.NotFound
// for an invite that was accepted or revoked.
func (s *Service) RenewInvite(ctx context.Context, in api.RenewInviteInput) (*api.RenewInvitePayload, error) {
	p := principal.Must(ctx)
	secret, err := newSecret(inviteStart)
	if err != nil {
		return nil, fmt.Errorf("renew invite: %w", err)
	}
	invite := new(model.Invite)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := tx.NewUpdate().Model(invite).Set("hash = ?", hashOf(secret)).Set("mail_state = NULL, mail_error = NULL").
			Set("expires_at = ?", model.Now().Add(inviteLife)).
			Where("workspace_id = ? AND id = ?", p.WorkspaceID, in.InviteID).Returning("*").Exec(ctx)
		if err := noInvite(invite, err); err != nil {
			return err
		}
		if err := s.remail(ctx, tx, invite, secret, optional.ValueOr(in.SendMail.Value(), false)); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, p.WorkspaceID, auditRecord{Action: "invite.renewed", Subject: invite.ID,
			Details: map[string]any{"email": invite.Email}})
	})
	if err != nil {
		return nil, fmt.Errorf("renew invite: %w", err)
	}
	return &api.RenewInvitePayload{Invite: invite, Link: s.publicURL + invitePath + secret}, nil
}

// remail queues the mail of a renewed invite, if it is to be mailed.
func (s *Service) remail(ctx context.Context, tx dbx.Tx, invite *model.Invite, secret string, isWanted bool) error {
	if !isWanted {
		return nil
	}
	if err := s.mailInvite(ctx, tx, invite, secret); err != nil {
		return err
	}
	_, err := tx.NewUpdate().Model(invite).Column("mail_state").WherePK().Exec(ctx)
	return dbx.Err(err)
}

// RevokeInvite ends an invite. It returns errs.NotFound for one that was accepted or revoked.
func (s *Service) RevokeInvite(ctx context.Context, id string) (*api.RevokeInvitePayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		invite := new(model.Invite)
		_, err := tx.NewDelete().Model(invite).Where("workspace_id = ? AND id = ?", p.WorkspaceID, id).
			Returning("*").Exec(ctx)
		if err := noInvite(invite, err); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, p.WorkspaceID, auditRecord{Action: "invite.revoked", Subject: invite.ID,
			Details: map[string]any{"email": invite.Email}})
	})
	if err != nil {
		return nil, fmt.Errorf("revoke invite: %w", err)
	}
	return &api.RevokeInvitePayload{DeletedID: id}, nil
}

// noInvite returns errs.NotFound if a statement returned no invite.
func noInvite(invite *model.Invite, err error) error {
	if err = dbx.Err(err); err == nil && invite.ID == "" || errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "there is no such invite: it was accepted or revoked")
	}
	return err
}

// InvitePages returns a page of invites per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) InvitePages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.InviteConnection, error) {
	list := dbx.List[model.Invite]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.Invite) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Invite]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// InvitesByID returns the workspace's invites with the ids (see dbx.ByIDs).
func (s *Service) InvitesByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Invite, error) {
	return dbx.ByIDs[model.Invite](ctx, s.db, workspaceID, ids, columns...)
}
