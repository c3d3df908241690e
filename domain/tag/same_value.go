package tag

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"rostrum/llm/text"
)

// sameValue reports whether two values of an auto-tag of this type mean the same. It prefers
// missing a match to a false match. Compared word by word in order, values may differ in
// diacritics, in British or American spelling, and, unless they are names, in number. A leading
// "the" and a trailing legal form do not count. Typing errors do, because names differ by as
// little.
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

// isNameType reports whether a type's values are names of people or companies. A plural is then
// another name.
func isNameType(kind string) bool { return kind == "executive" || kind == "company" }

// Legal forms at the end of a company's name, with their canonical spelling. Short ones may also be
// country codes or words, so they count only in companies.
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

// normalizeWords returns a value's words without a leading "the", and its trailing legal form
// separately.
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

// britishEnding matches the ending that British English spells with an s. It needs five letters
// before, so that no name matches.
var britishEnding = regexp.MustCompile(`^(\pL{5,})iz(e|es|ed|er|ers|ing|ation|ations|ational)$`)

// stripDiacritics removes the marks of Latin and Greek letters. In other scripts they make other
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

// minPluralLength is the least number of letters of a recognized plural. Shorter words are often
// names or codes.
const minPluralLength = 4

// isPlural reports whether other is the English plural of singular, for example "cities" of "city".
// Comparing stems excludes words such as "lens".
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
