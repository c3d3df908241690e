package model

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// ExecutiveProfile is an executive's profile from documents and signals. It is cached.
type ExecutiveProfile struct {
	ExecutiveID        string         `json:"executive_id"`
	WorkspaceID        string         `json:"workspace_id"`
	Name               string         `json:"name"`
	CachedAt           time.Time      `json:"cached_at"` // time of the computation
	TypeCounts         map[string]int `json:"type_counts"`
	CompanyNames       []string       `json:"companies"`
	CompaniesMentioned []string       `json:"companies_mentioned"`
	DateRange          *DateRange     `json:"date_range"`
	DocumentIDs        []string       `json:"document_ids"` // the latest
	LastCommunication  time.Time      `json:"last_communication"`
	SignalIDs          []string       `json:"signal_ids"` // the latest
	ThemesMentioned    []string       `json:"themes_mentioned"`
	TotalDocuments     int            `json:"total_documents"`
	TotalSignals       int            `json:"total_signals"`
	UniqueCompanies    int            `json:"unique_companies"`
	UniqueThemes       int            `json:"unique_themes"`
}

// CommunicationTypes returns the communication types with their numbers of documents, by name.
func (e *ExecutiveProfile) CommunicationTypes() []*CommunicationTypeCount {
	counts := []*CommunicationTypeCount{}
	for _, name := range slices.Sorted(maps.Keys(e.TypeCounts)) {
		counts = append(counts, &CommunicationTypeCount{name, e.TypeCounts[name]})
	}
	return counts
}

// CommunicationTypeCount is a communication type and the number of documents that have it.
type CommunicationTypeCount struct {
	CommunicationType string
	Count             int
}

// DateRange is the time between the earliest and the latest of several documents.
type DateRange struct {
	Earliest time.Time `json:"earliest"`
	Latest   time.Time `json:"latest"`
}

// ExecutiveVoice is a persona that writes in an executive's voice.
type ExecutiveVoice struct {
	ID          string  `bun:"id"`
	WorkspaceID string  `bun:"workspace_id"`
	Executive   string  `bun:"executive"`
	PersonaID   string  `bun:"persona_id"`
	Enabled     bool    `bun:"enabled"`  // the persona can be selected as a voice
	Tuned       bool    `bun:"tuned"`    // the persona's voice was derived from writing samples
	Language    *string `bun:"language"` // of the samples, BCP-47
}

// IsNode marks the type as a Node.
func (*ExecutiveVoice) IsNode() {}

// VoiceID returns the id of the voice with a persona.
func VoiceID(personaID string) string {
	return VoicePrefix + strings.TrimPrefix(personaID, PersonaPrefix)
}

// ExecutiveName returns the executive's name.
func (v *ExecutiveVoice) ExecutiveName() string { return v.Executive }

// ExecutiveVoiceConnection is one page of voices.
type ExecutiveVoiceConnection = Connection[ExecutiveVoice]

// ExecutiveVoiceEdge is a voice and its cursor.
type ExecutiveVoiceEdge = Edge[ExecutiveVoice]

// VoiceLink links an executive to the persona with its voice.
type VoiceLink struct {
	bun.BaseModel `bun:"table:executive_voice"`

	PersonaID   string    `bun:"persona_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Executive   string    `bun:"executive"`
	Language    *string   `bun:"language"` // of the writing samples, BCP-47
	CreatedAt   time.Time `bun:"created_at"`
}

// AutoVoiceAttempt is the latest search for a workspace's chief executive. A found name stays.
type AutoVoiceAttempt struct {
	bun.BaseModel `bun:"table:executive_auto_voice"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	Executive   *string   `bun:"executive"`
	PersonaID   *string   `bun:"persona_id"`
	AttemptedAt time.Time `bun:"attempted_at"`
}

// Signal is a statement of a document on a theme, with the passage that contains it.
type Signal struct {
	bun.BaseModel `bun:"table:signal" json:"-"`

	ID          string  `bun:"id,pk" json:"id"`
	WorkspaceID string  `bun:"workspace_id" json:"-"`
	DocumentID  string  `bun:"document_id" json:"document_id"`
	Executive   *string `bun:"executive" json:"executive"`
	ExecutiveID *string `bun:"executive_id" json:"-"`
	Company     *string `bun:"company" json:"company"`
	CompanyID   *string `bun:"company_id" json:"-"`
	Attributed  bool    `bun:"attributed" json:"-"` // the company is the document's and changes with it
	// the person who says it, as the text names him or her; nil if the text names nobody
	SpeakerName *string `bun:"speaker_name" json:"-"`
	// nil without an executive, and if it was not recorded
	SpeakerProof *SpeakerProof `bun:"speaker_proof" json:"-"`
	// offset of the name that proves the executive in the document's text, in code points; nil if it is in the metadata
	SpeakerStart *int   `bun:"speaker_start" json:"-"`
	SpeakerEnd   *int   `bun:"speaker_end" json:"-"` // offset after the name
	Theme        string `bun:"theme" json:"theme"`
	Statement    string `bun:"statement" json:"statement"` // the quote in one line
	// what a text model makes of the quote; nil without one
	Paraphrase *string `bun:"paraphrase" json:"-"`
	Quote      string  `bun:"quote" json:"quote"`
	// offset of the quote in the document's text, in code points
	Start  int     `bun:"span_start" json:"start"`
	End    int     `bun:"span_end" json:"end"`         // offset after the quote
	Stance *Stance `bun:"judged_stance" json:"stance"` // nil without a text model
	// for the release before, which has no statement without a stance
	OldStance Stance    `bun:"stance" json:"-"`
	CreatedAt time.Time `bun:"created_at" json:"created_at"`
}

// IsNode marks the type as a Node.
func (*Signal) IsNode() {}

// SpeakerCertainty returns how well the text shows the speaker; nil without a speaker.
func (s *Signal) SpeakerCertainty() *SpeakerCertainty {
	switch {
	case s.Executive != nil:
		return new(SpeakerCertaintyProved)
	case s.SpeakerName != nil:
		return new(SpeakerCertaintyProbable)
	}
	return nil
}

// ExecutiveName returns the speaker's name.
func (s *Signal) ExecutiveName() *string { return s.Executive }

// CompanyName returns the name of the company that the signal is said for.
func (s *Signal) CompanyName() *string { return s.Company }

// SignalConnection is one page of signals.
type SignalConnection = Connection[Signal]

// SignalEdge is a signal and its cursor.
type SignalEdge = Edge[Signal]

// SignalExtraction is the version of a document's text that its signals were extracted from.
type SignalExtraction struct {
	bun.BaseModel `bun:"table:signal_extraction"`

	DocumentID  string    `bun:"document_id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Version     string    `bun:"version"` // a digest of the text
	Model       string    `bun:"model"`
	Omitted     int       `bun:"omitted"` // number of statements that are not among the signals
	Dropped     int       `bun:"dropped"` // number of statements of a text model that were not proved
	CreatedAt   time.Time `bun:"created_at"`
}

// ExtractSignalsPayload is the signals of a document: a response of the graph and a job's result.
type ExtractSignalsPayload struct {
	DocumentID   string    `json:"document_id"`
	Signals      []*Signal `json:"signals"`
	TotalSignals int       `json:"total_signals"`

	OmittedStatements int `json:"-"`
	// statements of a text model that their quotes do not prove
	DroppedStatements int `json:"-"`
}
