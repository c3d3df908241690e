package fact

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean takes from a new text what cannot be seen (zero-width and other format characters) and writes letters and digits that only look like
// ASCII as ASCII, save for characters that the texts which it is made from have themselves.
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
			out.WriteString(plain(r))
		}
	}
	return out.String()
}

// plain is the ASCII that a character is a variant of, else the character.
func plain(r rune) string {
	folded := norm.NFKC.String(string(r))
	for _, f := range folded {
		if f >= 0x80 || !unicode.IsLetter(f) && !unicode.IsDigit(f) {
			return string(r)
		}
	}
	return folded
}

// Lookalike is the first word that mixes letters of Latin with such of Greek or Cyrillic, where the sources have no such word.
func Lookalike(s string, sources ...string) string {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if mixed(word) && !Has(strings.Join(sources, "\n"), word) {
			return word
		}
	}
	return ""
}

func mixed(word string) bool {
	latin, other := false, false
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek)
	}
	return latin && other
}
