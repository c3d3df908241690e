package model

// JobResult is what a job made.
type JobResult interface{ IsJobResult() }

// IngestResult is the document that was read from an address.
type IngestResult struct {
	DocumentID     string  `json:"document_id"`
	Title          string  `json:"title"`
	ContentType    string  `json:"content_type"`
	WordCount      int     `json:"word_count"`
	CharacterCount int     `json:"character_count"`
	AutoTagsError  *string `json:"auto_tags_error,omitempty"`
}

// IsJobResult marks the type as a member of the union.
func (*IngestResult) IsJobResult() {}

// BackloadResult is the documents that were read from many addresses.
type BackloadResult struct {
	Total     int                `json:"total"`
	Completed int                `json:"completed"`
	Duplicate int                `json:"duplicate"`
	Failed    int                `json:"failed"`
	LeftOut   int                `json:"left_out,omitempty"`
	DryRun    bool               `json:"dry_run,omitempty"`
	Sources   []BackloadedSource `json:"documents"`
}

// IsJobResult marks the type as a member of the union.
func (*BackloadResult) IsJobResult() {}

// ApplyAutoTagsResult is the auto-tags that were applied to a document.
type ApplyAutoTagsResult struct {
	DocumentID string         `json:"document_id"`
	Values     []FoundAutoTag `json:"auto_tags"`
	Model      string         `json:"model"`
	Warning    *string        `json:"warning,omitempty"`
}

// IsJobResult marks the type as a member of the union.
func (*ApplyAutoTagsResult) IsJobResult() {}

// BackfillFilterResult is the documents that a comms filter was applied to.
type BackfillFilterResult struct {
	AutoTagID         string   `json:"tag_id"`
	DryRun            bool     `json:"dry_run"`
	CheckedCount      int      `json:"looked"`
	HiddenDocumentIDs []string `json:"hidden"`
	Model             string   `json:"model"`
}

// IsJobResult marks the type as a member of the union.
func (*BackfillFilterResult) IsJobResult() {}

// SignalResult is the signals of a document.
type SignalResult struct {
	DocumentID   string      `json:"document_id"`
	Rows         []StoredRow `json:"signals"`
	TotalSignals int         `json:"total_signals"`
}

// IsJobResult marks the type as a member of the union.
func (*SignalResult) IsJobResult() {}

// SignalIDs returns the ids of the signals.
func (r *SignalResult) SignalIDs() []string { return StoredIDs(r.Rows) }

// ComparisonResult is a comparison of executives or companies.
type ComparisonResult struct {
	InsightComparison

	StoredID *string `json:"comparison_id,omitempty"` // nil if it was not stored
}

// IsJobResult marks the type as a member of the union.
func (*ComparisonResult) IsJobResult() {}

// Comparison returns the comparison.
func (r *ComparisonResult) Comparison() *InsightComparison { return &r.InsightComparison }

// ContentResult is a generated or rewritten text.
type ContentResult struct {
	Content   string  `json:"content"`
	Model     *string `json:"model"`
	Truncated bool    `json:"truncated"`
	Warning   *string `json:"warning"`
}

// IsJobResult marks the type as a member of the union.
func (*ContentResult) IsJobResult() {}

// InteractionResult is a persona's reply.
type InteractionResult struct {
	PersonaID         string   `json:"persona_id"`
	InteractionID     *string  `json:"interaction_id"`
	Response          string   `json:"response"`
	ResponseLanguage  string   `json:"response_language"`
	FollowUpQuestions []string `json:"follow_up_questions"`
	Model             string   `json:"model"`
	Truncated         bool     `json:"truncated"`
	Warning           *string  `json:"warning"`
}

// IsJobResult marks the type as a member of the union.
func (*InteractionResult) IsJobResult() {}

// PersonaDraftResult is a persona that was written and not stored.
type PersonaDraftResult struct {
	Draft           DraftedPersona `json:"persona"`
	GeneratedFields []string       `json:"generated_fields"`
	Model           string         `json:"used_model"`
}

// IsJobResult marks the type as a member of the union.
func (*PersonaDraftResult) IsJobResult() {}

// PersonaBuildResult is a persona that was written and stored.
type PersonaBuildResult struct {
	PersonaID          string               `json:"persona_id"`
	GeneratedFields    []string             `json:"generated_fields"`
	GroundedStatements []*GroundedStatement `json:"grounded_statements"`
	DroppedStatements  int                  `json:"dropped_statements"`
	Model              string               `json:"used_model"`
}

// IsJobResult marks the type as a member of the union.
func (*PersonaBuildResult) IsJobResult() {}

