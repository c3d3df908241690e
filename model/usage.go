package model

import (
	"time"

	"github.com/uptrace/bun"
)

// KeyUsage counts the requests of a key that selected a deprecated field of the graph.
type KeyUsage struct {
	bun.BaseModel `bun:"table:key_usage"`

	WorkspaceID string    `bun:"workspace_id"`
	KeyID       string    `bun:"key_id,pk"`
	Field       string    `bun:"field,pk"` // Type.field
	Requests    int       `bun:"requests"`
	LastUsedAt  time.Time `bun:"last_used_at"`
}
