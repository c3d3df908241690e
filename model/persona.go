package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Persona is a simulated member of an audience, or an entity with a voice.
type Persona struct {
	bun.BaseModel `bun:"table:persona"`

	ID                       string               `bun:"id,pk"`
	WorkspaceID              string               `bun:"workspace_id"`
	Name                     string               `bun:"name"`
	Category                 string               `bun:"category"` // open set
	Description              string               `bun:"description"`
	CommunicationStyle       string               `bun:"communication_style"`
	Concerns                 string               `bun:"concerns"`
	Interests                string               `bun:"interests"`
	Tone                     string               `bun:"tone"`
	Instructions             string               `bun:"instructions"`
	Template                 string               `bun:"template"`
	TemplateBuilt            bool                 `bun:"template_built"` // the template follows the other fields; not shown
	AvatarPrompt             *string              `bun:"avatar_prompt"`
	AvatarSource             string               `bun:"avatar_source"`
	AvatarURL                string               `bun:"avatar_url"`
	EntityKind               string               `bun:"entity_kind"`          // as given, else empty
	EntityKindResolved       string               `bun:"entity_kind_resolved"` // as given or told from the name, else empty
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
	CreatedBy                string               `bun:"created_by"`
	CreatedAt                time.Time            `bun:"created_at"`
	UpdatedAt                time.Time            `bun:"updated_at"`
}

// IsNode marks the type for node(id:).
func (*Persona) IsNode() {}

// SocialLink is where a persona is found on a platform.
type SocialLink struct {
	Platform string `json:"platform"`
	URL      string `json:"url"`
}

// GroundedStatement is what a persona holds, with the passage of a document that says so.
type GroundedStatement struct {
	Statement     string `json:"statement"`
	Quote         string `json:"quote"`
	DocumentID    string `json:"document_id"`
	DocumentTitle string `json:"document_title"`
	Start         int    `json:"start"` // of the quote in the document's text, in code points
	End           int    `json:"end"`   // behind the quote
}

// PersonaHealth is how a persona did in its last probes; shares lie between 0 and 1 and are nil before the first.
type PersonaHealth struct {
	Status        PersonaHealthStatus `json:"status"`
	Adherence     *float64            `json:"adherence"`      // replies that speak of what the persona cares about
	Consistency   *float64            `json:"consistency"`    // how alike two replies to one probe are
	Spread        *float64            `json:"spread"`         // between its best and its worst opinion of a probe
	Positivity    *float64            `json:"positivity"`     // replies with a positive opinion
	GroundedShare *float64            `json:"grounded_share"` // grounded statements whose quote still stands in its document
	Flags         []string            `json:"flags"`
	Probes        int                 `json:"probes"`
	MeasuredAt    *time.Time          `json:"measured_at"`
}

// PersonaFeedback is a note on how a persona answered.
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

// PersonaRefinement is an instruction that a persona follows since a negative note.
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
	Limit  *int // as asked for; nil when the page was asked for otherwise
	Offset *int
}

// PersonaEdge is a persona and its place in the list.
type PersonaEdge struct {
	Cursor string
	Node   *Persona
}

// Edges pairs each persona with its cursor.
func (c *PersonaConnection) Edges() []*PersonaEdge {
	edges := make([]*PersonaEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &PersonaEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}
