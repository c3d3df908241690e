package tag

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"rostrum/llm/text"
)

// sameValue reports whether two values of an auto-tag of this type mean the same. It prefers
// missing a match to a false match: compared word by word in order, values may differ in
// diacritics, in British or American spelling, and in number unless they are names. A leading "the"
// and a trailing legal form are ignored. Typing errors are not tolerated, because names differ by
// as little.
func sameValue(kind, a, b string) bool {
	if keyOf(a) == keyOf(b) {
		return true
	}
	x, first := normalizeWords(kind, a)
	y, second := normalizeWords(kind, b)
	if len(x) != len(y) || first != second && first != "" && second != "" {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (isNameType(kind) || !isPlural(x[i], y[i]) && !isPlural(y[i], x[i])) {
			return false
		}
	}
	return len(x) > 0
}

// isNameType reports whether the values of a type are names of people or companies, where a plural
// is a different name.
func isNameType(kind string) bool { return kind == "executive" || kind == "company" }

// The legal forms at the end of a company's name, mapped to their canonical spelling. The short
// ones may also be country codes or words, so they only count in companies.
var (
	legalForms = map[string]string{
		"inc": "inc", "incorporated": "inc", "ltd": "ltd", "llc": "llc", "llp": "llp", "plc": "plc", "corp": "corp",
		"gmbh": "gmbh",
		"ag":   "ag", "kgaa": "kgaa", "sarl": "sarl", "oyj": "oyj",
	}
	shortForms = map[string]string{
		"limited": "ltd", "corporation": "corp", "co": "co", "company": "co", "sa": "sa", "se": "se", "nv": "nv",
		"bv": "bv", "ab": "ab",
		"as": "as", "asa": "asa", "kg": "kg", "oy": "oy", "spa": "spa", "srl": "srl",
	}
)

// normalizeWords returns the words of a value without a leading "the" and without the trailing
// legal form, and that form.
func normalizeWords(kind, value string) (words []string, form string) {
	words = strings.Fields(keyOf(value))
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	if last := len(words) - 1; last > 0 {
		form = legalForms[words[last]]
		if form == "" && kind == "company" {
			form = shortForms[words[last]]
		}
		if form != "" {
			words = words[:last]
		}
	}
	for i, w := range words {
		words[i] = britishEnding.ReplaceAllString(stripDiacritics(w), "${1}is$2")
	}
	return words, form
}

// britishEnding matches the ending that British English spells with an s, after at least five
// letters, so that no names match.
var britishEnding = regexp.MustCompile(`^(\pL{5,})iz(e|es|ed|er|ers|ing|ation|ations|ational)$`)

// stripDiacritics removes the marks of Latin and Greek letters; in other scripts they form other
// letters or vowels.
func stripDiacritics(word string) string {
	var out strings.Builder
	var base rune
	for _, r := range norm.NFD.String(word) {
		if !unicode.IsMark(r) {
			base = r
		} else if unicode.In(base, unicode.Latin, unicode.Greek) {
			continue
		}
		out.WriteRune(r)
	}
	return norm.NFC.String(out.String())
}

// minPluralLength is the minimum number of letters for a plural to be recognized; shorter words are
// often names or codes.
const minPluralLength = 4

// isPlural reports whether the second word is the English plural of the first. Comparing stems
// excludes words like "lens".
func isPlural(singular, other string) bool {
	if len([]rune(singular)) < minPluralLength || strings.ContainsFunc(singular+other,
		func(r rune) bool { return !unicode.IsLetter(r) }) {
		return false
	}
	stem, isY := strings.CutSuffix(singular, "y")
	if other != singular+"s" && other != singular+"es" && !(isY && other == stem+"ies") {
		return false
	}
	a, b := text.Stems(singular, "en"), text.Stems(other, "en")
	return len(a) == 1 && len(b) == 1 && a[0] == b[0]
}
