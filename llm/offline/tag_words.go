package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/llm/text/value"
)

// mention counts the sentences that mention a value.
type mention struct {
	value     string
	sentences int
	labelled  bool   // a sentence has the words of the auto-tag too
	quote     string // of the text, not of the title
}

// findListed returns the value that the document's statements mention. A single word needs two
// sentences or the auto-tag's words. A value is doubtful if another one is mentioned too. An
// auto-tag of the type list has all mentioned values.
func (d *taggedText) findListed(t Tag, values []string) TagClaim {
	found := d.mentions(t, values)
	if len(found) == 0 {
		return TagClaim{}
	}
	if value.KindOf(t.Type) == value.List {
		out := TagClaim{Confidence: decidedTag, Quote: found[0].quote}
		var items []string
		for _, one := range values { // in the order of the definition
			if slices.ContainsFunc(found, func(m mention) bool { return m.value == one }) {
				items = append(items, one)
			}
		}
		out.Value = strings.Join(items, "; ")
		return out
	}
	slices.SortStableFunc(found, func(a, b mention) int { return cmp.Compare(b.sentences, a.sentences) })
	best := found[0]
	out := TagClaim{Value: best.value, Confidence: decidedTag, Quote: best.quote}
	weak := best.sentences < 2 && !best.labelled && !strings.ContainsFunc(best.value, unicode.IsSpace)
	if weak || len(found) > 1 && found[1].sentences*2 > best.sentences {
		out.Confidence = doubtfulTag
	}
	return out
}

// mentions returns the values that statements contain as written or by all stems next to each
// other, longer ones first. A value inside a longer one does not count, for example "solar" in
// "non-solar". A negated sentence has only values that are negated too.
func (d *taggedText) mentions(t Tag, values []string) []mention {
	values = slices.Clone(values)
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	subject := d.subjectOf(t)
	matchers := make([]matcher, len(values))
	for i, one := range values {
		matchers[i] = d.newMatcher(one, values)
	}
	count := make([]mention, len(values))
	for i, s := range d.sentences {
		if text.Asks(s.Text) {
			continue
		}
		rest, negated := s.Text, slices.ContainsFunc(s.tokens, d.words.isNegation)
		for at, m := range matchers {
			left, found := m.cut(rest)
			if !found {
				continue
			}
			if rest = left; m.negated != negated {
				continue
			}
			count[at].value, count[at].sentences = values[at], count[at].sentences+1
			from, _ := findNear(s.tokens, subject)
			count[at].labelled = count[at].labelled || from >= 0
			if i >= d.inTitle && count[at].quote == "" {
				count[at].quote = s.Text
			}
		}
	}
	return slices.DeleteFunc(count, func(m mention) bool { return m.sentences == 0 })
}

// matcher finds a value in a sentence.
type matcher struct {
	written  *regexp.Regexp // nil for a value that only stop words make up
	exact    string         // the only spelling; empty for any
	stems    []string       // empty if other values have the same
	negated  bool           // has a negation: "No growth"
	language string
}

func (d *taggedText) newMatcher(one string, all []string) matcher {
	m := matcher{
		language: d.language, stems: text.Stems(one, d.language),
		negated: slices.ContainsFunc(text.Tokens(one, d.language), d.words.isNegation),
	}
	words := strings.Fields(one)
	if len(m.stems) == 0 && !strings.ContainsFunc(one,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsSpace(r) }) {
		if isAcronym(one) { // "IT" and not "it"
			m.exact = one
		} else {
			words = nil
		}
	}
	if len(words) > 0 {
		for i, word := range words {
			words[i] = regexp.QuoteMeta(word)
		}
		m.written = regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`))
	}
	same := func(other string) bool { return other != one && slices.Equal(text.Stems(other, d.language), m.stems) }
	letter := func(w text.Span) bool { return len(w.Text) == 1 }
	// "Team A" and "Team B" have the same stems
	if slices.ContainsFunc(all, same) || slices.ContainsFunc(text.Words(one), letter) {
		m.stems = nil
	}
	return m
}

func isAcronym(said string) bool {
	return utf8.RuneCountInString(said) > 1 && strings.ToLower(said) != said && strings.ToUpper(said) == said
}

// cut removes the value from a sentence wherever it is between word borders, so that no shorter
// value is found there.
func (m matcher) cut(said string) (rest string, found bool) {
	if m.written == nil {
		return said, false
	}
	var out strings.Builder
	last := 0
	for _, at := range m.written.FindAllStringIndex(said, -1) {
		if atWordBorders(said, at[0], at[1]) && (m.exact == "" || said[at[0]:at[1]] == m.exact) {
			out.WriteString(said[last:at[0]] + "\x00")
			last, found = at[1], true
		}
	}
	if found || len(m.stems) == 0 {
		return out.String() + said[last:], found
	}
	return said, findPhrase(text.Tokens(said, m.language), m.stems) >= 0
}

// atWordBorders reports whether a part of a line starts and ends at word borders. The signs of
// "C++" and "C#" belong to the word. In scripts without spaces every position is a border.
func atWordBorders(line string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:from])
	first, _ := utf8.DecodeRuneInString(line[from:])
	final, _ := utf8.DecodeLastRuneInString(line[:to])
	after, _ := utf8.DecodeRuneInString(line[to:])
	if to < len(line) && (after == '+' || after == '#') {
		return false
	}
	return !(from > 0 && isWordRune(before) && isWordRune(first)) &&
		!(to < len(line) && isWordRune(final) && isWordRune(after))
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
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
