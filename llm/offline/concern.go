package offline

import (
	"cmp"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Concern is a subject that a persona cares about.
type Concern struct {
	Phrase string
	// IsTopic is true for a key phrase of the persona's description or refinements, which states
	// no interest or concern.
	IsTopic bool

	language string // of the persona's words
}

// Concerns parses a list of phrases in a language: "fair pay, secure jobs and training".
func Concerns(list, language string) []Concern {
	var out []Concern
	for _, phrase := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","),
		func(r rune) bool { return strings.ContainsRune(",;\n•.", r) }) {
		if c, ok := NewConcern(phrase, language); ok {
			out = append(out, c)
		}
	}
	return out
}

// NewConcern returns a concern, and false if the phrase has only stop words.
func NewConcern(phrase, language string) (Concern, bool) {
	c := Concern{Phrase: strings.TrimSpace(phrase), language: language}
	return c, len(text.Stems(c.Phrase, language)) > 0
}

// leastShare is the share of a phrase's words that a sentence on it has.
const leastShare = 0.5

// Mentioned reports whether a sentence has at least half of the phrase's words or synonyms of them.
func (c Concern) Mentioned(said string) bool {
	return foundShare(text.Stems(c.Phrase, c.language), text.Tokens(said, c.language)) >= leastShare
}

// foundShare returns the share of stems that a text has, itself or by a synonym.
func foundShare(stems []string, tokens []text.Token) float64 {
	found := 0
	for _, stem := range stems {
		if slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Stem == stem || areSynonyms(t.Stem, stem) }) {
			found++
		}
	}
	return float64(found) / float64(max(1, len(stems)))
}

func areSynonyms(a, b string) bool {
	groups := synonymGroups()[a]
	return slices.ContainsFunc(synonymGroups()[b], func(group int) bool { return slices.Contains(groups, group) })
}

// Passage is a sentence with words of a concern.
type Passage struct {
	text.Span
	About string
	share float64 // of the concern's words
}

// Study is a text prepared for any number of personas.
type Study struct {
	Title, Content string
	language       string
	sentences      []sentence
	lines          []sentence // with headings, table rows and list entries
}

// NewStudy prepares a text.
func NewStudy(title, content string) *Study {
	language, shown := text.GuessLanguage(content), text.BlankStruck(content)
	return &Study{title, shown, language, readSentences(text.Prose(shown), language),
		readSentences(text.Sentences(shown), language)}
}

// Reading is a text's passages with words of a persona's concerns.
type Reading struct {
	Passages []Passage // one for each sentence, the ones with the largest share of words first
	// NotFound has the stated interests and concerns of which the text has no word. It is empty if
	// the persona's language is not that of the text, because words show nothing then.
	NotFound  []string
	isForeign bool // some words of the persona are in another language than the text
}

// Read finds the passages on concerns. Headings and table rows count for concerns that no sentence
// mentions.
func (s *Study) Read(concerns []Concern) Reading {
	var out Reading
	stems := map[string][]string{}
	for _, c := range concerns {
		stems[c.Phrase] = text.Stems(c.Phrase, s.language)
		out.isForeign = out.isForeign || c.language != s.language
	}
	found := map[string]bool{}
	out.Passages = findPassages(s.sentences, concerns, stems, found)
	rest := slices.DeleteFunc(slices.Clone(concerns), func(c Concern) bool { return found[c.Phrase] })
	out.Passages = append(out.Passages, findPassages(s.lines, rest, stems, found)...)
	slices.SortStableFunc(out.Passages, func(a, b Passage) int { return cmp.Compare(b.share, a.share) })
	for _, c := range concerns {
		if !c.IsTopic && c.language == s.language && !s.hasWordOf(stems[c.Phrase]) &&
			!slices.Contains(out.NotFound, c.Phrase) {
			out.NotFound = append(out.NotFound, c.Phrase)
		}
	}
	return out
}

// findPassages returns the sentences on a concern, each with the concern of which it has most
// words, and notes the concerns that are found. Questions are left out.
func findPassages(sentences []sentence, concerns []Concern, stems map[string][]string,
	found map[string]bool) (out []Passage) {
	for _, said := range sentences {
		best := Passage{Span: said.Span}
		for _, c := range concerns {
			share := foundShare(stems[c.Phrase], said.tokens)
			if share < leastShare {
				continue
			}
			found[c.Phrase] = true
			if share > best.share {
				best.About, best.share = c.Phrase, share
			}
		}
		if best.share > 0 && !text.Asks(said.Text) {
			out = append(out, best)
		}
	}
	return out
}

// hasWordOf reports whether the text has one of the stems anywhere.
func (s *Study) hasWordOf(stems []string) bool {
	return slices.ContainsFunc(s.lines, func(line sentence) bool { return foundShare(stems, line.tokens) > 0 })
}
