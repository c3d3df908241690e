package extract

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Words counts the words of a text in any script by the word borders of Unicode (UAX #29); only segments with a letter or a
// number count. Scripts that are written without spaces count by the borders that UAX #29 knows: each Han sign is a word.
func Words(text string) int {
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

// Characters counts Unicode code points.
func Characters(text string) int { return utf8.RuneCountInString(text) }
