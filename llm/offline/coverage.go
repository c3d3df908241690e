package offline

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
)

// Coverage asks which points a text makes.
type Coverage struct {
	Content string
	Points  []string
}

// CoverageAnswer holds the verdicts on points, in the form of the model's answer.
type CoverageAnswer struct {
	Rows []PointVerdict `json:"rows"`
}

// PointVerdict is the verdict on one point, numbered from 1.
type PointVerdict struct {
	Point    int                   `json:"point"`
	Verdict  model.CoverageVerdict `json:"verdict"`
	Evidence string                `json:"evidence"`
}

// Answer returns a CoverageAnswer. A point that Find leaves open is absent in it, because a model
// has no verdict for what it does not know.
func (c Coverage) Answer(ctx context.Context) (any, []string, error) {
	read := ReadText(c.Content)
	out := CoverageAnswer{Rows: []PointVerdict{}}
	for i, point := range c.Points {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		found := read.Find(point)
		if found.Verdict == model.CoverageVerdictUnknown {
			found.Verdict = model.CoverageVerdictAbsent
		}
		out.Rows = append(out.Rows, PointVerdict{i + 1, found.Verdict, found.Evidence.Text})
	}
	return out, nil, nil
}

// Text is a text prepared for any number of points.
type Text struct {
	content, language string
	words             *lexicon
	sentences         []sentence
	stems             map[string]bool
}

// ReadText prepares a text. Text that is struck out is not part of it.
func ReadText(content string) *Text {
	content = text.BlankStruck(content)
	language := text.GuessLanguage(content)
	t := &Text{
		content: content, language: language, words: lexiconOf(language),
		sentences: readSentences(text.Sentences(content), language), stems: map[string]bool{},
	}
	for _, s := range t.sentences {
		for _, token := range s.tokens {
			t.stems[token.Stem] = true
		}
	}
	return t
}

// Finding is the verdict on a point, and the sentence that it is based on.
type Finding struct {
	Verdict  model.CoverageVerdict
	Evidence text.Span
}

// Find compares a point with each sentence by its words. A point is covered if a sentence has it
// verbatim, or has all of its words close together in one clause, in the same roles and polarity. It
// is contradicted if that sentence negates it or has another number of the same unit. All else is
// unknown, because other words may mean the same.
func (t *Text) Find(point string) Finding {
	p := t.parsePoint(point)
	if span, ok := text.Locate(t.content, point); ok && (len(p.tokens) == 0 || len(text.Sentences(point)) > 1) {
		return Finding{model.CoverageVerdictCovered, span}
	}
	covered, contradicted := Finding{}, Finding{}
	for _, s := range t.sentences {
		verdict := t.compare(p, s)
		if t.hasVerbatim(point, p, s) {
			verdict = model.CoverageVerdictCovered
		}
		switch {
		case verdict == model.CoverageVerdictCovered && covered.Verdict == "":
			covered = Finding{verdict, s.Span}
		case verdict == model.CoverageVerdictContradicted && contradicted.Verdict == "":
			contradicted = Finding{verdict, s.Span}
		}
	}
	switch {
	case covered.Verdict != "":
		return covered
	case contradicted.Verdict != "":
		return contradicted
	}
	return Finding{Verdict: model.CoverageVerdictUnknown}
}

// hasVerbatim reports whether a sentence asserts a point in the same words. No other word of the
// sentence may deny or doubt it.
func (t *Text) hasVerbatim(point string, p point, s sentence) bool {
	span, ok := text.Locate(s.Text, strings.TrimRight(strings.TrimSpace(point), ".!"))
	if !ok || text.Asks(s.Text) {
		return false
	}
	w := passage{}
	for _, token := range text.Tokens(s.Text, t.language) {
		switch {
		case token.Start < span.Start && token.End > span.Start, token.Start < span.End && token.End > span.End:
			return false // a part of a word
		case token.Start >= span.Start && token.End <= span.End:
			w.tokens = append(w.tokens, token)
		default:
			w.around = append(w.around, token)
		}
	}
	return len(w.tokens) > 0 && !slices.ContainsFunc(w.around, t.words.isNegation) && !t.isDoubted(p, w)
}

// point is a point with its content words.
type point struct {
	tokens  []text.Token // without minor words
	all     map[string]bool
	groups  []int // of each token: the number of prepositions before it
	breaks  int   // the number of punctuation marks inside it
	negated bool
	future  bool
}

func (t *Text) parsePoint(given string) point {
	p := point{all: map[string]bool{}}
	tokens := tokensOf(given, t.language)
	p.breaks = countBreaks(tokens)
	group := 0
	for _, token := range tokens {
		p.all[strings.ToLower(token.Text)], p.all[token.Stem] = true, true
		p.future = p.future || t.words.futures[strings.ToLower(token.Text)]
		switch {
		case t.words.isNegation(token):
			p.negated = !p.negated
		case t.words.has("preposition", token):
			group++
		}
		if !t.isMinor(token) {
			p.tokens, p.groups = append(p.tokens, token), append(p.groups, group)
		}
	}
	return p
}

// passage is the part of a sentence from the first to the last word of a point.
type passage struct {
	tokens  []text.Token
	from    int          // index of the first of the tokens in the sentence
	around  []text.Token // words close to the passage, which may deny or doubt it
	at      []int        // index of each word of the point; -1 if it is missing
	missing []int        // words of the point without a match
}

// Limits of a passage that decides: the number of its other content words, and of the words around
// it that count.
const (
	maxExtra   = 2
	wordsAhead = 4
	wordsAfter = 4
)

