package model

import (
	"time"

	"github.com/uptrace/bun"
)

// PersonaInteraction is a question to a persona and its reply.
type PersonaInteraction struct {
	bun.BaseModel `bun:"table:persona_interaction"`

	ID                string          `bun:"id,pk"`
	WorkspaceID       string          `bun:"workspace_id"`
	PersonaID         string          `bun:"persona_id"`
	SessionID         *string         `bun:"session_id"` // nil outside a conversation
	InteractionType   InteractionType `bun:"interaction_type"`
	InteractionName   *string         `bun:"interaction_name"`
	InputContent      string          `bun:"input_content"`
	OutputContent     string          `bun:"output_content"`
	DocumentID        *string         `bun:"document_id"`
	SourceDocumentIDs []string        `bun:"source_document_ids,type:jsonb"` // documents that the reply drew on
	ResponseLanguage  string          `bun:"response_language"`
	Model             string          `bun:"model"`
	Truncated         bool            `bun:"truncated"`
	JobID             *string         `bun:"job_id"` // the job that asked
	CreatedBy         string          `bun:"created_by"`
	CreatedAt         time.Time       `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*PersonaInteraction) IsNode() {}

// PersonaInteractionConnection is one page of interactions.
type PersonaInteractionConnection = Connection[PersonaInteraction]

// PersonaInteractionEdge is an interaction and its cursor.
type PersonaInteractionEdge = Edge[PersonaInteraction]

// AskPersonaPayload is a persona's reply: a response of the graph and a job's result.
type AskPersonaPayload struct {
	PersonaID                     string                     `json:"persona_id"`
	OutputContent                 string                     `json:"output_content"`
	PersonaResponse               string                     `json:"persona_response"`
	Response                      string                     `json:"response"`
	InteractionID                 *string                    `json:"interaction_id"`
	Message                       string                     `json:"message"`
	PersonaIDResolvedFrom         *PersonaMatch              `json:"persona_id_resolved_from"`
	ResponseLanguage              string                     `json:"response_language"`
	TranslationTargetLanguage     *string                    `json:"translation_target_language"`
	TranslationTargetLanguageName *string                    `json:"translation_target_language_name"`
	GroundedContextSelection      *GroundedContextSelection  `json:"grounded_context_selection"`
	GroundedContextSuggestion     *GroundedContextSuggestion `json:"grounded_context_suggestion"`
	FollowUpQuestions             []string                   `json:"follow_up_questions"`
	SessionID                     *string                    `json:"session_id"`
	Model                         string                     `json:"model"`
	Truncated                     bool                       `json:"truncated"`
	Warning                       *string                    `json:"warning"`
	SourceDocumentIDs             []string                   `json:"-"` // documents that the reply drew on
}

// GroundedContextSelection is the composition of a reply's context, in tokens of about four
// characters.
type GroundedContextSelection struct {
	BudgetTokens int                    `json:"budget_tokens"`
	UsedTokens   int                    `json:"used_tokens"`
	Items        []*GroundedContextItem `json:"items"`
	Dropped      []*GroundedContextItem `json:"dropped"`
}

// GroundedContextItem is a passage of a document.
type GroundedContextItem struct {
	DocumentID string        `json:"document_id"`
	Title      string        `json:"title"`
	Start      int           `json:"start"` // offset in code points
	End        int           `json:"end"`
	Tokens     int           `json:"tokens"`
	Score      float64       `json:"score"` // 0 to 1
	Reason     PassageReason `json:"reason"`
}

// GroundedContextSuggestion is a document that would ground the answer to a question without
// sources.
type GroundedContextSuggestion struct {
	Message      string   `json:"message"`
	MissingTerms []string `json:"missing_terms"`
}

// DraftedPersona is a generated persona in the form that createPersona accepts.
type DraftedPersona struct {
	Name                     string   `json:"name"`
	Category                 string   `json:"category"`
	Description              string   `json:"description"`
	CommunicationStyle       string   `json:"communication_style"`
	Concerns                 string   `json:"concerns"`
	Interests                string   `json:"interests"`
	Tone                     string   `json:"tone"`
	Template                 string   `json:"template"`
	WritingSampleDocumentIDs []string `json:"writing_sample_document_ids"`
}

// DraftPersonaPayload is a generated persona that is not stored. The graph and a job return it.
type DraftPersonaPayload struct {
	Persona                         *DraftedPersona `json:"persona"`
	GeneratedFields                 []string        `json:"generated_fields"`
	InvalidWritingSampleDocumentIDs []string        `json:"invalid_writing_sample_document_ids"`
	WritingSampleDocumentIDs        []string        `json:"writing_sample_document_ids"`
	Success                         bool            `json:"success"`
	UsedModel                       string          `json:"used_model"`
	Warning                         *string         `json:"-"`
	WritingSamplesConsidered        int             `json:"writing_samples_considered"`
}

// GeneratePersonaContentPayload is a text in a persona's voice. The graph and a job return it.
type GeneratePersonaContentPayload struct {
	Content           string        `json:"content"`
	ContentType       *string       `json:"content_type"`
	ModelUsed         string        `json:"model_used"`
	Warning           *string       `json:"warning"`
	DocumentID        *string       `json:"document_id"`
	Truncated         bool          `json:"truncated"`
	VoiceProfileUsed  *VoiceProfile `json:"voice_profile_used"`
	SourceDocumentIDs []string      `json:"-"` // documents that it drew on
}

// VoiceProfile is a writing voice, measured in its samples.
type VoiceProfile struct {
	ID                string   `json:"id"` // id of the persona with the voice
	Name              string   `json:"name"`
	SampleDocumentIDs []string `json:"sample_document_ids"`
	WordsPerSentence  *float64 `json:"words_per_sentence"`
	Sentiment         *float64 `json:"sentiment"` // -1 to 1
}
