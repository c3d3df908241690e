package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Document is one communication of a workspace: a page, a PDF, an image's or a recording's text, or pasted text.
type Document struct {
	bun.BaseModel `bun:"table:document"`

	ID                       string            `bun:"id,pk"`
	WorkspaceID              string            `bun:"workspace_id"`
	Title                    string            `bun:"title"`
	Content                  *string           `bun:"content"`
	ContentType              *string           `bun:"content_type"` // open set: text, webpage, pdf, …
	CommunicationType        *string           `bun:"communication_type"`
	Company                  *string           `bun:"company"`
	Executive                *string           `bun:"executive"`
	Author                   *string           `bun:"author"`
	Language                 *string           `bun:"language"` // BCP-47
	MediaProvenance          *MediaProvenance  `bun:"media_provenance"`
	ProcessingStatus         *ProcessingStatus `bun:"processing_status"` // nil when done
	ProcessingError          *ProcessingError  `bun:"processing_error,type:jsonb"`
	SourceURL                *string           `bun:"source_url"`    // as the client gave it
	URL                      *string           `bun:"url"`           // where the text was found, after redirects
	CanonicalURL             *string           `bun:"canonical_url"` // what duplicates are found by; not shown
	ScrapeJobID              *string           `bun:"scrape_job_id"`
	WordCount                *int              `bun:"word_count"`
	CharacterCount           *int              `bun:"character_count"` // Unicode code points
	IsNarrativeTestingUpload *bool             `bun:"is_narrative_testing_upload"`
	Tags                     []string          `bun:"tags,type:jsonb"`
	CreatedAt                time.Time         `bun:"created_at"`
	UpdatedAt                time.Time         `bun:"updated_at"`
	ExtractedAt              *time.Time        `bun:"extracted_at"`   // when the text was taken from the source
	ExtractedDate            *time.Time        `bun:"extracted_date"` // when the content was published
}

// IsNode marks the type for node(id:).
func (*Document) IsNode() {}

// TagGenerated is the label of documents that personas wrote.
const TagGenerated = "generated"

// TagsJSON is the labels as a JSON-encoded list.
func (d *Document) TagsJSON() (string, error) {
	text, err := json.Marshal(d.Tags)
	return string(text), err
}

// ProcessingError says why a document failed and whether trying again can help.
type ProcessingError struct {
	Code      ProcessingErrorCode `json:"code"`
	Message   string              `json:"message"`
	Retryable bool                `json:"retryable"`
}

// DocumentAutoTag is a value that an auto-tag found in a document.
type DocumentAutoTag struct {
	bun.BaseModel `bun:"table:document_auto_tag"`

	ID              string     `bun:"id,pk"`
	WorkspaceID     string     `bun:"workspace_id"`
	DocumentID      string     `bun:"document_id"`
	AutoTagID       string     `bun:"auto_tag_id"`
	Name            string     `bun:"name"`
	TagType         *string    `bun:"tag_type"`
	ExtractedValue  string     `bun:"extracted_value"`
	ConfidenceScore *float64   `bun:"confidence_score"` // 0 to 1
	AppliedAt       *time.Time `bun:"applied_at"`
}
