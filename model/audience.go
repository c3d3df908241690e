package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Reaction is the reaction of a persona to a version of a text.
type Reaction struct {
	bun.BaseModel `bun:"table:reaction"`

	ID             string             `bun:"id,pk" json:"id"`
	WorkspaceID    string             `bun:"workspace_id" json:"-"`
	PersonaID      string             `bun:"persona_id" json:"persona_id"`
	SubjectID      string             `bun:"subject_id" json:"-"` // id of the document or draft
	DocumentID     *string            `bun:"document_id" json:"document_id"`
	DraftID        *string            `bun:"draft_id" json:"draft_id,omitempty"`
	Version        string             `bun:"version" json:"version"`   // version of the text: see TextVersion
	PersonaVersion string             `bun:"persona_version" json:"-"` // version of the persona's prompt fields
	Status         ReactionStatus     `bun:"status" json:"status"`
	Rating         *float64           `bun:"rating" json:"rating"` // 1 to 5; nil of an extract
	Sentiment      *ReactionSentiment `bun:"sentiment" json:"sentiment"`
	// as the model chose from a list; nil of an extract
	Stance *ReactionSentiment `bun:"stance" json:"-"`
	Basis  ReactionBasis      `bun:"basis" json:"-"`
	// how narrow the distribution is, 0 to 1
	Confidence *float64 `bun:"confidence" json:"-"`
	// how people took the text, 1 to 5; nil if nobody has rated that
	ObservedRating *float64 `bun:"observed_rating" json:"-"`
	// the options that the engine ignored, and why similarity did not rate it
	Warning *string `bun:"warning" json:"-"`
	Text    string  `bun:"text" json:"text"`
	// shares of the ratings 1 to 5; nil unless similarity rated it
	RatingDistribution []float64        `bun:"rating_distribution,type:jsonb,nullzero" json:"-"`
	Themes             []string         `bun:"themes,type:jsonb" json:"themes"`
	Risks              []string         `bun:"risks,type:jsonb" json:"risks"`
	Actions            []string         `bun:"actions,type:jsonb" json:"actions"`
	Quotes             []*ReactionQuote `bun:"quotes,type:jsonb" json:"quotes"`
	ErrorCode          *string          `bun:"error_code" json:"error_code,omitempty"`
	ErrorMessage       *string          `bun:"error_message" json:"error_message,omitempty"`
	Model              string           `bun:"model" json:"model"`
	SourceDocumentIDs  []string         `bun:"source_document_ids,type:jsonb" json:"-"` // documents that it drew on
	JobID              *string          `bun:"job_id" json:"-"`                         // the job that made it
	// the job with the open reservation that includes this reaction
	OwedBy    *string   `bun:"owed_by" json:"-"`
	CreatedAt time.Time `bun:"created_at" json:"created_at"`
	// if it was read with the reaction
	Persona *Persona `bun:"rel:belongs-to,join:persona_id=id" json:"-"`
}

// IsNode marks the type as a Node.
func (*Reaction) IsNode() {}

// ReactionQuote is a verbatim passage of the text that a reaction refers to.
type ReactionQuote struct {
	Text  string `json:"text"`
	Start int    `json:"start"` // offset in the text, in code points
	End   int    `json:"end"`   // offset after the passage
}

// RatingCalibration compares a persona's ratings with people's. Its figures are nil if there are
// too few.
type RatingCalibration struct {
	Ratings        int
	Bias           *float64 // mean of the persona's rating less that of people
	MeanError      *float64 // mean distance between the two
	CorrectedError *float64 // mean distance after each rating is corrected by the bias of the others
}

// ReactionConnection is one page of reactions.
type ReactionConnection = Connection[Reaction]

// ReactionEdge is a reaction and its cursor.
type ReactionEdge = Edge[Reaction]

// TextVersion returns the version of a text: a digest of its title and content.
func TextVersion(title, content string) string {
	sum := sha256.Sum256([]byte(title + "\x00" + content))
	return hex.EncodeToString(sum[:8])
}

