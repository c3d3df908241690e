package offline

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/llm/text/speaker"
	"rostrum/model"
)

// Signals asks for the most important statements of a document.
type Signals struct {
	Title, Text string
	Names       string // of the document's executive and company, which are no themes
	Statements  []SpokenStatement
	Most        int // number of signals
}

// SpokenStatement is a statement with the person whom the text proves to say it, and the person and
// company that it names as its source.
type SpokenStatement struct {
	speaker.Statement
	Executive, Company string
}

// SignalClaim is a signal in the form of the model's answer.
type SignalClaim struct {
	Statement string       `json:"statement"`
	Theme     string       `json:"theme"`
	Stance    model.Stance `json:"stance"` // always neutral offline; the caller drops it
	Quote     string       `json:"quote"`
	Speaker   string       `json:"speaker"`
	Company   string       `json:"company"`
}

// SignalsAnswer holds signals in the form of the model's answer.
type SignalsAnswer struct {
	Signals []SignalClaim `json:"signals"`
}

// The limits of a sentence with a statement.
const (
	fewestWords  = 5
	longestQuote = 600 // code points
	sharedName   = 0.5 // share of a phrase that belongs to a name
	ownPhrases   = 6   // per sentence
)

// Answer returns a SignalsAnswer: the statements that summarize the text, with known speakers
// first. Each has the heaviest phrase of the text that it contains.
func (s Signals) Answer(context.Context) (any, []string, error) {
	themes := withoutNames(text.Keyphrases(s.Title+".\n\n"+s.Text, 2*s.Most), s.Names)
	var spoken, plain []SignalClaim
	for _, said := range s.Statements {
		isQuestion := text.Asks(said.Text) // which states nothing
		if isQuestion || len(text.Words(said.Text)) < fewestWords || utf8.RuneCountInString(said.Text) > longestQuote {
			continue
		}
		theme := sentenceTheme(said.Text, strings.Join([]string{said.Executive, said.Company, said.Speaker, s.Names},
			" "), themes)
		claim := SignalClaim{said.Text, theme, model.StanceNeutral, said.Text, said.Executive, said.Company}
		switch {
		case theme == "":
		case said.Speaker != "" || isQuoted(said.Text):
			spoken = append(spoken, claim)
		default:
			plain = append(plain, claim)
		}
	}
	spoken = mostImportant(spoken, s.Most)
	return SignalsAnswer{append(append([]SignalClaim{}, spoken...), mostImportant(plain, s.Most-len(spoken))...)}, nil,
		nil
}

func mostImportant(all []SignalClaim, n int) []SignalClaim {
	texts := make([]string, len(all))
	for i, claim := range all {
		texts[i] = claim.Statement
	}
	var kept []SignalClaim
	for _, i := range text.RankList(texts, n) {
		kept = append(kept, all[i])
	}
	return kept
}

// isQuoted reports whether a sentence is in quotation marks or in the first person.
func isQuoted(said string) bool {
	isFirst := func(w text.Span) bool { return firstPerson()[strings.ToLower(w.Text)] }
	return strings.ContainsAny(said, "\"“”„«»") || slices.ContainsFunc(text.Words(said), isFirst)
}

// sentenceTheme returns the sentence's phrase that includes the document's heaviest phrase, else
// the sentence's own heaviest one. Names are excluded.
func sentenceTheme(said, names string, phrases []string) string {
	own := withoutNames(text.Keyphrases(said, ownPhrases), names)
	for _, phrase := range phrases {
		for _, one := range own {
			if text.Covered(phrase, one) == 1 {
				return strings.ToLower(one)
			}
		}
	}
	return strings.ToLower(strings.Join(own[:min(len(own), 1)], ""))
}

// withoutNames returns the phrases that are not names; judgments come last.
func withoutNames(phrases []text.Phrase, names string) []string {
	var out, judging []string
	for _, phrase := range phrases {
		switch {
		case text.Covered(phrase.Text, names) >= sharedName:
		case text.Sentiment(phrase.Text) != 0:
			judging = append(judging, phrase.Text)
		default:
			out = append(out, phrase.Text)
		}
	}
	return append(out, judging...)
}
