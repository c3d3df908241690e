package executive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
)

// The limits of a comparison's input.
const (
	mostLooked   = 300 // newest signals per subject that are read
	mostCompared = 25  // signals per subject that are compared
	mostShared   = 4   // additional themes that subjects share
	closeMatch   = 0.66
)

// comparisonInput is the input of a comparison.
type comparisonInput struct {
	comparisonQuestion
	OwnNames []string // the names of the own company
	Rows     []string // themes of the matrix: the requested and the shared ones
	subjects []*comparedSubject
	all      []*numberedSignal // by number, from 1
	dropped  int               // sentences that the cited statements do not prove
	claims   []llm.Claim       // sentences for the judge
	verdicts map[llm.Claim]bool
}

// comparedSubject is one of the compared subjects.
type comparedSubject struct {
	name    string
	signals []*numberedSignal
	own     bool
}

// numberedSignal is a signal with its number in the comparison.
type numberedSignal struct {
	*model.Signal
	number  int
	subject string
	stems   map[string]bool
	lang    string
}

// loadSignals reads the subjects' signals that concern the themes or answer the focus question.
func (s *Service) loadSignals(ctx context.Context, workspaceID string, q comparisonQuestion) (*comparisonInput, error) {
	rows, err := s.signalsBy(ctx, workspaceID, q.Kind, q.Subjects)
	if err != nil {
		return nil, err
	}
	m := &comparisonInput{comparisonQuestion: q}
	if q.OwnCompany != "" {
		if m.OwnNames, err = s.Parties.NamesOf(ctx, workspaceID, model.PartyKindCompany, q.OwnCompany); err != nil {
			return nil, err
		}
	}
	for _, name := range q.Subjects {
		one := &comparedSubject{name: name}
		for _, row := range rows {
			if name != signalSubject(q.Kind, row) || len(one.signals) == mostCompared {
				continue
			}
			n := newNumbered(row, name)
			if slices.ContainsFunc(q.Themes, n.isAbout) || n.stemShare(q.Focus) >= leastAnswer {
				n.number = len(m.all) + 1
				one.signals, m.all = append(one.signals, n), append(m.all, n)
			}
		}
		one.own = q.isOwnSubject(name, rows)
		m.subjects = append(m.subjects, one)
	}
	if m.ownSide() == nil && len(m.subjects) > 0 {
		m.subjects[0].own = true
	}
	m.Rows = append(slices.Clone(q.Themes), m.sharedThemes()...)
	return m, nil
}

// signalSubject returns the subject of a signal.
func signalSubject(kind model.ComparisonType, of *model.Signal) string {
	if kind == model.ComparisonTypeCompany {
		return optional.ValueOr(of.Company, "")
	}
	return optional.ValueOr(of.Executive, "")
}

// isOwnSubject reports whether the subject is the workspace's own company or one of its executives.
func (q comparisonQuestion) isOwnSubject(name string, rows []*model.Signal) bool {
	if q.OwnCompany == "" {
		return false
	}
	if q.Kind == model.ComparisonTypeCompany {
		return model.NameKey(name) == model.NameKey(q.OwnCompany)
	}
	return slices.ContainsFunc(rows, func(row *model.Signal) bool {
		return optional.ValueOr(row.Executive, "") == name &&
			model.NameKey(optional.ValueOr(row.Company, "")) == model.NameKey(q.OwnCompany)
	})
}

// ownSide returns the workspace's own subjects.
func (m *comparisonInput) ownSide() (names []string) {
	for _, one := range m.subjects {
		if one.own {
			names = append(names, one.name)
		}
	}
	return names
}

// newNumbered stems a signal once for all themes.
func newNumbered(of *model.Signal, name string) *numberedSignal {
	said := of.Theme + ".\n" + of.Statement + "\n" + of.Quote
	n := &numberedSignal{Signal: of, subject: name, stems: map[string]bool{}, lang: text.Language(said)}
	if n.lang == "" {
		n.lang = "en"
	}
	for _, stem := range text.Stems(said, n.lang) {
		n.stems[stem] = true
	}
	return n
}

// isAbout reports whether the signal has the theme or contains its words: both of two, most of
// more.
func (n *numberedSignal) isAbout(theme string) bool {
	if strings.EqualFold(theme, n.Theme) {
		return true
	}
	if len(text.Stems(theme, n.lang)) > 2 {
		return n.stemShare(theme) >= closeMatch
	}
	return n.stemShare(theme) == 1
}

// stemShare returns the share of a text's stems that the signal contains.
func (n *numberedSignal) stemShare(of string) float64 {
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

// signalsOn returns the subject's signals on a theme.
func (one *comparedSubject) signalsOn(theme string) []*numberedSignal {
	return slices.Collect(func(yield func(*numberedSignal) bool) {
		for _, n := range one.signals {
			if n.isAbout(theme) && !yield(n) {
				return
			}
		}
	})
}

// sharedThemes returns further themes of several subjects, by descending number of subjects.
func (m *comparisonInput) sharedThemes() []string {
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
			by += min(len(one.signalsOn(n.Theme)), 1)
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

// combinedStance returns the stance of several signals together; nil if none has one.
func combinedStance(signals []*numberedSignal) *model.Stance {
	known, pro, against := false, false, false
	for _, n := range signals {
		if n.Stance == nil {
			continue
		}
		known = true
		pro = pro || *n.Stance == model.StancePositive || *n.Stance == model.StanceMixed
		against = against || *n.Stance == model.StanceNegative || *n.Stance == model.StanceMixed
	}
	stance := model.StanceNeutral
	switch {
	case !known:
		return nil
	case pro && against:
		stance = model.StanceMixed
	case pro:
		stance = model.StancePositive
	case against:
		stance = model.StanceNegative
	}
	return &stance
}

// SubjectLines returns the subjects for the prompt.
func (m *comparisonInput) SubjectLines() string { return strings.Join(m.Subjects, "\n") }

// OwnLines returns the workspace's own subjects for the prompt.
func (m *comparisonInput) OwnLines() string { return strings.Join(m.ownSide(), "\n") }

// ThemeLines returns the themes of the matrix for the prompt.
func (m *comparisonInput) ThemeLines() string { return strings.Join(m.Rows, "\n") }

// StatementLines returns the signals for the prompt.
func (m *comparisonInput) StatementLines() string {
	var b strings.Builder
	for _, n := range m.all {
		fmt.Fprintf(&b, "%d. %s · %s · %s: “%s”\n", n.number, n.subject, n.Theme,
			optional.ValueOr(n.Stance, "no known stance"), singleLine(n.Quote))
	}
	return strings.TrimSpace(b.String())
}
