package account

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// The bounds of a password, in characters.
const (
	minPassword = 8
	maxPassword = 256
)

// NewUser is who is to be a member of a workspace.
type NewUser struct {
	Email       string
	Name        string // the email's part before the @ when empty
	Password    string // empty: they sign in by OpenID Connect, or are a user already
	WorkspaceID string
	Role        model.Role
}

// AddUser makes someone a member of a workspace, and a user first unless they are one already; it is the operator's to call and has
// no face of its own. A password for who is a user already, and a second membership in one workspace, fail with conflict.
func (s *Service) AddUser(ctx context.Context, in NewUser) (*model.User, error) {
	fresh, err := newUser(in)
	if err != nil {
		return nil, err
	}
	user := fresh
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.lockWorkspace(ctx, tx, in.WorkspaceID); err != nil {
			return err
		}
		known, err := s.userByEmail(ctx, tx, fresh.Email)
		switch {
		case err == nil && in.Password != "":
			return errs.New(errs.Conflict, "%s is a user already; give no password to make them a member", fresh.Email)
		case err == nil:
			user = known
		case !errs.Is(err, errs.NotFound):
			return err
		default:
			if err := insert(ctx, tx, fresh); err != nil {
				return err
			}
		}
		m := &model.Membership{WorkspaceID: in.WorkspaceID, UserID: user.ID, Role: in.Role, CreatedAt: model.Now()}
		if err := insert(ctx, tx, m); errs.Is(err, errs.Conflict) {
			return errs.Wrap(err, errs.Conflict, "%s is a member of this workspace already", user.Email)
		} else if err != nil {
			return err
		}
		return note(ctx, tx, in.WorkspaceID, noted{Action: "member.added", Subject: user.ID, Details: map[string]any{"role": in.Role}})
	})
	if err != nil {
		return nil, fmt.Errorf("add user: %w", err)
	}
	return user, nil
}

func newUser(in NewUser) (*model.User, error) {
	email := normal(in.Email)
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email {
		return nil, errs.Invalid(errs.BodyField("value_error", "is not an email address", "email"))
	}
	user := &model.User{ID: model.NewID(model.UserPrefix), Email: email, Name: in.Name, CreatedAt: model.Now()}
	if user.Name == "" {
		user.Name, _, _ = strings.Cut(email, "@")
	}
	if in.Password == "" {
		return user, nil
	}
	if n := utf8.RuneCountInString(in.Password); n < minPassword || n > maxPassword {
		msg := fmt.Sprintf("must have between %d and %d characters", minPassword, maxPassword)
		return nil, errs.Invalid(errs.BodyField("value_error", msg, "password"))
	}
	hash, err := hashPassword(in.Password)
	user.PasswordHash = &hash
	return user, err
}

// normal is the form in which emails are stored and compared.
func normal(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// Member is a user and what they are in a workspace.
type Member struct {
	*model.User
	Role model.Role
}

// Members lists a workspace's users in the order in which they joined; it is the operator's to call.
func (s *Service) Members(ctx context.Context, workspaceID string) ([]Member, error) {
	return s.members(ctx, workspaceID)
}
