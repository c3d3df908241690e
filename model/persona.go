package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Persona is a simulated member of an audience, or an entity with a voice.
type Persona struct {
	bun.BaseModel `bun:"table:persona"`

	ID                 string `bun:"id,pk"`
	WorkspaceID        string `bun:"workspace_id"`
	Name               string `bun:"name"`
	Category           string `bun:"category"` // open set
	Description        string `bun:"description"`
	CommunicationStyle string `bun:"communication_style"`
	Concerns           string `bun:"concerns"`
	Interests          string `bun:"interests"`
	Tone               string `bun:"tone"`
	Instructions       string `bun:"instructions"`
	Template           string `bun:"template"`
	// the template is derived from the other fields; internal
	TemplateBuilt bool       `bun:"template_built"`
	AvatarPrompt  *string    `bun:"avatar_prompt"`
	AvatarSource  string     `bun:"avatar_source"`
	AvatarURL     string     `bun:"avatar_url"`
	EntityKind    EntityKind `bun:"entity_kind"` // as given, else empty
	// as given or derived from the name, else empty
	EntityKindResolved       EntityKind           `bun:"entity_kind_resolved"`
	ExternalSources          []json.RawMessage    `bun:"external_sources,type:jsonb"`
	SocialLinks              []*SocialLink        `bun:"social_links,type:jsonb"`
	GroundedStatements       []*GroundedStatement `bun:"grounded_statements,type:jsonb"`
	HealthState              *PersonaHealth       `bun:"health_state,type:jsonb"`
	WritingSampleDocumentIDs []string             `bun:"writing_sample_document_ids,type:jsonb"`
	DefaultVoiceProfileID    *string              `bun:"default_voice_profile_id"`
	SourcePersonaID          *string              `bun:"source_persona_id"`
	VoiceVisibility          VoiceVisibility      `bun:"voice_visibility"`
	ResponseLanguage         string               `bun:"response_language"` // BCP-47
	IncludeInAudience        bool                 `bun:"include_in_audience"`
	IncludeInVoiceList       bool                 `bun:"include_in_voice_list"`
	IsActive                 bool                 `bun:"is_active"`
	// it may read internal texts, as staff do; others read public ones only
	MayReadInternal bool `bun:"may_read_internal"`
	// a model wrote its fields, and no person has confirmed them
	DraftedByModel  bool       `bun:"drafted_by_model"`
	CreatedBy       string     `bun:"created_by"`
	CreatedAt       time.Time  `bun:"created_at"`
	UpdatedAt       time.Time  `bun:"updated_at"`
	LastInteraction *time.Time `bun:"last_interaction,scanonly"` // only in lists ordered by it
}

// IsNode marks the type as a Node.
func (*Persona) IsNode() {}

// EntityKindText returns the kind as given, else an empty text.
func (p *Persona) EntityKindText() string { return string(p.EntityKind) }

// EntityKindResolvedText returns the kind as given or derived, else an empty text.
func (p *Persona) EntityKindResolvedText() string { return string(p.EntityKindResolved) }

// SocialLink is a persona's profile on a platform.
type SocialLink struct {
	Platform string `json:"platform"`
	URL      string `json:"url"`
}

// GroundedStatement is a belief of a persona, with the passage of a document that supports it.
type GroundedStatement struct {
	Statement     string `json:"statement"`
	Quote         string `json:"quote"`
	DocumentID    string `json:"document_id"`
	DocumentTitle string `json:"document_title"`
	Start         int    `json:"start"` // offset of the quote in the document's text, in code points
	End           int    `json:"end"`   // offset after the quote
}

// PersonaHealth is the result of a persona's latest probes. Shares are between 0 and 1, and nil
// before the first probe.
type PersonaHealth struct {
	Status PersonaHealthStatus `json:"status"`
	// share of replies about the persona's interests or concerns
	Adherence   *float64 `json:"adherence"`
	Consistency *float64 `json:"consistency"` // similarity of two replies to the same probe
	Spread      *float64 `json:"spread"`      // difference of its best and its worst opinion of a probe
	Positivity  *float64 `json:"positivity"`  // share of replies with a positive opinion
	// share of grounded statements with a quote that its document still contains
	GroundedShare *float64            `json:"grounded_share"`
	Flags         []PersonaHealthFlag `json:"flags"`
	Probes        int                 `json:"probes"`
	MeasuredAt    *time.Time          `json:"measured_at"`
}

// PersonaFeedback is feedback on a persona's reply.
type PersonaFeedback struct {
	bun.BaseModel `bun:"table:persona_feedback"`

	ID             string          `bun:"id,pk"`
	WorkspaceID    string          `bun:"workspace_id"`
	PersonaID      string          `bun:"persona_id"`
	FeedbackType   FeedbackType    `bun:"feedback_type"`
	Description    string          `bun:"description"`
	InteractionID  *string         `bun:"interaction_id"`
	MessageContent *string         `bun:"message_content"`
	MessageID      *string         `bun:"message_id"`
	PersonaMode    *string         `bun:"persona_mode"`
	PersonaName    *string         `bun:"persona_name"`
	SessionID      *string         `bun:"session_id"`
	Metadata       json.RawMessage `bun:"metadata,type:jsonb,nullzero"`
	CreatedBy      string          `bun:"created_by"`
	CreatedAt      time.Time       `bun:"created_at"`
}

// PersonaRefinement is an instruction to a persona, derived from negative feedback.
type PersonaRefinement struct {
	bun.BaseModel `bun:"table:persona_refinement"`

	ID          string    `bun:"id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	PersonaID   string    `bun:"persona_id"`
	FeedbackID  string    `bun:"feedback_id"`
	Instruction string    `bun:"instruction"`
	CreatedAt   time.Time `bun:"created_at"`
}

// PersonaConnection is one page of personas.
type PersonaConnection struct {
	*Connection[Persona]
	Limit  *int // as requested; nil if the page was requested otherwise
	Offset *int
}

// PersonaEdge is a persona and its cursor.
type PersonaEdge = Edge[Persona]
