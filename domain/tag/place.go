package tag

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// locate finds a quote in a text: as it stands, else with other case or white space. Offsets are in code points, and the span's text is
// the text's own.
func locate(content, quote string) (text.Span, bool) {
	quote = strings.TrimSpace(quote)
	if quote == "" {
		return text.Span{}, false
	}
	from, to := strings.Index(content, quote), 0
	if from >= 0 {
		to = from + len(quote)
	} else if loose := loosely(quote).FindStringIndex(content); loose != nil {
		from, to = loose[0], loose[1]
	} else {
		return text.Span{}, false
	}
	start := utf8.RuneCountInString(content[:from])
	return text.Span{Text: content[from:to], Start: start, End: start + utf8.RuneCountInString(content[from:to])}, true
}

// firstOf finds the first of the quotes that the text has.
func firstOf(content string, quotes ...string) (text.Span, bool) {
	for _, quote := range quotes {
		if span, ok := locate(content, quote); ok {
			return span, true
		}
	}
	return text.Span{}, false
}

// longestQuote bounds the pattern of a quote, in words.
const longestQuote = 200

func loosely(quote string) *regexp.Regexp {
	words := strings.Fields(quote)
	words = words[:min(len(words), longestQuote)]
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
