package quality

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Tokens splits text into lower-case words by UAX #29. Scripts written without spaces have one
// token for each ideograph, kana or Thai letter, so that they need no dictionary and all languages
// weigh alike.
func Tokens(text string) []string {
	var tokens []string
	state := -1
	for word := ""; text != ""; {
		word, text, state = uniseg.FirstWordInString(text, state)
		if strings.ContainsFunc(word, isWordRune) {
			tokens = append(tokens, strings.ToLower(word))
		}
	}
	return tokens
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Overlap measures the common tokens of two texts, from 0 to 1.
type Overlap struct{ Precision, Recall, F1 float64 }

// itemNumber matches the number of a list item. Browsers write those of <ol>, so labels, which are
// the page's own words, have only numbers that are typed.
var itemNumber = regexp.MustCompile(`(?m)^ *\d{1,3}\. `)

// Compare counts the tokens that got and want share, as multisets: order is ignored, repetition is
// not.
func Compare(got, want string) Overlap {
	if !itemNumber.MatchString(want) {
		got = itemNumber.ReplaceAllString(got, "")
	}
	gotTokens, wantTokens := Tokens(got), Tokens(want)
	shared := float64(common(gotTokens, wantTokens))
	if shared == 0 {
		return Overlap{}
	}
	return Overlap{
		Precision: shared / float64(len(gotTokens)),
		Recall:    shared / float64(len(wantTokens)),
		F1:        2 * shared / float64(len(gotTokens)+len(wantTokens)),
	}
}

func common(a, b []string) int {
	left := map[string]int{}
	for _, token := range a {
		left[token]++
	}
	shared := 0
	for _, token := range b {
		if left[token] > 0 {
			left[token]--
			shared++
		}
	}
	return shared
}
