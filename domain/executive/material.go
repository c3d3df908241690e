package executive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/model"
)

// The bounds of what a comparison is made from.
const (
	mostLooked   = 300 // newest signals of each subject that are looked at
	mostCompared = 25  // of each subject that are compared
	mostShared   = 4   // themes that subjects share beside those that were asked for
	closeMatch   = 0.66
)

// material is what a comparison is made from.
type material struct {
	question
	Rows     []string // the themes of the matrix: those that were asked for, and those that subjects share
	subjects []*subject
	all      []*numbered // by their numbers, from 1
}

// subject is one of the compared.
type subject struct {
	name    string
	signals []*numbered
	own     bool
}

// numbered is a signal as a comparison speaks of it.
type numbered struct {
	*model.Signal
	number  int
	subject string
	stems   map[string]bool
	lang    string
}

// material reads the signals of the subjects that speak of the themes or answer the focus question.
func (s *Service) material(ctx context.Context, workspaceID string, q question) (*material, error) {
	rows, err := s.signalsBy(ctx, workspaceID, q.Kind, q.Subjects)
	if err != nil {
		return nil, err
	}
	m := &material{question: q}
	for _, name := range q.Subjects {
		one := &subject{name: name}
		for _, row := range rows {
			if name != speaker(q.Kind, row) || len(one.signals) == mostCompared {
				continue
			}
			n := stemmed(row, name)
			if slices.ContainsFunc(q.Themes, n.speaksOf) || n.share(q.Focus) >= leastAnswer {
				n.number = len(m.all) + 1
				one.signals, m.all = append(one.signals, n), append(m.all, n)
			}
		}
		one.own = q.owns(name, rows)
		m.subjects = append(m.subjects, one)
	}
	if m.ownSide() == nil && len(m.subjects) > 0 {
		m.subjects[0].own = true
	}
	m.Rows = append(slices.Clone(q.Themes), m.shared()...)
	return m, nil
}

// speaker is the subject that a signal is of.
func speaker(kind model.ComparisonType, of *model.Signal) string {
	if kind == model.ComparisonTypeCompany {
		return model.ValueOr(of.Company, "")
	}
	return model.ValueOr(of.Executive, "")
}

// owns reports a subject of the own side: the own company, or who speaks for it.
func (q question) owns(name string, rows []*model.Signal) bool {
	if q.OwnCompany == "" {
		return false
	}
	if q.Kind == model.ComparisonTypeCompany {
		return strings.EqualFold(name, q.OwnCompany)
	}
	return slices.ContainsFunc(rows, func(row *model.Signal) bool {
		return model.ValueOr(row.Executive, "") == name && strings.EqualFold(model.ValueOr(row.Company, ""), q.OwnCompany)
	})
}

// ownSide names the subjects of the own side.
func (m *material) ownSide() (names []string) {
	for _, one := range m.subjects {
		if one.own {
			names = append(names, one.name)
		}
	}
	return names
}

// stemmed reads a signal once for all themes that it is held against.
func stemmed(of *model.Signal, name string) *numbered {
	said := of.Theme + ".\n" + of.Statement + "\n" + of.Quote
	n := &numbered{Signal: of, subject: name, stems: map[string]bool{}, lang: text.Language(said)}
	if n.lang == "" {
		n.lang = "en"
	}
	for _, stem := range text.Stems(said, n.lang) {
		n.stems[stem] = true
	}
	return n
}

// speaksOf reports a signal whose theme it is, or which has the theme's words: both of two, most of more.
func (n *numbered) speaksOf(theme string) bool {
	if strings.EqualFold(theme, n.Theme) {
		return true
	}
	if len(text.Stems(theme, n.lang)) > 2 {
		return n.share(theme) >= closeMatch
	}
	return n.share(theme) == 1
}

// share is how much of what a text speaks of a signal speaks of too.
func (n *numbered) share(of string) float64 {
	wanted := text.Stems(of, n.lang)
	if len(wanted) == 0 {
		return 0
	}
	found := 0
	for _, stem := range wanted {
		if n.stems[stem] {
			found++
		}
	}
	return float64(found) / float64(len(wanted))
}

// on are the signals of a subject that speak of a theme.
func (one *subject) on(theme string) []*numbered {
	return slices.Collect(func(yield func(*numbered) bool) {
		for _, n := range one.signals {
			if n.speaksOf(theme) && !yield(n) {
				return
			}
		}
	})
}

// shared lists further themes that several subjects speak of, those of most subjects first.
func (m *material) shared() []string {
	type found struct {
		theme string
		by    int
	}
	var all []found
	for _, n := range m.all {
		known := slices.ContainsFunc(all, func(f found) bool { return strings.EqualFold(f.theme, n.Theme) })
		asked := slices.ContainsFunc(m.Themes, func(theme string) bool { return strings.EqualFold(theme, n.Theme) })
		if known || asked {
			continue
		}
		by := 0
		for _, one := range m.subjects {
			by += min(len(one.on(n.Theme)), 1)
		}
		if by > 1 {
			all = append(all, found{n.Theme, by})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.by, a.by) })
	var out []string
	for _, f := range all[:min(len(all), mostShared)] {
		out = append(out, f.theme)
	}
	return out
}

// stanceOver is the stance of several signals together.
func stanceOver(signals []*numbered) model.Stance {
	pro, against := false, false
	for _, n := range signals {
		pro = pro || n.Stance == model.StancePositive || n.Stance == model.StanceMixed
		against = against || n.Stance == model.StanceNegative || n.Stance == model.StanceMixed
	}
	switch {
	case pro && against:
		return model.StanceMixed
	case pro:
		return model.StancePositive
	case against:
		return model.StanceNegative
	}
	return model.StanceNeutral
}

// SubjectLines, OwnLines, ThemeLines and StatementLines are the material as a model is shown it.
func (m *material) SubjectLines() string { return strings.Join(m.Subjects, "\n") }

// OwnLines lists the own side.
func (m *material) OwnLines() string { return strings.Join(m.ownSide(), "\n") }

// ThemeLines lists the themes of the matrix.
func (m *material) ThemeLines() string { return strings.Join(m.Rows, "\n") }

// StatementLines lists the signals.
func (m *material) StatementLines() string {
	var b strings.Builder
	for _, n := range m.all {
		fmt.Fprintf(&b, "%d. %s · %s · %s: %s\n   “%s”\n", n.number, n.subject, n.Theme, n.Stance, n.Statement, oneLine(n.Quote))
	}
	return strings.TrimSpace(b.String())
}
