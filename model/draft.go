package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Draft is an unpublished text with its brief.
type Draft struct {
	bun.BaseModel `bun:"table:draft"`

	ID             string         `bun:"id,pk"`
	WorkspaceID    string         `bun:"workspace_id"`
	Title          string         `bun:"title"`
	Content        *string        `bun:"content"`
	ContentType    string         `bun:"content_type"`    // open set: text, markdown, html, …
	Excerpt        string         `bun:"excerpt"`         // first words of the text without markup
	WordCount      int            `bun:"word_count"`      // words of the text without markup
	CharacterCount int            `bun:"character_count"` // code points of the text without markup
	Knowledgebase  string         `bun:"knowledgebase"`
	ProjectID      *string        `bun:"project_id"`
	SourceURL      *string        `bun:"source_url"`
	Metadata       *DraftMetadata `bun:"metadata,type:jsonb"`
	Visibility     Visibility     `bun:"visibility"`      // as set; an embargo may have passed
	EmbargoedUntil *time.Time     `bun:"embargoed_until"` // set with VisibilityEmbargoed only
	Version        string         `bun:"version"`         // changes with every save
	AuthorID       *string        `bun:"author_id"`       // the user that first saved it; nil for a key
	CreatedAt      time.Time      `bun:"created_at"`
	UpdatedAt      time.Time      `bun:"updated_at"`
	State          DraftState     `bun:"state"`
	AssigneeID     *string        `bun:"assignee_id"` // the user who is to act next
	DueAt          *time.Time     `bun:"due_at"`      // when the review is due
	// CurrentVersionID is the version with the draft's text; nil for a draft that a gateway of an
	// earlier revision has saved.
	CurrentVersionID *string `bun:"current_version_id"`
	// LinkID is the link of the draft's hosted page, which may have been deleted.
	LinkID             *string `bun:"link_id"`
	PublishedVersionID *string `bun:"published_version_id"` // what the page shows; nil while none is published
}

// IsNode marks the type as a Node.
func (*Draft) IsNode() {}

// DraftMetadata is a draft's brief: its purpose, audience and sources.
type DraftMetadata struct {
	AudiencePersonaIDs    []string          `json:"audience_persona_ids"`
	ContentTypeValue      *string           `json:"content_type_value"`
	Prompt                string            `json:"prompt"`
	PullThroughPriorities []*DraftPriority  `json:"pull_through_priorities"`
	SourceDocumentID      *string           `json:"source_document_id"`
	MoreSourceDocumentIDs []string          `json:"more_source_document_ids"`
	SourceMode            *string           `json:"source_mode"`
	TestHistory           []json.RawMessage `json:"test_history"`
	Themes                []string          `json:"themes"`
	TonePersonaID         *string           `json:"tone_persona_id"`
	VoiceProfileID        *string           `json:"voice_profile_id"`
}

// SourceIDs returns the documents that the draft was made from; m may be nil.
func (m *DraftMetadata) SourceIDs() []string {
	if m == nil {
		return nil
	}
	return append(present(m.SourceDocumentID), m.MoreSourceDocumentIDs...)
}

// DraftPriority is a point that a draft must, should or may make.
type DraftPriority struct {
	Key    string `json:"id"` // stays when the draft is saved with it
	Text   string `json:"text"`
	Level  string `json:"level"` // open set: must, should, nice
	FromKb bool   `json:"from_kb"`
	// DraftID is the draft of the point, for edges; it is not stored.
	DraftID string `json:"-"`
}

// DraftConnection is one page of drafts.
type DraftConnection struct {
	*Connection[Draft]
	Knowledgebase string // as requested, else the default one
}

// DraftEdge is a draft and its cursor.
type DraftEdge = Edge[Draft]
