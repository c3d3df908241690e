package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// longCell is the length, in bytes of its key, above which a cell marks its table as layout.
const longCell = 400

// isDataRow reports whether a row belongs to a data table. The rows of a table share one check.
func (s *blockSegmenter) isDataRow(tr *html.Node) bool {
	if tr.Parent == nil {
		return false
	}
	data, checked := s.tables[tr.Parent]
	if !checked {
		data = isDataTable(tr.Parent)
		if s.tables == nil {
			s.tables = map[*html.Node]bool{}
		}
		s.tables[tr.Parent] = data
	}
	return data
}

// isDataTable reports whether the rows of an element are of a data table: all have cells with only
// lines. Newsletters and old pages use tables for layout, and their cells are read as other
// elements are.
func isDataTable(body *html.Node) bool {
	cells := 0
	for row := body.FirstChild; row != nil; row = row.NextSibling {
		if row.DataAtom == atom.Tr {
			if !plainRow(row) {
				return false
			}
			cells = max(cells, countFilled(row))
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

// plainCell reports whether a cell has a single short paragraph and no layout.
func plainCell(cell *html.Node) bool {
	paragraphs, breaks := 0, 0
	for n := range cell.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.P:
			paragraphs++
		case n.DataAtom == atom.Br:
			breaks++
		case blockElements[n.DataAtom]:
			return false
		}
	}
	return paragraphs < 2 && breaks < 4 && len(keyOf(treeText(cell))) < longCell
}

// countFilled returns the number of cells of a row that have text.
func countFilled(tr *html.Node) int {
	count := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && keyOf(treeText(c)) != "" {
			count++
		}
	}
	return count
}

// writeRow writes a table row as a block with separated cells.
func (s *blockSegmenter) writeRow(tr *html.Node) {
	var cells []string
	spans := s.spans[tr.Parent]
	if spans == nil {
		spans = &rowSpans{map[int]spannedCell{}, &s.repeated}
		s.spans[tr.Parent] = spans
	}
	var shown []string
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		var lines []string
		for _, b := range segmentBlocks(c) {
			lines = append(lines, b.text)
			s.linked.WriteString(b.anchors)
		}
		text := strings.Join(lines, " ")
		cells = append(cells, text)
		shown = spans.addCell(spans.addAbove(shown), c, oneLine(text))
	}
	count := len(s.blocks)
	s.text.WriteString(strings.Join(cells, cellGap))
	s.endBlock(tr)
	if shown = spans.addAbove(shown); len(s.blocks) > count && len(shown) > len(cells) {
		s.blocks[count].shown = joinCells(shown)
	}
}

// Limits of cells that span rows or columns.
const (
	maxSpan     = 63      // columns, as many as a table has in Word
	maxRepeated = 4 << 20 // bytes of a document's cells that are repeated in the rows below
)

// cellGap separates the cells of a row.
const cellGap = " | "

// rowSpans has the cells of a table that span rows, by their columns.
type rowSpans struct {
	above    map[int]spannedCell
	repeated *int // bytes of all tables
}

// spannedCell is a cell's text and the number of rows below that it covers.
type spannedCell struct {
	text string
	rows int
}

// addAbove appends the cells of rows above that cover the next columns. They are repeated, because
// a row is read alone, and so that the cells behind them stay in their columns.
func (r *rowSpans) addAbove(row []string) []string {
	for {
		cell, covered := r.above[len(row)]
		if !covered {
			return row
		}
		if cell.rows--; cell.rows > 0 {
			r.above[len(row)] = cell
		} else {
			delete(r.above, len(row))
		}
		row = append(row, cell.text)
		if *r.repeated += len(cell.text) + len(cellGap); *r.repeated > maxRepeated {
			clear(r.above)
		}
	}
}

// addCell appends a cell, and empty ones for further columns that it spans.
func (r *rowSpans) addCell(row []string, cell *html.Node, text string) []string {
	rows, _ := strconv.Atoi(attributeValue(cell, "rowspan"))
	columns, _ := strconv.Atoi(attributeValue(cell, "colspan"))
	for i := range max(1, min(columns, maxSpan)) {
		if i > 0 {
			text = ""
		}
		if rows > 1 {
			r.above[len(row)] = spannedCell{text, rows - 1}
		}
		row = append(row, text)
	}
	return row
}

// joinCells returns a row's text without the empty cells at its end.
func joinCells(cells []string) string {
	last := len(cells)
	for last > 0 && cells[last-1] == "" {
		last--
	}
	return strings.Join(cells[:last], cellGap)
}

// isCellLabel reports whether a block is the whole of a layout cell with a few words next to
// another cell, such as the author, date and count of a post. Text and headings usually fill a row.
func (n *nodeFacts) isCellLabel(b *textBlock) bool {
	if b.kind != paragraphBlock || b.letters() > maxLabelLength/2 || endsSentence(b.text) {
		return false
	}
	cell := b.node
	for cell != nil && cell.DataAtom != atom.Td {
		cell = cell.Parent
	}
	return cell != nil && cell.Parent != nil && n.filledRow.get(cell.Parent) && n.shortCell.get(cell)
}
