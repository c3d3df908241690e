package model

import (
	"time"

	"github.com/uptrace/bun"
)

// BulkFile is the file that a bulk query or a bulk mutation writes, and how far the job is. Each of
// its parts is stored in the transaction that sets its state, so a job continues at the byte.
type BulkFile struct {
	bun.BaseModel `bun:"table:bulk_file"`

	JobID       string     `bun:"job_id,pk"`
	WorkspaceID string     `bun:"workspace_id"`
	Kind        string     `bun:"kind"` // the job type
	KeyID       *string    `bun:"key_id"`
	UserID      *string    `bun:"user_id"`
	InputBlob   *string    `bun:"input_blob"` // the file of inputs of a mutation
	Position    *string    `bun:"position"`   // of the event feed; nil until a query starts
	Cursor      *string    `bun:"cursor"`     // of the last row of a query; nil at the start of the list
	InputOffset int64      `bun:"input_offset"`
	InputLine   int        `bun:"input_line"` // the number of lines that a mutation has read
	RowCount    int        `bun:"row_count"`
	FailedCount int        `bun:"failed_count"`
	ByteCount   int64      `bun:"byte_count"`
	PartCount   int        `bun:"part_count"`
	Finished    bool       `bun:"finished"` // nothing is left to write
	CreatedAt   time.Time  `bun:"created_at"`
	EndedAt     *time.Time `bun:"ended_at"` // of the job; nil while it waits or runs
}

// BulkPart is a part of a file. Parts are written one after the other and never change.
type BulkPart struct {
	bun.BaseModel `bun:"table:bulk_part"`

	JobID     string `bun:"job_id,pk"`
	Number    int    `bun:"number,pk"` // from 0
	BlobKey   string `bun:"blob_key"`
	ByteCount int64  `bun:"byte_count"`
}

// BulkQueryParameters is the list that a bulk query writes into a file.
type BulkQueryParameters struct {
	Query string `json:"query"`
}

// IsJobParameters marks the type as a member of the union.
func (*BulkQueryParameters) IsJobParameters() {}

// BulkQueryResult is the file of a bulk query.
type BulkQueryResult struct {
	URL       string    `json:"url"`
	RowCount  int       `json:"row_count"`
	ByteCount int       `json:"byte_count"`
	Position  string    `json:"position"`
	ExpiresAt time.Time `json:"expires_at"`
}

// IsJobResult marks the type as a member of the union.
func (*BulkQueryResult) IsJobResult() {}

// BulkMutationParameters is the mutation that a bulk mutation runs.
type BulkMutationParameters struct {
	Mutation       string `json:"mutation"`
	InputByteCount int    `json:"input_byte_count"`
}

// IsJobParameters marks the type as a member of the union.
func (*BulkMutationParameters) IsJobParameters() {}

// BulkMutationResult is the report of a bulk mutation.
type BulkMutationResult struct {
	URL         string    `json:"url"`
	LineCount   int       `json:"line_count"`
	FailedCount int       `json:"failed_count"`
	ByteCount   int       `json:"byte_count"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// IsJobResult marks the type as a member of the union.
func (*BulkMutationResult) IsJobResult() {}
