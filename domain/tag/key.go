package tag

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"rostrum/model"
)

// sharp is the "#" that tells "C#" from "C", unlike that of a hashtag.
var sharp = regexp.MustCompile(`(\pL)#`)

// keyOf is the same for values that differ in case, width, punctuation or white space only.
func keyOf(value string) string {
	folded := cases.Fold().String(norm.NFKC.String(value))
	words := strings.FieldsFunc(sharp.ReplaceAllString(folded, "$1♯"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !unicode.IsSymbol(r)
	})
	if len(words) == 0 {
		return strings.TrimSpace(folded)
	}
	return strings.Join(words, " ")
}

// allowed gives a value in the spelling of the allowed ones; ok is false for one that is none of them. Without any all are allowed.
func allowed(t *model.AutoTag, value string) (spelling string, ok bool) {
	value = strings.TrimSpace(value)
	choices := choicesOf(t)
	if len(choices) == 0 {
		return value, value != ""
	}
	return reused(t.TagType, choices, value)
}

// choicesOf are the values that an auto-tag may have: a manual filter has its name and nothing else.
func choicesOf(t *model.AutoTag) []string {
	if t.Manual {
		return []string{t.Name}
	}
	return t.AllowedValues
}

// reused gives a known value that means the same; equal ones go before alike ones.
func reused(kind string, known []string, value string) (string, bool) {
	key := keyOf(value)
	for _, k := range known {
		if keyOf(k) == key {
			return k, true
		}
	}
	for _, k := range known {
		if alike(kind, k, value) {
			return k, true
		}
	}
	return "", false
}
