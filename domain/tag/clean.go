package tag

import (
	"strings"
	"unicode"
)

// clean makes a text that a model gave fit to be stored and shown: without control characters, without those that are not seen (marks of
// direction, of no width), without what stands for bytes that are no text, and with single spaces.
func clean(said string) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, said)
	return strings.Join(strings.Fields(seen), " ")
}
