package extract

import "golang.org/x/net/html"

// nodeFacts caches properties of a page's elements that are asked for every block below them, so
// that the time stays linear in the page's length.
type nodeFacts struct {
	furniture, form, hidden nodeProperty
	filledRow               nodeProperty // whether a table row has text in several cells
	shortCell               nodeProperty // whether a cell has no more text than a label
}

// nodeProperty is a cached property of elements.
type nodeProperty struct {
	compute func(*html.Node) bool
	known   map[*html.Node]bool
}

func (p *nodeProperty) get(n *html.Node) bool {
	value, asked := p.known[n]
	if !asked {
		value = p.compute(n)
		p.known[n] = value
	}
	return value
}

func newNodeProperty(compute func(*html.Node) bool) nodeProperty {
	return nodeProperty{compute, map[*html.Node]bool{}}
}

func newNodeFacts() *nodeFacts {
	return &nodeFacts{
		furniture: newNodeProperty(isFurniture),
		form:      newNodeProperty(holdsForm),
		hidden:    newNodeProperty(isHidden),
		filledRow: newNodeProperty(func(row *html.Node) bool { return countFilled(row) > 1 }),
		shortCell: newNodeProperty(func(cell *html.Node) bool { return len(keyOf(treeText(cell))) < maxLabelLength }),
	}
}

// inNamedFurniture reports whether an element is in a part of the page outside the text.
func (n *nodeFacts) inNamedFurniture(node *html.Node) bool {
	for ; node != nil; node = node.Parent {
		if n.furniture.get(node) {
			return true
		}
	}
	return false
}

// insideHidden reports whether an element or an ancestor is hidden.
func (n *nodeFacts) insideHidden(node *html.Node) bool {
	for ; node != nil; node = node.Parent {
		if n.hidden.get(node) {
			return true
		}
	}
	return false
}
