package model

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// DocumentVersion is an earlier text of a document, kept when a person replaced it.
type DocumentVersion struct {
	bun.BaseModel `bun:"table:document_version"`

	ID           string    `bun:"id,pk"`
	WorkspaceID  string    `bun:"workspace_id"`
	DocumentID   string    `bun:"document_id"`
	Title        string    `bun:"title"` // the document's title when the text was replaced
	Content      string    `bun:"content"`
	ReplacedAt   time.Time `bun:"replaced_at"`
	ReplacedByID *string   `bun:"replaced_by_id"` // the user; nil for a key
}

// IsNode marks the type as a Node.
func (*DocumentVersion) IsNode() {}

// AfterScanRow notes a read of the title or text.
func (v *DocumentVersion) AfterScanRow(ctx context.Context) error {
	_ = noteSources(ctx, v.Title != "" || v.Content != "", v.DocumentID)
	return grow(ctx, &v.Content)
}

// DocumentVersionConnection is one page of the earlier texts of a document.
type DocumentVersionConnection = Connection[DocumentVersion]

// DocumentVersionEdge is an earlier text and its cursor.
type DocumentVersionEdge = Edge[DocumentVersion]
