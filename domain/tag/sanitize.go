package tag

import (
	"strings"
	"unicode"
)

// sanitizeText returns a model's text with single spaces, and without control, replacement and
// invisible characters (direction marks, zero width).
func sanitizeText(text string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(seen), " ")
}
