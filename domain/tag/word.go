package tag

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// byWords looks for values: by the stems of their words only where none stands in the text as it is written.
func (p *page) byWords(values []string) []claim {
	if claims := p.verbatim(values); len(claims) > 0 {
		return claims
	}
	claims := make([]claim, 0, len(values))
	stems, shared := make([][]string, len(values)), map[string]int{}
	p.read()
	for i, v := range values {
		stems[i] = text.Stems(v, p.language)
		shared[strings.Join(stems[i], " ")]++
	}
	for i, v := range values {
		// What tells "Team A" from "Team B", or "For profit" from "Not for profit", is in no stem.
		if shared[strings.Join(stems[i], " ")] == 1 && !lettered(v) {
			claims = append(claims, p.mentioned(v, stems[i]))
		}
	}
	return claims
}

// lettered reports a value with a word of one letter or digit.
func lettered(value string) bool {
	return slices.ContainsFunc(text.Words(value), func(w text.Span) bool { return len(w.Text) == 1 })
}

// verbatim gives the values that stand in the text as they are written, longer ones first. One that stands only inside a longer one, as
// "solar" does in "non-solar", does not.
func (p *page) verbatim(values []string) []claim {
	values = slices.Clone(values)
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	lines, rest := p.read(), make([]string, len(p.lines))
	for i, l := range lines {
		rest[i] = l.text
	}
	var claims []claim
	for _, v := range values {
		c, times := claim{Value: v}, 0
		for i, l := range lines {
			left, found := p.without(rest[i], v)
			if !found {
				continue
			}
			rest[i] = left
			times++
			if i > 0 && c.Quote == "" { // the title is no part of the text
				c.Quote = cut(l.text, maxQuote)
			}
		}
		if times > 0 {
			c.Confidence = confident(times)
			claims = append(claims, c)
		}
	}
	return claims
}

// confident is how sure a value is that so many sentences have.
func confident(times int) float64 { return 1 - 0.3/float64(times+1) }

// without takes a value out of a line wherever it stands between the borders of words, so that no shorter one is found there.
func (p *page) without(line, value string) (rest string, found bool) {
	if strings.TrimSpace(value) == "" {
		return line, false
	}
	small := p.small(value)
	if small && !acronym(value) {
		return line, false
	}
	var out strings.Builder
	last := 0
	for _, at := range loosely(value).FindAllStringIndex(line, -1) {
		if apart(line, at[0], at[1]) && (!small || line[at[0]:at[1]] == value) {
			out.WriteString(line[last:at[0]] + "\x00")
			last, found = at[1], true
		}
	}
	return out.String() + line[last:], found
}

// small reports a value of nothing but stop words, like "No" or "IT", which stand in most texts without being meant.
func (p *page) small(value string) bool {
	return len(text.Stems(value, p.language)) == 0 && !strings.ContainsFunc(value, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsSpace(r)
	})
}

func acronym(value string) bool {
	return utf8.RuneCountInString(value) > 1 && strings.ToLower(value) != value && strings.ToUpper(value) == value
}

// apart reports whether a part of a line ends at the borders of words; signs as in "C++" and "C#" belong to the word before them. In
// scripts without spaces every border is one.
func apart(line string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:from])
	first, _ := utf8.DecodeRuneInString(line[from:])
	last, _ := utf8.DecodeLastRuneInString(line[:to])
	after, _ := utf8.DecodeRuneInString(line[to:])
	if to < len(line) && (after == '+' || after == '#') {
		return false
	}
	return !(from > 0 && joined(before) && joined(first)) && !(to < len(line) && joined(last) && joined(after))
}

func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// mentioned looks for the stems of a value: one whose words all stand in one sentence is sure, more so with every further sentence.
func (p *page) mentioned(value string, stems []string) claim {
	if len(stems) == 0 {
		return claim{}
	}
	c, most, times := claim{Value: value}, 0.0, 0
	for i, l := range p.read() {
		covered := l.covers(stems)
		if covered == 1 {
			times++
		}
		if covered > most || covered == most && c.Quote == "" && covered > 0 {
			most, c.Quote = covered, ""
			if i > 0 {
				c.Quote = cut(l.text, maxQuote)
			}
		}
	}
	c.Confidence = 0.6 * most * most
	if times > 0 {
		c.Confidence = confident(times)
	}
	return c
}

// covers is the part of the stems that stand in the line.
func (l line) covers(stems []string) float64 {
	found := 0
	for _, s := range stems {
		if l.stems[s] {
			found++
		}
	}
	return float64(found) / float64(len(stems))
}
