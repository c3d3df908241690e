package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"rostrum/llm/text"
)

const (
	// summaryRunes is the largest number of characters of a summary.
	summaryRunes = 240
	// SummarySource is how many characters of a body a summary is made from.
	SummarySource = 8000
)

var (
	inlineElements = []string{"a", "abbr", "b", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark", "q",
		"s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"}
	// unsaid are elements whose words are no sentences of the text.
	unsaid = []string{"button", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table"}
)

// Summary returns the first sentences of a body as plain text, at most 240 characters. A first sentence
// that is longer is cut after a word.
func Summary(body string) string {
	summary := ""
	for _, sentence := range text.Sentences(leadText(body)) {
		said := strings.Join(strings.Fields(sentence.Text), " ")
		switch {
		case summary == "":
			summary = said
		case utf8.RuneCountInString(summary)+1+utf8.RuneCountInString(said) > summaryRunes:
			return summary
		default:
			summary += " " + said
		}
		if utf8.RuneCountInString(summary) > summaryRunes {
			return cutAfterWord(summary)
		}
	}
	return summary
}

// cutAfterWord returns the words of a text that fit a summary, and an ellipsis.
func cutAfterWord(said string) string {
	cut := text.FirstRunes(said, summaryRunes-1)
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:–-") + "…"
}

// leadText returns the words at the beginning of a body, with an empty line between its blocks.
func leadText(body string) string {
	var out strings.Builder
	hidden := 0
	for tokens := html.NewTokenizer(strings.NewReader(body)); out.Len() < SummarySource; {
		kind := tokens.Next()
		tag, _ := tokens.TagName()
		name := string(tag)
		switch {
		case kind == html.ErrorToken:
			return out.String()
		case kind == html.TextToken:
			if hidden == 0 {
				out.Write(tokens.Text())
			}
			continue
		case kind == html.StartTagToken && slices.Contains(unsaid, name):
			hidden++
		case kind == html.EndTagToken && slices.Contains(unsaid, name):
			hidden = max(0, hidden-1)
		}
		if name == "br" {
			out.WriteByte(' ')
		} else if !slices.Contains(inlineElements, name) {
			out.WriteString("\n\n")
		}
	}
	return out.String()
}
