package executive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// supportedSentence is a sentence of a comparison with the numbers of its supporting signals.
type supportedSentence struct {
	Text    string `json:"text"`
	Signals []int  `json:"signals"`
}

// comparisonCell is the position of a subject on a theme.
type comparisonCell struct {
	Theme   string       `json:"theme"`
	Subject string       `json:"subject"`
	Stance  model.Stance `json:"stance"`
	supportedSentence
}

// subjectDigest is the summary of a subject's statements.
type subjectDigest struct {
	Subject   string              `json:"subject"`
	Sentences []supportedSentence `json:"sentences"`
}

// comparisonAnswer is an engine's comparison.
type comparisonAnswer struct {
	Summaries    []subjectDigest     `json:"summaries"`
	AtAGlance    []supportedSentence `json:"at_a_glance"`
	Similarities []supportedSentence `json:"similarities"`
	Differences  []supportedSentence `json:"differences"`
	Unique       []supportedSentence `json:"unique_perspectives"`
	Matrix       []comparisonCell    `json:"matrix"`
	Attack       []supportedSentence `json:"attack"`
	Defend       []supportedSentence `json:"defend"`
	Whitespace   []supportedSentence `json:"whitespace"`
}

// The limits of the built-in engine's comparison.
const (
	summarySentences = 2
	mostUnique       = 2 // per subject
	loneOverlap      = 0.2
	leastAnswer      = 0.5 // minimum share of a question's stems in a statement that answers it
	mostAnswers      = 3
)

// compareLexically returns the built-in engine's comparison: it counts stances per theme and quotes statements.
func (m *comparisonInput) compareLexically() comparisonAnswer {
	out := comparisonAnswer{
		Summaries: []subjectDigest{}, AtAGlance: m.answerQuestion(), Similarities: []supportedSentence{}, Differences: []supportedSentence{}, Unique: []supportedSentence{}, Matrix: []comparisonCell{},
		Attack: []supportedSentence{}, Defend: []supportedSentence{}, Whitespace: []supportedSentence{},
	}
	for _, one := range m.subjects {
		if len(one.signals) == 0 {
			continue
		}
		out.Summaries = append(out.Summaries, subjectDigest{one.name, one.leadingSentences(summarySentences)})
		out.AtAGlance = append(out.AtAGlance, one.describeActivity(m.Themes))
		out.Unique = append(out.Unique, m.uniqueSentences(one)...)
	}
	for _, theme := range m.Rows {
		alike, unlike := m.compareStances(theme)
		out.Similarities, out.Differences = append(out.Similarities, alike...), append(out.Differences, unlike...)
		for _, one := range m.subjects {
			if on := one.signalsOn(theme); len(on) > 0 {
				out.Matrix = append(out.Matrix, comparisonCell{theme, one.name, combinedStance(on), supportedSentence{mostRelevant(on, theme).Statement, numbersOf(on)}})
			}
		}
		if m.Map {
			m.placeTheme(theme, &out)
		}
	}
	return out
}

// answerQuestion returns the statements that best match the focus question.
func (m *comparisonInput) answerQuestion() []supportedSentence {
	if m.Focus == "" {
		return []supportedSentence{}
	}
	type answer struct {
		*numberedSignal
		share float64
	}
	var all []answer
	for _, n := range m.all {
		if share := n.stemShare(m.Focus); share >= leastAnswer {
			all = append(all, answer{n, share})
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(b.share, a.share) })
	out := []supportedSentence{}
	for _, a := range all[:min(len(all), mostAnswers)] {
		out = append(out, supportedSentence{a.subject + " says: " + a.Statement, []int{a.number}})
	}
	return out
}

// leadingSentences returns up to n statements that summarize the subject.
func (one *comparedSubject) leadingSentences(n int) []supportedSentence {
	var whole strings.Builder
	for _, signal := range one.signals {
		whole.WriteString(signal.Statement + "\n\n")
	}
	out := []supportedSentence{}
	for _, span := range text.Rank(whole.String(), n) {
		if i := slices.IndexFunc(one.signals, func(s *numberedSignal) bool { return strings.Contains(s.Statement, span.Text) }); i >= 0 {
			out = append(out, supportedSentence{one.signals[i].Statement, []int{one.signals[i].number}})
		}
	}
	return slices.CompactFunc(out, func(a, b supportedSentence) bool { return a.Text == b.Text })
}

// describeActivity returns a sentence with the number of the subject's statements and their stances.
func (one *comparedSubject) describeActivity(themes []string) supportedSentence {
	noun := "statements"
	if len(one.signals) == 1 {
		noun = "statement"
	}
	stance := map[model.Stance]string{
		model.StancePositive: "positive", model.StanceNegative: "negative", model.StanceMixed: "mixed", model.StanceNeutral: "neutral",
	}[combinedStance(one.signals)]
	return supportedSentence{fmt.Sprintf("%s: %d %s on %s, %s.", one.name, len(one.signals), noun, strings.Join(themes, ", "), stance), numbersOf(one.signals)}
}

