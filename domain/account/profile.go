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

// maxSessions limits the list of a user's sessions.
const maxSessions = 100

// ChangePassword changes the password of the signed-in user and ends the user's other sessions. It
// returns errs.InvalidState for a key and for a user without a password, errs.RateLimited after too
// many wrong ones, and errs.ValidationFailed for a wrong present or an invalid new one.
func (s *Service) ChangePassword(ctx context.Context, in api.ChangePasswordInput) (*api.ChangePasswordPayload, error) {
	user, err := s.passwordUser(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkPresentPassword(ctx, user, in.CurrentPassword); err != nil {
		return nil, err
	}
	hash, err := NewPasswordHash(ctx, "newPassword", in.NewPassword)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.storePassword(ctx, tx, user, hash, principal.Must(ctx).SessionID)
	})
	if err != nil {
		return nil, fmt.Errorf("change password: %w", err)
	}
	return &api.ChangePasswordPayload{User: user}, nil
}

// passwordUser returns the signed-in user. It returns errs.InvalidState for a key and for a user
// without a password.
func (s *Service) passwordUser(ctx context.Context) (*model.User, error) {
	p := principal.Must(ctx)
	if p.UserID == "" {
		return nil, errs.New(errs.InvalidState, "a key has no password; sign in as a user")
	}
	user := new(model.User)
	if err := dbx.Err(s.db.NewSelect().Model(user).Where("id = ?", p.UserID).Scan(ctx)); err != nil {
		return nil, err
	}
	if user.PasswordHash == nil {
		return nil, errs.New(errs.InvalidState, "you sign in by the identity provider and have no password here")
	}
	return user, nil
}

// checkPresentPassword returns checkPasswordOf's errors, for a wrong password errs.ValidationFailed.
func (s *Service) checkPresentPassword(ctx context.Context, user *model.User, password string) error {
	err := s.checkPasswordOf(ctx, user, password, "")
	if errs.Is(err, errs.Unauthenticated) {
		return errs.Invalid(errs.BodyField("value_error", "is not your present password", "currentPassword"))
	}
	return err
}

// checkPasswordOf compares a password, and counts the attempt from an address. It returns
// errWrongPassword, or errs.RateLimited after too many attempts.
func (s *Service) checkPasswordOf(ctx context.Context, user *model.User, password, address string) error {
	if err := s.takePasswordAttempt(ctx, user.Email, address); err != nil {
		return err
	}
	same, err := matchPassword(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	if !same {
		s.auditRefusal(ctx, user, "password")
		return errWrongPassword
	}
	s.resetAttempts(ctx, user.Email, address)
	return nil
}

// storePassword updates the password of a user, ends all sessions but one, and adds an entry to the
// audit logs of the user's workspaces.
func (s *Service) storePassword(ctx context.Context, tx dbx.Tx, user *model.User, hash, keptSession string) error {
	if err := updatePassword(ctx, tx, user, hash, keptSession); err != nil {
		return err
	}
	return s.auditAllWorkspaces(ctx, tx, user.ID, auditRecord{Action: "password.changed", Subject: user.ID})
}

// updatePassword updates the password of a user. All sessions but the kept one end, and so does a
// link to reset the password.
func updatePassword(ctx context.Context, tx dbx.Tx, user *model.User, hash, keptSession string) error {
	user.PasswordHash = &hash
	if _, err := tx.NewUpdate().Model(user).Column("password_hash").WherePK().Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if _, err := tx.NewDelete().Model((*passwordReset)(nil)).Where("user_id = ?", user.ID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return endSessions(ctx, tx, user.ID, keptSession)
}

// endSessions ends all sessions of a user but the kept one, in every process.
func endSessions(ctx context.Context, tx dbx.Tx, userID, kept string) error {
	_, err := tx.NewDelete().Model((*model.SignIn)(nil)).Where("user_id = ? AND id <> ?", userID, kept).Exec(ctx)
	if err != nil || kept != "" {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().Model((*model.User)(nil)).Set("sessions_since = ?", model.Now()).Where("id = ?", userID).
		Exec(ctx)
	return dbx.Err(err)
}

// Sessions returns the sessions of the signed-in user, the latest seen first, at most 100; none for
// a key.
func (s *Service) Sessions(ctx context.Context) ([]*model.SignIn, error) {
	p := principal.Must(ctx)
	sessions := []*model.SignIn{}
	if p.UserID == "" {
		return sessions, nil
	}
	err := s.db.NewSelect().Model(&sessions).Where("user_id = ? AND expires_at > ?", p.UserID, model.Now()).
		Order("last_seen_at DESC", "id DESC").Limit(maxSessions).Scan(ctx)
	for _, session := range sessions {
		session.IsCurrent = session.ID == p.SessionID
	}
	return sessions, dbx.Err(err)
}

// EndSession ends a session of the signed-in user in every process. It returns errs.NotFound for a
// session that has ended, or is another's.
func (s *Service) EndSession(ctx context.Context, id string) (*api.EndSessionPayload, error) {
	p := principal.Must(ctx)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		ended, err := tx.NewDelete().Model((*model.SignIn)(nil)).Where("id = ? AND user_id = ?", id, p.UserID).Exec(ctx)
		if err != nil {
			return dbx.Err(err)
		}
		if n, err := ended.RowsAffected(); err != nil || n == 0 {
			return errs.New(errs.NotFound, "you have no session %s", id)
		}
		return s.auditAllWorkspaces(ctx, tx, p.UserID, auditRecord{Action: "session.ended", Subject: p.UserID})
	})
	if err != nil {
		return nil, fmt.Errorf("end session: %w", err)
	}
	return &api.EndSessionPayload{DeletedID: id}, nil
}