// AudienceGroup is a persona category with its display name and position.
type AudienceGroup struct {
	bun.BaseModel `bun:"table:audience_group"`

	ID          string  `bun:"id,pk"`
	WorkspaceID string  `bun:"workspace_id"`
	Name        string  `bun:"name"` // the category
	DisplayName *string `bun:"display_name"`
	SortOrder   int     `bun:"sort_order"`
}

// IsNode marks the type as a Node.
func (*AudienceGroup) IsNode() {}

// AudienceSummary is the latest summary of an audience's reactions, per persona category and set of
// filters.
type AudienceSummary struct {
	bun.BaseModel `bun:"table:audience_summary"`

	ID            string           `bun:"id,pk" json:"id"`
	WorkspaceID   string           `bun:"workspace_id" json:"workspace_id"`
	Category      string           `bun:"category" json:"category"`
	FilterKey     string           `bun:"filter_key" json:"-"` // the filters in canonical form
	Filters       *AudienceFilters `bun:"filters,type:jsonb" json:"filters"`
	SummaryJSON   *AudienceReport  `bun:"summary_json,type:jsonb" json:"summary_json"`
	StatusCounts  *StatusCounts    `bun:"status_counts,type:jsonb" json:"status_counts"`
	ReactionCount int              `bun:"reaction_count" json:"reaction_count"`
	Grade         *Grade           `bun:"grade" json:"grade"`
	GradeScore    *float64         `bun:"grade_score" json:"grade_score"`
	GradeTrend    *GradeTrend      `bun:"grade_trend" json:"grade_trend"`
	Model         string           `bun:"model" json:"model"`
	// the documents of the summarized reactions
	SourceDocumentIDs []string `bun:"source_document_ids,type:jsonb" json:"-"`
	// digest of all inputs of the summary
	Digest string  `bun:"digest" json:"-"`
	MadeBy *string `bun:"made_by" json:"-"` // the job that made it
	// nil for a summary that was stored without it
	Evidence    *SummaryEvidence `bun:"evidence,type:jsonb" json:"-"`
	ReactionIDs []string         `bun:"-" json:"-"` // the reactions of a new summary
	GeneratedAt time.Time        `bun:"generated_at" json:"generated_at"`
	StaleSince  *time.Time       `bun:"stale_since" json:"-"` // when the feed told that it is stale
	IsStale     bool             `bun:"-" json:"is_stale"`
}

// IsNode marks the type as a Node.
func (*AudienceSummary) IsNode() {}

// FewestOpinions is the number of opinions from which on a summary has a grade.
const FewestOpinions = 5

// OpinionCount returns the number of its reactions with an opinion.
func (s *AudienceSummary) OpinionCount() int { return s.StatusCounts.Opinions() }

// UngradedReason returns why the summary has no grade; nil if it has one.
func (s *AudienceSummary) UngradedReason() *string {
	if s.Grade != nil {
		return nil
	}
	return new(fmt.Sprintf("%d of %d reactions have a rating by people or by a text model, and a grade needs %d",
		s.OpinionCount(), s.ReactionCount, FewestOpinions))
}

// Report returns the report with the reactions' ids in its entries.
func (s *AudienceSummary) Report() *AudienceReport {
	if s.Evidence == nil || s.SummaryJSON == nil {
		return s.SummaryJSON
	}
	report := *s.SummaryJSON
	report.TopThemes = make([]*AudienceTheme, len(s.SummaryJSON.TopThemes))
	for i, stored := range s.SummaryJSON.TopThemes {
		theme := *stored
		theme.ReactionIDs = listAt(s.Evidence.Themes, i)
		report.TopThemes[i] = &theme
	}
	report.TopActions = pointsWith(s.SummaryJSON.TopActions, s.Evidence.Actions)
	report.TopRisks = pointsWith(s.SummaryJSON.TopRisks, s.Evidence.Risks)
	return &report
}

// pointsWith returns the points with the ids of their reactions.
func pointsWith(stored []*AudiencePoint, ids [][]string) []*AudiencePoint {
	points := make([]*AudiencePoint, len(stored))
	for i := range stored {
		point := *stored[i]
		point.ReactionIDs = listAt(ids, i)
		points[i] = &point
	}
	return points
}

