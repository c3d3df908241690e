package account

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// changeUser changes a user under the row's lock and audits it in each of the user's workspaces. It
// returns errs.NotFound for an unknown email.
func (s *Service) changeUser(ctx context.Context, email, action string,
	change func(context.Context, dbx.Tx, *model.User) error) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		user := new(model.User)
		err := dbx.Err(s.db.ForUpdate(tx.NewSelect().Model(user).Where("email = ?", normalizeEmail(email))).Scan(ctx))
		if errs.Is(err, errs.NotFound) {
			return errs.New(errs.NotFound, "there is no user %s", normalizeEmail(email))
		}
		if err != nil {
			return err
		}
		workspaces, err := workspaceIDs(ctx, tx, user.ID)
		if err != nil {
			return err
		}
		for _, id := range workspaces {
			if err := s.insertAudit(ctx, tx, id, auditRecord{Action: action, Subject: user.ID}); err != nil {
				return err
			}
		}
		return change(ctx, tx, user)
	})
}

// SetPassword sets a user's password and ends their sessions, for the operator. It returns
// errs.ValidationFailed for a password of invalid length, and errs.NotFound for an unknown email.
func (s *Service) SetPassword(ctx context.Context, email, password string) error {
	hash, err := NewPasswordHash(ctx, "password", password)
	if err != nil {
		return err
	}
	err = s.changeUser(ctx, email, "member.password_set", func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		return updatePassword(ctx, tx, user, hash, "")
	})
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	return nil
}

// EndSessions ends all sessions of a user in every process, for the operator. It returns
// errs.NotFound for an unknown email.
func (s *Service) EndSessions(ctx context.Context, email string) error {
	err := s.changeUser(ctx, email, "session.all_ended", func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		return endSessions(ctx, tx, user.ID, "")
	})
	if err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

// RemoveFactor turns the second factor of a user off and ends their sessions, for the operator. It
// returns errs.NotFound for an unknown email, and errs.InvalidState if it is off.
func (s *Service) RemoveFactor(ctx context.Context, email string) error {
	err := s.changeUser(ctx, email, "session.all_ended", func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		if err := s.deleteFactor(ctx, tx, user.ID, "second_factor.reset"); err != nil {
			return err
		}
		return endSessions(ctx, tx, user.ID, "")
	})
	if err != nil {
		return fmt.Errorf("remove second factor: %w", err)
	}
	return nil
}

// RemoveUser removes a user from a workspace for the operator. With an empty workspace it deletes
// the user. It returns errs.NotFound for an unknown email or member.
func (s *Service) RemoveUser(ctx context.Context, email, workspaceID string) error {
	err := s.changeUser(ctx, email, "member.removed", func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		if workspaceID == "" {
			_, err := tx.NewDelete().Model(user).WherePK().Exec(ctx)
			return dbx.Err(err)
		}
		result, err := tx.NewDelete().Model((*model.Membership)(nil)).Where("workspace_id = ? AND user_id = ?",
			workspaceID, user.ID).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errs.New(errs.NotFound, "%s is not a member of %s", user.Email, workspaceID)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("remove user: %w", err)
	}
	return nil
}

// DeleteWorkspace deletes a workspace with all of its rows, for the operator. Its keys end in every
// process. It returns errs.NotFound.
func (s *Service) DeleteWorkspace(ctx context.Context, id string) error {
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.LockWorkspace(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.NewDelete().Model(w).WherePK().Exec(ctx)
		return dbx.Err(err)
	})
	if err != nil {
		return fmt.Errorf("delete workspace: %w", err)
	}
	s.publishKeyChange(ctx)
	return nil
}

// AllWorkspaces returns the workspaces in the order in which they were made, for the operator.
func (s *Service) AllWorkspaces(ctx context.Context) ([]*model.Workspace, error) {
	workspaces := []*model.Workspace{}
	err := s.db.NewSelect().Model(&workspaces).Order("created_at", "id").Scan(ctx)
	return workspaces, dbx.Err(err)
}

// KeysOf returns the keys of a workspace, the newest first and without their hashes, for the
// operator. It returns errs.NotFound for an unknown workspace.
func (s *Service) KeysOf(ctx context.Context, workspaceID string) ([]*model.APIKey, error) {
	if _, err := s.readWorkspace(ctx, workspaceID); err != nil {
		return nil, err
	}
	keys := []*model.APIKey{}
	err := s.db.NewSelect().Model(&keys).ExcludeColumn("hash").Where("workspace_id = ?", workspaceID).
		Order("created_at DESC", "id DESC").Scan(ctx)
	return keys, dbx.Err(err)
}

// RevokeKeyOf revokes a key in every process, also the last one, for the operator; again does
// nothing. It returns errs.NotFound.
func (s *Service) RevokeKeyOf(ctx context.Context, workspaceID, id string) error {
	_, err := s.revokeKey(ctx, workspaceID, id, func(*model.APIKey, int64) error { return nil })
	return err
}

// HasAny reports whether a database has a workspace or a user.
func HasAny(ctx context.Context, db dbx.Reader) (bool, error) {
	for _, row := range []any{(*model.Workspace)(nil), (*model.User)(nil)} {
		if exists, err := db.NewSelect().Model(row).Exists(ctx); err != nil || exists {
			return exists, dbx.Err(err)
		}
	}
	return false, nil
}
