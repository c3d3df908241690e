package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Executive is what a workspace's documents and signals tell of an executive; it is worked out and kept for a while.
type Executive struct {
	WorkspaceID        string         `json:"workspace_id"`
	Name               string         `json:"name"`
	CachedAt           time.Time      `json:"cached_at"` // when it was worked out
	TypeCounts         map[string]int `json:"type_counts"`
	Companies          []string       `json:"companies"`
	CompaniesMentioned []string       `json:"companies_mentioned"`
	DateRange          *DateRange     `json:"date_range"`
	DocumentIDs        []string       `json:"document_ids"` // the latest
	LastCommunication  time.Time      `json:"last_communication"`
	Signals            []*Signal      `json:"signals"` // the latest
	ThemesMentioned    []string       `json:"themes_mentioned"`
	TotalDocuments     int            `json:"total_documents"`
	TotalSignals       int            `json:"total_signals"`
	UniqueCompanies    int            `json:"unique_companies"`
	UniqueThemes       int            `json:"unique_themes"`
}

// CommunicationTypes is how many documents there are of each kind.
func (e *Executive) CommunicationTypes() (json.RawMessage, error) { return json.Marshal(e.TypeCounts) }

// DateRange is the time between the earliest and the latest of several documents.
type DateRange struct {
	Earliest time.Time `json:"earliest"`
	Latest   time.Time `json:"latest"`
}

// ListedExecutive is an executive as a list shows it.
type ListedExecutive struct {
	ID                string    `bun:"id"` // the name, which pages are cut by
	Name              string    `bun:"name"`
	TotalDocuments    int       `bun:"total_documents"`
	LastCommunication time.Time `bun:"last_communication"`
}

// ListedExecutiveConnection is one page of executives.
type ListedExecutiveConnection struct{ *Connection[ListedExecutive] }

// ListedExecutiveEdge is an executive and its place in the list.
type ListedExecutiveEdge struct {
	Cursor string
	Node   *ListedExecutive
}

// Edges pairs each executive with its cursor.
func (c *ListedExecutiveConnection) Edges() []*ListedExecutiveEdge {
	edges := make([]*ListedExecutiveEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &ListedExecutiveEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// ExecutiveVoice is a persona that writes as an executive does.
type ExecutiveVoice struct {
	Executive string `bun:"executive"`
	PersonaID string `bun:"persona_id"`
	Enabled   bool   `bun:"enabled"` // the persona is offered as a voice to write in
	Tuned     bool   `bun:"tuned"`   // the persona has a voice of its own, from writing samples
}

// VoiceLink says which persona is an executive's voice.
type VoiceLink struct {
	bun.BaseModel `bun:"table:executive_voice"`

	PersonaID   string    `bun:"persona_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Executive   string    `bun:"executive"`
	CreatedAt   time.Time `bun:"created_at"`
}

// AutoVoiceAttempt is the last time that a workspace's chief executive was looked for. Once a name was found it stays.
type AutoVoiceAttempt struct {
	bun.BaseModel `bun:"table:executive_auto_voice"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	Executive   *string   `bun:"executive"`
	PersonaID   *string   `bun:"persona_id"`
	AttemptedAt time.Time `bun:"attempted_at"`
}

// Signal is what a document's text says on a theme, with the passage that says so.
type Signal struct {
	bun.BaseModel `bun:"table:signal" json:"-"`

	ID          string    `bun:"id,pk" json:"id"`
	WorkspaceID string    `bun:"workspace_id" json:"-"`
	DocumentID  string    `bun:"document_id" json:"document_id"`
	Executive   *string   `bun:"executive" json:"executive"`
	Company     *string   `bun:"company" json:"company"`
	Attributed  bool      `bun:"attributed" json:"-"` // who says it is who the document is attributed to, and follows that
	Theme       string    `bun:"theme" json:"theme"`
	Statement   string    `bun:"statement" json:"statement"`
	Quote       string    `bun:"quote" json:"quote"`
	Start       int       `bun:"span_start" json:"start"` // of the quote in the document's text, in code points
	End         int       `bun:"span_end" json:"end"`     // behind the quote
	Stance      Stance    `bun:"stance" json:"stance"`
	CreatedAt   time.Time `bun:"created_at" json:"created_at"`
}

// IsNode marks the type for node(id:).
func (*Signal) IsNode() {}

// SignalExtraction says of which version of a document's text the signals are kept.
type SignalExtraction struct {
	bun.BaseModel `bun:"table:signal_extraction"`

	DocumentID  string    `bun:"document_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Version     string    `bun:"version"` // a digest of the text
	Model       string    `bun:"model"`
	CreatedAt   time.Time `bun:"created_at"`
}

// WorkspaceSignalsPayload is what a document's text says, as the graph answers it and as a job keeps it.
type WorkspaceSignalsPayload struct {
	Estimate     *Estimate `json:"-"`
	DocumentID   string    `json:"document_id"`
	Signals      []*Signal `json:"signals"`
	TotalSignals int       `json:"total_signals"`
}