// PersonaContentResult is a text in a persona's voice.
type PersonaContentResult struct {
	Content     string        `json:"content"`
	ContentType *string       `json:"content_type"`
	DocumentID  *string       `json:"document_id,omitempty"`
	Model       string        `json:"model_used"`
	Truncated   bool          `json:"truncated"`
	Warning     *string       `json:"warning"`
	Voice       *VoiceProfile `json:"voice_profile_used"`
}

// IsJobResult marks the type as a member of the union.
func (*PersonaContentResult) IsJobResult() {}

// PersonaHealthResult is the health of a persona.
type PersonaHealthResult struct {
	PersonaHealth
}

// IsJobResult marks the type as a member of the union.
func (*PersonaHealthResult) IsJobResult() {}

// Health returns the measured figures.
func (r *PersonaHealthResult) Health() *PersonaHealth { return &r.PersonaHealth }

// ReactionResult is the reactions of personas to a text.
type ReactionResult struct {
	DocumentID   *string     `json:"document_id,omitempty"`
	DraftID      *string     `json:"draft_id,omitempty"`
	PersonaCount int         `json:"personas"`
	Reacted      int         `json:"reacted"`
	Kept         int         `json:"kept"`
	Failed       int         `json:"failed"`
	Undone       int         `json:"undone"`
	Rows         []StoredRow `json:"reactions"`
}

// IsJobResult marks the type as a member of the union.
func (*ReactionResult) IsJobResult() {}

// ReactionIDs returns the ids of the reactions.
func (r *ReactionResult) ReactionIDs() []string { return StoredIDs(r.Rows) }

// NarrativeTestResult is the test of a text on personas.
type NarrativeTestResult struct {
	DocumentID    *string        `json:"document_id,omitempty"`
	DraftID       *string        `json:"draft_id,omitempty"`
	PersonaCount  int            `json:"personas"`
	Reacted       int            `json:"reacted"`
	Kept          int            `json:"kept"`
	Failed        int            `json:"failed"`
	AverageRating *float64       `json:"average_rating"`
	Verdicts      []TestVerdict  `json:"verdicts"`
	Coverage      []CoveredPoint `json:"coverage"`
}

// IsJobResult marks the type as a member of the union.
func (*NarrativeTestResult) IsJobResult() {}

// AudienceSummaryResult is the summary of an audience's reactions.
type AudienceSummaryResult struct {
	SummaryID string `json:"id"`
	Category  string `json:"category"`
}

// IsJobResult marks the type as a member of the union.
func (*AudienceSummaryResult) IsJobResult() {}

// UnknownJobResult is a result that this version does not know.
type UnknownJobResult struct {
	Text string `json:"-"`
}

// IsJobResult marks the type as a member of the union.
func (*UnknownJobResult) IsJobResult() {}

// BackloadStatus is the outcome of an address of a backload.
type BackloadStatus string

// The values of BackloadStatus.
const (
	BackloadStatusCompleted BackloadStatus = "completed"
	BackloadStatusDuplicate BackloadStatus = "duplicate"
	BackloadStatusFailed    BackloadStatus = "failed"
	BackloadStatusNew       BackloadStatus = "new"
)

// StoredRow is a row that a result quotes by its id.
type StoredRow struct {
	ID string `json:"id"`
}

// StoredIDs returns the ids of rows.
func StoredIDs(rows []StoredRow) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}

// BackloadedSource is an address of a backload.
type BackloadedSource struct {
	SourceURL  string         `json:"source_url"`
	DocumentID *string        `json:"document_id,omitempty"`
	Status     BackloadStatus `json:"status"`
	Error      *SourceError   `json:"error,omitempty"`
	Warning    *string        `json:"warning,omitempty"`
}

// SourceError is the reason why an address was not read.
type SourceError struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// FoundAutoTag is the value of an auto-tag that a job found.
type FoundAutoTag struct {
	AutoTagID       string   `json:"auto_tag_id"`
	Name            string   `json:"name"`
	ExtractedValue  string   `json:"extracted_value"`
	ConfidenceScore *float64 `json:"confidence_score"`
}

// TestVerdict is the verdict of a persona on a text.
type TestVerdict struct {
	PersonaName string           `json:"persona_name"`
	Verdict     NarrativeVerdict `json:"verdict"`
	ReactionID  string           `json:"id"`
	PersonaID   string           `json:"persona_id"`
}

// CoveredPoint is a point of a brief and the passage that makes it.
type CoveredPoint struct {
	Text     string           `json:"text"`
	Level    string           `json:"level"`
	Covered  bool             `json:"covered"`
	Verdict  *CoverageVerdict `json:"verdict"` // nil in a result that was stored without it
	Evidence string           `json:"evidence"`
	Start    *int             `json:"start"`
	End      *int             `json:"end"`
}

// BriefPoint is a point that a text should make.
type BriefPoint struct {
	Text  string `json:"text"`
	Level string `json:"level"`
}
