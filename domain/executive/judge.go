package executive

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

var (
	//go:embed compare.tmpl
	compareWords  string
	comparePrompt = llm.MustPrompt("executive.compare", compareWords)

	//go:embed compare.json
	compareSchema json.RawMessage
)

const compareTokens = 6000

// mostPoints is how many sentences of an engine's list are looked at: who gives more does not hold the others up.
const mostPoints = 20

// answer asks the engine for a comparison and keeps what the signals support; where there are none there is nothing to ask.
func (s *Service) answer(ctx context.Context, m *material) (*model.CompareInsightsPayload, error) {
	found, by := m.read(), s.Engine.Model()
	if len(m.all) > 0 {
		task, err := m.task()
		if err != nil {
			return nil, err
		}
		var answer llm.Answer
		if found, answer, err = llm.Ask[said](ctx, s.Engine, task); err != nil {
			return nil, err
		}
		by = answer.Model
	}
	out := m.payload(found)
	out.Model = by
	return out, nil
}

// task is a comparison as an engine is asked for it.
func (m *material) task() (llm.Task, error) {
	task, err := comparePrompt.Task(m)
	task.Schema, task.MaxTokens = compareSchema, compareTokens
	task.Builtin = func(context.Context) (string, error) { return encoded(m.read()) }
	return task, err
}

// payload is a comparison as callers get it: of what was said, what the signals support.
func (m *material) payload(found said) *model.CompareInsightsPayload {
	out := &model.CompareInsightsPayload{
		Theme: m.Themes[0], FocusQuestion: model.Optional(m.Focus), TotalSignals: len(m.all),
		AiAnalysis: &model.InsightAnalysis{
			AtAGlance: m.points(found.AtAGlance, someone), Similarities: m.points(found.Similarities, several),
			Differences: m.points(found.Differences, several), UniquePerspectives: m.points(found.Unique, alone), ComparisonMatrix: m.matrix(found.Matrix),
		},
	}
	if len(m.Themes) > 1 {
		out.Themes = m.Themes
	}
	summaries := m.summaries(found.Summaries)
	if m.Kind == model.ComparisonTypeCompany {
		out.Companies, out.ByCompany = m.Subjects, summaries
	} else {
		out.Executives, out.ByExecutive = m.Subjects, summaries
	}
	if m.Map {
		out.StrategicMap = m.strategicMap(found)
	}
	return out
}

// rule says of how many subjects a sentence must speak.
type rule func(subjects int) bool

func someone(subjects int) bool { return subjects > 0 }
func several(subjects int) bool { return subjects > 1 }
func alone(subjects int) bool   { return subjects == 1 }

// points keeps the sentences that their signals support and that speak of as many subjects as they should.
func (m *material) points(all []sentence, fits rule) []*model.InsightPoint {
	out := []*model.InsightPoint{}
	for _, s := range all[:min(len(all), mostPoints)] {
		cited := m.cited(s.Signals)
		said := m.supported(s.Text, cited)
		if said == "" || !fits(len(subjectsOf(cited))) {
			continue
		}
		out = append(out, &model.InsightPoint{Text: said, Subjects: subjectsOf(cited), Evidence: citations(cited)})
	}
	return out
}

// cited finds signals by their numbers; numbers that nobody gave are left out.
func (m *material) cited(numbers []int) []*numbered {
	var out []*numbered
	for _, n := range numbers {
		if n >= 1 && n <= len(m.all) && !slices.Contains(out, m.all[n-1]) {
			out = append(out, m.all[n-1])
		}
	}
	return out
}

// supported is what is left of a text without the sentences that the cited signals do not support. No more of it is read than a statement may have.
func (m *material) supported(said string, cited []*numbered) string {
	if len(cited) == 0 {
		return ""
	}
	var evidence strings.Builder
	for _, n := range cited {
		evidence.WriteString(n.Theme + ".\n" + n.Statement + "\n" + n.Quote + "\n")
	}
	given := append(slices.Clone(m.Subjects), m.Rows...)
	given = append(given, strconv.Itoa(len(cited)), strconv.Itoa(len(subjectsOf(cited))))
	var kept []string
	for _, part := range text.Sentences(text.Truncate(oneLine(said), longestSaid)) {
		if supported(part.Text, evidence.String(), given...) && !turnedBy(part.Text, cited) {
			kept = append(kept, part.Text)
		}
	}
	return strings.Join(kept, " ")
}

// turnedBy reports a sentence that turns round what each of the signals says that it speaks of.
func turnedBy(said string, cited []*numbered) bool {
	spoken, wrong := 0, 0
	for _, n := range cited {
		if text.Overlap(said, n.Quote) >= loneOverlap {
			spoken++
			if turned(said, n.Quote) {
				wrong++
			}
		}
	}
	return spoken > 0 && wrong == spoken
}

