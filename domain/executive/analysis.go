package executive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// sentence is a sentence of a comparison with the numbers of the signals that it rests on.
type sentence struct {
	Text    string `json:"text"`
	Signals []int  `json:"signals"`
}

// cell is where a subject stands on a theme.
type cell struct {
	Theme   string       `json:"theme"`
	Subject string       `json:"subject"`
	Stance  model.Stance `json:"stance"`
	sentence
}

// digest is what a subject says.
type digest struct {
	Subject   string     `json:"subject"`
	Sentences []sentence `json:"sentences"`
}

// said is an engine's comparison.
type said struct {
	Summaries    []digest   `json:"summaries"`
	AtAGlance    []sentence `json:"at_a_glance"`
	Similarities []sentence `json:"similarities"`
	Differences  []sentence `json:"differences"`
	Unique       []sentence `json:"unique_perspectives"`
	Matrix       []cell     `json:"matrix"`
	Attack       []sentence `json:"attack"`
	Defend       []sentence `json:"defend"`
	Whitespace   []sentence `json:"whitespace"`
}

// The bounds of what the built-in engine says.
const (
	summarySentences = 2
	mostUnique       = 2 // of each subject
	loneOverlap      = 0.2
	leastAnswer      = 0.5 // of a question, for a statement to answer it
	mostAnswers      = 3
)

// read is the built-in engine's comparison: it counts stances theme by theme and takes what it says from the statements.
func (m *material) read() said {
	out := said{
		Summaries: []digest{}, AtAGlance: m.answers(), Similarities: []sentence{}, Differences: []sentence{}, Unique: []sentence{}, Matrix: []cell{},
		Attack: []sentence{}, Defend: []sentence{}, Whitespace: []sentence{},
	}
	for _, one := range m.subjects {
		if len(one.signals) == 0 {
			continue
		}
		out.Summaries = append(out.Summaries, digest{one.name, one.leading(summarySentences)})
		out.AtAGlance = append(out.AtAGlance, one.glance(m.Themes))
		out.Unique = append(out.Unique, m.alone(one)...)
	}
	for _, theme := range m.Rows {
		alike, unlike := m.held(theme)
		out.Similarities, out.Differences = append(out.Similarities, alike...), append(out.Differences, unlike...)
		for _, one := range m.subjects {
			if on := one.on(theme); len(on) > 0 {
				out.Matrix = append(out.Matrix, cell{theme, one.name, stanceOver(on), sentence{telling(on, theme).Statement, numbersOf(on)}})
			}
		}
		if m.Map {
			m.place(theme, &out)
		}
	}
	return out
}

// answers are the statements that say most of the focus question.
func (m *material) answers() []sentence {
	if m.Focus == "" {
		return []sentence{}
	}
	type answer struct {
		*numbered
		share float64
	}
	var all []answer
	for _, n := range m.all {
		if share := n.share(m.Focus); share >= leastAnswer {
			all = append(all, answer{n, share})
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(b.share, a.share) })
	out := []sentence{}
	for _, a := range all[:min(len(all), mostAnswers)] {
		out = append(out, sentence{a.subject + " says: " + a.Statement, []int{a.number}})
	}
	return out
}

// leading are the statements that say most of what a subject says.
func (one *subject) leading(n int) []sentence {
	var whole strings.Builder
	for _, signal := range one.signals {
		whole.WriteString(signal.Statement + "\n\n")
	}
	out := []sentence{}
	for _, span := range text.Rank(whole.String(), n) {
		if i := slices.IndexFunc(one.signals, func(s *numbered) bool { return strings.Contains(s.Statement, span.Text) }); i >= 0 {
			out = append(out, sentence{one.signals[i].Statement, []int{one.signals[i].number}})
		}
	}
	return slices.CompactFunc(out, func(a, b sentence) bool { return a.Text == b.Text })
}

// glance says of a subject how much it says and how it stands to that.
func (one *subject) glance(themes []string) sentence {
	noun := "statements"
	if len(one.signals) == 1 {
		noun = "statement"
	}
	stance := map[model.Stance]string{
		model.StancePositive: "positive", model.StanceNegative: "negative", model.StanceMixed: "mixed", model.StanceNeutral: "neutral",
	}[stanceOver(one.signals)]
	return sentence{fmt.Sprintf("%s: %d %s on %s, %s.", one.name, len(one.signals), noun, strings.Join(themes, ", "), stance), numbersOf(one.signals)}
}

