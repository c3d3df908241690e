package model

import "time"

// JobParameters is the input of a job.
type JobParameters interface{ IsJobParameters() }

// IngestParameters is the address or the file of a document.
type IngestParameters struct {
	DocumentID  string  `json:"document_id"`
	Filename    *string `json:"filename,omitempty"`
	SourceURL   *string `json:"source_url,omitempty"`
	AudioURL    *string `json:"audio_url,omitempty"`
	ContentType *string `json:"content_type,omitempty"`
	Supplied    bool    `json:"supplied,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*IngestParameters) IsJobParameters() {}

// BackloadParameters is the addresses of many documents.
type BackloadParameters struct {
	SourceURLs      []string         `json:"source_urls,omitempty"`
	FeedURL         *string          `json:"feed_url,omitempty"`
	Since           *time.Time       `json:"since,omitempty"`
	MediaProvenance *MediaProvenance `json:"media_provenance,omitempty"`
	Visibility      *Visibility      `json:"visibility,omitempty"`
	EmbargoedUntil  *time.Time       `json:"embargoed_until,omitempty"`
	DryRun          bool             `json:"dry_run,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*BackloadParameters) IsJobParameters() {}

// ApplyAutoTagsParameters is the auto-tags to apply to a document.
type ApplyAutoTagsParameters struct {
	DocumentID string   `json:"document_id"`
	AutoTagIDs []string `json:"auto_tag_ids"`
}

// IsJobParameters marks the type as a member of the union.
func (*ApplyAutoTagsParameters) IsJobParameters() {}

// BackfillFilterParameters is the comms filter to apply to earlier documents.
type BackfillFilterParameters struct {
	AutoTagID     string `json:"tag_id"`
	DryRun        bool   `json:"dry_run"`
	DocumentCount int    `json:"documents"`
}

// IsJobParameters marks the type as a member of the union.
func (*BackfillFilterParameters) IsJobParameters() {}

// SignalParameters is the document to find signals in.
type SignalParameters struct {
	DocumentID string `json:"document_id"`
}

// IsJobParameters marks the type as a member of the union.
func (*SignalParameters) IsJobParameters() {}

// ComparisonParameters is the executives or companies to compare.
type ComparisonParameters struct {
	ComparisonType ComparisonType `json:"comparison_type"`
	Themes         []string       `json:"themes"`
	Subjects       []string       `json:"subjects"`
	PersonaIDs     []string       `json:"personas,omitempty"`
	FocusQuestion  *string        `json:"focus_question,omitempty"`
	OwnCompany     *string        `json:"own_company,omitempty"`
	StrategicMap   bool           `json:"strategic_map,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*ComparisonParameters) IsJobParameters() {}

// ContentParameters is the brief of a text.
type ContentParameters struct {
	ContentType  string       `json:"content_type"`
	CurrentDraft *string      `json:"current_draft,omitempty"`
	Prompt       *string      `json:"prompt,omitempty"`
	Audiences    []string     `json:"audiences,omitempty"`
	Themes       []string     `json:"themes,omitempty"`
	SourceTitle  *string      `json:"source_title,omitempty"`
	Points       []BriefPoint `json:"points,omitempty"`
	Model        *string      `json:"model,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*ContentParameters) IsJobParameters() {}

// InteractionParameters is a question to a persona.
type InteractionParameters struct {
	PersonaID        string  `json:"persona_id"`
	InputContent     string  `json:"input_content"`
	InteractionID    string  `json:"interaction_id"`
	DocumentID       *string `json:"document_id,omitempty"`
	SessionID        *string `json:"session_id,omitempty"`
	ResponseLanguage *string `json:"response_language,omitempty"`
	Model            *string `json:"model,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*InteractionParameters) IsJobParameters() {}

// PersonaDraftParameters is the description of a persona to write.
type PersonaDraftParameters struct {
	Name                     string   `json:"name"`
	Category                 *string  `json:"category,omitempty"`
	Description              *string  `json:"description,omitempty"`
	Tone                     *string  `json:"tone,omitempty"`
	PersonaID                *string  `json:"persona_id,omitempty"`
	Model                    *string  `json:"model,omitempty"`
	WritingSampleDocumentIDs []string `json:"writing_sample_document_ids,omitempty"`
	DocumentIDs              []string `json:"document_ids,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*PersonaDraftParameters) IsJobParameters() {}

// PersonaContentParameters is what a persona is to write.
type PersonaContentParameters struct {
	PersonaID            string         `json:"persona_id"`
	Topic                string         `json:"topic"`
	ContentType          *string        `json:"content_type,omitempty"`
	Length               *ContentLength `json:"length,omitempty"`
	ReferenceDocumentIDs []string       `json:"reference_document_ids,omitempty"`
	DocumentID           string         `json:"document_id"`
}

// IsJobParameters marks the type as a member of the union.
func (*PersonaContentParameters) IsJobParameters() {}

// PersonaHealthParameters is the persona to measure.
type PersonaHealthParameters struct {
	PersonaID string `json:"persona_id"`
}

// IsJobParameters marks the type as a member of the union.
func (*PersonaHealthParameters) IsJobParameters() {}

// ReactionParameters is the text and the personas that react to it.
type ReactionParameters struct {
	DocumentID *string      `json:"document_id,omitempty"`
	DraftID    *string      `json:"draft_id,omitempty"`
	PersonaIDs []string     `json:"persona_ids"`
	Points     []BriefPoint `json:"pull_through_priorities,omitempty"`
}

// IsJobParameters marks the type as a member of the union.
func (*ReactionParameters) IsJobParameters() {}

// AudienceSummaryParameters is the audience to sum up.
type AudienceSummaryParameters struct {
	Category string           `json:"category"`
	Filters  *AudienceFilters `json:"filters"`
	Fresh    bool             `json:"fresh"`
}

// IsJobParameters marks the type as a member of the union.
func (*AudienceSummaryParameters) IsJobParameters() {}

// UnknownJobParameters is parameters that this version does not know.
type UnknownJobParameters struct {
	Text string `json:"-"`
}

// IsJobParameters marks the type as a member of the union.
func (*UnknownJobParameters) IsJobParameters() {}
