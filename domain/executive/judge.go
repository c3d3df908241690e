package executive

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/llm/text/proof"
	"rostrum/model"
	"rostrum/model/optional"
)

var (
	//go:embed compare.tmpl
	compareWords  string
	comparePrompt = llm.MustPrompt("executive.compare", compareWords)

	//go:embed compare.json
	compareSchema json.RawMessage
)

const compareTokens = 6000

// The limits of a comparison.
const (
	summarySentences = 2
	leastAnswer      = 0.5 // minimum share of a question's stems in a statement that answers it
)

// maxPoints is the number of sentences of an engine's list that are checked.
const maxPoints = 20

// requestComparison asks the engine for a comparison and returns its supported parts. Without
// signals it does not ask.
func (s *Service) requestComparison(ctx context.Context, m *comparisonInput) (*model.InsightComparison, error) {
	found, by, badRows := offline.ComparisonAnswer{}, s.Engine.Model(), 0
	if len(m.all) > 0 {
		task, err := m.newTask()
		if err != nil {
			return nil, err
		}
		var answer llm.Answer
		if found, answer, err = llm.Ask[offline.ComparisonAnswer](ctx, s.Engine, task); err != nil {
			return nil, err
		}
		by = answer.Model
	}
	out := m.toPayload(found)
	if by != offline.Model && s.Judge.Engine != nil {
		problem, err := m.judge(ctx, s.Judge)
		if err != nil {
			return nil, err
		}
		m.dropped = 0
		out = m.toPayload(found)
		out.JudgeProblem = problem
	}
	out.Model, out.DroppedSentences = by, out.DroppedSentences+badRows
	return out, nil
}

// newTask returns the engine's task for a comparison.
func (m *comparisonInput) newTask() (llm.Task, error) {
	task, err := comparePrompt.Task(m)
	task.Schema, task.MaxTokens = compareSchema, compareTokens
	task.Input = m.offlineComparison()
	return task, err
}

// offlineComparison returns the statements for the offline engine.
func (m *comparisonInput) offlineComparison() offline.Comparison {
	out := offline.Comparison{Question: m.Focus}
	for _, n := range m.all {
		out.Statements = append(out.Statements, offline.Statement{Number: n.number, Subject: n.subject,
			Text: n.Statement})
	}
	return out
}

// toPayload returns the parts of an answer that the signals support.
func (m *comparisonInput) toPayload(found offline.ComparisonAnswer) *model.InsightComparison {
	out := &model.InsightComparison{
		Theme: m.Themes[0], FocusQuestion: optional.NonEmpty(m.Focus), TotalSignals: len(m.all),
		AiAnalysis: &model.InsightAnalysis{
			AtAGlance:          m.supportedPoints(found.AtAGlance, anySubject),
			Similarities:       m.supportedPoints(found.Similarities, multipleSubjects),
			Differences:        m.supportedPoints(found.Differences, multipleSubjects),
			UniquePerspectives: m.supportedPoints(found.Unique, singleSubject),
			ComparisonMatrix:   m.fillMatrix(found.Matrix),
		},
	}
	if len(m.Themes) > 1 {
		out.Themes = m.Themes
	}
	summaries := m.summarizeSubjects(found.Summaries)
	if m.Kind == model.ComparisonTypeCompany {
		out.Companies, out.ByCompany = m.Subjects, summaries
	} else {
		out.Executives, out.ByExecutive = m.Subjects, summaries
	}
	if m.Map {
		out.StrategicMap = m.checkMap(found)
	}
	out.DroppedSentences = m.dropped
	return out
}

// subjectRule reports whether a sentence mentions the right number of subjects.
type subjectRule func(subjects int) bool

func anySubject(subjects int) bool       { return subjects > 0 }
func multipleSubjects(subjects int) bool { return subjects > 1 }
func singleSubject(subjects int) bool    { return subjects == 1 }

// supportedPoints returns the sentences that their signals support and that satisfy the rule.
func (m *comparisonInput) supportedPoints(all []offline.SupportedSentence, fits subjectRule) []*model.InsightPoint {
	out := []*model.InsightPoint{}
	for _, s := range all[:min(len(all), maxPoints)] {
		cited := m.citedSignals(s.Statements)
		said := m.keepProved(s.Text, cited)
		if said == "" || !fits(len(citedSubjects(cited))) {
			continue
		}
		out = append(out, &model.InsightPoint{Text: said, Subjects: citedSubjects(cited),
			Evidence: citePassages(cited)})
	}
	return out
}

