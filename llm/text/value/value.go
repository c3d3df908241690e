package value

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Kind is what the values of a tag's type are.
type Kind string

// The kinds of values. Types that the package does not know have free texts as values.
const (
	Text      Kind = "text"
	Person    Kind = "person"
	Company   Kind = "company"
	Number    Kind = "number"
	Boolean   Kind = "boolean"
	Date      Kind = "date"
	Place     Kind = "place"
	List      Kind = "list"
	Sentiment Kind = "sentiment"
)

// kinds are the names of types by kind; types are an open set.
var kinds = map[string]Kind{
	"person": Person, "people": Person, "executive": Person, "company": Company, "organisation": Company,
	"organization": Company,
	"number":       Number, "integer": Number, "amount": Number, "boolean": Boolean, "bool": Boolean, "yes_no": Boolean,
	"date":  Date,
	"place": Place, "location": Place, "list": List, "sentiment": Sentiment,
}

// KindOf returns the kind of a tag's type, which is Text for unknown types.
func KindOf(tagType string) Kind {
	if kind, ok := kinds[strings.ToLower(strings.TrimSpace(tagType))]; ok {
		return kind
	}
	return Text
}

// The limits of names, in words.
const (
	longestPerson = 6
	longestPlace  = 8
)

// Read returns the canonical form of a value: plain decimals for numbers, "true" or "false",
// YYYY-MM-DD or YYYY-MM for dates, and the items of lists between semicolons. Other kinds keep the
// text. If the kind cannot have the value, the reason is a predicate such as "must be true or
// false".
func Read(kind Kind, said string) (canonical, reason string) {
	said = strings.TrimSpace(said)
	switch kind {
	case Number:
		if found := Numbers(said); len(found) == 1 && len(Dates(said)) == 0 {
			return found[0].Value, ""
		}
		return "", "must have one number"
	case Date:
		if found := Dates(said); len(found) == 1 {
			return found[0].Value, ""
		}
		return "", "must have one date with its year, such as 2026-03-31 or 31 March 2026"
	case Boolean:
		if is, ok := booleans[strings.ToLower(strings.Trim(said, ".!"))]; ok {
			return is, ""
		}
		return "", "must be true or false"
	case Person:
		if isName(said, longestPerson) && !strings.ContainsFunc(said, unicode.IsDigit) {
			return said, ""
		}
		return "", "must be the name of a person"
	case Place:
		if isName(said, longestPlace) {
			return said, ""
		}
		return "", "must be the name of a place"
	case List:
		return strings.Join(Items(said), "; "), ""
	}
	return said, ""
}

var booleans = map[string]string{
	"true": "true", "yes": "true", "ja": "true", "wahr": "true", "oui": "true", "vrai": "true", "sí": "true",
	"si": "true", "verdadero": "true",
	"false": "false", "no": "false", "nein": "false", "falsch": "false", "non": "false", "faux": "false",
	"falso": "false",
}

// isName reports whether a text has at most so many words, a letter, and a capital unless its
// script has none.
func isName(said string, most int) bool {
	letters, capital := false, false
	for _, r := range said {
		letters = letters || unicode.IsLetter(r)
		capital = capital || unicode.IsUpper(r) || unicode.IsLetter(r) && !unicode.IsLower(r)
	}
	return letters && capital && len(strings.Fields(said)) <= most && !strings.ContainsAny(said, "\n;:?!")
}

var itemBreak = regexp.MustCompile(`\s*[;\n]\s*`)

// Items returns the distinct items of a list: those between semicolons or line ends, else those
// between commas.
func Items(said string) []string {
	parts := itemBreak.Split(said, -1)
	if len(parts) == 1 {
		parts = strings.Split(said, ",")
	}
	items := []string{}
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(items, part) {
			items = append(items, part)
		}
	}
	return items
}
