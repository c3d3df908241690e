package tag

import (
	"strings"
	"unicode"

	"rostrum/llm/text"
)

// locateFirst returns the span of the first quote that the text contains.
func locateFirst(content string, quotes ...string) (text.Span, bool) {
	for _, quote := range quotes {
		if span, ok := text.Locate(content, quote); ok {
			return span, true
		}
	}
	return text.Span{}, false
}

// truncateAtWord returns the beginning of a text up to the end of a word, at most most characters.
func truncateAtWord(content string, most int) string {
	content = strings.TrimSpace(content)
	short := text.FirstRunes(content, most)
	if short == content {
		return content
	}
	if space := strings.LastIndexFunc(short, unicode.IsSpace); space > 0 {
		short = short[:space]
	}
	return strings.TrimSpace(short)
}
