package tag

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"rostrum/model"
)

// letterSharp matches the "#" of "C#", but not that of a hashtag.
var letterSharp = regexp.MustCompile(`(\pL)#`)

// keyOf returns a key that ignores case, width, punctuation and white space. For example,
// "Off-shore Wind" and "off shore wind" have the same.
func keyOf(value string) string {
	folded := cases.Fold().String(norm.NFKC.String(value))
	words := strings.FieldsFunc(letterSharp.ReplaceAllString(folded, "$1♯"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !unicode.IsSymbol(r)
	})
	if len(words) == 0 {
		return strings.TrimSpace(folded)
	}
	return strings.Join(words, " ")
}

// allowedSpelling returns the allowed value that means the same; ok is false without one. If no
// values are listed, all are allowed.
func allowedSpelling(t *model.AutoTag, value string) (spelling string, ok bool) {
	value = strings.TrimSpace(value)
	choices := choicesOf(t)
	if len(choices) == 0 {
		return value, value != ""
	}
	return knownSpelling(t.TagType, choices, value)
}

// choicesOf returns the allowed values of an auto-tag; a manual filter only allows its name.
func choicesOf(t *model.AutoTag) []string {
	if t.Manual {
		return []string{t.Name}
	}
	return t.AllowedValues
}

// knownSpelling returns the known value that means the same. It tries equal keys before sameValue.
func knownSpelling(kind string, known []string, value string) (string, bool) {
	key := keyOf(value)
	for _, k := range known {
		if keyOf(k) == key {
			return k, true
		}
	}
	for _, k := range known {
		if sameValue(kind, k, value) {
			return k, true
		}
	}
	return "", false
}
