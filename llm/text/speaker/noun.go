package speaker

import (
	"strings"
	"unicode"
)

// phraseWords is the number of words of a noun phrase in front of a name: "l'élu écologiste X".
const phraseWords = 3

// markRoles marks the nouns in front of a full name that begins with a known first name, which are
// roles: "Verteidigerin X", "la bioquímica X". In front of a last name, or after an article, the
// same noun is a role too.
func (r *layout) markRoles() {
	roles := map[string]bool{}
	last := max(0, len(r.tokens)-1)
	for i := range r.tokens[:last] {
		t := &r.tokens[i] // "Lachmanns Verteidiger"
		t.possessive = t.possessive || r.isGenitive(*t) && r.tokens[i+1].capital && r.isA(i+1, kindRole)
	}
	for i := range r.tokens[:last] {
		if r.blockOf[i] == r.blockOf[i+1] && (r.isGermanRole(i) || r.isNounWithName(i)) {
			roles[r.tokens[i].lower] = true
		}
	}
	for i := range r.tokens[:last] {
		r.tokens[i].role = roles[r.tokens[i].lower] && r.mayBeRole(i)
	}
}

// mayBeRole reports whether a noun is in front of a name, or in other languages than German after
// an article.
func (r *page) mayBeRole(at int) bool {
	if r.german {
		return r.isNameWord(r.tokens[at]) && r.isNameWord(r.tokens[at+1])
	}
	return !r.tokens[at].capital && r.isAfterDeterminer(r.tokens, at)
}

// isGenitive reports whether a German word may be a last name in the genitive.
func (r *page) isGenitive(t token) bool {
	return r.german && t.capital && strings.HasSuffix(t.lower, "s") && !r.isRole(t.lower) &&
		!r.isFunctionWord(t.lower) && !isFirstName(t)
}

// isGermanRole reports whether a noun is in front of a full name.
func (r *page) isGermanRole(at int) bool {
	t := r.tokens[at]
	isNoun := t.word && t.capital && !t.upper && r.isNameWord(t) && !r.isFunctionWord(t.lower) && !isFirstName(t)
	isFeminine := strings.HasSuffix(t.lower, "in") && at+fullName < len(r.tokens) && r.isNameWord(r.tokens[at+1]) &&
		r.isNameWord(r.tokens[at+fullName])
	return r.german && isNoun && (isFeminine || r.beginsFullName(at+1))
}

// isNounWithName reports whether a noun with an article is in front of a full name.
func (r *page) isNounWithName(at int) bool {
	t := r.tokens[at]
	isNoun := t.word && !t.capital && !r.isFunctionWord(t.lower) && !r.words[kindOrganization][t.lower] &&
		!r.words[kindCarrier][t.lower]
	return !r.german && isNoun && at > 0 && (r.isA(at-1, kindDeterminer, kindPossessive)) && r.beginsFullName(at+1)
}

// beginsFullName reports whether a known first name and a further word of a name are at a token.
func (r *page) beginsFullName(at int) bool {
	return at+1 < len(r.tokens) && r.tokens[at].capital && isFirstName(r.tokens[at]) &&
		r.nameAt(at, at+fullName) == fullName
}

// isFirstName reports whether a word is a first name of any language, alone or with a hyphen.
func isFirstName(t token) bool {
	first, _, _ := strings.Cut(t.lower, "-")
	return isGivenName(first)
}

// means reports whether an epithet with a gender may mean a person, whose gender may be unknown only
// if a demonstrative refers back.
func (p *person) means(sex, demonstrative gender) bool {
	return sex != anyGender && p.mayBe(sex) && (p.gender == sex || demonstrative != anyGender)
}

// articleGender returns the gender of the definite article of a role; of an elided one it returns
// the role's.
func (r *page) articleGender(at int, role string) gender {
	article := r.tokens[at].lower
	if article == "l'" || article == "l" {
		return r.roleGender(role)
	}
	return articleGenders[article]
}

// isAge reports whether a word is somebody's age: "die 38-Jährige".
func (r *page) isAge(word string) bool {
	return r.german && (strings.HasSuffix(word, "-jährige") || strings.HasSuffix(word, "-jähriger")) ||
		strings.HasSuffix(word, "agénaire")
}

// isCommonWord reports whether a token is a noun or an adjective in lower case.
func (r *page) isCommonWord(at int) bool {
	return r.tokens[at].word && !r.tokens[at].capital && !r.isFunctionWord(r.tokens[at].lower)
}

// articleGenders are the genders of the definite articles of a subject.
var articleGenders = map[string]gender{"die": female, "la": female, "der": male, "le": male, "el": male}

// demonstrativeGenders are the genders of the demonstratives that refer to a person named before:
// "ce marin de 44 ans".
var demonstrativeGenders = map[string]gender{"ce": male, "cet": male, "cette": female, "este": male, "ese": male,
	"esta": female, "esa": female, "dieser": male, "diese": female}

// isAgeOf reports whether a preposition and a number are at a position: "de 27 ans".
func (r *page) isAgeOf(at int) bool {
	return at+1 < len(r.tokens) && r.isA(at, kindPreposition) && unicode.IsDigit(r.runes[r.tokens[at+1].start])
}

// isElided reports whether the article of a noun shows no gender: "l'investisseuse".
func (r *page) isElided(at int) bool {
	return at > 0 && r.tokens[at-1].lower == "l" && r.inverts && !r.german
}

// articleOf returns the article of a noun, in front of at most one adjective.
func (r *page) articleOf(at int) string {
	for i := at - 1; i >= max(0, at-fullName); i-- {
		if word := r.tokens[i].lower; articleGenders[word] != anyGender || demonstrativeGenders[word] != anyGender {
			return word
		}
	}
	return ""
}

// nounGender returns the gender that the article of a noun shows.
func (r *page) nounGender(at int) gender {
	article := r.articleOf(at)
	return max(articleGenders[article], demonstrativeGenders[article])
}

// phraseName returns the position of the full name that ends a noun phrase with an article: "l'élu
// écologiste X"; 0 without one.
func (r *page) phraseName(at, to int) int {
	if r.german || !r.isA(at, kindDeterminer, kindPossessive) {
		return 0
	}
	for i := at + 1; i <= min(at+phraseWords+1, to-fullName); i++ {
		switch t := r.tokens[i]; {
		case t.is(",") && i > at+1:
			if n := r.nameAt(i+1, to); r.beginsFullName(i+1) ||
				r.wordsIn(i+1, i+1+n) >= fullName && (i+1+n == to || r.tokens[i+1+n].is(",.")) {
				return i + 1
			}
			return 0
		case !t.word || t.capital || r.isFunctionWord(t.lower):
			return 0
		}
	}
	return 0
}
