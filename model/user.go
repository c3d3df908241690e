package model

import (
	"time"

	"github.com/uptrace/bun"
)

// User is a person with a sign-in. Memberships grant access to workspaces.
type User struct {
	bun.BaseModel `bun:"table:app_user"`

	ID    string `bun:"id,pk"`
	Email string `bun:"email"` // in lower case
	Name  string `bun:"name"`
	// argon2id in the PHC string format; nil: signs in by OpenID Connect only
	PasswordHash *string   `bun:"password_hash"`
	OIDCIssuer   *string   `bun:"oidc_issuer"` // set together with OIDCSubject by the first such sign-in
	OIDCSubject  *string   `bun:"oidc_subject"`
	CreatedAt    time.Time `bun:"created_at"`
	// SessionsSince is the time before which no session is valid; nil for no limit.
	SessionsSince *time.Time `bun:"sessions_since"`
}

// IsNode marks the type as a Node.
func (*User) IsNode() {}

// IsActor marks the type as an Actor.
func (*User) IsActor() {}

// Member is a user's membership in a workspace, with the user.
type Member struct {
	User     *User
	Role     Role
	JoinedAt time.Time
}

// Membership is the role of a user in a workspace.
type Membership struct {
	bun.BaseModel `bun:"table:membership"`

	ID          string    `bun:"id,nullzero"`
	WorkspaceID string    `bun:"workspace_id,pk"`
	UserID      string    `bun:"user_id,pk"`
	Role        Role      `bun:"role"`
	CreatedAt   time.Time `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*Membership) IsNode() {}

// MemberConnection is one page of a workspace's members.
type MemberConnection = Connection[Membership]

// MemberEdge is a member and its cursor.
type MemberEdge = Edge[Membership]

// Role is the role of a workspace's member.
type Role string

// The values of Role.
const (
	RoleOwner  Role = "owner"
	RoleMember Role = "member"
)

// Scopes returns the scopes of the role.
func (r Role) Scopes() []Scope {
	if r == RoleOwner {
		return []Scope{ScopeRead, ScopeWrite, ScopeAdmin}
	}
	return []Scope{ScopeRead, ScopeWrite}
}

// Session is a signed-in user's session with its secret token.
type Session struct {
	User      *User
	Token     string // secret; sent only as a cookie
	ExpiresAt time.Time
}

// OwnWorkspace is a workspace in the list of a member, with the member's role and the active keys.
type OwnWorkspace struct {
	*Workspace
	Role Role
	Keys []*APIKey
}

// ViewerKind is the kind of a caller.
type ViewerKind string

// Kinds of callers.
const (
	ViewerKindKey  ViewerKind = "key"
	ViewerKindUser ViewerKind = "user"
)

// Viewer is the caller of a request.
type Viewer struct {
	Kind   ViewerKind
	UserID *string // nil for a key
	KeyID  *string // nil for a signed-in user
	Scopes []Scope
}

// ViewerWorkspace is a workspace that the caller may act in.
type ViewerWorkspace struct {
	WorkspaceID string    `bun:"id"`
	Name        string    `bun:"name"`
	Role        *Role     `bun:"role"` // nil for a key
	JoinedAt    time.Time `bun:"joined_at"`
}

// ViewerWorkspaceConnection is one page of the workspaces that the caller may act in.
type ViewerWorkspaceConnection = Connection[ViewerWorkspace]

// ViewerWorkspaceEdge is a workspace and its cursor.
type ViewerWorkspaceEdge = Edge[ViewerWorkspace]
