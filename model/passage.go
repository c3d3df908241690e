package model

import (
	"time"

	"github.com/uptrace/bun"
)

// PassageSet is the state of a document's passages: their version and embedding model, and how many
// have vectors.
type PassageSet struct {
	bun.BaseModel `bun:"table:passage_set"`

	DocumentID  string    `bun:"document_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Version     string    `bun:"version"` // of the document
	Model       string    `bun:"model"`
	Stored      int       `bun:"stored"`      // passages with vectors, the first ones of the text
	IsComplete  bool      `bun:"is_complete"` // all passages of the text have vectors
	Failures    int       `bun:"failures"`    // requests to the model that failed since the last one that did not
	DueAt       time.Time `bun:"due_at"`      // when the task that adds vectors was to run
}

// Passage is a part of a document's text with its vector.
type Passage struct {
	bun.BaseModel `bun:"table:passage"`

	DocumentID  string  `bun:"document_id,pk"`
	Position    int     `bun:"position,pk"` // among the passages of the document, from 0
	WorkspaceID string  `bun:"workspace_id"`
	Start       int     `bun:"span_start"` // in code points
	End         int     `bun:"span_end"`   // exclusive
	Scale       float64 `bun:"scale"`      // a component of the vector is its byte, as int8, times scale
	Vector      []byte  `bun:"vector"`
}

// PassageSearch is the result of a search for passages.
type PassageSearch struct {
	Matches              []*PassageMatch
	PendingDocumentCount int // documents with passages that lack vectors; counted on demand
}

// PassageMatch is a passage that is near a searched text in meaning.
type PassageMatch struct {
	DocumentID string
	Text       string
	Start, End int     // in code points, the end exclusive
	Score      float64 // 0 to 1
}
