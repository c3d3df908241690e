package executive

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// maxQuotes is the maximum number of quotes per persona.
const maxQuotes = 6

// measureResonance returns each persona's ratings of the subjects' documents, and passages with words
// of its interests and concerns; nil if not requested. No engine is asked, so quotes keep their
// offsets.
func (s *Service) measureResonance(ctx context.Context, m *comparisonInput) ([]*model.AudienceResonance, error) {
	if len(m.Personas) == 0 {
		return nil, nil
	}
	p := principal.Must(ctx)
	texts := make([]string, len(m.subjects))
	var documents []string
	for i, one := range m.subjects {
		texts[i] = one.joinedQuotes()
		documents = append(documents, one.documentIDs()...)
	}
	found, err := s.Personas.PassagesOf(ctx, p.WorkspaceID, m.Personas, texts)
	if err != nil {
		return nil, err
	}
	ratings, err := s.Ratings(ctx, p.WorkspaceID, m.Personas, optional.Distinct(documents))
	if err != nil {
		return nil, err
	}
	out := []*model.AudienceResonance{}
	for _, persona := range found {
		out = append(out, m.newResonance(persona, ratings))
	}
	return out, nil
}

// documentIDs returns the documents of a subject's statements.
func (one *comparedSubject) documentIDs() []string {
	ids := make([]string, len(one.signals))
	for i, n := range one.signals {
		ids[i] = n.DocumentID
	}
	return optional.Distinct(ids)
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

func (m *comparisonInput) newResonance(by *model.PersonaPassages, ratings []*model.DocumentRating) *model.AudienceResonance {
	out := &model.AudienceResonance{
		PersonaID: by.PersonaID, PersonaName: by.Name, ScoreOf: map[string]float64{},
		VerdictOf: map[string]model.ReactionSentiment{}, Quotes: []*model.ResonantQuote{},
	}
	for i, passages := range by.Passages {
		one := m.subjects[i]
		if mean := meanRating(ratings, by.PersonaID, one.documentIDs()); mean != nil {
			out.ScoreOf[one.name], out.VerdictOf[one.name] = *mean, model.SentimentOf(*mean)
		}
		for _, p := range passages {
			if quote := m.quoteClause(touchedClause{one, p}); quote != nil && len(out.Quotes) < maxQuotes {
				out.Quotes = append(out.Quotes, quote)
			}
		}
	}
	out.Take = m.describeResonance(out)
	return out
}

// meanRating returns a persona's mean rating of documents to one decimal; nil without any.
func meanRating(ratings []*model.DocumentRating, personaID string, documentIDs []string) *float64 {
	sum, n := 0.0, 0
	for _, r := range ratings {
		if r.PersonaID == personaID && slices.Contains(documentIDs, r.DocumentID) {
			sum += r.Rating
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return new(math.Round(10*sum/float64(n)) / 10)
}

// touchedClause is a clause of a subject that concerns a persona.
type touchedClause struct {
	of *comparedSubject
	model.ConcernPassage
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
	return &model.ResonantQuote{Subject: p.of.name, About: p.About, OnYou: named || p.of.own && m.OwnCompany != "",
		Citation: *citation}
}

// describeResonance names the subjects with documents that a persona's reactions rate best and worst.
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
		return fmt.Sprintf("%s has no rated reaction to the documents of these statements.", r.PersonaName)
	case r.ScoreOf[best] == r.ScoreOf[worst] && len(r.ScoreOf) > 1:
		return fmt.Sprintf("%s receives all of them alike: %s.", r.PersonaName, r.VerdictOf[best])
	case best == worst:
		return fmt.Sprintf("%s receives %s with a %s view.", r.PersonaName, best, r.VerdictOf[best])
	}
	return fmt.Sprintf("%s receives %s best (%s) and %s worst (%s).", r.PersonaName, best, r.VerdictOf[best], worst,
		r.VerdictOf[worst])
}