func subjectsOf(cited []*numbered) []string {
	out := []string{}
	for _, n := range cited {
		if !slices.Contains(out, n.subject) {
			out = append(out, n.subject)
		}
	}
	return out
}

// mostCited bounds the passages that one sentence opens to.
const mostCited = 10

func citations(cited []*numbered) []*model.Citation {
	out := []*model.Citation{}
	for _, n := range cited[:min(len(cited), mostCited)] {
		out = append(out, n.citation())
	}
	return out
}

func (n *numbered) citation() *model.Citation {
	start, end := n.Start, n.End
	return &model.Citation{
		SignalID: n.ID, DocumentID: n.DocumentID, Executive: n.Executive, Company: n.Company, Quote: n.Quote, Start: &start, End: &end,
	}
}

// matrix fills a cell for each theme and subject: as it was said where that holds, else from the signals themselves.
func (m *material) matrix(all []cell) []*model.InsightRow {
	rows := []*model.InsightRow{}
	for _, theme := range m.Rows {
		row := &model.InsightRow{Theme: theme}
		for _, one := range m.subjects {
			row.Cells = append(row.Cells, m.cell(theme, one, all))
		}
		rows = append(rows, row)
	}
	return rows
}

func (m *material) cell(theme string, one *subject, all []cell) *model.InsightCell {
	for _, c := range all {
		if !strings.EqualFold(c.Theme, theme) || c.Subject != one.name {
			continue
		}
		cited := slices.DeleteFunc(m.cited(c.Signals), func(n *numbered) bool { return n.subject != one.name })
		if said := m.supported(c.Text, cited); said != "" {
			stance := c.Stance
			return &model.InsightCell{Subject: one.name, Stance: &stance, Text: said, Evidence: citations(cited)}
		}
	}
	on := one.on(theme)
	if len(on) == 0 {
		return &model.InsightCell{Subject: one.name, Evidence: []*model.Citation{}}
	}
	stance := stanceOver(on)
	return &model.InsightCell{Subject: one.name, Stance: &stance, Text: telling(on, theme).Statement, Evidence: citations(on)}
}

// summaries tells what each subject says; of what an engine said of it what its signals support, else its own leading statements.
func (m *material) summaries(all []digest) map[string]*model.InsightSummary {
	out := map[string]*model.InsightSummary{}
	for _, one := range m.subjects {
		summary := &model.InsightSummary{Statements: []*model.InsightStatement{}, StatementCount: len(one.signals)}
		for _, n := range one.signals {
			summary.Statements = append(summary.Statements, &model.InsightStatement{
				Theme: n.Theme, Statement: n.Statement, Stance: n.Stance, Citation: *n.citation(),
			})
		}
		var sentences []sentence
		for _, d := range all {
			if d.Subject == one.name {
				sentences = append(sentences, d.Sentences...)
			}
		}
		summary.Summary = m.joined(one, sentences)
		if summary.Summary == "" {
			summary.Summary = m.joined(one, one.leading(summarySentences))
		}
		out[one.name] = summary
	}
	return out
}

func (m *material) joined(one *subject, sentences []sentence) string {
	var kept []string
	for _, s := range sentences[:min(len(sentences), mostPoints)] {
		cited := slices.DeleteFunc(m.cited(s.Signals), func(n *numbered) bool { return n.subject != one.name })
		if said := m.supported(s.Text, cited); said != "" {
			kept = append(kept, said)
		}
	}
	return strings.Join(kept, " ")
}

// strategicMap keeps the points that rest on the right side; what nobody speaks of rests on nothing, and is found by the signals themselves.
func (m *material) strategicMap(found said) *model.StrategicMap {
	own := model.OrEmpty(m.ownSide())
	has := func(isOwn bool) func(*model.InsightPoint) bool {
		return func(p *model.InsightPoint) bool {
			return !slices.ContainsFunc(p.Subjects, func(name string) bool { return slices.Contains(own, name) == isOwn })
		}
	}
	out := &model.StrategicMap{
		Own: own, Attack: slices.DeleteFunc(m.points(found.Attack, someone), has(true)), Defend: slices.DeleteFunc(m.points(found.Defend, someone), has(false)),
		Whitespace: m.points(found.Whitespace, someone),
	}
	var silent said
	for _, theme := range m.Themes {
		if len(m.sides(theme)) == 0 {
			m.place(theme, &silent)
		}
	}
	for _, s := range silent.Whitespace {
		out.Whitespace = append(out.Whitespace, &model.InsightPoint{Text: s.Text, Subjects: []string{}, Evidence: []*model.Citation{}})
	}
	return out
}