// citedSignals returns the signals with these numbers; unknown numbers are omitted.
func (m *comparisonInput) citedSignals(numbers []int) []*numberedSignal {
	var out []*numberedSignal
	for _, n := range numbers {
		if n >= 1 && n <= len(m.all) && !slices.Contains(out, m.all[n-1]) {
			out = append(out, m.all[n-1])
		}
	}
	return out
}

// keepProved removes the sentences that the quotes of the cited signals do not prove, and counts
// them. It limits the text to the length of a statement.
func (m *comparisonInput) keepProved(said string, cited []*numberedSignal) string {
	if len(cited) == 0 {
		return ""
	}
	sources := make([]proof.Source, len(cited))
	for i, n := range cited {
		sources[i] = proof.Source{Subject: n.subject, Quote: n.Quote}
	}
	given := append(slices.Clone(m.Rows), strconv.Itoa(len(cited)), strconv.Itoa(len(citedSubjects(cited))))
	var kept []string
	for _, part := range text.Sentences(text.Truncate(singleLine(said), longestSaid)) {
		if proof.FaultOf(part.Text, sources, given...) != "" || !m.isEntailed(part.Text, sources) {
			m.dropped++
			continue
		}
		kept = append(kept, part.Text)
	}
	return strings.Join(kept, " ")
}

// claimOf returns a sentence and all that it cites, for the judge.
func claimOf(sentence string, sources []proof.Source) llm.Claim {
	var quotes strings.Builder
	for _, source := range sources {
		quotes.WriteString(source.Subject + ": “" + singleLine(source.Quote) + "”\n")
	}
	return llm.Claim{Sentence: sentence, Quote: strings.TrimSpace(quotes.String())}
}

// isEntailed reports whether the judge has not denied that the sources entail a sentence. Before the
// judge is asked it keeps the sentence for it. A sentence in the words of a source needs no judge.
func (m *comparisonInput) isEntailed(sentence string, sources []proof.Source) bool {
	if slices.ContainsFunc(sources, func(s proof.Source) bool {
		_, is := text.Locate(s.Quote, sentence)
		return is
	}) {
		return true
	}
	claim := claimOf(sentence, sources)
	if m.verdicts == nil {
		m.claims = append(m.claims, claim)
		return true
	}
	return m.verdicts[claim]
}

// judge asks the judge for all sentences that words prove. It returns what failed, or the context's
// error.
func (m *comparisonInput) judge(ctx context.Context, by llm.Judge) (problem string, err error) {
	entailed, problem, err := by.Entailed(ctx, m.claims)
	if err != nil {
		return "", err
	}
	m.verdicts = map[llm.Claim]bool{}
	for i, claim := range m.claims {
		m.verdicts[claim] = entailed[i]
	}
	return problem, nil
}

func citedSubjects(cited []*numberedSignal) []string {
	out := []string{}
	for _, n := range cited {
		if !slices.Contains(out, n.subject) {
			out = append(out, n.subject)
		}
	}
	return out
}

// maxCitations is the maximum number of citations of one sentence.
const maxCitations = 10

func citePassages(cited []*numberedSignal) []*model.Citation {
	out := []*model.Citation{}
	for _, n := range cited[:min(len(cited), maxCitations)] {
		out = append(out, n.toCitation())
	}
	return out
}

func (n *numberedSignal) toCitation() *model.Citation {
	start, end := n.Start, n.End
	return &model.Citation{
		SignalID: n.ID, DocumentID: n.DocumentID, Executive: n.Executive, Company: n.Company, Quote: n.Quote,
		Start: &start, End: &end,
	}
}

// fillMatrix returns a cell per theme and subject: the engine's if supported, else one from the
// signals.
func (m *comparisonInput) fillMatrix(all []offline.ComparisonCell) []*model.InsightRow {
	rows := []*model.InsightRow{}
	for _, theme := range m.Rows {
		row := &model.InsightRow{Theme: theme}
		for _, one := range m.subjects {
			row.Cells = append(row.Cells, m.newCell(theme, one, all))
		}
		rows = append(rows, row)
	}
	return rows
}

