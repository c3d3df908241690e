package speaker

import (
	"slices"
	"unicode/utf8"
)

// IsName reports whether a phrase can be the name of a person or a company: it has a word with a
// capital letter or a digit that is no article, possessive, title, office or function word of any
// language. "La", "Unser", "Le PDG" and "Der Vorstandsvorsitzende" are no names; "The Body Shop" is
// one. Adjectives count as names, because no list has them.
func IsName(phrase string) bool {
	for _, t := range tokenize([]rune(phrase)) {
		first, _ := utf8.DecodeRuneInString(t.lower)
		if t.word && (t.capital || first >= '0' && first <= '9') && !slices.ContainsFunc(lexicons(), t.isOrdinary) {
			return true
		}
	}
	return false
}

// isOrdinary reports whether a word is no part of a name in a language.
func (t token) isOrdinary(words lexicon) bool {
	r := page{words: words, german: words[kindCommon]["und"]}
	return r.isRole(t.lower) || r.isFunctionWord(t.lower) ||
		words.has(t.lower, kindTitle, kindPossessive, kindNotName, kindUnnamed, kindOffice)
}
