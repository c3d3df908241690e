package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Insight is a stored comparison, keyed by its request.
type Insight struct {
	bun.BaseModel `bun:"table:insight"`

	ID          string             `bun:"id,pk"`
	WorkspaceID string             `bun:"workspace_id"`
	RequestKey  string             `bun:"request_key"`        // digest of the request
	Sources     map[string]string  `bun:"sources,type:jsonb"` // version of each cited document
	Answer      *InsightComparison `bun:"answer,type:jsonb"`
	CreatedAt   time.Time          `bun:"created_at"`

	IsStored bool `bun:"-"` // set for a comparison that was just made or found again
}

// StoredID returns the id of a stored comparison, or nil if it was not stored.
func (i *Insight) StoredID() *string {
	if !i.IsStored {
		return nil
	}
	return &i.ID
}

// IsNode marks the type as a Node.
func (*Insight) IsNode() {}

// ComparisonConnection is one page of stored comparisons.
type ComparisonConnection = Connection[Insight]

// ComparisonEdge is a stored comparison and its cursor.
type ComparisonEdge = Edge[Insight]

// CompareInsightsPayload is a comparison and the id that it is stored under.
type CompareInsightsPayload struct {
	Comparison *InsightComparison
	StoredID   *string // nil if it was not stored
}

// InsightParty links a comparison to a compared company or executive.
type InsightParty struct {
	bun.BaseModel `bun:"table:insight_party"`

	InsightID string `bun:"insight_id,pk"`
	PartyID   string `bun:"party_id,pk"`
}

// InsightSource links a comparison to a cited document. Deleting the document deletes the
// comparison.
type InsightSource struct {
	bun.BaseModel `bun:"table:insight_source"`

	InsightID  string `bun:"insight_id,pk"`
	DocumentID string `bun:"document_id,pk"`
}

// InsightComparison is a comparison: a response of the graph and a job's result.
type InsightComparison struct {
	Theme             string                     `json:"theme"`
	Themes            []string                   `json:"themes"`
	Executives        []string                   `json:"executives"`
	Companies         []string                   `json:"companies"`
	AiAnalysis        *InsightAnalysis           `json:"ai_analysis"`
	ByExecutive       map[string]*InsightSummary `json:"executive_summaries"`
	ByCompany         map[string]*InsightSummary `json:"company_summaries"`
	AudienceResonance []*AudienceResonance       `json:"audience_resonance"`
	FocusQuestion     *string                    `json:"focus_question"`
	StrategicMap      *StrategicMap              `json:"strategic_map"`
	TotalSignals      int                        `json:"total_signals"`
	Model             string                     `json:"model"`
	CachedAt          *time.Time                 `json:"cached_at"`
	UnreadDocuments   int                        `json:"unread_documents"`
	// sentences of the engine that were left out, because the statements that they cite do not prove them
	DroppedSentences int `json:"dropped_sentences,omitempty"`
	// why the judge of claims failed; empty if it did not
	JudgeProblem string `json:"judge_problem,omitempty"`
}

// Warning returns the request's options that the offline engine ignored, and how many sentences were
// left out because nothing proves them; nil if there is nothing to say.
func (p *InsightComparison) Warning() *string {
	var said []string
	if p.StrategicMap != nil && strings.HasPrefix(p.Model, builtinPrefix) {
		said = append(said, "ignored without a text model: attacks and defenses of strategic_map")
	}
	if p.DroppedSentences > 0 {
		said = append(said, fmt.Sprintf(
			"sentences that the quoted statements do not prove were left out: %d", p.DroppedSentences))
	}
	if p.JudgeProblem != "" {
		said = append(said, "the judge of claims failed, so that what it was to check counts as not proved: "+p.JudgeProblem)
	}
	if len(said) == 0 {
		return nil
	}
	warning := strings.Join(said, "; ")
	return &warning
}

// builtinPrefix starts the names of the versions of the offline engine.
const builtinPrefix = "builtin-"

// ExecutiveSummaries returns executives' summaries by name; nil unless executives were compared.
func (p *InsightComparison) ExecutiveSummaries() []*InsightSummary {
	return listSummaries(p.ByExecutive)
}

// CompanySummaries returns companies' summaries by name; nil unless companies were compared.
func (p *InsightComparison) CompanySummaries() []*InsightSummary { return listSummaries(p.ByCompany) }

func listSummaries(by map[string]*InsightSummary) []*InsightSummary {
	if by == nil {
		return nil
	}
	list := []*InsightSummary{}
	for _, subject := range slices.Sorted(maps.Keys(by)) {
		summary := *by[subject]
		summary.Subject = subject
		list = append(list, &summary)
	}
	return list
}

