package model

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/uptrace/bun"
)

// Reaction is what one persona makes of one version of a text (shared/spec/operations.md, "Shapes").
type Reaction struct {
	bun.BaseModel `bun:"table:reaction"`

	ID             string             `bun:"id,pk" json:"id"`
	WorkspaceID    string             `bun:"workspace_id" json:"-"`
	PersonaID      string             `bun:"persona_id" json:"persona_id"`
	SubjectID      string             `bun:"subject_id" json:"-"` // of the document or the draft
	DocumentID     *string            `bun:"document_id" json:"document_id"`
	DraftID        *string            `bun:"draft_id" json:"draft_id,omitempty"`
	Version        string             `bun:"version" json:"version"`   // of the text: see TextVersion
	PersonaVersion string             `bun:"persona_version" json:"-"` // of what the persona was told to be
	Status         ReactionStatus     `bun:"status" json:"status"`
	Rating         *float64           `bun:"rating" json:"rating"` // 1 to 5; nil unless completed
	Sentiment      *ReactionSentiment `bun:"sentiment" json:"sentiment"`
	Text           string             `bun:"text" json:"text"`
	Themes         []string           `bun:"themes,type:jsonb" json:"themes"`
	Risks          []string           `bun:"risks,type:jsonb" json:"risks"`
	Actions        []string           `bun:"actions,type:jsonb" json:"actions"`
	Quotes         []*ReactionQuote   `bun:"quotes,type:jsonb" json:"quotes"`
	ErrorCode      *string            `bun:"error_code" json:"error_code,omitempty"`
	ErrorMessage   *string            `bun:"error_message" json:"error_message,omitempty"`
	Model          string             `bun:"model" json:"model"`
	OwedBy         *string            `bun:"owed_by" json:"-"` // the job whose reservation has not paid for it yet
	CreatedAt      time.Time          `bun:"created_at" json:"created_at"`
}

// IsNode marks the type for node(id:).
func (*Reaction) IsNode() {}

// ReactionQuote is a passage that a reaction stands on, as it stands in the text.
type ReactionQuote struct {
	Text  string `json:"text"`
	Start int    `json:"start"` // in the text, in code points
	End   int    `json:"end"`   // behind the passage
}

// ReactionConnection is one page of reactions.
type ReactionConnection struct{ *Connection[Reaction] }

// ReactionEdge is a reaction and its place in the list.
type ReactionEdge struct {
	Cursor string
	Node   *Reaction
}

// Edges pairs each reaction with its cursor.
func (c *ReactionConnection) Edges() []*ReactionEdge {
	edges := make([]*ReactionEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &ReactionEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// TextVersion tells one text from every other: it is the same for the same title and content.
func TextVersion(title, content string) string {
	sum := sha256.Sum256([]byte(title + "\x00" + content))
	return hex.EncodeToString(sum[:8])
}

// AudienceGroup is a persona category as people name and order it.
type AudienceGroup struct {
	bun.BaseModel `bun:"table:audience_group"`

	ID          string  `bun:"id,pk"`
	WorkspaceID string  `bun:"workspace_id"`
	Name        string  `bun:"name"` // the category
	DisplayName *string `bun:"display_name"`
	SortOrder   int     `bun:"sort_order"`
}

// IsNode marks the type for node(id:).
func (*AudienceGroup) IsNode() {}

// AudienceSummary is what an audience makes of the workspace's documents, as it was last worked out for one category and filter.
type AudienceSummary struct {
	bun.BaseModel `bun:"table:audience_summary"`

	ID            string           `bun:"id,pk" json:"id"`
	WorkspaceID   string           `bun:"workspace_id" json:"workspace_id"`
	Category      string           `bun:"category" json:"category"`
	FilterKey     string           `bun:"filter_key" json:"-"` // the filters in one spelling
	Filters       *AudienceFilters `bun:"filters,type:jsonb" json:"filters"`
	SummaryJSON   *AudienceReport  `bun:"summary_json,type:jsonb" json:"summary_json"`
	StatusCounts  *StatusCounts    `bun:"status_counts,type:jsonb" json:"status_counts"`
	ReactionCount int              `bun:"reaction_count" json:"reaction_count"`
	Grade         *string          `bun:"grade" json:"grade"`
	GradeScore    *float64         `bun:"grade_score" json:"grade_score"`
	GradeTrend    *GradeTrend      `bun:"grade_trend" json:"grade_trend"`
	Model         string           `bun:"model" json:"model"`
	Digest        string           `bun:"digest" json:"-"`  // of all that it was worked out from
	MadeBy        *string          `bun:"made_by" json:"-"` // the job that made it
	GeneratedAt   time.Time        `bun:"generated_at" json:"generated_at"`
	IsStale       bool             `bun:"-" json:"is_stale"`
}

// IsNode marks the type for node(id:).
func (*AudienceSummary) IsNode() {}

// AudienceFilters say which documents a summary is about; every given field holds for each of them.
type AudienceFilters struct {
	DocumentID        *string          `json:"document_id,omitempty"`
	Company           *string          `json:"company,omitempty"`
	Executive         *string          `json:"executive,omitempty"`
	CommunicationType *string          `json:"communication_type,omitempty"`
	MediaProvenance   *MediaProvenance `json:"media_provenance,omitempty"`
	Tag               *string          `json:"tag,omitempty"`
	Since             *time.Time       `json:"since,omitempty"`
	Until             *time.Time       `json:"until,omitempty"`
}

// StatusCounts are reactions by what came of them.
type StatusCounts struct {
	Positive int `json:"positive"`
	Neutral  int `json:"neutral"`
	Negative int `json:"negative"`
	Mixed    int `json:"mixed"`
	Failed   int `json:"failed"`
	Pending  int `json:"pending"` // a persona of the audience that has not reacted to the present text of a document
}

// AudienceReport is a summary's text and figures (shared/spec/workspace-api.md, "AudienceSummaryRecord").
type AudienceReport struct {
	Headline         string             `json:"headline"`
	OverallSentiment *ReactionSentiment `json:"overall_sentiment"`
	TopThemes        []*AudienceTheme   `json:"top_themes"`
	PillarReception  []*PillarReception `json:"pillar_reception"`
	TopActions       []*AudiencePoint   `json:"top_actions"`
	TopRisks         []*AudiencePoint   `json:"top_risks"`
	Context          string             `json:"context"`
	DataWindow       *DataWindow        `json:"data_window"`
}

// AudienceTheme is what reactions speak of, and how.
type AudienceTheme struct {
	Theme     string             `json:"theme"`
	Reactions int                `json:"reactions"`
	Sentiment *ReactionSentiment `json:"sentiment"`
}

// AudiencePoint is an action that reactions ask for, or a risk that they see.
type AudiencePoint struct {
	Text      string `json:"text"`
	Reactions int    `json:"reactions"`
}

// PillarReception is how the documents of one strategic pillar were taken.
type PillarReception struct {
	Pillar        string             `json:"pillar"`
	Documents     int                `json:"documents"`
	Reactions     int                `json:"reactions"`
	AverageRating float64            `json:"average_rating"`
	Sentiment     *ReactionSentiment `json:"sentiment"`
}

// DataWindow is what a summary was worked out from.
type DataWindow struct {
	From      *time.Time `json:"from"` // of the earliest document
	To        *time.Time `json:"to"`
	Documents int        `json:"documents"`
	Personas  int        `json:"personas"`
	Reactions int        `json:"reactions"`
}
