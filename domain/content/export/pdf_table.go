package export

import (
	"slices"
)

const (
	cellPad   = 5.0
	smallest  = 34.0 // the narrowest column that is drawn as one
	widestOne = 0.6  // of a table's width, what a column's text asks for at most
)

// table draws rows of cells with borders; a row that has no room left goes on on the next page. A table of more columns than a page has
// room for is written as lines.
func (p *pages) table(b block, c column) {
	if (c.right-c.left)/float64(b.columns()) < smallest {
		p.tableLines(b, c)
		return
	}
	widths := p.columnWidths(b, c.right-c.left)
	rtl := rightToLeft(b.allRuns())
	p.space(3)
	for _, r := range b.rows {
		cells := make([][]typeset, len(widths))
		for i, cell := range r.cells {
			cells[i] = slices.Collect(p.setter.lines(emphasised(cell, r.header), (widths[i]-2*cellPad)*em/cellSize))
		}
		p.row(cells, widths, c, rtl, r.header)
	}
	p.space(10)
}

func (p *pages) tableLines(b block, c column) {
	for _, r := range b.rows {
		var runs []run
		for i, cell := range r.cells {
			if i > 0 {
				runs = append(runs, run{text: " | "})
			}
			runs = append(runs, emphasised(cell, r.header)...)
		}
		p.text(runs, cellSize, c)
	}
	p.space(10)
}

// columnWidths shares the width out by how wide the columns' text is.
func (p *pages) columnWidths(b block, width float64) []float64 {
	widths := make([]float64, b.columns())
	for _, r := range b.rows {
		for i, cell := range r.cells {
			asked := 2*cellPad + 1
			for line := range p.setter.lines(emphasised(cell, r.header), pageWidth*em) {
				asked = max(asked, line.width()*cellSize/em+2*cellPad+1)
			}
			widths[i] = max(widths[i], min(asked, width*widestOne), smallest)
		}
	}
	total := 0.0
	for _, w := range widths {
		total += w
	}
	if total <= width {
		return widths
	}
	free := width - smallest*float64(len(widths))
	for i := range widths {
		widths[i] = smallest + free*(widths[i]-smallest)/(total-smallest*float64(len(widths)))
	}
	return widths
}

// row draws as many lines of its cells as the page has room for, until all are drawn.
func (p *pages) row(cells [][]typeset, widths []float64, c column, rtl, header bool) {
	const height = cellSize * leading
	for {
		p.room(height + 2*cellPad)
		most := 0
		for _, lines := range cells {
			most = max(most, len(lines))
		}
		now := max(1, min(most, int((p.y-margin-2*cellPad)/height)))
		p.cells(cells, widths, c, now, rtl, header)
		p.y -= float64(now)*height + 2*cellPad
		if most <= now {
			return
		}
		for i := range cells {
			cells[i] = cells[i][min(now, len(cells[i])):]
		}
	}
}

func (p *pages) cells(cells [][]typeset, widths []float64, c column, count int, rtl, header bool) {
	const height = cellSize * leading
	tall := float64(count)*height + 2*cellPad
	lefts := columnLefts(widths, c, rtl)
	for i, lines := range cells {
		left, right := lefts[i], lefts[i]+widths[i]
		if header {
			p.fill(left, p.y-tall, widths[i], tall)
		}
		p.line(left, p.y, right, p.y, 0.6)
		p.line(left, p.y-tall, right, p.y-tall, 0.6)
		p.line(left, p.y, left, p.y-tall, 0.6)
		p.line(right, p.y, right, p.y-tall, 0.6)
		for j, line := range lines[:min(count, len(lines))] {
			p.draw(line, cellSize, left+cellPad, right-cellPad, p.y-cellPad-cellSize-float64(j)*height)
		}
	}
}

// columnLefts are the columns' left sides: the first column stands where the table's text begins.
func columnLefts(widths []float64, c column, rtl bool) []float64 {
	order := widths
	if rtl {
		order = slices.Clone(widths)
		slices.Reverse(order)
	}
	total := 0.0
	for _, w := range widths {
		total += w
	}
	x := c.left
	if rtl {
		x = c.right - total
	}
	lefts := make([]float64, len(widths))
	for i, w := range order {
		lefts[i] = x
		x += w
	}
	if rtl {
		slices.Reverse(lefts)
	}
	return lefts
}
