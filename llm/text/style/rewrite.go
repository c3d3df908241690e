package style

import (
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
	facts := fact.Extract(s)
	for _, t := range markerRules() {
		if t.replacement == "?" {
			continue
		}
		if out := t.replaceMatches(s); out != s && strings.TrimSpace(out) != "" && keepsFacts(out, facts) {
			s = out
		}
	}
	return s
}

func keepsFacts(s string, facts []string) bool {
	return !slices.ContainsFunc(facts, func(f string) bool { return !fact.Contains(s, f) })
}

// replaceMatches returns the text with every match of the rule replaced.
func (t markerRule) replaceMatches(s string) string {
	found := t.pattern.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return s
	}
	skip := newSkipRules(s)
	var out strings.Builder
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
func (t markerRule) writeReplacement(out *strings.Builder, s string, from, to int, instead string) int {
	r := removal{out.String(), s[from:to], s[to:]}
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
func (r removal) write(out *strings.Builder) int {
	if opensSentence(r.before) {
		return r.writeSentence(out)
	}
	spaces := len(r.rest) - len(strings.TrimLeft(r.rest, " "))
	next := r.rest[spaces:]
	switch {
	case r.joinerBefore() != "" && r.isPair():
		resetBuilder(out, trimJoiner(r.before)+" ")
		return leadingJoiners(r.rest)
	case leadingJoiners(next) > 0 && joinerOf(next) == "—":
		resetBuilder(out, trimJoiner(r.before))
		return 0
	case next == "" || startsWithAny(next, ",;:"+sentenceEnds):
		resetBuilder(out, trimJoiner(r.before))
		return spaces
	case endsWithAny(r.before, " "+openBrackets):
		return spaces
	}
	return 0
}

// writeSentence is write at the start of a sentence.
func (r removal) writeSentence(out *strings.Builder) int {
	cut := leadingJoiners(r.rest)
	trimmed := r.rest[cut:]
	if trimmed == "" {
		resetBuilder(out, strings.TrimRight(r.before, " "))
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

func resetBuilder(out *strings.Builder, to string) {
	out.Reset()
	out.WriteString(to)
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
func fixArticle(out *strings.Builder) {
	s := out.String()
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
		resetBuilder(out, s[:tail+at[2]]+want+s[tail+at[3]:])
	}
}
