package account

import (
	"context"
	"fmt"

	"github.com/pquerna/otp/totp"
	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/platform/qr"
)

const (
	// factorIssuer is the name that an authenticator app shows.
	factorIssuer = "Rostrum"
	// factorSecretBytes is the length of a secret that RFC 4226 recommends.
	factorSecretBytes = 20
)

// StartSecondFactor makes a secret for an authenticator app of the signed-in user (RFC 6238: SHA-1,
// 30 seconds, six digits). Nothing else changes before ConfirmSecondFactor. It returns
// ChangePassword's errors for a key, a user without a password, and a wrong present password, and
// errs.InvalidState while the second factor is on, because the password alone must not replace it.
func (s *Service) StartSecondFactor(ctx context.Context, in api.StartSecondFactorInput) (*api.StartSecondFactorPayload,
	error) {
	user, err := s.passwordUser(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkPresentPassword(ctx, user, in.CurrentPassword); err != nil {
		return nil, err
	}
	switch factor, err := s.readFactor(ctx, user.ID); {
	case err != nil:
		return nil, err
	case factor.ConfirmedAt != nil:
		return nil, errs.New(errs.InvalidState, "the second factor is on: turn it off with a code, and then set up the other app")
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: factorIssuer, AccountName: user.Email, SecretSize: factorSecretBytes})
	if err != nil {
		return nil, fmt.Errorf("start second factor: %w", err)
	}
	picture, err := qr.Draw(key.URL())
	if err != nil {
		return nil, fmt.Errorf("start second factor: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.checkSeal(ctx, tx); err != nil {
			return err
		}
		row := &model.SecondFactor{UserID: user.ID, Pending: s.sealer.Seal(user.ID, key.Secret())}
		_, err := tx.NewInsert().Model(row).On("CONFLICT (user_id) DO UPDATE").Set("pending = EXCLUDED.pending").Exec(ctx)
		return dbx.Err(err)
	})
	if err != nil {
		return nil, fmt.Errorf("start second factor: %w", err)
	}
	return &api.StartSecondFactorPayload{Secret: key.Secret(), URI: key.URL(), QRCode: picture}, nil
}

// ConfirmSecondFactor turns the second factor on with the pending secret, ends the user's other
// sessions, and returns new recovery codes. It returns errs.InvalidState without a pending secret,
// errs.ValidationFailed for a wrong code, and errs.RateLimited after too many.
func (s *Service) ConfirmSecondFactor(ctx context.Context, in api.ConfirmSecondFactorInput) (*api.ConfirmSecondFactorPayload,
	error) {
	user, err := s.passwordUser(ctx)
	if err != nil {
		return nil, err
	}
	factor, err := s.readFactor(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	if factor.Pending == nil {
		return nil, errs.New(errs.InvalidState, "begin with startSecondFactor, and then send a code of the app")
	}
	codes := newRecoveryCodes()
	err = s.tryCode(ctx, user, func(ctx context.Context, tx dbx.Tx) error {
		step, err := s.stepOf(user.ID, factor.Pending, in.Code)
		if err != nil {
			return err
		}
		now := model.Now()
		confirmed := &model.SecondFactor{UserID: user.ID, Secret: factor.Pending, ConfirmedAt: &now, LastStep: step}
		if _, err := tx.NewUpdate().Model(confirmed).WherePK().Exec(ctx); err != nil {
			return dbx.Err(err)
		}
		if err := storeRecoveryCodes(ctx, tx, user.ID, codes); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, user.ID, principal.Must(ctx).SessionID); err != nil {
			return err
		}
		return s.auditAllWorkspaces(ctx, tx, user.ID, auditRecord{Action: "second_factor.added", Subject: user.ID})
	})
	if err != nil {
		return nil, fmt.Errorf("confirm second factor: %w", err)
	}
	return &api.ConfirmSecondFactorPayload{User: user, RecoveryCodes: codes}, nil
}

// RenewRecoveryCodes replaces the recovery codes of the signed-in user. It returns useOwnCode's
// errors.
func (s *Service) RenewRecoveryCodes(ctx context.Context, in api.RenewRecoveryCodesInput) (*api.RenewRecoveryCodesPayload,
	error) {
	codes := newRecoveryCodes()
	user, err := s.useOwnCode(ctx, in.Code, func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		if err := storeRecoveryCodes(ctx, tx, user.ID, codes); err != nil {
			return err
		}
		return s.auditAllWorkspaces(ctx, tx, user.ID, auditRecord{Action: "second_factor.codes_renewed", Subject: user.ID})
	})
	if err != nil {
		return nil, fmt.Errorf("renew recovery codes: %w", err)
	}
	return &api.RenewRecoveryCodesPayload{User: user, RecoveryCodes: codes}, nil
}

