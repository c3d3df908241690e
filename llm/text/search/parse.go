package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"rostrum/llm/text"
)

// Error is a mistake in a query.
type Error struct {
	At  int // the first wrong character, in code points from 0
	Say string
}

// Error says where the mistake is, counted from 1, and what to write instead.
func (e *Error) Error() string { return fmt.Sprintf("at character %d: %s", e.At+1, e.Say) }

// Parse parses a query: words, "phrases", prefix*, -without, OR, and terms such as title:budget. It
// returns an *Error for a term that cannot hold, for example after:yesterday. Any other text is
// words: C++, AT&T, an address, a quotation mark without its other.
func Parse(query string) (Query, error) {
	p := parser{runes: []rune(query)}
	var out Query
	isOr := false
	var orAt int
	for p.skipSpaces(); p.at < len(p.runes); p.skipSpaces() {
		if p.takeWord("OR") {
			if len(out) == 0 || isOr {
				return nil, &Error{p.at - 2, `OR stands between two words, as in merger OR takeover; to search for the word itself write "or"`}
			}
			isOr, orAt = true, p.at-2
			continue
		}
		if len(out) > 0 && !isOr && p.takeWord("AND") {
			continue
		}
		term, err := p.term()
		switch {
		case err != nil:
			return nil, err
		case term == nil: // only punctuation
		case isOr:
			out[len(out)-1] = append(out[len(out)-1], *term)
			isOr = false
		default:
			out = append(out, Clause{*term})
		}
	}
	if isOr {
		return nil, &Error{orAt, `OR needs a word on both sides, as in merger OR takeover; to search for the word itself write "or"`}
	}
	if len(out) == 0 && strings.TrimSpace(query) != "" {
		return nil, &Error{0, "has nothing to search for: write a word"}
	}
	return out.withoutStops(text.GuessLanguage(query)), nil
}

// parser reads a query from its start.
type parser struct {
	runes []rune
	at    int
}

func (p *parser) skipSpaces() {
	for p.at < len(p.runes) && unicode.IsSpace(p.runes[p.at]) {
		p.at++
	}
}

// takeWord skips a word if it is the next one.
func (p *parser) takeWord(word string) bool {
	end := p.at + len(word)
	if end > len(p.runes) || string(p.runes[p.at:end]) != word || end < len(p.runes) && !unicode.IsSpace(p.runes[end]) {
		return false
	}
	p.at = end
	return true
}

// term reads one term. It returns nil for punctuation.
func (p *parser) term() (*Term, error) {
	t := &Term{At: p.at}
	if t.Not = p.at+1 < len(p.runes) && p.runes[p.at] == '-' && !unicode.IsSpace(p.runes[p.at+1]); t.Not {
		p.at++
	}
	t.Field = p.field()
	valueAt := p.at
	value, isQuoted := p.value()
	t.End = p.at
	if t.IsText() {
		if t.setWords(value, valueAt+quoteLen(isQuoted), isQuoted); len(t.Words) == 0 {
			if t.Field == FieldTitle {
				return nil, &Error{t.At, "title: needs a word, as in title:budget"}
			}
			return nil, nil
		}
		return t, t.checkPrefix()
	}
	t.Value = strings.TrimSpace(value)
	return t, t.checkValue(valueAt)
}

// quoteLen returns the length of the quotation mark before a value.
func quoteLen(isQuoted bool) int {
	if isQuoted {
		return 1
	}
	return 0
}

// fields are the names of fields, in any case.
var fields = []Field{FieldTitle, FieldCompany, FieldExecutive, FieldSpeaker, FieldTag, FieldType, FieldLanguage,
	FieldIs, FieldAfter, FieldBefore}

// field skips the name of a field and its colon, and returns it. Other words with a colon, such as
// http: and Re:, are text.
func (p *parser) field() Field {
	for _, field := range fields {
		end := p.at + len(field)
		if end < len(p.runes) && p.runes[end] == ':' && strings.EqualFold(string(p.runes[p.at:end]), string(field)) {
			p.at = end + 1
			return field
		}
	}
	return FieldText
}

