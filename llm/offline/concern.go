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
	// Side is 1 for an interest, -1 for a concern, and 0 for a subject that the persona is not
	// known to want or fear.
	Side int

	stems []string // without words of direction
	turn  int      // direction in the phrase: -1 for "lower costs"
}

// Concerns parses a list of phrases: "fair pay, secure jobs and training".
func Concerns(list string, side int) []Concern {
	var out []Concern
	for _, phrase := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","),
		func(r rune) bool { return strings.ContainsRune(",;\n•.", r) }) {
		if c, ok := NewConcern(phrase, side); ok {
			out = append(out, c)
		}
	}
	return out
}

// NewConcern returns a concern, and false if the phrase has only stop words.
func NewConcern(phrase string, side int) (Concern, bool) {
	c := Concern{Phrase: strings.TrimSpace(phrase), Side: side}
	var turns []string
	for _, token := range text.Tokens(c.Phrase, "en") {
		turn := lexiconOf("en").direction(token)
		switch {
		case token.Stop && turn == 0:
		case turn != 0 && c.turn == 0:
			c.turn, turns = turn, append(turns, token.Stem)
		default:
			c.stems = append(c.stems, token.Stem)
		}
	}
	if len(c.stems) == 0 {
		c.stems, c.turn = turns, 0
	}
	return c, len(c.stems) > 0
}

// leastShare is the share of a phrase's words that a sentence on it has.
const leastShare = 0.5

// Mentioned reports whether a sentence has at least half of the phrase's words or synonyms of them.
func (c Concern) Mentioned(said string) bool { return c.mentionedIn(text.Tokens(said, "en")) }

func (c Concern) mentionedIn(tokens []text.Token) bool {
	found := 0
	for _, stem := range c.stems {
		if slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Stem == stem || areSynonyms(t.Stem, stem) }) {
			found++
		}
	}
	return float64(found) >= leastShare*float64(len(c.stems))
}

func areSynonyms(a, b string) bool {
	groups := synonymGroups()[a]
	return slices.ContainsFunc(synonymGroups()[b], func(group int) bool { return slices.Contains(groups, group) })
}

// Passage is a sentence on a concern.
type Passage struct {
	text.Span
	About string
	Value int // 1 or -1 if the words decide that the concern improves or worsens, else 0
}

// Study is a text prepared for any number of personas.
type Study struct {
	Title, Content string
	sentences      []sentence
	words          *lexicon
}

// NewStudy prepares a text.
func NewStudy(title, content string) *Study {
	language := text.Language(content)
	if language == "" {
		language = "en"
	}
	return &Study{title, content, readSentences(text.Prose(content), language), lexiconOf(language)}
}

// Reading is a text's passages on the concerns of a persona, and its gaps.
type Reading struct {
	Passages []Passage // decided ones first, in the order of the text
	Missing  []string  // interests and concerns that the text does not mention
}

// Read finds the passages on concerns: one per sentence, with its first concern with a direction.
func (s *Study) Read(concerns []Concern) Reading {
	var out Reading
	met := map[string]bool{}
	for _, said := range s.sentences {
		var best *Passage
		for _, c := range concerns {
			if !c.mentionedIn(said.tokens) {
				continue
			}
			met[c.Phrase] = true
			p := Passage{said.Span, c.Phrase, s.valueOf(c, said)}
			if best == nil || best.Value == 0 && p.Value != 0 {
				best = &p
			}
		}
		if best != nil && !text.Asks(said.Text) {
			out.Passages = append(out.Passages, *best)
		}
	}
	slices.SortStableFunc(out.Passages, func(a, b Passage) int { return cmp.Compare(b.Value*b.Value, a.Value*a.Value) })
	for _, c := range concerns {
		if c.Side != 0 && !met[c.Phrase] && !slices.Contains(out.Missing, c.Phrase) {
			out.Missing = append(out.Missing, c.Phrase)
		}
	}
	return out
}

// The numbers of words around a phrase that can give its direction.
const (
	reachBefore = 3
	reachAfter  = 3
)

// valueOf returns 1 or -1 if a sentence has all words of the phrase next to each other and one word
// of direction beside them. Questions, quotations, and words of doubt decide nothing.
func (s *Study) valueOf(c Concern, said sentence) int {
	if c.Side == 0 || strings.ContainsAny(said.Text, "“”\"«»?") || slices.ContainsFunc(said.tokens, s.words.isHedge) {
		return 0
	}
	at := findPhrase(said.tokens, c.stems)
	if at < 0 {
		return 0
	}
	turn := s.turnOf(said.tokens, at, len(c.stems))
	if c.turn != 0 {
		turn *= c.turn
	}
	return turn * c.Side
}

func findPhrase(tokens []text.Token, stems []string) int {
	for at := 0; at+len(stems) <= len(tokens); at++ {
		same := true
		for i, stem := range stems {
			same = same && tokens[at+i].Stem == stem && (i == 0 || !tokens[at+i].AfterBreak)
		}
		if same {
			return at
		}
	}
	return -1
}

// turnOf returns the direction of the words at a place: of a word ahead of them with only stop
// words and numbers in between, else of a word after them. It is 0 if both have one, and behind a
// preposition.
func (s *Study) turnOf(tokens []text.Token, at, width int) int {
	before, after := 0, 0
	linked := false
	for i := at - 1; i >= max(0, at-reachBefore) && before == 0 && !tokens[i+1].AfterBreak; i-- {
		linked = linked || s.words.links[strings.ToLower(tokens[i].Text)]
		if before = s.words.direction(tokens[i]); before == 0 && !tokens[i].Stop && !isNumber(tokens[i]) {
			break
		}
	}
	for i := at + width; i < min(len(tokens), at+width+reachAfter) && after == 0 && !tokens[i].AfterBreak; i++ {
		if after = s.words.direction(tokens[i]); after == 0 && !tokens[i].Stop {
			break
		}
	}
	turn := before + after
	if before != 0 && after != 0 || linked {
		return 0
	}
	for i := max(0, at-reachBefore-2); i < min(len(tokens), at+width+reachAfter); i++ {
		if s.words.isNegation(tokens[i]) {
			turn = -turn
		}
	}
	return turn
}

// decide returns the side that the words decide, 0 if there is none or both.
func (r Reading) decide() int {
	good := slices.ContainsFunc(r.Passages, func(p Passage) bool { return p.Value > 0 })
	bad := slices.ContainsFunc(r.Passages, func(p Passage) bool { return p.Value < 0 })
	switch {
	case good && !bad:
		return 1
	case bad && !good:
		return -1
	}
	return 0
}

// Ratings of a text that its words decide for or against, or not, and the confidence in them: in
// bench/quality/polar 8 of 8 were right, which is 0.9 by the rule of succession.
const (
	neutral           = 3.0
	decidedStep       = 1.0
	decidedConfidence = 0.9
)

// Rating returns the rating from 1 to 5 and the confidence in it.
func (r Reading) Rating() (rating, confidence float64) {
	side := r.decide()
	if side == 0 {
		return neutral, 0
	}
	return neutral + decidedStep*float64(side), decidedConfidence
}
