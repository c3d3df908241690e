package fact

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text without invisible characters (zero-width and other format characters) and
// with letters and digits that resemble ASCII written as ASCII. Characters that occur in the
// sources are unchanged.
func Clean(s string, sources ...string) string {
	had := map[rune]bool{}
	for _, source := range sources {
		for _, r := range source {
			had[r] = true
		}
	}
	var out strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80 || had[r]:
			if r >= 0x20 || r == '\n' || r == '\t' {
				out.WriteRune(r)
			}
		case unicode.In(r, unicode.Cf, unicode.Cc, unicode.Co, unicode.Variation_Selector):
		case unicode.IsSpace(r):
			out.WriteRune(' ')
		default:
			out.WriteString(foldASCII(r))
		}
	}
	return out.String()
}

// foldASCII returns the ASCII form of a character, or the character itself.
func foldASCII(r rune) string {
	folded := norm.NFKC.String(string(r))
	for _, f := range folded {
		if f >= 0x80 || !unicode.IsLetter(f) && !unicode.IsDigit(f) {
			return string(r)
		}
	}
	return folded
}

// MixedScriptWord returns the first word that mixes Latin with Greek or Cyrillic letters and occurs
// in no source. It returns "" if there is none.
func MixedScriptWord(s string, sources ...string) string {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if mixesScripts(word) && !Contains(strings.Join(sources, "\n"), word) {
			return word
		}
	}
	return ""
}

func mixesScripts(word string) bool {
	latin, other := false, false
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek)
	}
	return latin && other
}
