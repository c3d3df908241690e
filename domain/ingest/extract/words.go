package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// CountWords returns the number of words of a text in any script by Unicode word boundaries (UAX
// #29). Only segments with a letter or a number count. In scripts without spaces each Han character
// is a word.
func CountWords(text string) int {
	count := 0
	for part := range strings.FieldsFuncSeq(text, isPlainSpace) {
		if isPlainWord(part) {
			count++ // most words of most texts, in a fraction of the time
			continue
		}
		switch word := strings.Trim(part, plainMarks); {
		case word == "":
		case isPlainWord(word):
			count++
		default:
			count += countBoundaries(part)
		}
	}
	return count
}

// plainMarks are marks of ASCII that are no part of a word at its ends.
const plainMarks = `.,;:!?"'()`

func isPlainSpace(r rune) bool { return r == ' ' || r == '\n' }

// isPlainWord reports whether a text is one word because it only has letters and digits of ASCII.
func isPlainWord(text string) bool {
	for i := range len(text) {
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return true
}

// countBoundaries counts the words of a text by its boundaries.
func countBoundaries(text string) int {
	count, state := 0, -1
	var word string
	for len(text) > 0 {
		word, text, state = uniseg.FirstWordInString(text, state)
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				count++
				break
			}
		}
	}
	return count
}

// CountCharacters returns the number of Unicode code points.
func CountCharacters(text string) int { return utf8.RuneCountInString(text) }
