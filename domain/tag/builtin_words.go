package tag

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// byWords finds values verbatim, or by their stems if the text contains none verbatim.
func (p *documentText) byWords(values []string) []claim {
	if claims := p.findVerbatim(values); len(claims) > 0 {
		return claims
	}
	claims := make([]claim, 0, len(values))
	stems, shared := make([][]string, len(values)), map[string]int{}
	p.readLines()
	for i, v := range values {
		stems[i] = text.Stems(v, p.language)
		shared[strings.Join(stems[i], " ")]++
	}
	for i, v := range values {
		// Stems do not distinguish "Team A" from "Team B", or "For profit" from "Not for profit".
		if shared[strings.Join(stems[i], " ")] == 1 && !hasSingleLetter(v) {
			claims = append(claims, p.byStems(v, stems[i]))
		}
	}
	return claims
}

// hasSingleLetter reports whether a value has a word of one letter or digit.
func hasSingleLetter(value string) bool {
	return slices.ContainsFunc(text.Words(value), func(w text.Span) bool { return len(w.Text) == 1 })
}

// findVerbatim returns the values that the text contains as written, longer ones first. A value inside a longer one, as "solar" in "non-
// solar", does not count.
func (p *documentText) findVerbatim(values []string) []claim {
	values = slices.Clone(values)
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	lines, rest := p.readLines(), make([]string, len(p.lines))
	for i, l := range lines {
		rest[i] = l.text
	}
	var claims []claim
	for _, v := range values {
		c, times := claim{Value: v}, 0
		for i, l := range lines {
			left, found := p.cutValue(rest[i], v)
			if !found {
				continue
			}
			rest[i] = left
			times++
			if i > 0 && c.Quote == "" { // the title is not part of the text
				c.Quote = truncateText(l.text, maxQuote)
			}
		}
		if times > 0 {
			c.Confidence = mentionConfidence(times)
			claims = append(claims, c)
		}
	}
	return claims
}

// mentionConfidence returns the confidence of a value that occurs in so many sentences.
func mentionConfidence(times int) float64 { return 1 - 0.3/float64(times+1) }

// cutValue removes a value from a line wherever it is between word borders, so that no shorter value is found there.
func (p *documentText) cutValue(line, value string) (rest string, found bool) {
	if strings.TrimSpace(value) == "" {
		return line, false
	}
	small := p.isStopWords(value)
	if small && !isAcronym(value) {
		return line, false
	}
	var out strings.Builder
	last := 0
	for _, at := range looseMatcher(value).FindAllStringIndex(line, -1) {
		if atWordBorders(line, at[0], at[1]) && (!small || line[at[0]:at[1]] == value) {
			out.WriteString(line[last:at[0]] + "\x00")
			last, found = at[1], true
		}
	}
	return out.String() + line[last:], found
}

// isStopWords reports whether a value consists of stop words, like "No" or "IT", which most texts contain with another meaning.
func (p *documentText) isStopWords(value string) bool {
	return len(text.Stems(value, p.language)) == 0 && !strings.ContainsFunc(value, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsSpace(r)
	})
}

func isAcronym(value string) bool {
	return utf8.RuneCountInString(value) > 1 && strings.ToLower(value) != value && strings.ToUpper(value) == value
}

// atWordBorders reports whether a part of a line starts and ends at word borders; the signs of "C++" and "C#" belong to the word. In scripts
// without spaces every position is a border.
func atWordBorders(line string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:from])
	first, _ := utf8.DecodeRuneInString(line[from:])
	final, _ := utf8.DecodeLastRuneInString(line[:to])
	after, _ := utf8.DecodeRuneInString(line[to:])
	if to < len(line) && (after == '+' || after == '#') {
		return false
	}
	return !(from > 0 && isWordRune(before) && isWordRune(first)) && !(to < len(line) && isWordRune(final) && isWordRune(after))
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// byStems finds the stems of a value. Full confidence needs all stems in one sentence and grows with every further sentence.
func (p *documentText) byStems(value string, stems []string) claim {
	if len(stems) == 0 {
		return claim{}
	}
	c, most, times := claim{Value: value}, 0.0, 0
	for i, l := range p.readLines() {
		covered := l.coveredShare(stems)
		if covered == 1 {
			times++
		}
		if covered > most || covered == most && c.Quote == "" && covered > 0 {
			most, c.Quote = covered, ""
			if i > 0 {
				c.Quote = truncateText(l.text, maxQuote)
			}
		}
	}
	c.Confidence = 0.6 * most * most
	if times > 0 {
		c.Confidence = mentionConfidence(times)
	}
	return c
}

// coveredShare returns the share of the stems that the line contains.
func (l textLine) coveredShare(stems []string) float64 {
	found := 0
	for _, s := range stems {
		if l.stems[s] {
			found++
		}
	}
	return float64(found) / float64(len(stems))
}
