package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Words lists the words of a text by the borders of Unicode (UAX #29): the segments with a letter or a number. Of scripts without spaces each
// Han sign, for one, is a word.
func Words(text string) []Span {
	var spans []Span
	at := 0
	var word string
	for state := -1; text != ""; {
		word, text, state = uniseg.FirstWordInString(text, state)
		end := at + utf8.RuneCountInString(word)
		if spoken(word) {
			spans = append(spans, Span{word, at, end})
		}
		at = end
	}
	return spans
}

func spoken(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// Stems lists what a text is about, in its order: the stems of its words in lower case without stop words. Scripts without spaces give pairs
// of signs. An empty language is found from the text.
func Stems(text, language string) []string {
	if language == "" {
		language = Language(text)
	}
	var stems []string
	for _, t := range tokens(text, language) {
		if !t.stop {
			stems = append(stems, t.stem)
		}
	}
	return stems
}

// token is a word as the methods see it, or a pair of signs of a script without spaces.
type token struct {
	Span
	stem  string
	stop  bool
	apart bool // punctuation or a line's end stands before it
	turn  int  // the direction in which it turns what stands near it
	width int  // of how many words it is the last that have this direction together
}

func tokens(text, language string) []token {
	stem := newStemmer(language)
	words := Words(text)
	runes := []rune(text)
	list := make([]token, 0, len(words))
	for i, word := range words {
		if unspaced(word.Text) && i+1 < len(words) && words[i+1].Start == word.End && unspaced(words[i+1].Text) {
			word.Text += words[i+1].Text
			word.End = words[i+1].End
		} else if i > 0 && unspaced(word.Text) && words[i-1].End == word.Start && unspaced(words[i-1].Text) {
			continue // it is the second of the pair before
		}
		t := token{Span: word, apart: i == 0 || breaks(runes[words[i-1].End:words[i].Start])}
		t.stem, t.stop = stem.of(word.Text)
		list = append(list, t)
	}
	return list
}

// breaks reports that more than spaces and joints stand between two words.
func breaks(gap []rune) bool {
	for _, r := range gap {
		if r == '\n' || !unicode.IsSpace(r) && r != '-' && r != '&' && r != '\'' && r != '’' && r != '‐' {
			return true
		}
	}
	return false
}

// unspaced reports a word of a script whose words UAX #29 does not know.
func unspaced(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
