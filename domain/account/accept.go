package account

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

var errInvite = errs.New(errs.NotFound, "this invite does not work: it was used, revoked or replaced, or is older than 7 days; ask for a new one")

// ReadInvite returns the invite of a link's secret. Call CountAttempt first. It returns
// errs.NotFound for one that does not work.
func (s *Service) ReadInvite(ctx context.Context, secret string) (*model.OpenInvite, error) {
	invite, err := s.inviteOf(ctx, secret)
	if err != nil {
		return nil, err
	}
	w, err := s.readWorkspace(ctx, invite.WorkspaceID)
	if err != nil {
		return nil, err
	}
	_, err = s.userByEmail(ctx, s.db, invite.Email)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	return &model.OpenInvite{Invite: invite, WorkspaceName: w.Name, HasAccount: err == nil}, nil
}

func (s *Service) inviteOf(ctx context.Context, secret string) (*model.Invite, error) {
	if !wellFormed(inviteStart, secret) {
		return nil, errInvite
	}
	invite := new(model.Invite)
	err := dbx.Err(s.db.NewSelect().Model(invite).Where("hash = ? AND expires_at > ?", hashOf(secret), model.Now()).
		Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, errInvite
	}
	return invite, err
}

// AcceptInvite is the input of Service.AcceptInvite.
type AcceptInvite struct {
	Secret   string // of the link
	Name     string // of a new user; the invite's name if empty
	Password string // chosen by a new user, or that of the existing account
}

// AcceptInvite makes the person a member and opens a session. A new person gets an account with the
// invite's email. Who has one already proves it by its password, or by being signed in. Call
// CountAttempt first. It returns errs.NotFound for an invite that does not work,
// errs.ValidationFailed for a missing or too short password, SignIn's errors for a wrong one, and
// errs.Conflict for a member.
func (s *Service) AcceptInvite(ctx context.Context, in AcceptInvite, v SignInOrigin) (*model.Session, error) {
	invite, err := s.inviteOf(ctx, in.Secret)
	if err != nil {
		return nil, err
	}
	user, err := s.userByEmail(ctx, s.db, invite.Email)
	isNew := errs.Is(err, errs.NotFound)
	switch {
	case isNew:
		user, err = newInvitedUser(ctx, invite, in)
	case err == nil:
		err = s.proveUser(ctx, user, in.Password, v)
	}
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.join(ctx, tx, invite, user, isNew)
	})
	if err != nil {
		return nil, fmt.Errorf("accept invite: %w", err)
	}
	return s.openSession(ctx, user, "invite", v)
}

// newInvitedUser returns a user that is not stored yet.
func newInvitedUser(ctx context.Context, invite *model.Invite, in AcceptInvite) (*model.User, error) {
	name := in.Name
	if name == "" {
		name = invite.Name
	}
	if in.Password == "" {
		return nil, errs.Invalid(errs.BodyField("missing", "is required", "password"))
	}
	user, err := newUser(ctx, NewUser{Email: invite.Email, Name: name, Password: in.Password})
	if err != nil {
		return nil, err
	}
	user.IsInvited = true
	return user, nil
}

// proveUser returns an error unless the browser is signed in as the user or knows the password, and
// the code of a second factor.
func (s *Service) proveUser(ctx context.Context, user *model.User, password string, v SignInOrigin) error {
	current, err := s.currentUser(ctx, v.Token)
	if err == nil && current.UserID == user.ID {
		return nil
	}
	if err != nil && !errs.Is(err, errs.Unauthenticated) {
		return err
	}
	if password == "" {
		return errs.Invalid(errs.BodyField("missing", "is required: your account has this email already", "password"))
	}
	if err := s.checkPasswordOf(ctx, user, password, v.Address); err != nil {
		return err
	}
	return s.checkCode(ctx, user, v.Code)
}

// join uses up the invite and stores the membership, and the user if it is new.
func (s *Service) join(ctx context.Context, tx dbx.Tx, invite *model.Invite, user *model.User, isNew bool) error {
	if _, err := s.LockWorkspace(ctx, tx, invite.WorkspaceID); err != nil {
		return err
	}
	used, err := tx.NewDelete().Model((*model.Invite)(nil)).Where("id = ? AND hash = ? AND expires_at > ?", invite.ID,
		invite.Hash, model.Now()).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := used.RowsAffected(); err != nil || n == 0 {
		return errInvite
	}
	if isNew {
		if err := insertRow(ctx, tx, user); errs.Is(err, errs.Conflict) {
			return errs.Wrap(err, errs.Conflict, "an account with this email was made meanwhile; open the link again")
		} else if err != nil {
			return err
		}
	}
	if err := insertMember(ctx, tx, invite.WorkspaceID, user, invite.Role); err != nil {
		return err
	}
	who := principal.With(ctx, principal.Principal{WorkspaceID: invite.WorkspaceID, UserID: user.ID})
	return s.insertAudit(who, tx, invite.WorkspaceID, auditRecord{Action: "member.joined", Subject: user.ID,
		Details: map[string]any{"role": invite.Role, "invited_by": invite.CreatedBy}})
}

// insertMember stores a membership. It returns errs.Conflict for a member.
func insertMember(ctx context.Context, tx dbx.Tx, workspaceID string, user *model.User, role model.Role) error {
	m := &model.Membership{ID: model.NewID(model.MemberPrefix), WorkspaceID: workspaceID, UserID: user.ID, Role: role,
		CreatedAt: model.Now()}
	err := insertRow(ctx, tx, m)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "%s is a member of this workspace already", user.Email)
	}
	return err
}
