package style

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// removal is a match to delete: the text before it, the match, and the text after it.
type removal struct {
	before, matched, rest string
}

// Characters at the borders of a match.
const (
	sentenceEnds = ".!?…)]}\r\n"
	openBrackets = "([{"
	gluedBefore  = "-/&@'’"
	gluedAfter   = "-/&@'’*_~`"
)

// The words whose adverb cannot be deleted ("more importantly"), and the words that no comma follows except one of a pair ("is, indeed,").
var (
	degreeWords = wordSet("more most less least very quite equally perhaps rather as so how")
	linkWords   = wordSet("and but or nor that which who if because am is are was were be been has have had do does did will would can could may might shall should must")
)

// isClean reports whether the text without the match is well formed: the match is not all of its sentence, not part of a compound, and not
// set off by a pair of commas or dashes of which one may still be needed.
func (r removal) isClean() bool {
	open := opensSentence(r.before)
	end := r.matched[len(r.matched)-1:]
	switch {
	case r.isGlued():
		return false
	case strings.ContainsAny(end, ".!?"):
		return open
	case open || endsWithAny(r.before, openBrackets):
		return end == ":" || !r.endsSentence()
	case r.joinerBefore() == "":
		return !degreeWords[lastWord(r.before)]
	case r.isPair():
		return linkWords[lastWord(trimJoiner(r.before))]
	}
	return true
}

// isGlued reports whether the match is a part of a compound word or of a marked-up phrase.
func (r removal) isGlued() bool {
	return endsWithAny(r.before, gluedBefore) || startsWithAny(r.rest, gluedAfter)
}

// endsSentence reports whether no word of the sentence follows the match.
func (r removal) endsSentence() bool {
	rest := r.rest[leadingJoiners(r.rest):]
	return rest == "" || startsWithAny(rest, sentenceEnds)
}

// isPair reports whether the match is set off by two commas or by two dashes.
func (r removal) isPair() bool {
	after := joinerOf(strings.TrimLeft(r.rest, " "))
	if strings.HasSuffix(r.matched, ",") {
		after = ","
	}
	return after != "" && after == r.joinerBefore()
}

// joinerBefore returns the comma, semicolon or dash that joins the match to the text before it; a dash of any form is "—".
func (r removal) joinerBefore() string {
	trimmed := strings.TrimRight(r.before, " ")
	switch {
	case strings.HasSuffix(trimmed, ","):
		return ","
	case strings.HasSuffix(trimmed, ";"):
		return ";"
	case trimJoiner(r.before) != trimmed:
		return "—"
	}
	return ""
}

// joinerOf returns the joiner at the start of a text, or "".
func joinerOf(s string) string {
	switch n := leadingJoiners(s); {
	case n == 0:
		return ""
	case startsWithAny(s, ",;:"):
		return s[:1]
	}
	return "—"
}

// trimJoiner returns the text without a joiner and space at its end.
func trimJoiner(s string) string {
	s = strings.TrimRight(s, " ")
	for _, joiner := range []string{",", ";", "—", " –", " --", " -"} {
		if trimmed, ok := strings.CutSuffix(s, joiner); ok {
			return strings.TrimRight(trimmed, " ")
		}
	}
	return s
}

// leadingJoiners returns the length of the joiners and spaces at the start of a text. A hyphen or short dash is a joiner only if a space
// follows.
func leadingJoiners(s string) int {
	rest := s
	for {
		joiners := []string{",", ";", ":", " ", "—", "- ", "-- ", "– "}
		at := slices.IndexFunc(joiners, func(joiner string) bool { return strings.HasPrefix(rest, joiner) })
		if at < 0 {
			return len(s) - len(rest)
		}
		rest = rest[len(joiners[at]):]
	}
}

func startsWithAny(s, set string) bool {
	first, size := utf8.DecodeRuneInString(s)
	return size > 0 && strings.ContainsRune(set, first)
}

func endsWithAny(s, set string) bool {
	last, size := utf8.DecodeLastRuneInString(s)
	return size > 0 && strings.ContainsRune(set, last)
}

// lastWord returns the last word of a text in lower case.
func lastWord(s string) string {
	s = strings.TrimRight(s, " ")
	start := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	_, size := utf8.DecodeRuneInString(s[max(start, 0):])
	if start < 0 {
		size = 0
	}
	return strings.ToLower(s[max(start, 0)+size:])
}

// fitReplacement returns the replacement without a comma that the sentence has no place for; ok is false if the sentence has no place for
// the replacement.
func (r removal) fitReplacement(instead string) (fitted string, ok bool) {
	if instead == "so" && (r.endsSentence() || r.joinerBefore() == "," && linkWords[lastWord(trimJoiner(r.before))]) {
		return instead, false
	}
	if word, comma := strings.CutSuffix(instead, ","); comma && !strings.HasSuffix(r.matched, ",") &&
		(!opensSentence(r.before) || r.endsSentence() || leadingJoiners(strings.TrimLeft(r.rest, " ")) > 0) {
		return word, true
	}
	return instead, true
}
