package content

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"rostrum/llm/text"
)

// beginning is how much of a text, in code points, its excerpt is looked for in.
const beginning = 20 * longestExcerpt

// unmarked is what a reader sees of a text: of HTML without its tags, of anything else the text itself.
func unmarked(content, kind string) string {
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
			hidden = hides(string(name), hidden)
			out.WriteString(gap(string(name)))
		case html.EndTagToken:
			if name, _ := read.TagName(); string(name) == hidden {
				hidden = ""
			} else {
				out.WriteString(gap(string(name)))
			}
		}
	}
}

// hides is the element that keeps what follows from being seen; empty for none.
func hides(name, already string) string {
	if already == "" && (name == "script" || name == "style" || name == "template") {
		return name
	}
	return already
}

// gap is what parts the texts on both sides of a tag: nothing within a line.
func gap(name string) string {
	switch name {
	case "a", "abbr", "b", "code", "del", "em", "i", "ins", "mark", "s", "small", "span", "strong", "sub", "sup", "u":
		return ""
	}
	return "\n"
}

var headingMarks = regexp.MustCompile(`(?m)^[ \t]*(#{1,6}|[*>-])[ \t]+`)

// excerpt is how a text begins, in one line and without the marks that Markdown begins lines with.
func excerpt(plain string) string {
	start := plain
	if cut := []rune(start); len(cut) > beginning {
		start = string(cut[:beginning])
	}
	return text.Truncate(strings.Join(strings.Fields(headingMarks.ReplaceAllString(start, "")), " "), longestExcerpt)
}

// firstLine is the title that a text has by itself: its first line without a heading's marks.
func firstLine(plain string) string {
	for line := range strings.Lines(plain) {
		if line = strings.TrimSpace(headingMarks.ReplaceAllString(line, "")); line != "" {
			return text.Truncate(line, longestTitle)
		}
	}
	return ""
}
