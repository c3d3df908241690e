package style

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text/fact"
)

// Rewrite returns a text without markers of machine style. Other text is unchanged to the byte. A marker stays if replacing it would lose a
// number, date, name, address, quotation or code.
func Rewrite(s string) string {
	facts := fact.Extract(s)
	for _, t := range markerRules() {
		if t.replacement == "?" {
			continue
		}
		if out := t.replaceMatches(s); out != s && keepsFacts(out, facts) {
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
		last = to
		switch instead {
		case "-":
			last = leaveOut(&out, s, to)
		default:
			out.WriteString(matchCase(instead, s[from:to], opensSentence(out.String())))
		}
		fixArticle(&out)
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// leaveOut writes the text after a deleted match: it removes the space and capitalizes the start of a sentence. It returns the next offset.
func leaveOut(out *strings.Builder, s string, to int) int {
	before := out.String()
	rest := s[to:]
	cut := len(rest) - len(strings.TrimLeft(rest, ",;: "))
	trimmed := rest[cut:]
	if !opensSentence(before) {
		if first, _ := utf8.DecodeRuneInString(rest); unicode.IsPunct(first) {
			resetBuilder(out, strings.TrimRight(before, " "))
			return to
		}
		if strings.HasSuffix(before, " ") {
			return to + len(rest) - len(strings.TrimLeft(rest, " "))
		}
		return to
	}
	first, size := utf8.DecodeRuneInString(trimmed)
	word, _, _ := strings.Cut(trimmed, " ")
	if unicode.IsLower(first) && strings.ToLower(word) == word && (beginsSentence(before) || wasUpper(s, to, before)) {
		out.WriteRune(unicode.ToUpper(first))
		cut += size
	}
	return to + cut
}

// wasUpper reports whether the deleted text began with a capital.
func wasUpper(s string, to int, before string) bool {
	first, _ := utf8.DecodeRuneInString(s[min(len(before), to):])
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

// beginsSentence is opensSentence except at the very start of the text, because a selection may begin within a sentence.
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
