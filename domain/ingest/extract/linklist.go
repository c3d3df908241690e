package extract

import (
	"strings"
	"unicode"
)

// fewestLetters is the weight below which words without a sentence are what is left of a page's frame.
const fewestLetters = 25

// isLinkList reports whether the chosen blocks only lead elsewhere: a directory's index, an archive, a page of results. Dates and
// sizes beside links are no text, and a sentence outside links is one.
func isLinkList(chosen []*block) bool {
	if len(chosen) == 0 {
		return false // an empty page leads nowhere
	}
	plain, linked, ended := 0, 0, false
	for _, b := range chosen {
		leads := alphabetic(b.anchors)
		own := max(0, alphabetic(b.text)-leads)
		ended = ended || ends(b.text)
		if ends(b.text) && own >= fewestSaid/2 {
			return false
		}
		plain += own
		linked += leads
	}
	return linked > plain || plain+linked < fewestLetters && !ended && !numeric(chosen)
}

// alphabetic weighs a text without its digits.
func alphabetic(text string) int {
	digits := 0
	for _, r := range text {
		if unicode.IsNumber(r) {
			digits++
		}
	}
	return letters(text) - digits
}

// numeric reports whether a table of figures is among the blocks, which has few letters by nature.
func numeric(chosen []*block) bool {
	for _, b := range chosen {
		if (b.kind == row || b.kind == code) && strings.ContainsFunc(b.text, unicode.IsNumber) {
			return true
		}
	}
	return false
}