// compare returns covered, contradicted, or "" if the sentence decides nothing.
func (t *Text) compare(p point, s sentence) model.CoverageVerdict {
	w := t.findPassage(p, s)
	if len(w.missing) > 1 || len(w.missing) == len(p.tokens) || t.isUncertain(p, w) || strings.HasSuffix(s.Text, "?") {
		return ""
	}
	negated, extra := false, 0
	for _, token := range w.tokens {
		negated = negated != t.words.isNegation(token)
		if !t.isMinor(token) && !p.has(token) {
			extra++
		}
	}
	denied := slices.ContainsFunc(w.around, t.words.isNegation)
	switch {
	case denied || extra > maxExtra || countBreaks(w.tokens) > p.breaks || t.hasOtherRoles(p, w):
		return "" // a break may begin another clause
	case len(p.tokens) < 2:
		return "" // one word is no statement
	case len(w.missing) == 0 && negated == p.negated:
		return model.CoverageVerdictCovered
	case len(w.missing) == 0, negated == p.negated && t.hasOtherNumber(p, w, s):
		return model.CoverageVerdictContradicted
	}
	return ""
}

// findPassage matches a point's words in a sentence. Minor words next to them belong to the passage,
// for example "will not", up to a conjunction or relative pronoun.
func (t *Text) findPassage(p point, s sentence) passage {
	w := passage{}
	first, last := len(s.tokens), -1
	for n, wanted := range p.tokens {
		at := slices.IndexFunc(s.tokens, func(got text.Token) bool {
			return got.Stem == wanted.Stem || isNumber(wanted) && isNumber(got) && numeral(got) == numeral(wanted)
		})
		w.at = append(w.at, at)
		if at < 0 {
			w.missing = append(w.missing, n)
			continue
		}
		first, last = min(first, at), max(last, at)
	}
	joins := func(token text.Token) bool { return t.isMinor(token) && !t.words.has("joint", token) }
	for first > 0 && first < len(s.tokens) && joins(s.tokens[first-1]) && !s.tokens[first].AfterBreak {
		first--
	}
	for last >= 0 && last+1 < len(s.tokens) && joins(s.tokens[last+1]) && !s.tokens[last+1].AfterBreak {
		last++
	}
	if last >= 0 {
		w.tokens, w.from = s.tokens[first:last+1], first
		w.around = slices.Concat(s.tokens[max(0, first-wordsAhead):first],
			s.tokens[last+1:min(len(s.tokens), last+1+wordsAfter)])
	}
	return w
}

// isMinor reports whether a word has no meaning of its own: a negation, or a stop word other than
// those of time, degree and direction, such as "before" and "well".
func (t *Text) isMinor(token text.Token) bool {
	return token.Stop && !t.words.has("sense", token) || t.words.isNegation(token)
}

func (p point) has(token text.Token) bool {
	return slices.ContainsFunc(p.tokens, func(own text.Token) bool {
		return own.Stem == token.Stem || isNumber(own) && isNumber(token) && numeral(own) == numeral(token)
	})
}

// isUncertain reports whether a passage has another tense than the point, or a word of doubt,
// expectation, demand or denial that the point does not have.
func (t *Text) isUncertain(p point, w passage) bool {
	future := func(token text.Token) bool { return t.words.futures[strings.ToLower(token.Text)] }
	return p.future != slices.ContainsFunc(w.tokens, future) || t.isDoubted(p, w)
}

// isDoubted reports whether a passage has a word of doubt, expectation, demand or denial that the
// point does not have.
func (t *Text) isDoubted(p point, w passage) bool {
	lacks := func(token text.Token) bool { return !p.all[strings.ToLower(token.Text)] && !p.all[token.Stem] }
	return slices.ContainsFunc(slices.Concat(w.around, w.tokens), func(token text.Token) bool {
		return (t.words.isHedge(token) || t.words.has("wish", token)) && lacks(token)
	})
}

// hasOtherNumber reports whether the sentence is exact and has one other number instead of the
// point's, with the same word after it.
func (t *Text) hasOtherNumber(p point, w passage, s sentence) bool {
	wanted := p.tokens[w.missing[0]]
	if !isNumber(wanted) || w.missing[0]+1 >= len(p.tokens) || t.stems[wanted.Stem] {
		return false
	}
	if at := w.missing[0]; at > 0 && (isCapital(p.tokens[at-1]) ||
		t.words.identifiers[strings.ToLower(p.tokens[at-1].Text)]) {
		return false // the number identifies: another line 7 does not contradict line 4
	}
	unit, others, same := p.tokens[w.missing[0]+1].Stem, 0, false
	for i, token := range s.tokens {
		if t.words.bounds[strings.ToLower(token.Text)] {
			return false
		}
		if isNumber(token) && !p.has(token) {
			others++
			same = i+1 < len(s.tokens) && s.tokens[i+1].Stem == unit
		}
	}
	return others == 1 && same
}

// countBreaks returns the number of breaks between words.
func countBreaks(tokens []text.Token) (n int) {
	for i, token := range tokens {
		if i > 0 && token.AfterBreak {
			n++
		}
	}
	return n
}

// tokensOf returns the words of a text, with "percent" for the sign and for "per cent".
func tokensOf(said, language string) []text.Token {
	return text.Tokens(percentage.ReplaceAllString(said, " percent"), language)
}

var percentage = regexp.MustCompile(`(?i) ?%| per cent\b`)

func isNumber(token text.Token) bool {
	first, _ := utf8.DecodeRuneInString(token.Text)
	return unicode.IsDigit(first)
}

var groupSeparator = regexp.MustCompile(`[.,’](\d{3})`)

// numeral returns a number without the separators of thousands.
func numeral(token text.Token) string { return groupSeparator.ReplaceAllString(token.Text, "$1") }