func (m *comparisonInput) newCell(theme string, one *comparedSubject, all []offline.ComparisonCell) *model.InsightCell {
	for _, c := range all {
		if !strings.EqualFold(c.Theme, theme) || c.Subject != one.name {
			continue
		}
		cited := slices.DeleteFunc(m.citedSignals(c.Statements),
			func(n *numberedSignal) bool { return n.subject != one.name })
		if said := m.keepProved(c.Text, cited); said != "" {
			stance := model.Stance(c.Stance)
			return &model.InsightCell{Subject: one.name, Stance: &stance, Text: said, Evidence: citePassages(cited)}
		}
	}
	on := one.signalsOn(theme)
	if len(on) == 0 {
		return &model.InsightCell{Subject: one.name, Evidence: []*model.Citation{}}
	}
	return &model.InsightCell{Subject: one.name, Stance: combinedStance(on), Text: mostRelevant(on, theme).Statement,
		Evidence: citePassages(on)}
}

// summarizeSubjects returns each subject's summary: the supported part of the engine's, else the
// leading statements.
func (m *comparisonInput) summarizeSubjects(all []offline.SubjectSummary) map[string]*model.InsightSummary {
	out := map[string]*model.InsightSummary{}
	for _, one := range m.subjects {
		summary := &model.InsightSummary{Statements: []*model.InsightStatement{}, StatementCount: len(one.signals)}
		for _, n := range one.signals {
			summary.Statements = append(summary.Statements, &model.InsightStatement{
				Theme: n.Theme, Statement: n.Statement, Paraphrase: n.Paraphrase, Stance: n.Stance,
				Citation: *n.toCitation(),
			})
		}
		var sentences []offline.SupportedSentence
		for _, d := range all {
			if d.Subject == one.name {
				sentences = append(sentences, d.Sentences...)
			}
		}
		summary.Summary = m.joinSupported(one, sentences)
		if summary.Summary == "" {
			summary.Summary = m.joinSupported(one, one.leadingSentences(summarySentences))
		}
		out[one.name] = summary
	}
	return out
}

func (m *comparisonInput) joinSupported(one *comparedSubject, sentences []offline.SupportedSentence) string {
	var kept []string
	for _, s := range sentences[:min(len(sentences), maxPoints)] {
		cited := slices.DeleteFunc(m.citedSignals(s.Statements),
			func(n *numberedSignal) bool { return n.subject != one.name })
		if said := m.keepProved(s.Text, cited); said != "" {
			kept = append(kept, said)
		}
	}
	return strings.Join(kept, " ")
}

// checkMap returns the points of the strategic map with signals of the right side. Unclaimed themes
// have no signals, so they are derived from all subjects' signals.
func (m *comparisonInput) checkMap(found offline.ComparisonAnswer) *model.StrategicMap {
	own := optional.OrEmpty(m.ownSide())
	has := func(isOwn bool) func(*model.InsightPoint) bool {
		return func(p *model.InsightPoint) bool {
			return !slices.ContainsFunc(p.Subjects,
				func(name string) bool { return slices.Contains(own, name) == isOwn })
		}
	}
	out := &model.StrategicMap{
		Own: own, Attack: slices.DeleteFunc(m.supportedPoints(found.Attack, anySubject), has(true)),
		Defend:     slices.DeleteFunc(m.supportedPoints(found.Defend, anySubject), has(false)),
		Whitespace: m.supportedPoints(found.Whitespace, anySubject),
	}
	for _, theme := range m.Themes {
		if !slices.ContainsFunc(m.subjects, func(one *comparedSubject) bool { return len(one.signalsOn(theme)) > 0 }) {
			out.Whitespace = append(out.Whitespace, &model.InsightPoint{
				Text: fmt.Sprintf("None of them speaks of %s.", theme), Subjects: []string{},
				Evidence: []*model.Citation{},
			})
		}
	}
	return out
}

// leadingSentences returns up to n statements that summarize the subject.
func (one *comparedSubject) leadingSentences(n int) []offline.SupportedSentence {
	var whole strings.Builder
	for _, signal := range one.signals {
		whole.WriteString(signal.Statement + "\n\n")
	}
	out := []offline.SupportedSentence{}
	for _, span := range text.Rank(whole.String(), n) {
		if i := slices.IndexFunc(one.signals, func(s *numberedSignal) bool {
			return strings.Contains(s.Statement, span.Text)
		}); i >= 0 {
			out = append(out, offline.SupportedSentence{Text: one.signals[i].Statement,
				Statements: []int{one.signals[i].number}})
		}
	}
	return slices.CompactFunc(out, func(a, b offline.SupportedSentence) bool { return a.Text == b.Text })
}

// mostRelevant returns the signal with exactly this theme, else the first one.
func mostRelevant(on []*numberedSignal, theme string) *numberedSignal {
	if i := slices.IndexFunc(on, func(n *numberedSignal) bool { return strings.EqualFold(n.Theme, theme) }); i >= 0 {
		return on[i]
	}
	return on[0]
}
