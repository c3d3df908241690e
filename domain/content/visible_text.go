package content

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"rostrum/llm/text"
)

// excerptWindow is how many code points from the start of a text its excerpt and title are taken
// from.
const excerptWindow = 20 * maxExcerpt

// visibleText returns the visible text of HTML that is not struck out, or other content unchanged.
func visibleText(content, kind string) string {
	if kind = strings.ToLower(kind); kind != "html" && kind != "text/html" {
		return content
	}
	var out strings.Builder
	hidden := ""
	for read := html.NewTokenizer(strings.NewReader(content)); ; {
		switch read.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(out.String())
		case html.TextToken:
			if hidden == "" {
				out.WriteString(html.UnescapeString(string(read.Raw())))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := read.TagName()
			hidden = hiddenElement(string(name), hidden)
			out.WriteString(tagSeparator(string(name)))
		case html.EndTagToken:
			if name, _ := read.TagName(); string(name) == hidden {
				hidden = ""
			} else {
				out.WriteString(tagSeparator(string(name)))
			}
		}
	}
}

// hiddenElement returns the name of an element with invisible or struck-out content, or "" if it is
// visible.
func hiddenElement(name, already string) string {
	switch name {
	case "script", "style", "template", "del", "s", "strike":
		if already == "" {
			return name
		}
	}
	return already
}

// tagSeparator returns the separator for a tag: a line break, or "" for inline elements.
func tagSeparator(name string) string {
	switch name {
	case "a", "abbr", "b", "code", "del", "em", "i", "ins", "mark", "s", "small", "strike", "span", "strong", "sub", "sup", "u":
		return ""
	}
	return "\n"
}

var headingMarks = regexp.MustCompile(`(?m)^[ \t]*(#{1,6}|[*>-])[ \t]+`)

// newExcerpt returns the beginning of a text in one line without Markdown marks.
func newExcerpt(plain string) string {
	start := text.FirstRunes(plain, excerptWindow)
	return text.Truncate(strings.Join(strings.Fields(headingMarks.ReplaceAllString(start, "")), " "), maxExcerpt)
}

// firstLine returns the first line of a text without heading marks, as its default title.
func firstLine(plain string) string {
	for line := range strings.Lines(plain) {
		start := text.FirstRunes(strings.TrimLeft(line, " \t"), excerptWindow)
		if start = strings.TrimSpace(headingMarks.ReplaceAllString(start, "")); start != "" {
			return text.Truncate(start, maxTitle)
		}
	}
	return ""
}
