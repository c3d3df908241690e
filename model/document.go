package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Document is one communication of a workspace: a page, a PDF, the text of an image or a recording,
// or pasted text.
type Document struct {
	bun.BaseModel `bun:"table:document"`

	ID                       string             `bun:"id,pk"`
	WorkspaceID              string             `bun:"workspace_id"`
	Title                    string             `bun:"title"`
	Content                  *string            `bun:"content"`
	ContentType              *string            `bun:"content_type"` // open set: text, webpage, pdf, …
	CommunicationType        *string            `bun:"communication_type"`
	Company                  *string            `bun:"company"` // the company's name
	CompanyID                *string            `bun:"company_id"`
	Executive                *string            `bun:"executive"` // the executive's name
	ExecutiveID              *string            `bun:"executive_id"`
	Author                   *string            `bun:"author"`
	Language                 *string            `bun:"language"` // BCP-47
	MediaProvenance          *MediaProvenance   `bun:"media_provenance"`
	Visibility               Visibility         `bun:"visibility"`        // as set; an embargo may have passed
	EmbargoedUntil           *time.Time         `bun:"embargoed_until"`   // set with VisibilityEmbargoed only
	ProcessingStatus         *ProcessingStatus  `bun:"processing_status"` // nil when done
	ProcessingError          *ProcessingError   `bun:"processing_error,type:jsonb"`
	SourceID                 *string            `bun:"source_id"`     // the source that it came by; nil without one
	SourceURL                *string            `bun:"source_url"`    // URL as the client sent it
	URL                      *string            `bun:"url"`           // URL of the text after redirects
	CanonicalURL             *string            `bun:"canonical_url"` // identifies duplicates; internal
	ScrapeJobID              *string            `bun:"scrape_job_id"`
	WordCount                *int               `bun:"word_count"`
	CharacterCount           *int               `bun:"character_count"` // Unicode code points
	IsNarrativeTestingUpload *bool              `bun:"is_narrative_testing_upload"`
	Tags                     []string           `bun:"tags,type:jsonb"`
	Origins                  AttributionOrigins `bun:"origins,type:jsonb"`
	Original                 *DocumentOriginal  `bun:"original,type:jsonb"` // nil without one
	CreatedAt                time.Time          `bun:"created_at"`
	UpdatedAt                time.Time          `bun:"updated_at"`
	ExtractedAt              *time.Time         `bun:"extracted_at"`         // time of extraction
	ExtractedDate            *time.Time         `bun:"extracted_date"`       // publication date
	Version                  string             `bun:"version"`              // digest of title and content; internal
	Relevance                int                `bun:"relevance,scanonly"`   // only in lists ordered by it
	MeanRating               *int               `bun:"mean_rating,scanonly"` // thousandths; only in lists ordered by it
}

// IsNode marks the type as a Node.
func (*Document) IsNode() {}

// AttributionOrigins returns where each part of the attribution comes from.
func (d *Document) AttributionOrigins() *AttributionOrigins { return &d.Origins }

// CompanyName returns the name of the company that the document is attributed to.
func (d *Document) CompanyName() *string { return d.Company }

// ExecutiveName returns the name of the executive that the document is attributed to.
func (d *Document) ExecutiveName() *string { return d.Executive }

// TagGenerated is the label of documents that personas wrote.
const TagGenerated = "generated"

// TagsJSON returns the labels as a JSON-encoded list.
func (d *Document) TagsJSON() (string, error) {
	text, err := json.Marshal(d.Tags)
	return string(text), err
}

// SharedAttribute is what two documents have in common.
type SharedAttribute string

// The attributes by which documents are related.
const (
	SharedAttributeExecutive SharedAttribute = "executive"
	SharedAttributeCompany   SharedAttribute = "company"
	SharedAttributeAutoTag   SharedAttribute = "auto_tag"
)

// RelatedDocument is a document that has something in common with another.
type RelatedDocument struct {
	DocumentID         string
	SharedBy           []SharedAttribute
	SharedAutoTagCount int // values that both documents have
}

// NearDuplicate is a document with nearly the same text as another.
type NearDuplicate struct {
	DocumentID string
	Similarity float64 // the share of the word sequences of both texts that both have
}

// DocumentOriginal is the file or page that a document was read from, as it came.
type DocumentOriginal struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"` // as its bytes tell
	Size      int    `json:"size"`       // bytes
	Key       string `json:"key"`        // in the store of files; internal
}

// OriginalFile is an original that is about to be stored.
type OriginalFile struct {
	Name, MediaType string
	Body            []byte
}

// ProcessingError is the reason of a failed ingestion and whether a retry can succeed.
type ProcessingError struct {
	Code      ProcessingErrorCode `json:"code"`
	Message   string              `json:"message"`
	Retryable bool                `json:"retryable"`
}

// DocumentAutoTag is the value of an auto-tag in a document.
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
	AutoTag         *AutoTag   `bun:"rel:belongs-to,join:auto_tag_id=id" json:"-"` // if it was read with the value
}

// TextExcerpt is the part of a text that has most of the words of a search.
type TextExcerpt struct {
	Text       string // in one line
	Marks      []*TextMark
	TitleMarks []*TextMark
}

// TextMark is a found word in a text: a range in code points.
type TextMark struct{ Start, End int }
