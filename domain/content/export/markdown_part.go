package export

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// address matches a web address within text, up to its closing punctuation.
var address = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>"'.,;:!?)\]}*~]`)

// linkAddresses makes links of the web addresses in a page's text, because the escapes of Markdown
// would break those with underscores.
func linkAddresses(page *html.Node) {
	var texts []*html.Node
	for n := range page.Descendants() {
		if n.Type == html.TextNode && strings.Contains(n.Data, "://") && !isLiteral(n) {
			texts = append(texts, n)
		}
	}
	for _, n := range texts {
		rest := n.Data
		for span := address.FindStringIndex(rest); span != nil; span = address.FindStringIndex(rest) {
			target := rest[span[0]:span[1]]
			link := &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A,
				Attr: []html.Attribute{{Key: "href", Val: target}}}
			link.AppendChild(&html.Node{Type: html.TextNode, Data: target})
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: rest[:span[0]]}, n)
			n.Parent.InsertBefore(link, n)
			rest = rest[span[1]:]
		}
		n.Data = rest
	}
}

// isLiteral reports whether a text is in a link or in code.
func isLiteral(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.A || n.DataAtom == atom.Code || n.DataAtom == atom.Pre {
			return true
		}
	}
	return false
}

// renderAddress writes a link whose text is its address as <address>.
func renderAddress(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	href := attributeValue(n, "href")
	text := strings.TrimPrefix(href, "mailto:")
	if text == "" || nodeText(n) != text || strings.ContainsAny(text, " <>\\") || !strings.ContainsAny(text, ":@") {
		return converter.RenderTryNext
	}
	_, _ = w.WriteString("<" + text + ">")
	return converter.RenderSuccess
}

// separateList writes a comment in front of a list behind one of its kind, because Markdown would
// read both as one.
func separateList(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	before := n.PrevSibling
	for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
		before = before.PrevSibling
	}
	if before != nil && before.DataAtom == n.DataAtom {
		_, _ = w.WriteString("\n\n<!-- -->\n\n")
	}
	return converter.RenderTryNext
}

// renderNotes writes the footnotes, with their further lines indented.
func renderNotes(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	number := 0
	for item := range n.Descendants() {
		if item.DataAtom != atom.Li || !strings.HasPrefix(attributeValue(item, "id"), "note-") {
			continue
		}
		number++
		var text bytes.Buffer
		ctx.RenderChildNodes(ctx, &text, item)
		_, _ = w.WriteString("\n\n[^" + strconv.Itoa(number) + "]: ")
		for i, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
			if i > 0 {
				_, _ = w.WriteString("\n")
			}
			if i > 0 && line != "" {
				line = "    " + line
			}
			_, _ = w.WriteString(line)
		}
		_, _ = w.WriteString("\n\n")
	}
	return converter.RenderSuccess
}
