package model

import (
	"time"

	"github.com/uptrace/bun"
)

// SavedSearch is a search of documents that is kept under a name.
type SavedSearch struct {
	bun.BaseModel `bun:"table:saved_search"`

	ID          string             `bun:"id,pk"`
	WorkspaceID string             `bun:"workspace_id"`
	Name        string             `bun:"name"`
	Filter      *SavedSearchFilter `bun:"filter,type:jsonb"`
	IsFollowed  bool               `bun:"is_followed"` // new hits are told; see domain/search
	Revision    int64              `bun:"revision"`    // grows when the filter changes
	CreatedByID *string            `bun:"created_by_id"`
	CreatedAt   time.Time          `bun:"created_at"`
	UpdatedAt   time.Time          `bun:"updated_at"`
}

// IsNode marks the type as a Node.
func (*SavedSearch) IsNode() {}

// SavedSearchFilter has the conditions of a saved search. Its JSON is that of api.DocumentFilter, so
// that each converts to the other.
type SavedSearchFilter struct {
	Q                  *string           `json:"q,omitempty"`
	Tag                *string           `json:"tag,omitempty"`
	ContentType        *string           `json:"contentType,omitempty"`
	MediaProvenance    *MediaProvenance  `json:"mediaProvenance,omitempty"`
	ProcessingStatus   *ProcessingStatus `json:"processingStatus,omitempty"`
	Created            *TimeRange        `json:"created,omitempty"`
	Published          *TimeRange        `json:"published,omitempty"`
	Languages          []string          `json:"languages,omitempty"`
	Authors            []string          `json:"authors,omitempty"`
	Companies          []string          `json:"companies,omitempty"`
	Executives         []string          `json:"executives,omitempty"`
	CommunicationTypes []string          `json:"communicationTypes,omitempty"`
	AutoTags           []*SavedAutoTag   `json:"autoTags,omitempty"`
	States             []DocumentState   `json:"states,omitempty"`
	HasReactions       *bool             `json:"hasReactions,omitempty"`
	Visibility         *Visibility       `json:"visibility,omitempty"`
}

// SavedAutoTag is an auto-tag that the documents of a saved search have; nil is any value.
type SavedAutoTag struct {
	AutoTagID string  `json:"autoTagId"`
	Value     *string `json:"value,omitempty"`
}

// SearchHit is a document that a saved search found.
type SearchHit struct {
	bun.BaseModel `bun:"table:search_hit,alias:hit"`

	SearchID   string `bun:"search_id,pk"`
	DocumentID string `bun:"document_id,pk"`
	Position   int64  `bun:"position"` // of its event; 0 if it was found when the search was saved
}

// SearchSeen is how far a member or a key has seen the hits of a saved search.
type SearchSeen struct {
	bun.BaseModel `bun:"table:search_seen,alias:seen"`

	SearchID string    `bun:"search_id,pk"`
	ViewerID string    `bun:"viewer_id,pk"` // of a user or a key
	Position int64     `bun:"position"`     // of the newest hit that was seen
	SeenAt   time.Time `bun:"seen_at"`
}

// SavedSearchConnection is one page of saved searches.
type SavedSearchConnection = Connection[SavedSearch]

// SavedSearchEdge is a saved search and its cursor.
type SavedSearchEdge = Edge[SavedSearch]
