package persona

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
)

var (
	listMark = regexp.MustCompile(`^(?:[-+•*]|\d+[.)])\s+`)
	openMark = regexp.MustCompile(`^(?:>\s*|[-+•*]\s+|\d+[.)]\s+|[*_]{1,3}\s*)+`)
	endMark  = regexp.MustCompile(`[.!?…。！？:;]["'”’»)\]*_]*$`)
	linkMark = regexp.MustCompile(`!?\[([^\]]*)\]\([^)\s]*\)`)
	bareMark = regexp.MustCompile("[*_]{2,3}|`+|(?m)^\\s*(?:>|#{1,6}|[-+*])\\s+")
)

// A line without a full stop is a sentence from so many words on, and an entry of a list from fewer.
const (
	leastWords = 8
	leastEntry = 3
)

// prose lists the sentences of a text that say something: no headings, no rows of tables, and no marks of Markdown before them. Each stands in
// the text as it is given. A text without any such sentence is taken as it is.
func prose(content string) []text.Span {
	all := text.Sentences(content)
	var said []text.Span
	for _, sentence := range all {
		if says(sentence.Text) {
			said = append(said, unmarked(sentence))
		}
	}
	if len(said) == 0 {
		return all
	}
	return said
}

func says(sentence string) bool {
	if strings.HasPrefix(sentence, "|") || strings.HasPrefix(sentence, "#") {
		return false
	}
	words := len(text.Words(sentence))
	switch {
	case endMark.MatchString(sentence):
		return words > 1
	case listMark.MatchString(sentence):
		return words >= leastEntry
	}
	return words >= leastWords
}

// unmarked is a sentence without the marks before it, but for an emphasis that ends within it.
func unmarked(sentence text.Span) text.Span {
	marks := openMark.FindString(sentence.Text)
	if strings.Contains(marks, "**") && strings.Count(sentence.Text, "**")%2 == 0 {
		marks = marks[:strings.Index(marks, "**")]
	}
	return text.Span{Text: sentence.Text[len(marks):], Start: sentence.Start + utf8.RuneCountInString(marks), End: sentence.End}
}

// plain is a text without the marks of Markdown, as it is read out.
func plain(said string) string {
	return strings.TrimSpace(bareMark.ReplaceAllString(linkMark.ReplaceAllString(said, "$1"), ""))
}
