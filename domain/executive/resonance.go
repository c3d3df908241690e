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
)

// mostResonant bounds the passages that are shown of what a persona minds.
const mostResonant = 6

// resonance tells how personas receive what each subject says; nil when none was asked for. It is measured in the passages themselves, whatever
// the engine, so each quote keeps its place in its document.
func (s *Service) resonance(ctx context.Context, m *material) ([]*model.AudienceResonance, error) {
	if len(m.Personas) == 0 {
		return nil, nil
	}
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(m.subjects))
	for i, one := range m.subjects {
		texts[i] = one.whole()
	}
	found, err := s.Personas.Opinions(ctx, p.WorkspaceID, m.Personas, texts)
	if err != nil {
		return nil, err
	}
	out := []*model.AudienceResonance{}
	for _, persona := range found {
		out = append(out, m.received(persona))
	}
	return out, nil
}

// between parts the quotes of a subject, so that no sentence goes from one into the next.
const between = "\n\n"

// whole is all that a subject says, as it stands in the documents.
func (one *subject) whole() string {
	quotes := make([]string, len(one.signals))
	for i, n := range one.signals {
		quotes[i] = n.Quote
	}
	return strings.Join(quotes, between)
}

// at finds the signal that a place in whole is of, and where that begins there.
func (one *subject) at(place int) (signal *numbered, begin int) {
	for _, n := range one.signals {
		length := utf8.RuneCountInString(n.Quote)
		if place < begin+length {
			return n, begin
		}
		begin += length + len(between)
	}
	return nil, 0
}

func (m *material) received(by *model.PersonaOpinions) *model.AudienceResonance {
	out := &model.AudienceResonance{
		PersonaID: by.PersonaID, PersonaName: by.Name, ScoreOf: map[string]float64{}, VerdictOf: map[string]string{}, Quotes: []*model.ResonantQuote{},
	}
	var points []touched
	for i, opinion := range by.Opinions {
		one := m.subjects[i]
		if len(one.signals) == 0 {
			continue
		}
		out.ScoreOf[one.name], out.VerdictOf[one.name] = rated(opinion.Score), opinion.Verdict
		for _, p := range opinion.Points {
			points = append(points, touched{one, p})
		}
	}
	slices.SortStableFunc(points, func(a, b touched) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	for _, p := range points {
		if quote := m.resonant(p); quote != nil && len(out.Quotes) < mostResonant {
			out.Quotes = append(out.Quotes, quote)
		}
	}
	out.Take = m.take(out)
	return out
}

// touched is a clause of a subject that a persona minds.
type touched struct {
	of *subject
	model.OpinionPoint
}

// rated turns an opinion from -1 to 1 into a rating from 1 to 5.
func rated(score float64) float64 { return math.Round((3+2*min(max(score, -1), 1))*10) / 10 }

// resonant is a clause as a quote of its document; nil when it cannot be found there.
func (m *material) resonant(p touched) *model.ResonantQuote {
	n, begin := p.of.at(p.Start)
	if n == nil {
		return nil
	}
	citation := n.citation()
	*citation.Start, *citation.End, citation.Quote = n.Start+p.Start-begin, n.Start+p.End-begin, p.Text
	if runes := []rune(n.Quote); p.End-begin > len(runes) || string(runes[p.Start-begin:p.End-begin]) != p.Text {
		return nil
	}
	_, named := text.Locate(p.Text, m.OwnCompany)
	return &model.ResonantQuote{Subject: p.of.name, About: p.About, Pleases: p.Value >= 0, OnYou: named || p.of.own && m.OwnCompany != "", Citation: *citation}
}

// take says whom a persona receives best and worst, and over what.
func (m *material) take(r *model.AudienceResonance) string {
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
	case r.ScoreOf[best] == r.ScoreOf[worst] && len(r.ScoreOf) > 1:
		return fmt.Sprintf("%s receives all of them alike: %s.%s", r.PersonaName, r.VerdictOf[best], over(r, ""))
	case best == worst:
		return fmt.Sprintf("%s receives %s with a %s view.%s", r.PersonaName, best, r.VerdictOf[best], over(r, best))
	}
	return fmt.Sprintf("%s receives %s best (%s) and %s worst (%s).%s", r.PersonaName, best, r.VerdictOf[best], worst, r.VerdictOf[worst], over(r, worst))
}

// over names what a persona minds most in what a subject says, or in all.
func over(r *model.AudienceResonance, name string) string {
	for _, quote := range r.Quotes {
		if name == "" || quote.Subject == name {
			return fmt.Sprintf(" What counts most there is %s.", quote.About)
		}
	}
	return ""
}
