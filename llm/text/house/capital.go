package house

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// capitals is how words are written with capital letters.
type capitals struct {
	style      string // $title, $sentence, $lower, $upper, or "" for an expression
	expression *regexp.Regexp
	exceptions []string
	indicators []string // ends of words after which a sentence begins again
	threshold  float64  // the least share of right words
}

func readCapitalization(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 2)
	match, scopes := f.text("match"), f.readScopes()
	c := capitals{style: match, exceptions: f.list("exceptions"), indicators: f.list("indicators"),
		threshold: f.number("threshold", 0, 0.8)}
	f.readAction("replace")
	if c.threshold > 1 {
		f.fail("threshold", "must be a share of the words, from 0 to 1")
	}
	switch match {
	case "$title", "$sentence", "$lower", "$upper":
	case "":
		f.fail("match", "is required: $title, $sentence, $lower, $upper, or an expression")
	default:
		if strings.HasPrefix(match, "$") {
			f.fail("match", "must be $title, $sentence, $lower, $upper, or an expression")
		}
		c.style, c.expression = "", f.compileOne("match", widenWords(match))
	}
	return func(s *search) {
		for _, one := range s.units(scopes) {
			if s.isOver() {
				return
			}
			said := one.words()
			if c.expression != nil {
				if !c.expression.MatchString(said) {
					s.add(one.block, one.start, one.end, nil, said, match)
				}
				continue
			}
			if better, isRight := c.correct(said); !isRight {
				s.add(one.block, one.start, one.end, []string{better}, said, better)
			}
		}
	}
}

// correct returns a text with the capital letters of the style, and whether the text has them well
// enough.
func (c capitals) correct(said string) (string, bool) {
	kept := c.keptRanges(said)
	var out strings.Builder
	count, right, begins, offset := 0, 0, true, 0
	last := strings.LastIndexFunc(strings.TrimRightFunc(said, unicode.IsSpace), unicode.IsSpace) + 1
	for _, word := range wordsOf(said) {
		better := word
		if strings.ContainsFunc(word, unicode.IsLetter) {
			if count++; !isKept(kept, offset) {
				better = c.write(word, begins, offset == last)
			}
			if better == word {
				right++
			}
			begins = false
			for _, end := range c.indicators {
				begins = begins || strings.HasSuffix(word, end)
			}
		}
		out.WriteString(better)
		offset += len(word)
	}
	return out.String(), count == 0 || float64(right) >= c.threshold*float64(count)
}

// smallWords are the words that titles begin with a small letter.
var smallWords = map[string]bool{"a": true, "an": true, "and": true, "as": true, "at": true, "but": true, "by": true,
	"for": true, "if": true, "in": true, "nor": true, "of": true, "on": true, "or": true, "per": true, "so": true,
	"the": true, "to": true, "up": true, "via": true, "vs": true, "yet": true}

// write returns a word as the style writes it. A word with a capital letter behind its first one is
// a name, such as iPhone or NATO, which titles and sentences keep.
func (c capitals) write(word string, isFirst, isLast bool) string {
	switch {
	case c.style == "$lower":
		return strings.ToLower(word)
	case c.style == "$upper":
		return strings.ToUpper(word)
	case hasInnerCapital(word) || word == "I":
		return word
	case isFirst, c.style == "$title" && (isLast || !smallWords[strings.ToLower(word)]):
		return changeFirst(word, unicode.ToUpper)
	}
	return changeFirst(word, unicode.ToLower)
}

// changeFirst changes the first letter of a word.
func changeFirst(word string, change func(rune) rune) string {
	at := strings.IndexFunc(word, unicode.IsLetter)
	if at < 0 || strings.ContainsAny(word[:at], "0123456789") {
		return word
	}
	first, size := utf8.DecodeRuneInString(word[at:])
	return word[:at] + string(change(first)) + word[at+size:]
}

func hasInnerCapital(word string) bool {
	at := strings.IndexFunc(word, unicode.IsLetter)
	if at < 0 {
		return false
	}
	_, size := utf8.DecodeRuneInString(word[at:])
	return strings.ContainsFunc(word[at+size:], unicode.IsUpper)
}

// wordsOf splits a text into its words and the space between them.
func wordsOf(said string) []string {
	var words []string
	from := 0
	wasSpace := false
	for i, r := range said {
		if isSpace := unicode.IsSpace(r); i > from && isSpace != wasSpace {
			words = append(words, said[from:i])
			from = i
		}
		wasSpace = unicode.IsSpace(r)
	}
	return append(words, said[from:])
}

// keptRanges returns where a text has the exceptions, in bytes.
func (c capitals) keptRanges(said string) [][2]int {
	var kept [][2]int
	for _, one := range c.exceptions {
		for from := 0; ; {
			at := strings.Index(said[from:], one)
			if at < 0 {
				break
			}
			kept = append(kept, [2]int{from + at, from + at + len(one)})
			from += at + len(one)
		}
	}
	return kept
}

func isKept(kept [][2]int, offset int) bool {
	for _, one := range kept {
		if one[0] <= offset && offset < one[1] {
			return true
		}
	}
	return false
}
