package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Locate finds a passage in a text, ignoring white space, case, and the form of quotation marks and
// dashes. It returns the text's own characters, and false if the passage is not found.
func Locate(content, passage string) (Span, bool) {
	passage = strings.TrimSpace(passage)
	if passage == "" {
		return Span{}, false
	}
	if at := strings.Index(content, passage); at >= 0 {
		start := utf8.RuneCountInString(content[:at])
		return Span{Text: passage, Start: start, End: start + utf8.RuneCountInString(passage)}, true
	}
	runes := []rune(content)
	folded, places := foldText(runes)
	wanted, _ := foldText([]rune(passage))
	at := strings.Index(string(folded), string(wanted))
	if at < 0 || len(wanted) == 0 {
		return Span{}, false
	}
	first := utf8.RuneCountInString(string(folded)[:at])
	start, end := places[first], places[first+len(wanted)-1]+1
	return Span{Text: string(runes[start:end]), Start: start, End: end}, true
}

// foldText normalizes a text and returns the original position of each of its characters.
func foldText(runes []rune) (folded []rune, places []int) {
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
			if len(folded) == 0 || folded[len(folded)-1] == ' ' {
				continue
			}
			r = ' '
		case strings.ContainsRune("“”„«»", r):
			r = '"'
		case strings.ContainsRune("‘’‚", r):
			r = '\''
		case strings.ContainsRune("–—‑", r):
			r = '-'
		default:
			r = unicode.ToLower(r)
		}
		folded, places = append(folded, r), append(places, i)
	}
	return folded, places
}
