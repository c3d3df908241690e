package page

import (
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// Clean gives the HTML that a page may show of what its owner wrote: text, links, lists, tables, pictures over https, and calls to
// action, which are links or buttons with data-cta. Scripts, handlers, styles, frames and forms are gone, links open beside the
// page with rel="nofollow noopener", and every element is closed, so that nothing reaches out of the place where it is put. Its time
// and its length grow with the source's; what is clean stays as it is.
func Clean(source string) string {
	return balance(policy.Sanitize(strings.ToValidUTF8(source, "\uFFFD")))
}

var policy = newPolicy()

var (
	overHTTPS = regexp.MustCompile(`^(?i:https)://[^/?#\\\s]`)
	anyLabel  = regexp.MustCompile(`^[^\x00-\x1f]{0,200}$`)
	anchor    = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)
	button    = regexp.MustCompile(`^button$`)
)

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // which adds rel=noopener
	p.AllowElements("article", "section", "header", "footer", "figure", "figcaption", "div", "span", "p", "br", "hr", "pre", "code", "kbd",
		"samp", "var", "b", "strong", "i", "em", "u", "s", "small", "sub", "sup", "mark", "abbr", "cite", "dfn", "ins", "del", "wbr",
		"ul", "dl", "dt", "dd", "details", "summary", "address", "button")
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[a-zA-Z]{2,20}(-[a-zA-Z0-9]{1,8}){0,5}$`)).Globally()
	p.AllowAttrs("title").Matching(anyLabel).Globally()
	p.AllowAttrs("id").Matching(anchor).OnElements("h1", "h2", "h3", "h4", "h5", "h6", "section")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("data-cta").Matching(anyLabel).OnElements("a", "button")
	p.AllowAttrs("type").Matching(button).OnElements("button")
	p.AllowAttrs("src").Matching(overHTTPS).OnElements("img")
	p.AllowAttrs("alt").Matching(anyLabel).OnElements("img")
	p.AllowAttrs("width", "height").Matching(bluemonday.Integer).OnElements("img")
	p.AllowAttrs("cite").OnElements("blockquote", "q")
	p.AllowElements("blockquote", "q")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(open)?$`)).OnElements("details")
	p.AllowLists()
	p.AllowTables()
	return p
}

// maxDepth is how deep elements may stand within each other; browsers give up at 512.
const maxDepth = 256

// balance closes what is open and drops what closes nothing. It does not parse the text into a tree, because a parser repeats what is
// badly nested, and a small text can make it write a huge one.
func balance(clean string) string {
	var out strings.Builder
	var open []string
	closeTo := func(depth int) {
		for len(open) > depth {
			out.WriteString("</" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		}
	}
	for tokens := html.NewTokenizer(strings.NewReader(clean)); ; {
		kind, raw := tokens.Next(), string(tokens.Raw())
		tag, _ := tokens.TagName()
		name := string(tag)
		switch {
		case kind == html.ErrorToken:
			closeTo(0)
			return strings.TrimSpace(out.String())
		case kind == html.EndTagToken:
			if depth := last(open, name); depth >= 0 {
				closeTo(depth)
			}
			continue
		case kind == html.TextToken || slices.Contains(void, name):
		case len(open) > 0 && open[len(open)-1] == name && slices.Contains(closedByNext, name):
			closeTo(len(open) - 1)
			open = append(open, name)
		case len(open) == maxDepth:
			continue
		default:
			open = append(open, name)
		}
		out.WriteString(raw)
	}
}

var (
	void         = []string{"br", "col", "hr", "img", "wbr"}
	closedByNext = []string{"p", "li", "dt", "dd", "tr", "td", "th"} // a second one beside the first ends it, as HTML has it
)

// last is where the name was opened last, and -1 when it is not open.
func last(open []string, name string) int {
	for i, other := range slices.Backward(open) {
		if other == name {
			return i
		}
	}
	return -1
}