// alone are the statements of a subject that are like none of the others'.
func (m *material) alone(one *subject) []sentence {
	if len(m.subjects) < 2 {
		return nil
	}
	var out []sentence
	for _, n := range one.signals {
		shared := slices.ContainsFunc(m.all, func(other *numbered) bool {
			return other.subject != n.subject && text.Overlap(other.Statement, n.Statement) >= loneOverlap
		})
		if !shared && len(out) < mostUnique {
			out = append(out, sentence{n.subject + " alone says: " + n.Statement, []int{n.number}})
		}
	}
	return out
}

// side is the subjects of one stance on a theme, and the signals that show it.
type side struct {
	stance   model.Stance
	subjects []string
	signals  []int
}

// sides sorts who speaks of a theme by their stance, in the order of the subjects.
func (m *material) sides(theme string) []side {
	var out []side
	for _, one := range m.subjects {
		on := one.on(theme)
		if len(on) == 0 {
			continue
		}
		stance := stanceOver(on)
		i := slices.IndexFunc(out, func(s side) bool { return s.stance == stance })
		if i < 0 {
			i, out = len(out), append(out, side{stance: stance})
		}
		out[i].subjects, out[i].signals = append(out[i].subjects, one.name), append(out[i].signals, numbersOf(on)...)
	}
	return out
}

// held says who stands alike on a theme and who differs.
func (m *material) held(theme string) (alike, unlike []sentence) {
	sides := m.sides(theme)
	for _, s := range sides {
		if len(s.subjects) > 1 {
			alike = append(alike, sentence{fmt.Sprintf("On %s, %s share a %s view.", theme, listed(s.subjects), s.stance), s.signals})
		}
	}
	if len(sides) < 2 {
		return alike, nil
	}
	var parts []string
	var signals []int
	for _, s := range sides {
		parts, signals = append(parts, fmt.Sprintf("%s: %s", listed(s.subjects), s.stance)), append(signals, s.signals...)
	}
	return alike, []sentence{{fmt.Sprintf("On %s, views differ: %s.", theme, strings.Join(parts, "; ")), signals}}
}

// place says where a theme stands on the strategic map.
func (m *material) place(theme string, out *said) {
	var own, others []*numbered
	for _, one := range m.subjects {
		if one.own {
			own = append(own, one.on(theme)...)
		} else {
			others = append(others, one.on(theme)...)
		}
	}
	pro := func(side []*numbered) bool { return len(side) > 0 && stanceOver(side) == model.StancePositive }
	both := append(numbersOf(own), numbersOf(others)...)
	switch {
	case pro(own) && !pro(others):
		out.Attack = append(out.Attack, sentence{fmt.Sprintf("%s: the own side is positive, the others %s.", theme, sayOf(others)), both})
	case pro(others) && !pro(own):
		out.Defend = append(out.Defend, sentence{fmt.Sprintf("%s: the others are positive, the own side %s.", theme, sayOf(own)), both})
	case len(both) == 0:
		out.Whitespace = append(out.Whitespace, sentence{fmt.Sprintf("None of them speaks of %s.", theme), []int{}})
	case !pro(own):
		out.Whitespace = append(out.Whitespace, sentence{fmt.Sprintf("%s: the own side %s, the others %s.", theme, sayOf(own), sayOf(others)), both})
	}
}

func sayOf(side []*numbered) string {
	if len(side) == 0 {
		return "say nothing"
	}
	return string(stanceOver(side))
}

// telling is the signal whose own theme it is, else the first.
func telling(on []*numbered, theme string) *numbered {
	if i := slices.IndexFunc(on, func(n *numbered) bool { return strings.EqualFold(n.Theme, theme) }); i >= 0 {
		return on[i]
	}
	return on[0]
}

func numbersOf(signals []*numbered) []int {
	out := make([]int, len(signals))
	for i, n := range signals {
		out[i] = n.number
	}
	return out
}

// listed joins names as a sentence does.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
