package speaker

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"
)

// Person is somebody whom a text names, with the offices and roles by which it introduces the
// person.
type Person struct {
	Name    string // the fullest form in the text
	Offices []string
}

// FindPeople returns the people whom a text names, in the order of their first mentions. A name is a
// person's if a first name, a title, a role or a relative clause shows it, and no word of it is an
// organization's. An office is the text's word in lower case: "chief executive", "directora
// general", "vorstandsvorsitzende". It is the recognizer that this package itself uses, so that
// other packages need none of their own.
func FindPeople(source Source) []Person {
	r := findPeople(findQuotes(splitBlocks(readWords(source))))
	offices := map[*person][]string{}
	for _, role := range slices.Sorted(maps.Keys(r.people.roles)) {
		for _, p := range r.people.roles[role] {
			offices[p] = append(offices[p], role)
		}
	}
	named := slices.DeleteFunc(slices.Collect(maps.Values(r.people.people)),
		func(p *person) bool { return !p.known || p.first < 0 })
	slices.SortFunc(named, func(a, b *person) int { return cmp.Compare(a.first, b.first) })
	var people []Person
	for _, p := range slices.Compact(named) { // a person has several forms
		people = append(people, Person{Name: p.name, Offices: offices[p]})
	}
	return people
}

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
