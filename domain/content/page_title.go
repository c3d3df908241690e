package content

import (
	"strings"

	"golang.org/x/net/html"
)

// containers are the elements that a page's first heading or paragraph may be in.
var containers = map[string]bool{"html": true, "body": true, "main": true, "article": true, "section": true,
	"header": true, "div": true}

// titleBlocks are the elements that may be the title.
var titleBlocks = map[string]bool{"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "p": true}

// withoutTitle returns HTML without its first heading or paragraph if that is the title, or without
// the first line of the paragraph.
func withoutTitle(body, title string) string {
	tokens := html.NewTokenizer(strings.NewReader(body))
	var block string // the name of the element that may be the title
	var begin int    // of the element in the body
	var words strings.Builder
	for at := 0; ; {
		kind := tokens.Next()
		from := at
		at += len(tokens.Raw())
		tag, _ := tokens.TagName()
		name := string(tag)
		switch {
		case kind == html.ErrorToken:
			return body
		case kind == html.TextToken && block != "":
			words.WriteString(html.UnescapeString(string(tokens.Raw())))
		case kind == html.TextToken && strings.TrimSpace(string(tokens.Raw())) != "":
			return body
		case block == "" && kind == html.StartTagToken && titleBlocks[name]:
			block, begin = name, from
		case block == "" && kind == html.StartTagToken && !containers[name]:
			return body
		case kind == html.EndTagToken && name == block:
			if !isSameLine(words.String(), title) {
				return body
			}
			return body[:begin] + strings.TrimLeft(body[at:], " \n")
		case name == "br" && block == "p" && isSameLine(words.String(), title):
			return body[:begin] + "<p>" + strings.TrimLeft(body[at:], " \n")
		}
	}
}

// isSameLine reports whether texts have the same words.
func isSameLine(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
