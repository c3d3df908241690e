package model

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// ContentFilter is the tag type of manual comms filters; no other auto-tag has it.
const ContentFilter = "content_filter"

// AutoTag is a classification with one value per document. A manual comms filter is an AutoTag too.
type AutoTag struct {
	bun.BaseModel `bun:"table:auto_tag"`

	ID            string    `bun:"id,pk"`
	WorkspaceID   string    `bun:"workspace_id"`
	Name          string    `bun:"name"`
	NameKey       string    `bun:"name_key"` // normalized name, unique; internal
	Manual        bool      `bun:"manual"`   // a comms filter that people make by examples
	TagType       string    `bun:"tag_type"`
	Description   string    `bun:"description"`
	AllowedValues []string  `bun:"allowed_values,type:jsonb"` // empty: any
	MinConfidence float64   `bun:"min_confidence"`            // a value with a lower confidence is queued for review
	Enabled       bool      `bun:"enabled"`                   // whether ingestion applies it automatically
	Revision      int       `bun:"revision"`                  // grows with every change that can change its values
	CreatedAt     time.Time `bun:"created_at"`
	UpdatedAt     time.Time `bun:"updated_at"`
}

// IsNode marks the type as a Node.
func (*AutoTag) IsNode() {}

// AutoTagSource is where the value of an auto-tag in a document comes from.
type AutoTagSource string

// The values of AutoTagSource.
const (
	AutoTagSourceModel      AutoTagSource = "model"      // found by an engine
	AutoTagSourcePerson     AutoTagSource = "person"     // accepted by a person
	AutoTagSourceCorrection AutoTagSource = "correction" // corrected by a person
	AutoTagSourceExclusion  AutoTagSource = "exclusion"  // a person excluded the document
)

// AutoTagExampleSource is where an example of an auto-tag comes from.
type AutoTagExampleSource string

// The values of AutoTagExampleSource.
const (
	AutoTagExampleSourceGiven      AutoTagExampleSource = "given"      // part of the definition
	AutoTagExampleSourceCorrection AutoTagExampleSource = "correction" // a value that a person corrected
	AutoTagExampleSourceExclusion  AutoTagExampleSource = "exclusion"  // a document that a person excluded
)

// AutoTagExample is a piece of text and the value that an auto-tag should find in it.
type AutoTagExample struct {
	bun.BaseModel `bun:"table:auto_tag_example"`

	ID          string               `bun:"id,pk"`
	WorkspaceID string               `bun:"workspace_id"`
	AutoTagID   string               `bun:"auto_tag_id"`
	DocumentID  *string              `bun:"document_id"`
	Value       string               `bun:"value"`
	Snippet     string               `bun:"snippet"`
	Source      AutoTagExampleSource `bun:"source"`
	AddedBy     *string              `bun:"added_by"`
	AddedAt     time.Time            `bun:"added_at"`
}

// AppliedAutoTag is the value of an auto-tag in a document, with its provenance.
type AppliedAutoTag struct {
	bun.BaseModel `bun:"table:document_auto_tag,alias:applied"`

	ID              string        `bun:"id,pk"`
	WorkspaceID     string        `bun:"workspace_id"`
	DocumentID      string        `bun:"document_id"`
	AutoTagID       string        `bun:"auto_tag_id"`
	Name            string        `bun:"name"`
	TagType         *string       `bun:"tag_type"`
	Description     string        `bun:"description,scanonly"` // name of the auto-tag
	ExtractedValue  string        `bun:"extracted_value"`
	ValueKey        string        `bun:"value_key"`        // normalized value; internal
	ConfidenceScore *float64      `bun:"confidence_score"` // 0 to 1
	CreatedAt       *time.Time    `bun:"applied_at"`
	Source          AutoTagSource `bun:"source"`
	Model           *string       `bun:"model"` // nil for a person
	Quote           *string       `bun:"quote"`
	Start           *int          `bun:"span_start"` // code points
	End             *int          `bun:"span_end"`
	ExampleID       *string       `bun:"example_id"` // the nearest example of the auto-tag at that time
	Similarity      *float64      `bun:"similarity"` // similarity to the example, 0 to 1
}

// IsNode marks the type as a Node.
func (*AppliedAutoTag) IsNode() {}

// AutoTagReview is a value with low confidence that awaits a person's decision, or a rejected
// value.
type AutoTagReview struct {
	bun.BaseModel `bun:"table:auto_tag_review,alias:review"`

	ID              string    `bun:"id,pk"`
	WorkspaceID     string    `bun:"workspace_id"`
	DocumentID      string    `bun:"document_id"`
	AutoTagID       string    `bun:"auto_tag_id"`
	State           string    `bun:"state"`
	ExtractedValue  string    `bun:"extracted_value"`
	ConfidenceScore *float64  `bun:"confidence_score"`
	Model           *string   `bun:"model"`
	Quote           *string   `bun:"quote"`
	Start           *int      `bun:"span_start"`
	End             *int      `bun:"span_end"`
	ExampleID       *string   `bun:"example_id"`
	Similarity      *float64  `bun:"similarity"`
	CreatedAt       time.Time `bun:"created_at"`
	Name            string    `bun:"name,scanonly"`           // name of the auto-tag
	TagType         string    `bun:"tag_type,scanonly"`       // name of the auto-tag
	DocumentTitle   string    `bun:"document_title,scanonly"` // the document's
}