// uniqueSentences returns the statements of a subject that resemble none of the other subjects'.
func (m *comparisonInput) uniqueSentences(one *comparedSubject) []supportedSentence {
	if len(m.subjects) < 2 {
		return nil
	}
	var out []supportedSentence
	for _, n := range one.signals {
		shared := slices.ContainsFunc(m.all, func(other *numberedSignal) bool {
			return other.subject != n.subject && text.Overlap(other.Statement, n.Statement) >= loneOverlap
		})
		if !shared && len(out) < mostUnique {
			out = append(out, supportedSentence{n.subject + " alone says: " + n.Statement, []int{n.number}})
		}
	}
	return out
}

// stanceGroup is the subjects with one stance on a theme, and their signals.
type stanceGroup struct {
	stance   model.Stance
	subjects []string
	signals  []int
}

// groupByStance groups the subjects with signals on a theme by their stance, in the order of the subjects.
func (m *comparisonInput) groupByStance(theme string) []stanceGroup {
	var out []stanceGroup
	for _, one := range m.subjects {
		on := one.signalsOn(theme)
		if len(on) == 0 {
			continue
		}
		stance := combinedStance(on)
		i := slices.IndexFunc(out, func(s stanceGroup) bool { return s.stance == stance })
		if i < 0 {
			i, out = len(out), append(out, stanceGroup{stance: stance})
		}
		out[i].subjects, out[i].signals = append(out[i].subjects, one.name), append(out[i].signals, numbersOf(on)...)
	}
	return out
}

// compareStances returns sentences about subjects with equal and with different stances on a theme.
func (m *comparisonInput) compareStances(theme string) (alike, unlike []supportedSentence) {
	sides := m.groupByStance(theme)
	for _, s := range sides {
		if len(s.subjects) > 1 {
			alike = append(alike, supportedSentence{fmt.Sprintf("On %s, %s share a %s view.", theme, joinNames(s.subjects), s.stance), s.signals})
		}
	}
	if len(sides) < 2 {
		return alike, nil
	}
	var parts []string
	var signals []int
	for _, s := range sides {
		parts, signals = append(parts, fmt.Sprintf("%s: %s", joinNames(s.subjects), s.stance)), append(signals, s.signals...)
	}
	return alike, []supportedSentence{{fmt.Sprintf("On %s, views differ: %s.", theme, strings.Join(parts, "; ")), signals}}
}

// placeTheme adds a theme to the strategic map.
func (m *comparisonInput) placeTheme(theme string, out *comparisonAnswer) {
	var own, others []*numberedSignal
	for _, one := range m.subjects {
		if one.own {
			own = append(own, one.signalsOn(theme)...)
		} else {
			others = append(others, one.signalsOn(theme)...)
		}
	}
	pro := func(side []*numberedSignal) bool {
		return len(side) > 0 && combinedStance(side) == model.StancePositive
	}
	both := append(numbersOf(own), numbersOf(others)...)
	switch {
	case pro(own) && !pro(others):
		out.Attack = append(out.Attack, supportedSentence{fmt.Sprintf("%s: the own side is positive, the others %s.", theme, describeGroup(others)), both})
	case pro(others) && !pro(own):
		out.Defend = append(out.Defend, supportedSentence{fmt.Sprintf("%s: the others are positive, the own side %s.", theme, describeGroup(own)), both})
	case len(both) == 0:
		out.Whitespace = append(out.Whitespace, supportedSentence{fmt.Sprintf("None of them speaks of %s.", theme), []int{}})
	case !pro(own):
		out.Whitespace = append(out.Whitespace, supportedSentence{fmt.Sprintf("%s: the own side %s, the others %s.", theme, describeGroup(own), describeGroup(others)), both})
	}
}

func describeGroup(side []*numberedSignal) string {
	if len(side) == 0 {
		return "say nothing"
	}
	return string(combinedStance(side))
}

// mostRelevant returns the signal with exactly this theme, else the first one.
func mostRelevant(on []*numberedSignal, theme string) *numberedSignal {
	if i := slices.IndexFunc(on, func(n *numberedSignal) bool { return strings.EqualFold(n.Theme, theme) }); i >= 0 {
		return on[i]
	}
	return on[0]
}

func numbersOf(signals []*numberedSignal) []int {
	out := make([]int, len(signals))
	for i, n := range signals {
		out[i] = n.number
	}
	return out
}

// joinNames joins names with commas and a final "and".
func joinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
