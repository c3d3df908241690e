package model

import (
	"time"

	"github.com/uptrace/bun"
)

// User is a person who signs in; what they may do is said by their memberships.
type User struct {
	bun.BaseModel `bun:"table:app_user"`

	ID           string    `bun:"id,pk"`
	Email        string    `bun:"email"` // in lower case
	Name         string    `bun:"name"`
	PasswordHash *string   `bun:"password_hash"` // argon2id in the PHC string format; nil: signs in by OpenID Connect only
	OIDCIssuer   *string   `bun:"oidc_issuer"`   // set together with OIDCSubject by the first such sign-in
	OIDCSubject  *string   `bun:"oidc_subject"`
	CreatedAt    time.Time `bun:"created_at"`
}

// Membership says what a user is in a workspace.
type Membership struct {
	bun.BaseModel `bun:"table:membership"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	UserID      string    `bun:"user_id,pk"`
	Role        Role      `bun:"role"`
	CreatedAt   time.Time `bun:"created_at"`
}

// Role is what a member is in a workspace.
type Role string

// The values of Role.
const (
	RoleOwner  Role = "owner"
	RoleMember Role = "member"
)

// Scopes are the rights that come with the role.
func (r Role) Scopes() []Scope {
	if r == RoleOwner {
		return []Scope{ScopeRead, ScopeWrite, ScopeAdmin}
	}
	return []Scope{ScopeRead, ScopeWrite}
}

// Session is a signed-in user and the secret that the browser keeps for it.
type Session struct {
	User      *User
	Token     string // a secret: it goes into a cookie and nowhere else
	ExpiresAt time.Time
}

// OwnWorkspace is a workspace as one of its members sees it in a list: with their role and its live keys.
type OwnWorkspace struct {
	*Workspace
	Role Role
	Keys []*APIKey
}
