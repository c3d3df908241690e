package account

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// setupToken is a token that a process printed while there was no workspace.
type setupToken struct {
	bun.BaseModel `bun:"table:setup_token"`

	Hash []byte `bun:"hash,pk"`
}

// NewSetupToken returns a token for AddSetupToken.
func NewSetupToken() (string, error) { return newSecret(setupStart) }

// AddSetupToken lets whoever has the token create the first workspace; again does nothing. Every
// process has its own, because one may be behind a load balancer with others. It returns
// errs.ValidationFailed for a token that NewSetupToken did not make.
func (s *Service) AddSetupToken(ctx context.Context, token string) error {
	if !wellFormed(setupStart, token) {
		return errs.Invalid(errs.BodyField("value_error", "is no setup token", "token"))
	}
	_, err := s.db.NewInsert().Model(&setupToken{Hash: hashOf(token)}).On("CONFLICT (hash) DO NOTHING").Exec(ctx)
	return dbx.Err(err)
}

// NeedsSetup reports whether there is no user, and no workspace but the demo.
func (s *Service) NeedsSetup(ctx context.Context) (bool, error) { return needsSetup(ctx, s.db) }

func needsSetup(ctx context.Context, db dbx.Reader) (bool, error) {
	found, err := db.NewSelect().Model((*model.User)(nil)).Exists(ctx)
	if err != nil || found {
		return false, dbx.Err(err)
	}
	found, err = db.NewSelect().Model((*model.Workspace)(nil)).Where("NOT is_demo").Exists(ctx)
	return !found, dbx.Err(err)
}

// Setup is the input of Service.SetUp.
type Setup struct {
	Token     string // that the server printed
	Workspace string // name
	Name      string // of the owner; the email's part before the @ if empty
	Email     string
	Password  string
}

// SetUp creates the first workspace, of the plan team, with its owner and opens a session. Only who
// has read the server's log knows the token, so nobody else on the network takes the installation.
// Call CountAttempt first. It returns errs.ValidationFailed naming each wrong field, and
// errs.InvalidState once there is a workspace.
func (s *Service) SetUp(ctx context.Context, in Setup, v SignInOrigin) (*model.Session, error) {
	needed, err := s.NeedsSetup(ctx)
	if err != nil {
		return nil, err
	}
	if !needed {
		return nil, errSetUp
	}
	email, err := checkPlainEmail(in.Email)
	if err != nil {
		return nil, err
	}
	user, err := newUser(ctx, NewUser{Email: email, Name: in.Name, Password: in.Password})
	if err != nil {
		return nil, err
	}
	w, err := newWorkspace(NewWorkspace{Name: in.Workspace, Plan: model.PlanTeam})
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := useSetupToken(ctx, tx, in.Token); err != nil {
			return err
		}
		if err := insertRow(ctx, tx, w); err != nil {
			return err
		}
		if err := insertRow(ctx, tx, user); err != nil {
			return err
		}
		if err := insertMember(ctx, tx, w.ID, user, model.RoleOwner); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, w.ID, auditRecord{Action: "member.added", Subject: user.ID,
			Details: map[string]any{"role": model.RoleOwner}})
	})
	if err != nil {
		return nil, fmt.Errorf("set up: %w", err)
	}
	return s.openSession(ctx, user, "setup", v)
}

var errSetUp = errs.New(errs.InvalidState, "this server has a workspace already; ask one of its owners for an invite")

// useSetupToken deletes all tokens. Of two requests at the same time the second waits and finds
// none. It returns errs.ValidationFailed for an unknown token.
func useSetupToken(ctx context.Context, tx dbx.Tx, token string) error {
	var tokens []*setupToken
	_, err := tx.NewDelete().Model(&tokens).Where("TRUE").Returning("hash").Exec(ctx)
	if err := dbx.Err(err); err != nil && !errs.Is(err, errs.NotFound) {
		return err
	}
	if !slices.ContainsFunc(tokens, func(t *setupToken) bool { return bytes.Equal(t.Hash, hashOf(token)) }) {
		return errs.Invalid(errs.BodyField("value_error", "is not the token that the server printed", "token"))
	}
	needed, err := needsSetup(ctx, tx)
	if err == nil && !needed {
		err = errSetUp
	}
	return err
}
