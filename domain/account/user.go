package account

import (
	"context"
	"fmt"
	"github.com/uptrace/bun"
	"net/mail"
	"strings"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Password length limits, in characters.
const (
	minPassword = 8
	maxPassword = 256
)

// NewUser is the input of AddUser.
type NewUser struct {
	Email       string
	Name        string // defaults to the email's part before the @
	Password    string // empty for OpenID Connect or an existing user
	WorkspaceID string
	Role        model.Role
}

// AddUser adds a member to a workspace for the operator, and creates the user if needed. It returns
// errs.Conflict for an existing member, or for an existing user with a password given.
func (s *Service) AddUser(ctx context.Context, in NewUser) (*model.User, error) {
	fresh, err := newUser(in)
	if err != nil {
		return nil, err
	}
	user := fresh
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.LockWorkspace(ctx, tx, in.WorkspaceID); err != nil {
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
			if err := insertRow(ctx, tx, fresh); err != nil {
				return err
			}
		}
		m := &model.Membership{ID: model.NewID(model.MemberPrefix), WorkspaceID: in.WorkspaceID, UserID: user.ID,
			Role: in.Role, CreatedAt: model.Now()}
		if err := insertRow(ctx, tx, m); errs.Is(err, errs.Conflict) {
			return errs.Wrap(err, errs.Conflict, "%s is a member of this workspace already", user.Email)
		} else if err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, in.WorkspaceID,
			auditRecord{Action: "member.added", Subject: user.ID, Details: map[string]any{"role": in.Role}})
	})
	if err != nil {
		return nil, fmt.Errorf("add user: %w", err)
	}
	return user, nil
}

func newUser(in NewUser) (*model.User, error) {
	email := normalizeEmail(in.Email)
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
	if err := checkPassword(in.Password); err != nil {
		return nil, err
	}
	hash, err := hashPassword(in.Password)
	user.PasswordHash = &hash
	return user, err
}

func checkPassword(password string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword {
		msg := fmt.Sprintf("must have between %d and %d characters", minPassword, maxPassword)
		return errs.Invalid(errs.BodyField("value_error", msg, "password"))
	}
	return nil
}

// normalizeEmail returns the form in which emails are stored and compared.
func normalizeEmail(email string) string { return lowerASCII(strings.TrimSpace(email)) }

// lowerASCII lowers A to Z only. Unicode's lower case of the Kelvin sign is k, so two people's
// emails could become one.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// Members returns a workspace's members in joining order.
func (s *Service) Members(ctx context.Context, workspaceID string) ([]*model.Member, error) {
	return s.readMembers(ctx, workspaceID)
}

// MemberPages returns a page of members per key in the column parent, in joining order (see
// dbx.Nested).
func (s *Service) MemberPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.MemberConnection, error) {
	list := dbx.List[model.Membership]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:   func(row *model.Membership) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Membership]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// MembersByID returns the workspace's members with the ids (see dbx.ByIDs).
func (s *Service) MembersByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Membership, error) {
	return dbx.ByIDs[model.Membership](ctx, s.db, workspaceID, ids, columns...)
}

// UsersByID returns the users with the ids who are members of the workspace, in no order.
func (s *Service) UsersByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.User,
	error) {
	members := s.db.NewSelect().Model((*model.Membership)(nil)).Column("user_id").
		Where("workspace_id = ? AND user_id IN ?", workspaceID, bun.Tuple(ids))
	users := []*model.User{}
	err := s.db.NewSelect().Model(&users).Column(columns...).Where("id IN (?)", members).Scan(ctx)
	return users, dbx.Err(err)
}
