package model

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// TrashTime is how long a deleted document can be restored. Then it is erased.
const TrashTime = 30 * 24 * time.Hour

// DeletedDocument is a document that was deleted and can be restored.
type DeletedDocument struct {
	bun.BaseModel `bun:"table:deleted_document"`

	ID             string            `bun:"id,pk"` // the document's
	WorkspaceID    string            `bun:"workspace_id"`
	Title          string            `bun:"title"`
	Visibility     Visibility        `bun:"visibility"`
	EmbargoedUntil *time.Time        `bun:"embargoed_until"`
	Original       *DocumentOriginal `bun:"original,type:jsonb"` // its file is kept too
	DeletedAt      time.Time         `bun:"deleted_at"`
	DeletedByID    *string           `bun:"deleted_by_id"` // the user; nil for a key
	// Document is the row, and KeptRows are the rows that belong to it, by table.
	Document json.RawMessage `bun:"document,type:text"`
	KeptRows json.RawMessage `bun:"kept_rows,type:text"`
}

// RestorableUntil returns when the document is erased.
func (d *DeletedDocument) RestorableUntil() time.Time { return d.DeletedAt.Add(TrashTime) }

// AfterScanRow notes a read of the title.
func (d *DeletedDocument) AfterScanRow(ctx context.Context) error {
	doc := Document{ID: d.ID, Title: d.Title, Visibility: d.Visibility, EmbargoedUntil: d.EmbargoedUntil}
	return doc.AfterScanRow(ctx)
}

// DeletedDocumentConnection is one page of deleted documents.
type DeletedDocumentConnection = Connection[DeletedDocument]

// DeletedDocumentEdge is a deleted document and its cursor.
type DeletedDocumentEdge = Edge[DeletedDocument]
