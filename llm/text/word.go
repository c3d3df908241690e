package text

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Words returns the words of a text by the borders of Unicode (UAX #29): the segments with a letter
// or a digit. In scripts without spaces each character, such as a Han character, is a word.
func Words(text string) []Span {
	var spans []Span
	for word := range placedWords(text) {
		spans = append(spans, word.Span)
	}
	return spans
}

// placedWord is a word with its positions in bytes too.
type placedWord struct {
	Span
	from, to int
}

// isJoined reports whether two words are neighbours in a script without spaces.
func (w placedWord) isJoined(next placedWord) bool {
	return next.from == w.to && isUnspacedScript(w.Text) && isUnspacedScript(next.Text)
}

// placedWords yields the words of a text.
func placedWords(text string) iter.Seq[placedWord] {
	return func(yield func(placedWord) bool) {
		at, from, rest, word := 0, 0, text, ""
		for state := -1; rest != ""; {
			word, rest, state = uniseg.FirstWordInString(rest, state)
			end, to := at+utf8.RuneCountInString(word), from+len(word)
			if hasLetterOrDigit(word) && !yield(placedWord{Span{word, at, end}, from, to}) {
				return
			}
			at, from = end, to
		}
	}
}

func hasLetterOrDigit(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// Stems returns the stems of a text's words in lower case without stop words, in order. Scripts
// without spaces yield pairs of characters. An empty language is detected.
func Stems(text, language string) []string {
	if language == "" {
		language = Language(text)
	}
	return slices.Collect(eachStem(text, language))
}

func eachStem(text, language string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for t := range eachToken(text, language) {
			if !t.Stop && !yield(t.Stem) {
				return
			}
		}
	}
}

// Token is a word, or a pair of characters of a script without spaces.
type Token struct {
	Span
	Stem       string // the word itself in lower case if Stop
	Stop       bool
	AfterBreak bool // follows punctuation or a line end
}

// Tokens returns the words of a text with their stems in a language.
func Tokens(text, language string) []Token { return slices.Collect(eachToken(text, language)) }

// eachToken yields the tokens of a text, which takes no memory for those before: a document may have
// millions.
func eachToken(text, language string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		stem := newStemmer(language)
		var before, word placedWord // the last two words that were read
		count := 0                  // how many were read
		send := func(next placedWord) bool {
			isFirst := count == 1
			switch {
			case count == 0 || !word.isJoined(next) && !isFirst && before.isJoined(word):
				return true // nothing yet, or the second character of the preceding pair
			case word.isJoined(next):
				next.Text, next.Start, next.from = word.Text+next.Text, word.Start, word.from
			default:
				next = word
			}
			t := Token{Span: next.Span, AfterBreak: isFirst || hasBreak(text[before.to:word.from])}
			t.Stem, t.Stop = stem.stemOf(t.Text)
			return yield(t)
		}
		for next := range placedWords(text) {
			if !send(next) {
				return
			}
			before, word = word, next
			count++
		}
		send(placedWord{from: -1})
	}
}

// hasBreak reports whether more than spaces and joiners separate two words.
func hasBreak(gap string) bool {
	for _, r := range gap {
		if r == '\n' || !unicode.IsSpace(r) && r != '-' && r != '&' && r != '\'' && r != '’' && r != '‐' {
			return true
		}
	}
	return false
}

// isUnspacedScript reports whether the word's script has no word borders in UAX #29.
func isUnspacedScript(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
