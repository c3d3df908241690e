package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// resetLife is how long a link works by which a member sets a password.
const resetLife = 24 * time.Hour

// passwordReset is a link by which a user sets a new password. A user has at most one, of the only
// workspace that they are a member of.
type passwordReset struct {
	bun.BaseModel `bun:"table:password_reset"`

	UserID      string    `bun:"user_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Hash        []byte    `bun:"hash"`
	ExpiresAt   time.Time `bun:"expires_at"`
	IsMailed    bool      `bun:"is_mailed"` // to the user who asked for it; it is not an owner's
}

// ResetPassword returns a link by which a member sets a new password within a day. The former link
// ends. It returns errs.NotFound, and errs.Conflict for a member of further workspaces, because
// their owners have not agreed.
func (s *Service) ResetPassword(ctx context.Context, memberID string) (*api.ResetPasswordPayload, error) {
	p := principal.Must(ctx)
	secret, err := newSecret(resetStart)
	if err != nil {
		return nil, fmt.Errorf("reset password: %w", err)
	}
	reset := &passwordReset{WorkspaceID: p.WorkspaceID, Hash: hashOf(secret), ExpiresAt: model.Now().Add(resetLife)}
	var member *model.Membership
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if member, err = readMember(ctx, tx, p.WorkspaceID, memberID); err != nil {
			return err
		}
		reset.UserID = member.UserID
		if err := checkOnlyWorkspace(ctx, tx, reset.UserID, reset.WorkspaceID); err != nil {
			return err
		}
		if err := storeReset(ctx, tx, reset); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, p.WorkspaceID, auditRecord{Action: "password.reset_linked", Subject: member.UserID})
	})
	if err != nil {
		return nil, fmt.Errorf("reset password: %w", err)
	}
	return &api.ResetPasswordPayload{Member: member, Link: s.publicURL + resetPath + secret,
		ExpiresAt: reset.ExpiresAt}, nil
}

// storeReset stores a link in the place of the user's former one.
func storeReset(ctx context.Context, tx dbx.Tx, reset *passwordReset) error {
	_, err := tx.NewInsert().Model(reset).On("CONFLICT (user_id) DO UPDATE").
		Set("workspace_id = EXCLUDED.workspace_id, hash = EXCLUDED.hash, expires_at = EXCLUDED.expires_at").
		Set("is_mailed = EXCLUDED.is_mailed").Exec(ctx)
	return dbx.Err(err)
}

// checkOnlyWorkspace returns errs.Conflict unless the user is a member of the workspace only: an
// owner must not get into other workspaces by what a user signs in with.
func checkOnlyWorkspace(ctx context.Context, tx dbx.Tx, userID, workspaceID string) error {
	workspaces, err := workspaceIDs(ctx, tx, userID)
	if err == nil && !slices.Equal(workspaces, []string{workspaceID}) {
		err = errs.New(errs.Conflict, "for a member of several workspaces only the operator of this server does this")
	}
	return err
}

// checkResetCode returns checkCode's errors for the user of a link, and errs.NotFound for a link that
// does not work.
func (s *Service) checkResetCode(ctx context.Context, secret, code string) error {
	if !wellFormed(resetStart, secret) {
		return errReset
	}
	reset := new(passwordReset)
	err := dbx.Err(s.db.NewSelect().Model(reset).Where("hash = ? AND expires_at > ?", hashOf(secret), model.Now()).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return errReset
	}
	if err != nil {
		return err
	}
	return s.checkCode(ctx, &model.User{ID: reset.UserID}, code)
}

var errReset = errs.New(errs.NotFound, "this link does not work: it was used or replaced, or is older than a day; ask for a new one")

// SetPasswordByLink sets the password of the user of an owner's or a mailed link, ends the user's sessions and opens one.
// Call CountAttempt first. It returns errs.NotFound for a link that does not work,
// errs.ValidationFailed for a password of invalid length, errs.Conflict if the user has joined
// another workspace since, and checkCode's errors, after which the link still works.
func (s *Service) SetPasswordByLink(ctx context.Context, secret, password string, v SignInOrigin) (*model.Session,
	error) {
	if err := s.checkResetCode(ctx, secret, v.Code); err != nil {
		return nil, err
	}
	hash, err := NewPasswordHash(ctx, "password", password)
	if err != nil {
		return nil, err
	}
	user := new(model.User)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		reset := new(passwordReset)
		_, err := tx.NewDelete().Model(reset).Where("hash = ? AND expires_at > ?", hashOf(secret), model.Now()).
			Returning("*").Exec(ctx)
		if err = dbx.Err(err); err == nil && reset.UserID == "" || errs.Is(err, errs.NotFound) {
			return errReset
		}
		if err != nil {
			return err
		}
		if !reset.IsMailed {
			if err := checkOnlyWorkspace(ctx, tx, reset.UserID, reset.WorkspaceID); err != nil {
				return err
			}
		}
		if err := dbx.Err(tx.NewSelect().Model(user).Where("id = ?", reset.UserID).Scan(ctx)); err != nil {
			return err
		}
		if reset.IsMailed && user.IsInvited { // who has the mail owns the address
			user.IsInvited = false
			if _, err := tx.NewUpdate().Model(user).Column("is_invited").WherePK().Exec(ctx); err != nil {
				return dbx.Err(err)
			}
		}
		return s.storePassword(ctx, tx, user, hash, "")
	})
	if err != nil {
		return nil, fmt.Errorf("set password by link: %w", err)
	}
	return s.openSession(ctx, user, "reset", v)
}
