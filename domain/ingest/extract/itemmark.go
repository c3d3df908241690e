package extract

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// itemMarks has the marks of the items of a page's lists: their numbers, or bullets.
type itemMarks struct {
	marks map[*html.Node]string // of the items of numbered lists
	lists map[*html.Node]bool   // whose items have their marks
	begun map[*html.Node]bool   // items whose mark was written
}

func newItemMarks() *itemMarks {
	return &itemMarks{map[*html.Node]string{}, map[*html.Node]bool{}, map[*html.Node]bool{}}
}

// maxItemDepth is the number of levels by which a nested item is indented.
const maxItemDepth = 8

// indents returns what precedes the first line of an item's block, and its further lines. Nested
// items are indented below the text of the items around them.
func (m *itemMarks) indents(n *html.Node) (first, further string) {
	item := enclosingItem(n)
	var above []*html.Node
	for outer := enclosingItem(item.Parent); outer != nil && len(above) < maxItemDepth; outer = enclosingItem(outer.Parent) {
		above = append(above, outer)
	}
	width := 0
	for _, outer := range above {
		if m.begun[outer] {
			width += len(m.mark(outer)) + 1
		}
	}
	indent := strings.Repeat(" ", width)
	mark := m.mark(item) + " "
	further = indent + strings.Repeat(" ", len(mark))
	if m.begun[item] {
		return further, further
	}
	m.begun[item] = true
	return indent + mark, further
}

// enclosingItem returns the list item that has a node, or nil.
func enclosingItem(n *html.Node) *html.Node {
	for n != nil && n.DataAtom != atom.Li {
		n = n.Parent
	}
	return n
}

func (m *itemMarks) mark(item *html.Node) string {
	list := item.Parent
	if list == nil || list.DataAtom != atom.Ol {
		return bullet
	}
	if !m.lists[list] {
		m.lists[list] = true
		m.numberItems(list)
	}
	return m.marks[item]
}

// numberItems numbers the items of a list as HTML does, by start, reversed, type and value.
func (m *itemMarks) numberItems(list *html.Node) {
	var items []*html.Node
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Li {
			items = append(items, c)
		}
	}
	number, step := 1, 1
	if slices.ContainsFunc(list.Attr, func(a html.Attribute) bool { return a.Key == "reversed" }) {
		number, step = len(items), -1
	}
	if start, err := strconv.Atoi(attributeValue(list, "start")); err == nil {
		number = start
	}
	format := listTypes[attributeValue(list, "type")]
	for _, item := range items {
		if value, err := strconv.Atoi(attributeValue(item, "value")); err == nil {
			number = value
		}
		m.marks[item] = formatNumber(number, format) + "."
		number += step
	}
}

var listTypes = map[string]string{"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
