package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// AuditActorKind is the kind of actor of an audit entry.
type AuditActorKind string

// The values of AuditActorKind.
const (
	AuditActorKindKey      AuditActorKind = "key"
	AuditActorKindUser     AuditActorKind = "user"
	AuditActorKindOperator AuditActorKind = "operator"
)

// AuditEntry is an entry of a workspace's audit log: actor, action and target. It contains no
// secret.
type AuditEntry struct {
	bun.BaseModel `bun:"table:audit_entry"`

	ID          string          `bun:"id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	At          time.Time       `bun:"at"`
	ActorKind   AuditActorKind  `bun:"actor_kind"`
	ActorID     *string         `bun:"actor_id"` // nil for the operator
	Action      string          `bun:"action"`   // such as key.minted
	SubjectID   string          `bun:"subject_id"`
	Details     json.RawMessage `bun:"details"`
}

// IsNode marks the type as a Node.
func (*AuditEntry) IsNode() {}

// AuditConnection is one page of a workspace's audit log.
type AuditConnection = Connection[AuditEntry]

// AuditEdge is an entry and its cursor.
type AuditEdge = Edge[AuditEntry]
