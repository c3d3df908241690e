package export

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (r *htmlParser) parseTable(n *html.Node, style textRun) {
	out := block{kind: table}
	for part := n.FirstChild; part != nil; part = part.NextSibling {
		switch part.DataAtom {
		case atom.Caption:
			style := style
			style.bold = true
			r.parseChildren(part, style)
			r.endParagraph()
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for line := part.FirstChild; line != nil; line = line.NextSibling {
				r.addRow(&out, line, style)
			}
		}
	}
	if out.columns > 0 && r.addCells(out.missingCells()) {
		r.blocks = append(r.blocks, out)
	}
}

// missingCells returns how many cells a table would have in addition if all rows had as many as the
// widest one.
func (b *block) missingCells() int {
	count := 0
	for _, r := range b.rows {
		count += b.columns - len(r.cells)
	}
	return count
}

// align sets the alignment of a column to that of its first cell with one.
func (b *block) align(column int, to string) {
	if to == "" {
		return
	}
	for len(b.aligns) <= column {
		b.aligns = append(b.aligns, "")
	}
	if b.aligns[column] == "" {
		b.aligns[column] = to
	}
}

// alignment returns the alignment of a column, and "" for that of its text.
func (b *block) alignment(column int) string {
	if column < len(b.aligns) {
		return b.aligns[column]
	}
	return ""
}

func (s *parseState) addRow(b *block, n *html.Node, style textRun) {
	if n.DataAtom != atom.Tr {
		return
	}
	line := tableRow{header: true}
	for cell := n.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th {
			continue
		}
		line.header = line.header && cell.DataAtom == atom.Th
		span, _ := strconv.Atoi(attributeValue(cell, "colspan"))
		if !s.addCells(max(span, 1)) {
			return
		}
		b.align(len(line.cells), attributeValue(cell, "align"))
		line.cells, line.spans = append(line.cells, s.parseInline(cell, style)), append(line.spans, max(span, 1))
		for ; span > 1; span-- {
			line.cells, line.spans = append(line.cells, nil), append(line.spans, 0)
		}
	}
	line.header = line.header && len(b.rows) == 0
	if len(line.cells) > 0 {
		b.columns = max(b.columns, len(line.cells))
		b.rows = append(b.rows, line)
	}
}
