package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// removeStruck removes text that the page strikes out, for example an older price.
func removeStruck(doc *html.Node) {
	var struck []*html.Node
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Del, atom.S, atom.Strike:
			struck = append(struck, n)
		}
	}
	for _, n := range struck {
		n.Parent.RemoveChild(n)
	}
}
