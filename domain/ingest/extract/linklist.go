package extract

import (
	"strings"
	"unicode"
)

// fewestLetters is the weight below which text without a sentence counts as the rest of a page's
// frame.
const fewestLetters = 25

// isLinkList reports whether the chosen blocks are only links to other pages: a directory index, an
// archive or search results. Dates and sizes next to links are not text; a sentence outside links
// is.
func isLinkList(chosen []*textBlock) bool {
	if len(chosen) == 0 {
		return false // an empty page has no links
	}
	plain, linked, ended := 0, 0, false
	for _, b := range chosen {
		leads := weighWithoutDigits(b.anchors)
		own := max(0, weighWithoutDigits(b.text)-leads)
		ended = ended || endsSentence(b.text)
		if endsSentence(b.text) && own >= fewestSaid/2 {
			return false
		}
		plain += own
		linked += leads
	}
	return linked > plain || plain+linked < fewestLetters && !ended && !hasDataTable(chosen)
}

// weighWithoutDigits returns the weight of a text without its digits.
func weighWithoutDigits(text string) int {
	digits := 0
	for _, r := range text {
		if unicode.IsNumber(r) {
			digits++
		}
	}
	return weighLetters(text) - digits
}

// hasDataTable reports whether a table of numbers, which has few letters, is among the blocks.
func hasDataTable(chosen []*textBlock) bool {
	for _, b := range chosen {
		if (b.kind == rowBlock || b.kind == codeBlock) && strings.ContainsFunc(b.text, unicode.IsNumber) {
			return true
		}
	}
	return false
}
