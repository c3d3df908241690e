package extract

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var accordionNames = regexp.MustCompile(`(?i)accordion|collaps|faq|toggle|expand|disclosure|spoiler|answer`)

// maxNames is the number of bytes of an attribute that are searched, because every hidden element
// searches those of its ancestors.
const maxNames = 500

func firstNames(n *html.Node, attribute string) string {
	names := attributeValue(n, attribute)
	return names[:min(len(names), maxNames)]
}

// openAccordions unhides the panel after each heading with a button for a closed panel. The button
// becomes part of its heading, because it holds the question that the panel answers.
func openAccordions(doc *html.Node) {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Button && insideHeading(n) {
			n.DataAtom, n.Data = atom.Span, "span"
			n.Attr = nil
			continue
		}
		if n.Type == html.ElementNode && isHidden(n) && isPanel(n) {
			unhideElement(n)
		}
	}
}

func insideHeading(n *html.Node) bool {
	switch n = n.Parent; n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary:
		return true
	}
	return false
}

// isPanel reports whether an element is an accordion's panel: it has an accordion's name and
// follows a heading or a button. Menus have buttons too.
func isPanel(n *html.Node) bool {
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	if before == nil || n.DataAtom == atom.Nav || inFurniture(n) {
		return false
	}
	named := false
	for p, up := n, 0; p != nil && up < 4; p, up = p.Parent, up+1 {
		named = named || accordionNames.MatchString(firstNames(p, "class")+" "+firstNames(p, "id"))
	}
	switch before.DataAtom {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Button:
		return named || attributeValue(before, "aria-expanded") != ""
	}
	return named && attributeValue(before, "aria-expanded")+attributeValue(before, "aria-controls") != ""
}

// unhideElement removes the attributes that hide an element. Extractors check the same attributes.
func unhideElement(n *html.Node) {
	var kept []html.Attribute
	for _, a := range n.Attr {
		if a.Key != "hidden" && a.Key != "aria-hidden" && !(a.Key == "style" && strings.Contains(a.Val, "none")) {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}