// InsightSummary is the statements of one subject on the themes.
type InsightSummary struct {
	Subject        string              `json:"-"` // see InsightComparison.ExecutiveSummaries
	Summary        string              `json:"summary"`
	Statements     []*InsightStatement `json:"statements"`
	StatementCount int                 `json:"statement_count"`
}

// InsightStatement is a statement of a subject.
type InsightStatement struct {
	Theme     string `json:"theme"`
	Statement string `json:"statement"` // the quote in one line
	// what a text model makes of the quote; nil without one
	Paraphrase *string `json:"paraphrase,omitempty"`
	Stance     *Stance `json:"stance"` // nil without a text model
	Citation
}

// Passage returns the passage that supports the statement.
func (s *InsightStatement) Passage() *Citation { return &s.Citation }

// Citation is a passage of a document that supports a statement.
type Citation struct {
	SignalID   string  `json:"signal_id"`
	DocumentID string  `json:"document_id"`
	Executive  *string `json:"executive"`
	Company    *string `json:"company"`
	Quote      string  `json:"quote"`
	Start      *int    `json:"start"` // nil if the document's text no longer contains the quote
	End        *int    `json:"end"`
	Drifted    bool    `json:"drifted"` // the document's text has changed since the comparison
}

// InsightAnalysis is the findings of a comparison.
type InsightAnalysis struct {
	AtAGlance          []*InsightPoint `json:"at_a_glance"`
	Similarities       []*InsightPoint `json:"similarities"`
	Differences        []*InsightPoint `json:"differences"`
	ComparisonMatrix   []*InsightRow   `json:"comparison_matrix"`
	UniquePerspectives []*InsightPoint `json:"unique_perspectives"`
}

// InsightPoint is a sentence of a comparison with its citations.
type InsightPoint struct {
	Text     string      `json:"text"`
	Subjects []string    `json:"subjects"`
	Evidence []*Citation `json:"evidence"`
}

// InsightRow compares the subjects on one theme.
type InsightRow struct {
	Theme string         `json:"theme"`
	Cells []*InsightCell `json:"cells"`
}

// InsightCell is the position of one subject on a theme.
type InsightCell struct {
	Subject  string      `json:"subject"`
	Stance   *Stance     `json:"stance"` // nil without a statement or a text model
	Text     string      `json:"text"`
	Evidence []*Citation `json:"evidence"`
}

// StrategicMap lists themes to attack, to defend, and without an owner.
type StrategicMap struct {
	Own        []string        `json:"own"` // the user's own subjects
	Attack     []*InsightPoint `json:"attack"`
	Defend     []*InsightPoint `json:"defend"`
	Whitespace []*InsightPoint `json:"whitespace"`
}

// AudienceResonance is a persona's reception of the subjects' statements.
type AudienceResonance struct {
	PersonaID   string                       `json:"persona_id"`
	PersonaName string                       `json:"persona_name"`
	ScoreOf     map[string]float64           `json:"scores"` // mean rating per subject, from 1 to 5
	VerdictOf   map[string]ReactionSentiment `json:"verdicts"`
	Take        string                       `json:"take"`
	Quotes      []*ResonantQuote             `json:"quotes"`
}

// Opinions returns the opinion of each subject, by name.
func (r *AudienceResonance) Opinions() []*SubjectOpinion {
	list := []*SubjectOpinion{}
	for _, subject := range slices.Sorted(maps.Keys(r.ScoreOf)) {
		list = append(list, &SubjectOpinion{subject, r.ScoreOf[subject], r.VerdictOf[subject]})
	}
	return list
}

// SubjectOpinion is a persona's opinion of a subject.
type SubjectOpinion struct {
	Subject string
	Score   float64 // from 1 to 5
	Verdict ReactionSentiment
}

// ResonantQuote is a passage with words of a persona's interest or concern.
type ResonantQuote struct {
	Subject string `json:"subject"`
	About   string `json:"about"`  // the persona's interest or concern
	OnYou   bool   `json:"on_you"` // the passage is about the user's own company
	Citation
}

// Pleases returns nil, because words do not show whether a passage pleases. A deprecated field has
// it.
func (*ResonantQuote) Pleases() *bool { return nil }

// ConcernPassage is a sentence with words of an interest or concern of a persona.
type ConcernPassage struct {
	About      string
	Text       string
	Start, End int // offset in the text, in code points
}

// PersonaPassages are the passages of several texts on a persona's interests and concerns, in the
// order of the texts.
type PersonaPassages struct {
	PersonaID, Name string
	Passages        [][]ConcernPassage
}

// DocumentRating is the rating of a persona's reaction to a document, by people or else by a text
// model.
type DocumentRating struct {
	PersonaID  string
	DocumentID string
	Rating     float64
}
