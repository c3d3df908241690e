package style

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text/fact"
)

// Rewrite returns a text without markers of machine style. Other text is unchanged to the byte. A
// marker stays if replacing it would lose a number, date, name, address, quotation or code, or
// would leave no clean text. A text in another language than English is returned as given.
func Rewrite(s string) string {
	if !isKnownLanguage(s) {
		return s
	}
	facts, skip := fact.Extract(s), newSkipRules(s)
	for _, t := range markerRules() {
		if t.replacement == "?" {
			continue
		}
		if out := t.replaceMatches(s, skip); out != s && strings.TrimSpace(out) != "" && keepsFacts(out, facts) {
			s, skip.exempt = out, fact.ExemptRanges(out) // the names are among the facts
		}
	}
	return s
}

func keepsFacts(s string, facts []string) bool {
	index := fact.NewIndex(s)
	return !slices.ContainsFunc(facts, func(f string) bool { return !index.Contains(f) })
}

// replaceMatches returns the text with every match of the rule replaced.
func (t markerRule) replaceMatches(s string, skip skipRules) string {
	found := t.pattern.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return s
	}
	var out output
	last := 0
	for _, at := range found {
		if at[0] < last || skip.skipsMatch(s, at[:2], t) {
			continue
		}
		from, to := at[0], at[1]
		if t.replacement == ", " {
			from, to = at[2], at[3]
		}
		out.WriteString(s[last:from])
		instead := t.replacement
		if strings.Contains(instead, "$") {
			instead = string(t.pattern.ExpandString(nil, instead, s, at))
		}
		last = t.writeReplacement(&out, s, from, to, instead)
		fixArticle(&out)
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// writeReplacement writes the replacement of a match, or the match if it has to stay. It returns
// the offset of the text after it.
func (t markerRule) writeReplacement(out *output, s string, from, to int, instead string) int {
	r := removal{out.tail(), s[from:to], s[to:]}
	if instead == "-" {
		if r.isClean() {
			return to + r.write(out)
		}
		out.WriteString(r.matched)
		return to
	}
	if fitted, ok := r.fitReplacement(instead); ok {
		out.WriteString(matchCase(fitted, r.matched, opensSentence(r.before)))
	} else {
		out.WriteString(r.matched)
	}
	return to
}

// write completes the text before a deleted match: it removes the joiner that nothing follows, and
// capitalizes the start of a sentence. It returns the length of the text after the match that is
// deleted too.
func (r removal) write(out *output) int {
	if opensSentence(r.before) {
		return r.writeSentence(out)
	}
	spaces := len(r.rest) - len(strings.TrimLeft(r.rest, " "))
	next := r.rest[spaces:]
	switch {
	case r.joinerBefore() != "" && r.isPair():
		out.replaceTail(r.before, trimJoiner(r.before)+" ")
		return leadingJoiners(r.rest)
	case leadingJoiners(next) > 0 && joinerOf(next) == "—":
		out.replaceTail(r.before, trimJoiner(r.before))
		return 0
	case next == "" || startsWithAny(next, ",;:"+sentenceEnds):
		out.replaceTail(r.before, trimJoiner(r.before))
		return spaces
	case endsWithAny(r.before, " "+openBrackets):
		return spaces
	}
	return 0
}

// writeSentence is write at the start of a sentence.
func (r removal) writeSentence(out *output) int {
	cut := leadingJoiners(r.rest)
	trimmed := r.rest[cut:]
	if trimmed == "" {
		out.replaceTail(r.before, strings.TrimRight(r.before, " "))
	}
	first, size := utf8.DecodeRuneInString(trimmed)
	word, _, _ := strings.Cut(trimmed, " ")
	if unicode.IsLower(first) && strings.ToLower(word) == word && (beginsSentence(r.before) || startsUpper(r.matched)) {
		out.WriteRune(unicode.ToUpper(first))
		cut += size
	}
	return cut
}

func startsUpper(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(first)
}

// output is the text that a rule has written so far.
type output struct{ bytes.Buffer }

// tailBytes is how much of the text before a match decides what becomes of it.
const tailBytes = 256

// tail returns the end of the text, from the start of a character.
func (o *output) tail() string {
	end := o.Bytes()[max(0, o.Len()-tailBytes):]
	for len(end) > 0 && !utf8.RuneStart(end[0]) {
		end = end[1:]
	}
	return string(end)
}

// replaceTail writes another end in place of the one that tail has returned.
func (o *output) replaceTail(tail, end string) {
	o.Truncate(o.Len() - len(tail))
	o.WriteString(end)
}

var sentenceStart = regexp.MustCompile(`(?:[.!?:…]["”’)]*\s+|\n\s*|^\s*|^[#>*\s-]+|\n[#>*\s-]+)$`)

// opensSentence reports whether a sentence begins after the text.
func opensSentence(before string) bool {
	tail := before
	if len(tail) > 20 {
		tail = tail[len(tail)-20:]
		for !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		return strings.TrimSpace(tail) == "" || sentenceStart.MatchString("x"+tail)
	}
	return sentenceStart.MatchString(tail)
}

// beginsSentence is opensSentence except at the very start of the text, because a selection may
// begin within a sentence.
func beginsSentence(before string) bool {
	return strings.TrimSpace(before) != "" && opensSentence(before)
}

// matchCase returns the replacement with the capitalization of the old words.
func matchCase(instead, old string, open bool) string {
	first, _ := utf8.DecodeRuneInString(old)
	if !unicode.IsUpper(first) || !open && len(strings.Fields(old)) > 1 {
		return instead
	}
	start, size := utf8.DecodeRuneInString(instead)
	return string(unicode.ToUpper(start)) + instead[size:]
}

var articlePattern = regexp.MustCompile(`(?i)\b(an?) ([a-z]+)$`)

// fixArticle corrects "a" and "an" ahead of a new word.
func fixArticle(out *output) {
	s := out.tail()
	tail := max(0, len(s)-60)
	at := articlePattern.FindStringSubmatchIndex(s[tail:])
	if at == nil {
		return
	}
	vowel := strings.ContainsRune("aeiouAEIOU", rune(s[tail+at[4]])) && !strings.HasPrefix(s[tail+at[4]:], "use")
	given := s[tail+at[2] : tail+at[3]]
	want := given[:1]
	if vowel {
		want += "n"
	}
	if want != given {
		out.replaceTail(s, s[:tail+at[2]]+want+s[tail+at[3]:])
	}
}
