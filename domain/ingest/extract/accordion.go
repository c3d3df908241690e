package extract

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var accordionNames = regexp.MustCompile(`(?i)accordion|collaps|faq|toggle|expand|disclosure|spoiler|answer`)

// openAccordions shows what a reader opens with a click: the panel after a heading whose button says that it is closed. The
// button becomes part of its heading, for it is the question that the panel answers.
func openAccordions(doc *html.Node) {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Button && inHeading(n) {
			n.DataAtom, n.Data = atom.Span, "span"
			n.Attr = nil
			continue
		}
		if n.Type == html.ElementNode && hidden(n) && isPanel(n) {
			show(n)
		}
	}
}

func inHeading(n *html.Node) bool {
	switch n = n.Parent; n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary:
		return true
	}
	return false
}

// isPanel asks for a name that an accordion has, and for a heading or a button before the panel; menus open by buttons too.
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
		named = named || accordionNames.MatchString(attr(p, "class")+" "+attr(p, "id"))
	}
	switch before.DataAtom {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Button:
		return named || attr(before, "aria-expanded") != ""
	}
	return named && attr(before, "aria-expanded")+attr(before, "aria-controls") != ""
}

// show takes away what hides an element. Extractors look at the same attributes.
func show(n *html.Node) {
	var kept []html.Attribute
	for _, a := range n.Attr {
		if a.Key != "hidden" && a.Key != "aria-hidden" && !(a.Key == "style" && strings.Contains(a.Val, "none")) {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}