// RemoveSecondFactor turns the second factor of the signed-in user off. It returns useOwnCode's
// errors.
func (s *Service) RemoveSecondFactor(ctx context.Context, in api.RemoveSecondFactorInput) (*api.RemoveSecondFactorPayload,
	error) {
	user, err := s.useOwnCode(ctx, in.Code, func(ctx context.Context, tx dbx.Tx, user *model.User) error {
		return s.deleteFactor(ctx, tx, user.ID, "second_factor.removed")
	})
	if err != nil {
		return nil, fmt.Errorf("remove second factor: %w", err)
	}
	return &api.RemoveSecondFactorPayload{User: user}, nil
}

// ResetSecondFactor turns the second factor of a member off, and ends the member's sessions. It
// returns errs.NotFound, errs.InvalidState if it is off, and errs.Conflict for a member of further
// workspaces, because their owners have not agreed.
func (s *Service) ResetSecondFactor(ctx context.Context, memberID string) (*api.ResetSecondFactorPayload, error) {
	p := principal.Must(ctx)
	var member *model.Membership
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if member, err = readMember(ctx, tx, p.WorkspaceID, memberID); err != nil {
			return err
		}
		if err := checkOnlyWorkspace(ctx, tx, member.UserID, p.WorkspaceID); err != nil {
			return err
		}
		if err := s.deleteFactor(ctx, tx, member.UserID, "second_factor.reset"); err != nil {
			return err
		}
		return endSessions(ctx, tx, member.UserID, "")
	})
	if err != nil {
		return nil, fmt.Errorf("reset second factor: %w", err)
	}
	return &api.ResetSecondFactorPayload{Member: member}, nil
}

// deleteFactor deletes the second factor of a user with its recovery codes, and adds the action to
// the audit logs. It returns errs.InvalidState if it is off.
func (s *Service) deleteFactor(ctx context.Context, tx dbx.Tx, userID, action string) error {
	deleted, err := tx.NewDelete().Model((*model.SecondFactor)(nil)).Where("user_id = ? AND confirmed_at IS NOT NULL", userID).
		Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n, err := deleted.RowsAffected(); err != nil || n == 0 {
		return errNoFactor
	}
	if _, err := tx.NewDelete().Model((*recoveryCode)(nil)).Where("user_id = ?", userID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return s.auditAllWorkspaces(ctx, tx, userID, auditRecord{Action: action, Subject: userID})
}

// SecondFactor returns the second factor of the signed-in user; nil while it is off, and for a key.
func (s *Service) SecondFactor(ctx context.Context) (*model.SecondFactor, error) {
	p := principal.Must(ctx)
	if p.UserID == "" {
		return nil, nil
	}
	factor, err := s.readFactor(ctx, p.UserID)
	if err != nil || factor.ConfirmedAt == nil {
		return nil, err
	}
	return factor, nil
}

// HaveSecondFactor reports of each member whether their second factor is on.
func (s *Service) HaveSecondFactor(ctx context.Context, members []*model.Membership) ([]bool, error) {
	ids := make([]string, len(members))
	for i, member := range members {
		ids[i] = member.UserID
	}
	var with []string
	err := s.db.NewSelect().Model((*model.SecondFactor)(nil)).Column("user_id").
		Where("user_id IN (?) AND confirmed_at IS NOT NULL", bun.List(ids)).Scan(ctx, &with)
	has := make(map[string]bool, len(with))
	for _, id := range with {
		has[id] = true
	}
	out := make([]bool, len(members))
	for i, member := range members {
		out[i] = has[member.UserID]
	}
	return out, dbx.Err(err)
}

// LostFactors returns how many secrets of authenticator apps are stored, and the memberships of the
// users whose secret the service's key cannot decrypt. They need a recovery code, or an owner who
// resets their second factor.
func (s *Service) LostFactors(ctx context.Context, tx dbx.Tx) (sealed int, lost []*model.Membership, err error) {
	var factors []*model.SecondFactor
	if err := tx.NewSelect().Model(&factors).Where("secret IS NOT NULL").Scan(ctx); err != nil {
		return 0, nil, dbx.Err(err)
	}
	users := []string{}
	for _, factor := range factors {
		if _, err := s.sealer.Open(factor.UserID, factor.Secret); err != nil {
			users = append(users, factor.UserID)
		}
	}
	if len(users) > 0 {
		err = tx.NewSelect().Model(&lost).Where("user_id IN (?)", bun.List(users)).Order("workspace_id", "user_id").Scan(ctx)
	}
	return len(factors), lost, dbx.Err(err)
}

// readFactor returns the second factor of a user with the number of recovery codes; an empty one
// without a row.
func (s *Service) readFactor(ctx context.Context, userID string) (*model.SecondFactor, error) {
	factor := new(model.SecondFactor)
	err := dbx.Err(s.db.NewSelect().Model(factor).ColumnExpr("second_factor.*").
		ColumnExpr("(SELECT count(*) FROM recovery_code AS c WHERE c.user_id = second_factor.user_id) AS codes_left").
		Where("user_id = ?", userID).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return factor, nil
	}
	return factor, err
}
