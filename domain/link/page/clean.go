package page

import (
	"crypto/sha256"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"rostrum/platform/live"
)

// Clean returns the part of an owner's HTML that a page may show: text, links, lists, tables,
// images over https, and calls to action (links or buttons with data-cta). Scripts, handlers,
// styles, frames and forms are removed, links open in a new tab with rel="nofollow noopener", and
// every element is closed, so that no element extends past the body. Time and output are linear in
// the source, and clean HTML is unchanged.
func Clean(source string) string {
	return balanceTags(sanitizePolicy.Sanitize(strings.ToValidUTF8(source, "\uFFFD")))
}

// The clean bodies that pages show, by the SHA-256 of the stored ones.
const (
	keptBodies     = 1000
	keptBodiesSize = 16 << 20
)

var cleanBodies = live.NewSizedCache[[sha256.Size]byte, string](keptBodies, keptBodiesSize)

// cleanStored is Clean for a body that is shown again and again.
func cleanStored(source string) string {
	key := sha256.Sum256([]byte(source))
	if body, ok := cleanBodies.Get(key); ok {
		return body
	}
	body := Clean(source)
	cleanBodies.Add(key, body, len(body))
	return body
}

var sanitizePolicy = newPolicy()

var (
	overHTTPS     = regexp.MustCompile(`^(?i:https)://[^/?#\\\s]`)
	anyLabel      = regexp.MustCompile(`^[^\x00-\x1f]{0,200}$`)
	anchorPattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)
	buttonType    = regexp.MustCompile(`^button$`)
)

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // also adds rel=noopener
	p.AllowElements("article", "section", "header", "footer", "figure", "figcaption", "div", "span", "p", "br", "hr",
		"pre", "code", "kbd",
		"samp", "var", "b", "strong", "i", "em", "u", "s", "small", "sub", "sup", "mark", "abbr", "cite", "dfn", "ins",
		"del", "wbr",
		"ul", "dl", "dt", "dd", "details", "summary", "address", "button")
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[a-zA-Z]{2,20}(-[a-zA-Z0-9]{1,8}){0,5}$`)).Globally()
	p.AllowAttrs("title").Matching(anyLabel).Globally()
	p.AllowAttrs("id").Matching(anchorPattern).OnElements("h1", "h2", "h3", "h4", "h5", "h6", "section")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("data-cta").Matching(anyLabel).OnElements("a", "button")
	p.AllowAttrs("type").Matching(buttonType).OnElements("button")
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

// maxDepth is the maximum nesting depth; browsers stop at 512.
const maxDepth = 256

// balanceTags closes open elements and drops unmatched end tags. It uses no tree parser, because a
// parser duplicates misnested elements and a small text could expand to a huge one.
func balanceTags(clean string) string {
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
			if depth := lastIndexOf(open, name); depth >= 0 {
				closeTo(depth)
			}
			continue
		case kind == html.TextToken || slices.Contains(voidElements, name):
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
	voidElements = []string{"br", "col", "hr", "img", "wbr"}
	closedByNext = []string{"p", "li", "dt", "dd", "tr", "td", "th"} // a following one of the same name closes it
)

// lastIndexOf returns the index of the last open element with this name, or -1.
func lastIndexOf(open []string, name string) int {
	for i, other := range slices.Backward(open) {
		if other == name {
			return i
		}
	}
	return -1
}
