package tag

import (
	"regexp"
	"strings"
	"unicode"

	"rostrum/llm/text"
)

// firstOf finds the first of the quotes that the text has.
func firstOf(content string, quotes ...string) (text.Span, bool) {
	for _, quote := range quotes {
		if span, ok := text.Locate(content, quote); ok {
			return span, true
		}
	}
	return text.Span{}, false
}

// loosely finds a value with other case or white space.
func loosely(value string) *regexp.Regexp {
	words := strings.Fields(value)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`))
}

// cut gives the beginning of a text, at most so many characters.
func cut(content string, most int) string {
	count := 0
	for i := range content {
		if count == most {
			return content[:i]
		}
		count++
	}
	return content
}

// beginning gives the beginning of a text up to the end of a word, at most so many characters.
func beginning(content string, most int) string {
	content = strings.TrimSpace(content)
	short := cut(content, most)
	if short == content {
		return content
	}
	if space := strings.LastIndexFunc(short, unicode.IsSpace); space > 0 {
		short = short[:space]
	}
	return strings.TrimSpace(short)
}
