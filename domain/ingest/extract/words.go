package extract

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// CountWords returns the number of words of a text in any script by Unicode word boundaries (UAX #29). Only segments with a letter or a number
// count. In scripts without spaces each Han character is a word.
func CountWords(text string) int {
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
