package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Insight is a comparison that is kept under its request.
type Insight struct {
	bun.BaseModel `bun:"table:insight"`

	ID          string                  `bun:"id,pk"`
	WorkspaceID string                  `bun:"workspace_id"`
	RequestKey  string                  `bun:"request_key"`        // a digest of what was asked for
	Sources     map[string]string       `bun:"sources,type:jsonb"` // the version of each document that it cites
	Answer      *CompareInsightsPayload `bun:"answer,type:jsonb"`
	CreatedAt   time.Time               `bun:"created_at"`
}

// InsightSource says that a comparison cites a document, with which it goes.
type InsightSource struct {
	bun.BaseModel `bun:"table:insight_source"`

	InsightID  string `bun:"insight_id,pk"`
	DocumentID string `bun:"document_id,pk"`
}

// CompareInsightsPayload is a comparison, as the graph answers it and as a job keeps it.
type CompareInsightsPayload struct {
	Estimate          *Estimate                  `json:"-"`
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
}

// ExecutiveSummaries is what each executive says; nil unless executives were compared.
func (p *CompareInsightsPayload) ExecutiveSummaries() (json.RawMessage, error) {
	return rawOf(p.ByExecutive)
}

// CompanySummaries is what each company says; nil unless companies were compared.
func (p *CompareInsightsPayload) CompanySummaries() (json.RawMessage, error) {
	return rawOf(p.ByCompany)
}

func rawOf(summaries map[string]*InsightSummary) (json.RawMessage, error) {
	if summaries == nil {
		return nil, nil
	}
	return json.Marshal(summaries)
}

// InsightSummary is what one subject says on the themes.
type InsightSummary struct {
	Summary        string              `json:"summary"`
	Statements     []*InsightStatement `json:"statements"`
	StatementCount int                 `json:"statement_count"`
}

// InsightStatement is one thing that a subject says.
type InsightStatement struct {
	Theme     string `json:"theme"`
	Statement string `json:"statement"`
	Stance    Stance `json:"stance"`
	Citation
}

// Citation is a passage of a document that something rests on.
type Citation struct {
	SignalID   string  `json:"signal_id"`
	DocumentID string  `json:"document_id"`
	Executive  *string `json:"executive"`
	Company    *string `json:"company"`
	Quote      string  `json:"quote"`
	Start      *int    `json:"start"` // nil when the document's text has it no longer
	End        *int    `json:"end"`
	Drifted    bool    `json:"drifted"` // the document's text is another one than the comparison read
}

// InsightAnalysis is what a comparison finds.
type InsightAnalysis struct {
	AtAGlance          []*InsightPoint `json:"at_a_glance"`
	Similarities       []*InsightPoint `json:"similarities"`
	Differences        []*InsightPoint `json:"differences"`
	ComparisonMatrix   []*InsightRow   `json:"comparison_matrix"`
	UniquePerspectives []*InsightPoint `json:"unique_perspectives"`
}

// InsightPoint is a sentence of a comparison and what it rests on.
type InsightPoint struct {
	Text     string      `json:"text"`
	Subjects []string    `json:"subjects"`
	Evidence []*Citation `json:"evidence"`
}

// InsightRow holds the subjects to one theme.
type InsightRow struct {
	Theme string         `json:"theme"`
	Cells []*InsightCell `json:"cells"`
}

// InsightCell is where one subject stands on a theme.
type InsightCell struct {
	Subject  string      `json:"subject"`
	Stance   *Stance     `json:"stance"` // nil when it says nothing
	Text     string      `json:"text"`
	Evidence []*Citation `json:"evidence"`
}

// StrategicMap says where to attack, what to defend, and what nobody has taken.
type StrategicMap struct {
	Own        []string        `json:"own"` // the subjects that count as the own side
	Attack     []*InsightPoint `json:"attack"`
	Defend     []*InsightPoint `json:"defend"`
	Whitespace []*InsightPoint `json:"whitespace"`
}

// AudienceResonance is how what the subjects say is received by one persona.
type AudienceResonance struct {
	PersonaID   string             `json:"persona_id"`
	PersonaName string             `json:"persona_name"`
	ScoreOf     map[string]float64 `json:"scores"` // of each subject, from 1 to 5
	VerdictOf   map[string]string  `json:"verdicts"`
	Take        string             `json:"take"`
	Quotes      []*ResonantQuote   `json:"quotes"`
}

// Scores is how much each subject pleases.
func (r *AudienceResonance) Scores() (json.RawMessage, error) { return json.Marshal(r.ScoreOf) }

// Verdicts is the opinion of each subject in a word.
func (r *AudienceResonance) Verdicts() (json.RawMessage, error) { return json.Marshal(r.VerdictOf) }

// ResonantQuote is a passage that pleases or displeases a persona.
type ResonantQuote struct {
	Subject string `json:"subject"`
	About   string `json:"about"` // what the persona minds
	Pleases bool   `json:"pleases"`
	OnYou   bool   `json:"on_you"` // it speaks of the own company
	Citation
}

// Opinion is what a persona makes of a text.
type Opinion struct {
	Score   float64 // from -1 to 1
	Verdict string
	Points  []OpinionPoint // what displeases most first
}

// OpinionPoint is a clause that touches what a persona minds.
type OpinionPoint struct {
	About      string
	Value      float64 // from -1 to 1
	Text       string
	Start, End int // in the text, in code points
}

// PersonaOpinions is what a persona makes of several texts, in their order.
type PersonaOpinions struct {
	PersonaID, Name string
	Opinions        []Opinion
}
