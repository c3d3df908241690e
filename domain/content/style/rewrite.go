package style

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/domain/content/fact"
)

// Rewrite writes a text without its tells. What is not a tell stays as it is to the byte, and a tell stays whose place taking would lose a
// number, a date, a name, an address, a quotation or code.
func Rewrite(s string) string {
	facts := fact.Of(s)
	for _, t := range tells() {
		if t.instead == "?" {
			continue
		}
		if out := t.replace(s); out != s && keeps(out, facts) {
			s = out
		}
	}
	return s
}

func keeps(s string, facts []string) bool {
	return !slices.ContainsFunc(facts, func(f string) bool { return !fact.Has(s, f) })
}

// replace writes something else wherever the tell stands.
func (t tell) replace(s string) string {
	found := t.pattern.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return s
	}
	skip := newSkip(s)
	var out strings.Builder
	last := 0
	for _, at := range found {
		if at[0] < last || skip.has(s, at[:2], t) {
			continue
		}
		from, to := at[0], at[1]
		if t.instead == ", " {
			from, to = at[2], at[3]
		}
		out.WriteString(s[last:from])
		instead := t.instead
		if strings.Contains(instead, "$") {
			instead = string(t.pattern.ExpandString(nil, instead, s, at))
		}
		last = to
		switch instead {
		case "-":
			last = leaveOut(&out, s, to)
		default:
			out.WriteString(cased(instead, s[from:to], opens(out.String())))
		}
		mendArticle(&out)
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// leaveOut closes the gap that words leave: their space goes, and what then begins a sentence begins with a capital.
func leaveOut(out *strings.Builder, s string, to int) int {
	before := out.String()
	rest := s[to:]
	cut := len(rest) - len(strings.TrimLeft(rest, ",;: "))
	trimmed := rest[cut:]
	if !opens(before) {
		if first, _ := utf8.DecodeRuneInString(rest); unicode.IsPunct(first) {
			shorten(out, strings.TrimRight(before, " "))
			return to
		}
		if strings.HasSuffix(before, " ") {
			return to + len(rest) - len(strings.TrimLeft(rest, " "))
		}
		return to
	}
	first, size := utf8.DecodeRuneInString(trimmed)
	word, _, _ := strings.Cut(trimmed, " ")
	if unicode.IsLower(first) && strings.ToLower(word) == word && (begins(before) || wasUpper(s, to, before)) {
		out.WriteRune(unicode.ToUpper(first))
		cut += size
	}
	return to + cut
}

// wasUpper reports that what is left out began with a capital.
func wasUpper(s string, to int, before string) bool {
	first, _ := utf8.DecodeRuneInString(s[min(len(before), to):])
	return unicode.IsUpper(first)
}

func shorten(out *strings.Builder, to string) {
	out.Reset()
	out.WriteString(to)
}

var sentenceEnd = regexp.MustCompile(`(?:[.!?:…]["”’)]*\s+|\n\s*|^\s*|^[#>*\s-]+|\n[#>*\s-]+)$`)

// opens reports that a sentence begins behind a text.
func opens(before string) bool {
	tail := before
	if len(tail) > 20 {
		tail = tail[len(tail)-20:]
		for !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		return strings.TrimSpace(tail) == "" || sentenceEnd.MatchString("x"+tail)
	}
	return sentenceEnd.MatchString(tail)
}

// begins reports the same within a text, not at its very start, where a selection may begin in the middle of a sentence.
func begins(before string) bool { return strings.TrimSpace(before) != "" && opens(before) }

// cased gives new words the capital of those that they replace.
func cased(instead, old string, open bool) string {
	first, _ := utf8.DecodeRuneInString(old)
	if !unicode.IsUpper(first) || !open && len(strings.Fields(old)) > 1 {
		return instead
	}
	start, size := utf8.DecodeRuneInString(instead)
	return string(unicode.ToUpper(start)) + instead[size:]
}

var article = regexp.MustCompile(`(?i)\b(an?) ([a-z]+)$`)

// mendArticle makes "an" of "a" before a new word that begins with a vowel, and the other way round.
func mendArticle(out *strings.Builder) {
	s := out.String()
	tail := max(0, len(s)-60)
	at := article.FindStringSubmatchIndex(s[tail:])
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
		shorten(out, s[:tail+at[2]]+want+s[tail+at[3]:])
	}
}