// listAt returns the list at a place; nil if there are fewer lists.
func listAt(lists [][]string, at int) []string {
	if at >= len(lists) {
		return nil
	}
	return lists[at]
}

// Quotes returns passages that the reactions of its themes quote.
func (s *AudienceSummary) Quotes() []*SummaryQuote {
	if s.Evidence == nil || s.Evidence.Quotes == nil {
		return []*SummaryQuote{}
	}
	return s.Evidence.Quotes
}

// SummaryEvidence is the reactions' ids of each entry of a report, in order, and passages that they
// quote.
type SummaryEvidence struct {
	Themes  [][]string      `json:"themes"`
	Actions [][]string      `json:"actions"`
	Risks   [][]string      `json:"risks"`
	Quotes  []*SummaryQuote `json:"quotes"`
}

// SummaryQuote is a passage of a document that a reaction quotes.
type SummaryQuote struct {
	ReactionID string `json:"reaction_id"`
	DocumentID string `json:"document_id"`
	Text       string `json:"text"`
	Start      int    `json:"start"` // offset in the document's text, in code points
	End        int    `json:"end"`   // offset after the passage
}

// SummaryReaction is a reaction that a summary was worked out from.
type SummaryReaction struct {
	bun.BaseModel `bun:"table:audience_summary_reaction"`

	SummaryID   string `bun:"summary_id,pk"`
	ReactionID  string `bun:"reaction_id,pk"`
	WorkspaceID string `bun:"workspace_id"`
}

// AudienceFilters select the documents of a summary. All given fields must match.
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

// StatusCounts is the number of reactions per status.
type StatusCounts struct {
	Positive int `json:"positive"`
	Neutral  int `json:"neutral"`
	Negative int `json:"negative"`
	Mixed    int `json:"mixed"`
	Unrated  int `json:"unrated"` // no opinion
	Failed   int `json:"failed"`
	Pending  int `json:"pending"` // pairs of persona and document without a reaction to the document's current text
}

// Opinions returns the number of reactions with an opinion.
func (c StatusCounts) Opinions() int { return c.Positive + c.Neutral + c.Negative + c.Mixed }

// AudienceReport is the text and the figures of a summary.
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

// AudienceTheme is a recurring subject of reactions with its sentiment.
type AudienceTheme struct {
	Theme         string             `json:"theme"`
	ReactionCount int                `json:"reactions"`
	Sentiment     *ReactionSentiment `json:"sentiment"`
	ReactionIDs   []string           `json:"-"` // see AudienceSummary.Report
}

// AudiencePoint is an action that reactions request, or a risk that they name.
type AudiencePoint struct {
	Text          string   `json:"text"`
	ReactionCount int      `json:"reactions"`
	ReactionIDs   []string `json:"-"` // see AudienceSummary.Report
}

// PillarReception is the reception of the documents of one strategic pillar.
type PillarReception struct {
	Pillar        string             `json:"pillar"`
	Documents     int                `json:"documents"`
	Reactions     int                `json:"reactions"`
	AverageRating *float64           `json:"average_rating"` // nil without ratings
	Sentiment     *ReactionSentiment `json:"sentiment"`
}

// DataWindow is the range of documents and reactions that a summary covers.
type DataWindow struct {
	From      *time.Time `json:"from"` // date of the earliest document
	To        *time.Time `json:"to"`
	Documents int        `json:"documents"`
	Personas  int        `json:"personas"`
	Reactions int        `json:"reactions"`
}

// AudienceGroupConnection is one page of audience groups.
type AudienceGroupConnection = Connection[AudienceGroup]

// AudienceGroupEdge is a group and its cursor.
type AudienceGroupEdge = Edge[AudienceGroup]

// AudienceSummaryConnection is one page of audience summaries.
type AudienceSummaryConnection = Connection[AudienceSummary]

// AudienceSummaryEdge is a summary and its cursor.
type AudienceSummaryEdge = Edge[AudienceSummary]