// IsNode marks the type as a Node.
func (*AutoTagReview) IsNode() {}

// The states of a review. Accepting or correcting a value deletes its review.
const (
	ReviewPending  = "pending"
	ReviewRejected = "rejected"
)

// CommsFilter makes an auto-tag hide documents from the list of communications.
type CommsFilter struct {
	bun.BaseModel `bun:"table:comms_filter"`

	AutoTagID   string    `bun:"auto_tag_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Enabled     bool      `bun:"enabled"`
	Values      []string  `bun:"only_values,type:jsonb"` // empty: every value hides
	CreatedAt   time.Time `bun:"created_at"`
}

// CommsFilterTag is a comms filter with the fields of its auto-tag.
type CommsFilterTag struct {
	ID          string    `bun:"id"`
	WorkspaceID string    `bun:"workspace_id"`
	AutoTagID   string    `bun:"auto_tag_id"`
	Name        string    `bun:"name"`
	Description string    `bun:"description"`
	TagType     string    `bun:"tag_type"`
	Enabled     bool      `bun:"enabled"`
	Values      []string  `bun:"only_values,type:jsonb"` // empty: every value hides
	HiddenCount int       `bun:"hidden_count"`
	CreatedAt   time.Time `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*CommsFilterTag) IsNode() {}

// FilterID returns the id of the comms filter of an auto-tag.
func FilterID(autoTagID string) string {
	return FilterPrefix + strings.TrimPrefix(autoTagID, AutoTagPrefix)
}

// CommsFilterExample is a document that was excluded with a comms filter.
type CommsFilterExample struct {
	ID         string    `bun:"id"`
	DocumentID string    `bun:"document_id"`
	Title      string    `bun:"title"`
	Snippet    string    `bun:"snippet"`
	AddedAt    time.Time `bun:"added_at"`
	AddedBy    *string   `bun:"added_by"`
}

// FilterTagValue is a value of an auto-tag with the number of documents that have it.
type FilterTagValue struct {
	ID            string `bun:"id"` // the normalized value
	Value         string `bun:"value"`
	DocumentCount int    `bun:"document_count"`
	NegativeCount int    `bun:"negative_count"` // orders values by frequency, and equally frequent ones by ID
}

// HiddenDocument records that a filter hides a document.
type HiddenDocument struct {
	bun.BaseModel `bun:"table:document_hidden"`

	DocumentID  string `bun:"document_id,pk"`
	AutoTagID   string `bun:"auto_tag_id,pk"`
	WorkspaceID string `bun:"workspace_id"`
}

// AutoTagConnection is one page of auto-tags.
type AutoTagConnection = Connection[AutoTag]

// AutoTagEdge is an auto-tag and its cursor.
type AutoTagEdge = Edge[AutoTag]

// AutoTagReviewConnection is one page of values that await review.
type AutoTagReviewConnection = Connection[AutoTagReview]

// AutoTagReviewEdge is a review and its cursor.
type AutoTagReviewEdge = Edge[AutoTagReview]

// CommunicationConnection is one page of the workspace's communications.
type CommunicationConnection struct {
	*Connection[Document]
	ShowFiltered bool
	Hidden       func(context.Context) (int, error) // how many documents filters hide
}

// HiddenCount returns the number of documents that comms filters hide, on this page or not.
func (c *CommunicationConnection) HiddenCount(ctx context.Context) (int, error) { return c.Hidden(ctx) }

// AppliedAutoTagConnection is one page of values that auto-tags found.
type AppliedAutoTagConnection = Connection[AppliedAutoTag]

// AppliedAutoTagEdge is a value and its cursor.
type AppliedAutoTagEdge = Edge[AppliedAutoTag]

// CommsFilterTagConnection is one page of comms filters.
type CommsFilterTagConnection = Connection[CommsFilterTag]

// CommsFilterTagEdge is a comms filter and its cursor.
type CommsFilterTagEdge = Edge[CommsFilterTag]

// CommsFilterExampleConnection is one page of the examples of a comms filter.
type CommsFilterExampleConnection = Connection[CommsFilterExample]

// CommsFilterExampleEdge is an example and its cursor.
type CommsFilterExampleEdge = Edge[CommsFilterExample]

// FilterTagValueConnection is one page of the values of an auto-tag.
type FilterTagValueConnection = Connection[FilterTagValue]

// FilterTagValueEdge is a value and its cursor.
type FilterTagValueEdge = Edge[FilterTagValue]