// closing are the quotation marks and what may end them.
var closing = map[rune]string{'"': `"`, '“': `”“"`, '„': `“”"`, '”': `”"`, '«': `»"`, '»': `«"`, '「': `」`, '『': `』`}

// value reads what stands in quotation marks, or all up to the next space. Without its other, a
// quotation mark ends with the query.
func (p *parser) value() (value string, isQuoted bool) {
	if p.at < len(p.runes) {
		if ends, ok := closing[p.runes[p.at]]; ok {
			p.at++
			start := p.at
			for p.at < len(p.runes) && !strings.ContainsRune(ends, p.runes[p.at]) {
				p.at++
			}
			value = string(p.runes[start:p.at])
			p.at = min(p.at+1, len(p.runes))
			return value, true
		}
	}
	start := p.at
	for p.at < len(p.runes) && !unicode.IsSpace(p.runes[p.at]) {
		p.at++
	}
	return string(p.runes[start:p.at]), false
}

// setWords splits a value into words.
func (t *Term) setWords(value string, at int, isQuoted bool) {
	t.IsExact, t.Prefix = isQuoted, strings.HasSuffix(value, "*")
	var last *QueryWord
	tokenize(value, func(one token) bool {
		if last != nil && last.IsGram && one.isGram && one.end == last.end-at && one.start == one.end-1 {
			return true // the last character of the pair before
		}
		t.Words = append(t.Words, QueryWord{cutWord(one.form), one.raw, at + one.start, at + one.end, one.isGram})
		last = &t.Words[len(t.Words)-1]
		return true
	})
	if last != nil && last.IsGram && len([]rune(last.Form)) == 1 {
		t.Prefix = true
	}
}

// minPrefix is the least number of letters before a star.
const minPrefix = 2

func (t *Term) checkPrefix() error {
	last := t.Words[len(t.Words)-1]
	if t.Prefix && !last.IsGram && len([]rune(last.Form)) < minPrefix {
		return &Error{last.at, "write at least two letters before *, as in mer*"}
	}
	return nil
}

// states are the values of is:.
var states = []string{"hidden", "shown", "ready", "processing", "failed", "public", "internal", "embargoed",
	"undecided"}

// languageTag are the values of lang:.
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// examples are terms that each field takes.
var examples = map[Field]string{
	FieldCompany: `company:Acme or company:"Acme Corp"`, FieldExecutive: `executive:"Ann Lee"`, FieldSpeaker: `speaker:"Ann Lee"`,
	FieldTag: "tag:energy", FieldType: "type:speech", FieldLanguage: "lang:de", FieldIs: "is:hidden",
	FieldAfter: "after:2026-10-01", FieldBefore: "before:2026-10-01",
}

// checkValue checks the value of a field, and sets the day of a time.
func (t *Term) checkValue(at int) error {
	lower := strings.ToLower(t.Value)
	switch {
	case t.Value == "":
		return &Error{t.At, fmt.Sprintf("%s: needs a value, as in %s", t.Field, examples[t.Field])}
	case t.Field == FieldIs && !slices.Contains(states, lower):
		return &Error{at, fmt.Sprintf("is: does not know %q; write one of %s", t.Value, strings.Join(states, ", "))}
	case t.Field == FieldLanguage && !languageTag.MatchString(lower):
		return &Error{at, fmt.Sprintf("%q is not a language; write its code, as in lang:de", t.Value)}
	case t.Field == FieldAfter || t.Field == FieldBefore:
		for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
			if day, err := time.Parse(layout, t.Value); err == nil && day.Year() > 0 {
				t.Day = day
				return nil
			}
		}
		return &Error{at, fmt.Sprintf("%q is not a day; write %s:2026-10-01, %s:2026-10 or %s:2026", t.Value, t.Field,
			t.Field, t.Field)}
	case t.Field == FieldIs || t.Field == FieldLanguage:
		t.Value = lower
	}
	return nil
}
