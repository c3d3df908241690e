package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// longCell is the length, in bytes of its key, above which a cell holds a text and its table is there for the layout.
const longCell = 400

// isData reports whether a row belongs to a table of data: each of the table's rows has cells with lines only. Newsletters and
// old pages lay their text out in tables, whose cells are read like any other element.
func isData(tr *html.Node) bool {
	body := tr.Parent
	if body == nil {
		return false
	}
	cells := 0
	for row := body.FirstChild; row != nil; row = row.NextSibling {
		if row.DataAtom == atom.Tr {
			if !plainRow(row) {
				return false
			}
			cells = max(cells, filled(row))
		}
	}
	return cells > 1
}

func plainRow(tr *html.Node) bool {
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !plainCell(c) {
			return false
		}
	}
	return true
}

// plainCell reports whether a cell holds one short paragraph and no layout.
func plainCell(cell *html.Node) bool {
	paragraphs, breaks := 0, 0
	for n := range cell.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.P:
			paragraphs++
		case n.DataAtom == atom.Br:
			breaks++
		case borders[n.DataAtom]:
			return false
		}
	}
	return paragraphs < 2 && breaks < 4 && len(keyOf(treeText(cell))) < longCell
}

// filled counts the cells of a row that have text.
func filled(tr *html.Node) int {
	count := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && keyOf(treeText(c)) != "" {
			count++
		}
	}
	return count
}

// row makes one block of a table's row, its cells apart.
func (s *segmenter) row(tr *html.Node) {
	var cells []string
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		var lines []string
		for _, b := range segment(c) {
			lines = append(lines, b.text)
			s.linked.WriteString(b.anchors)
		}
		cells = append(cells, strings.Join(lines, " "))
	}
	s.text.WriteString(strings.Join(cells, " | "))
	s.flush(tr)
}

// cellLabel reports whether a block is all that a cell of a layout table holds, a few words beside another cell: who wrote a post,
// when, and how many. A text has a cell's room, and a heading mostly a row to itself.
func cellLabel(b *block) bool {
	if b.kind != paragraph || letters(b.text) > line/2 || ends(b.text) {
		return false
	}
	cell := b.node
	for cell != nil && cell.DataAtom != atom.Td {
		cell = cell.Parent
	}
	return cell != nil && cell.Parent != nil && filled(cell.Parent) > 1 && len(keyOf(treeText(cell))) < line
}
