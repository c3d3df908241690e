package model

import (
	"time"

	"github.com/uptrace/bun"
)

// AppVersion is a version of a front end with the operations that it may send.
type AppVersion struct {
	bun.BaseModel `bun:"table:app_version"`

	ID             string    `bun:"id,pk"`
	WorkspaceID    string    `bun:"workspace_id"`
	App            string    `bun:"app"`
	Version        string    `bun:"version"`
	Digest         string    `bun:"digest"`      // of its operations: the same ones again change nothing
	SchemaHash     string    `bun:"schema_hash"` // of the schema that the operations were written for
	OperationCount int       `bun:"operation_count"`
	TextBytes      int       `bun:"text_bytes"` // of all texts
	CreatedByID    *string   `bun:"created_by_id"`
	CreatedAt      time.Time `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*AppVersion) IsNode() {}

// OperationKind is the kind of a registered operation.
type OperationKind string

// The values of OperationKind.
const (
	OperationQuery        OperationKind = "query"
	OperationMutation     OperationKind = "mutation"
	OperationSubscription OperationKind = "subscription"
)

// RegisteredOperation is an operation of a version of a front end.
type RegisteredOperation struct {
	bun.BaseModel `bun:"table:registered_operation"`

	ID           string        `bun:"id,pk"`
	WorkspaceID  string        `bun:"workspace_id"`
	AppVersionID string        `bun:"app_version_id"`
	Name         string        `bun:"name"`
	Kind         OperationKind `bun:"kind"`
	ManifestKey  string        `bun:"manifest_key"` // the id in the manifest, without "sha256:"
	Hash         string        `bun:"hash"`         // SHA-256 of the text, in hexadecimal
	Text         string        `bun:"text"`
	Requests     int           `bun:"requests"`
	LastUsedAt   *time.Time    `bun:"last_used_at"`
}

// IsNode marks the type as a Node.
func (*RegisteredOperation) IsNode() {}

// OperationSchema is a schema for which front ends have registered operations.
type OperationSchema struct {
	bun.BaseModel `bun:"table:operation_schema"`

	Hash string `bun:"hash,pk"` // SHA-256 of the text, in hexadecimal
	Text string `bun:"text"`
}

// AppVersionConnection is one page of versions of front ends.
type AppVersionConnection = Connection[AppVersion]

// AppVersionEdge is a version and its cursor.
type AppVersionEdge = Edge[AppVersion]

// RegisteredOperationConnection is one page of a version's operations.
type RegisteredOperationConnection = Connection[RegisteredOperation]

// RegisteredOperationEdge is an operation and its cursor.
type RegisteredOperationEdge = Edge[RegisteredOperation]
