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
	// Gateways of earlier revisions read it; a session without a SignIn has ended.
	SessionsSince *time.Time `bun:"sessions_since"`
	IsInvited     bool       `bun:"is_invited"` // made the account by an invite: nobody has verified the email
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

	ID          string     `bun:"id,nullzero"`
	WorkspaceID string     `bun:"workspace_id,pk"`
	UserID      string     `bun:"user_id,pk"`
	Role        Role       `bun:"role"`
	CreatedAt   time.Time  `bun:"created_at"`
	LastSeenAt  *time.Time `bun:"last_seen_at"` // exact to a minute; nil: never signed in here
}

// IsNode marks the type as a Node.
func (*Membership) IsNode() {}

// JoinedAt returns when the user joined the workspace.
func (m *Membership) JoinedAt() time.Time { return m.CreatedAt }

// MemberConnection is one page of a workspace's members.
type MemberConnection = Connection[Membership]

// MemberEdge is a member and its cursor.
type MemberEdge = Edge[Membership]

// Invite invites a person to a workspace by a link. It is deleted when it is accepted or revoked.
type Invite struct {
	bun.BaseModel `bun:"table:invite"`

	ID          string    `bun:"id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Email       string    `bun:"email"` // in lower case
	Name        string    `bun:"name"`
	Role        Role      `bun:"role"`
	Hash        []byte    `bun:"hash"` // SHA-256 of the link's secret
	CreatedBy   string    `bun:"created_by"`
	CreatedAt   time.Time `bun:"created_at"`
	ExpiresAt   time.Time `bun:"expires_at"`

	MailState *MailState `bun:"mail_state"` // of the mail with the link; nil if it was not mailed
	MailError *string    `bun:"mail_error"` // why it failed
}

// IsNode marks the type as a Node.
func (*Invite) IsNode() {}

// InviteConnection is one page of a workspace's invites.
type InviteConnection = Connection[Invite]

// InviteEdge is an invite and its cursor.
type InviteEdge = Edge[Invite]

// OpenInvite is an invite as the person who has its link sees it.
type OpenInvite struct {
	*Invite
	WorkspaceName string
	HasAccount    bool // a user with the email exists
}

// SignIn is a session of a signed-in user in the list of the user's sessions.
type SignIn struct {
	bun.BaseModel `bun:"table:sign_in"`

	ID         string    `bun:"id,pk"`
	UserID     string    `bun:"user_id"`
	Agent      string    `bun:"agent"` // the browser's User-Agent; may be empty
	CreatedAt  time.Time `bun:"created_at"`
	LastSeenAt time.Time `bun:"last_seen_at"` // exact to a minute
	ExpiresAt  time.Time `bun:"expires_at"`
	IsCurrent  bool      `bun:"-"` // the session of the request
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
	Role   *Role   // nil for a key
	Scopes []Scope
	Can    []Ability
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
