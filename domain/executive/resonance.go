package executive

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/platform/principal"
)

// maxQuotes is the maximum number of quotes per persona.
const maxQuotes = 6

// measureResonance returns the personas' reception of each subject's statements; nil if not
// requested. Every engine measures the passages themselves, so quotes keep their offsets.
func (s *Service) measureResonance(ctx context.Context, m *comparisonInput) ([]*model.AudienceResonance, error) {
	if len(m.Personas) == 0 {
		return nil, nil
	}
	p := principal.Must(ctx)
	texts := make([]string, len(m.subjects))
	for i, one := range m.subjects {
		texts[i] = one.joinedQuotes()
	}
	found, err := s.Personas.Opinions(ctx, p.WorkspaceID, m.Personas, texts)
	if err != nil {
		return nil, err
	}
	out := []*model.AudienceResonance{}
	for _, persona := range found {
		out = append(out, m.newResonance(persona))
	}
	return out, nil
}

// quoteSeparator separates the quotes of a subject, so that no sentence spans two quotes.
const quoteSeparator = "\n\n"

// joinedQuotes returns all quotes of a subject as one text.
func (one *comparedSubject) joinedQuotes() string {
	quotes := make([]string, len(one.signals))
	for i, n := range one.signals {
		quotes[i] = n.Quote
	}
	return strings.Join(quotes, quoteSeparator)
}

// signalAt returns the signal at an offset of joinedQuotes, and the signal's start there.
func (one *comparedSubject) signalAt(place int) (signal *numberedSignal, begin int) {
	for _, n := range one.signals {
		length := utf8.RuneCountInString(n.Quote)
		if place < begin+length {
			return n, begin
		}
		begin += length + len(quoteSeparator)
	}
	return nil, 0
}

func (m *comparisonInput) newResonance(by *model.PersonaOpinions) *model.AudienceResonance {
	out := &model.AudienceResonance{
		PersonaID: by.PersonaID, PersonaName: by.Name, ScoreOf: map[string]float64{},
		VerdictOf: map[string]model.ReactionSentiment{}, Quotes: []*model.ResonantQuote{},
	}
	var points []touchedClause
	for i, opinion := range by.Opinions {
		one := m.subjects[i]
		if len(one.signals) == 0 {
			continue
		}
		out.ScoreOf[one.name], out.VerdictOf[one.name] = opinion.Rating, opinion.Verdict
		for _, p := range opinion.Points {
			points = append(points, touchedClause{one, p})
		}
	}
	slices.SortStableFunc(points, func(a, b touchedClause) int {
		return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
	})
	for _, p := range points {
		if quote := m.quoteClause(p); quote != nil && len(out.Quotes) < maxQuotes {
			out.Quotes = append(out.Quotes, quote)
		}
	}
	out.Take = m.describeResonance(out)
	return out
}

// touchedClause is a clause of a subject that concerns a persona.
type touchedClause struct {
	of *comparedSubject
	model.OpinionPoint
}

// quoteClause returns a clause as a quote of its document; nil if it is not found there.
func (m *comparisonInput) quoteClause(p touchedClause) *model.ResonantQuote {
	n, begin := p.of.signalAt(p.Start)
	if n == nil {
		return nil
	}
	citation := n.toCitation()
	*citation.Start, *citation.End, citation.Quote = n.Start+p.Start-begin, n.Start+p.End-begin, p.Text
	if runes := []rune(n.Quote); p.End-begin > len(runes) || string(runes[p.Start-begin:p.End-begin]) != p.Text {
		return nil
	}
	named := slices.ContainsFunc(m.OwnNames, func(name string) bool {
		_, found := text.Locate(p.Text, name)
		return found
	})
	return &model.ResonantQuote{Subject: p.of.name, About: p.About, Pleases: p.Value >= 0, OnYou: named || p.of.own &&
		m.OwnCompany != "", Citation: *citation}
}

// describeResonance names the subjects that a persona receives best and worst, with the reasons.
func (m *comparisonInput) describeResonance(r *model.AudienceResonance) string {
	var best, worst string
	for _, one := range m.subjects {
		score, ok := r.ScoreOf[one.name]
		if !ok {
			continue
		}
		if best == "" || score > r.ScoreOf[best] {
			best = one.name
		}
		if worst == "" || score < r.ScoreOf[worst] {
			worst = one.name
		}
	}
	switch {
	case best == "":
		return "None of them says anything on this."
	case len(r.Quotes) == 0:
		return fmt.Sprintf("The words of the statements do not decide how %s receives them.", r.PersonaName)
	case r.ScoreOf[best] == r.ScoreOf[worst] && len(r.ScoreOf) > 1:
		return fmt.Sprintf("%s receives all of them alike: %s.%s", r.PersonaName, r.VerdictOf[best],
			strongestCare(r, ""))
	case best == worst:
		return fmt.Sprintf("%s receives %s with a %s view.%s", r.PersonaName, best, r.VerdictOf[best],
			strongestCare(r, best))
	}
	return fmt.Sprintf("%s receives %s best (%s) and %s worst (%s).%s", r.PersonaName, best, r.VerdictOf[best], worst,
		r.VerdictOf[worst], strongestCare(r, worst))
}

// strongestCare returns the care with the strongest effect in a subject's statements, or in all.
func strongestCare(r *model.AudienceResonance, name string) string {
	for _, quote := range r.Quotes {
		if name == "" || quote.Subject == name {
			return fmt.Sprintf(" What counts most there is %s.", quote.About)
		}
	}
	return ""
}
