package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Words returns the words of a text by the borders of Unicode (UAX #29): the segments with a letter
// or a digit. In scripts without spaces each character, such as a Han character, is a word.
func Words(text string) []Span {
	var spans []Span
	at := 0
	var word string
	for state := -1; text != ""; {
		word, text, state = uniseg.FirstWordInString(text, state)
		end := at + utf8.RuneCountInString(word)
		if hasLetterOrDigit(word) {
			spans = append(spans, Span{word, at, end})
		}
		at = end
	}
	return spans
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
	var stems []string
	for _, t := range Tokens(text, language) {
		if !t.Stop {
			stems = append(stems, t.Stem)
		}
	}
	return stems
}

// Token is a word, or a pair of characters of a script without spaces.
type Token struct {
	Span
	Stem       string // the word itself in lower case if Stop
	Stop       bool
	AfterBreak bool // follows punctuation or a line end
}

// Tokens returns the words of a text with their stems in a language.
func Tokens(text, language string) []Token {
	stem := newStemmer(language)
	words := Words(text)
	runes := []rune(text)
	list := make([]Token, 0, len(words))
	for i, word := range words {
		if isUnspacedScript(word.Text) && i+1 < len(words) && words[i+1].Start == word.End &&
			isUnspacedScript(words[i+1].Text) {
			word.Text += words[i+1].Text
			word.End = words[i+1].End
		} else if i > 0 && isUnspacedScript(word.Text) && words[i-1].End == word.Start &&
			isUnspacedScript(words[i-1].Text) {
			continue // second character of the preceding pair
		}
		t := Token{Span: word, AfterBreak: i == 0 || hasBreak(runes[words[i-1].End:words[i].Start])}
		t.Stem, t.Stop = stem.stemOf(word.Text)
		list = append(list, t)
	}
	return list
}

// hasBreak reports whether more than spaces and joiners separate two words.
func hasBreak(gap []rune) bool {
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
