package tag

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"rostrum/llm/text"
)

// alike reports whether two values of an auto-tag of this type mean the same. A pair that is taken for one by mistake is worse than one
// that is missed: word by word and in the same order they may differ in diacritics and in how they are spelled in Britain and America,
// or in number unless they are names; one may have "the" before it or a company's legal form after it. No slip of the pen is forgiven:
// names differ by as little.
func alike(kind, a, b string) bool {
	if keyOf(a) == keyOf(b) {
		return true
	}
	x, first := bare(kind, a)
	y, second := bare(kind, b)
	if len(x) != len(y) || first != second && first != "" && second != "" {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (named(kind) || !plural(x[i], y[i]) && !plural(y[i], x[i])) {
			return false
		}
	}
	return len(x) > 0
}

// named reports a type whose values are names of people or companies, in which a plural is another name.
func named(kind string) bool { return kind == "executive" || kind == "company" }

// The legal forms that end a company's name, by the spelling that stands for all. Of the short ones some are codes of countries or words
// as well, so they are taken for one in companies only.
var (
	forms = map[string]string{
		"inc": "inc", "incorporated": "inc", "ltd": "ltd", "llc": "llc", "llp": "llp", "plc": "plc", "corp": "corp", "gmbh": "gmbh",
		"ag": "ag", "kgaa": "kgaa", "sarl": "sarl", "oyj": "oyj",
	}
	shortForms = map[string]string{
		"limited": "ltd", "corporation": "corp", "co": "co", "company": "co", "sa": "sa", "se": "se", "nv": "nv", "bv": "bv", "ab": "ab",
		"as": "as", "asa": "asa", "kg": "kg", "oy": "oy", "spa": "spa", "srl": "srl",
	}
)

// bare gives the words of a value without "the" before it and the legal form after it, which is given as well.
func bare(kind, value string) (words []string, form string) {
	words = strings.Fields(keyOf(value))
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	if last := len(words) - 1; last > 0 {
		form = forms[words[last]]
		if form == "" && kind == "company" {
			form = shortForms[words[last]]
		}
		if form != "" {
			words = words[:last]
		}
	}
	for i, w := range words {
		words[i] = american.ReplaceAllString(plain(w), "${1}is$2")
	}
	return words, form
}

// american is the ending that British English writes with an s, after enough of a word for it not to be a name.
var american = regexp.MustCompile(`^(\pL{5,})iz(e|es|ed|er|ers|ing|ation|ations|ational)$`)

// plain drops the marks on Latin and Greek letters; in other scripts they make other letters or vowels.
func plain(word string) string {
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

// shortest is how many letters a word has whose plural is known; of shorter ones too many are names and codes.
const shortest = 4

// plural reports whether the second word is the plural of the first in English. The stems keep apart what only looks so, like "news".
func plural(one, many string) bool {
	if len([]rune(one)) < shortest || strings.ContainsFunc(one+many, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return false
	}
	stem, isY := strings.CutSuffix(one, "y")
	if many != one+"s" && many != one+"es" && !(isY && many == stem+"ies") {
		return false
	}
	a, b := text.Stems(one, "en"), text.Stems(many, "en")
	return len(a) == 1 && len(b) == 1 && a[0] == b[0]
}
