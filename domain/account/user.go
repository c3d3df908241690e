package account

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"unicode"

	"github.com/uptrace/bun"
	"golang.org/x/text/unicode/norm"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
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
	fresh, err := newUser(ctx, in)
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
		if err := insertMember(ctx, tx, in.WorkspaceID, user, in.Role); err != nil {
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

func newUser(ctx context.Context, in NewUser) (*model.User, error) {
	email, err := checkEmail(in.Email)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(in.Name, isDeceptive) {
		return nil, errs.Invalid(errs.BodyField("value_error", "has a character that is not seen, or that turns the line", "name"))
	}
	user := &model.User{ID: model.NewID(model.UserPrefix), Email: email, Name: in.Name, CreatedAt: model.Now()}
	if user.Name == "" {
		user.Name, _, _ = strings.Cut(email, "@")
	}
	if in.Password == "" {
		return user, nil
	}
	hash, err := NewPasswordHash(ctx, "password", in.Password)
	user.PasswordHash = &hash
	return user, err
}

// isDeceptive reports whether a character makes a name look like another one. Names of some scripts
// need the joiners U+200C and U+200D.
func isDeceptive(r rune) bool { return isInvisible(r) && r != '\u200c' && r != '\u200d' }

// checkEmail returns an email in the form in which it is stored. It returns errs.ValidationFailed
// for one that is none.
func checkEmail(email string) (string, error) {
	email = normalizeEmail(email)
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email {
		return "", errs.Invalid(errs.BodyField("value_error", "is not an email address", "email"))
	}
	return email, nil
}

// checkPlainEmail is checkEmail. It also refuses an email that Unicode considers another spelling of
// one, because two people's emails would look the same. The operator may add such a user.
func checkPlainEmail(email string) (string, error) {
	if !norm.NFKC.IsNormalString(email) || strings.ContainsFunc(email, isInvisible) {
		return "", errs.Invalid(errs.BodyField("value_error", "has a character that looks like another one", "email"))
	}
	return checkEmail(email)
}

// isInvisible reports whether a character is not seen, or changes the direction of those around it.
func isInvisible(r rune) bool { return unicode.Is(unicode.C, r) }

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
