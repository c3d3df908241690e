package export

import (
	"slices"
)

const (
	cellPad        = 5.0
	minColumnWidth = 34.0
	maxColumnShare = 0.6 // the largest share of a table's width that a column requests
)

// drawTable draws rows of cells with borders and continues a row on the next page if necessary. A
// table with too many columns for a page is drawn as lines of text. Images are drawn below the
// table, whose cells have their alternative texts.
func (p *pageWriter) drawTable(b block, c textColumn) {
	if (c.right-c.left)/float64(b.columns) < minColumnWidth {
		p.drawTableLines(b, c)
		return
	}
	widths := p.columnWidths(b, c.right-c.left)
	rtl := rightToLeft(b.allRuns())
	p.addSpace(3)
	for _, r := range b.rows {
		if p.isStopped() {
			return
		}
		cells := make([][]textLine, len(widths))
		row := tableWidths{widths, spansOf(r, len(widths))}
		for _, cell := range r.spanned(len(widths)) {
			width := row.widthOf(cell.column)
			cells[cell.column] = slices.Collect(p.setter.lines(emboldened(cell.runs, r.header),
				(width-2*cellPad)*em/cellSize))
		}
		p.drawRow(cells, row, c, rtl, r.header)
	}
	p.addSpace(10)
	p.drawText(pictureRuns(b.allRuns()), cellSize, c)
}

// tableWidths has the widths of a table's columns and the number of columns of each cell of a row,
// 0 for a column within a cell.
type tableWidths struct {
	columns []float64
	spans   []int
}

func spansOf(r tableRow, columns int) []int {
	out := make([]int, columns)
	for _, cell := range r.spanned(columns) {
		out[cell.column] = cell.span
	}
	return out
}

// widthOf returns the width of the cell that begins in a column.
func (t tableWidths) widthOf(column int) float64 {
	width := 0.0
	for _, w := range t.columns[column : column+t.spans[column]] {
		width += w
	}
	return width
}

func (p *pageWriter) drawTableLines(b block, c textColumn) {
	for _, r := range b.rows {
		if p.isStopped() {
			return
		}
		var runs []textRun
		for i, cell := range r.cells {
			if i > 0 {
				runs = append(runs, textRun{text: " | "})
			}
			runs = append(runs, emboldened(cell, r.header)...)
		}
		p.drawText(runs, cellSize, c)
	}
	p.addSpace(10)
}

// columnWidths distributes the width in proportion to the columns' text.
func (p *pageWriter) columnWidths(b block, width float64) []float64 {
	widths := make([]float64, b.columns)
	for _, r := range b.rows {
		if p.isStopped() {
			break
		}
		for i, cell := range r.cells {
			if r.spans[i] != 1 {
				continue
			}
			requested := 2*cellPad + 1
			for line := range p.setter.lines(emboldened(cell, r.header), pageWidth*em) {
				requested = max(requested, line.width()*cellSize/em+2*cellPad+1)
			}
			widths[i] = max(widths[i], min(requested, width*maxColumnShare), minColumnWidth)
		}
	}
	total := 0.0
	for _, w := range widths {
		total += w
	}
	if total <= width {
		return widths
	}
	free := width - minColumnWidth*float64(len(widths))
	for i := range widths {
		widths[i] = minColumnWidth + free*(widths[i]-minColumnWidth)/(total-minColumnWidth*float64(len(widths)))
	}
	return widths
}

// drawRow draws as many lines of the cells as fit on the page and continues on further pages.
func (p *pageWriter) drawRow(cells [][]textLine, widths tableWidths, c textColumn, rtl, header bool) {
	const height = cellSize * leading
	for {
		p.ensureHeight(height + 2*cellPad)
		count := 0
		for _, lines := range cells {
			count = max(count, len(lines))
		}
		fitting := max(1, min(count, int((p.y-margin-2*cellPad)/height)))
		p.drawCells(cells, widths, c, fitting, rtl, header)
		p.y -= float64(fitting)*height + 2*cellPad
		if count <= fitting {
			return
		}
		for i := range cells {
			cells[i] = cells[i][min(fitting, len(cells[i])):]
		}
	}
}

func (p *pageWriter) drawCells(cells [][]textLine, widths tableWidths, c textColumn, count int, rtl, header bool) {
	const height = cellSize * leading
	tall := float64(count)*height + 2*cellPad
	lefts := columnLefts(widths.columns, c, rtl)
	for i, lines := range cells {
		if widths.spans[i] == 0 {
			continue
		}
		left, width := lefts[i], widths.widthOf(i)
		if rtl {
			left = lefts[i+widths.spans[i]-1]
		}
		right := left + width
		if header {
			p.fillBox(left, p.y-tall, width, tall)
		}
		p.strokeLine(left, p.y, right, p.y, 0.6)
		p.strokeLine(left, p.y-tall, right, p.y-tall, 0.6)
		p.strokeLine(left, p.y, left, p.y-tall, 0.6)
		p.strokeLine(right, p.y, right, p.y-tall, 0.6)
		for j, line := range lines[:min(count, len(lines))] {
			p.drawLine(line, cellSize, left+cellPad, right-cellPad, p.y-cellPad-cellSize-float64(j)*height)
		}
	}
}

// columnLefts returns the columns' left edges. In a right-to-left table the first column is the
// rightmost.
func columnLefts(widths []float64, c textColumn, rtl bool) []float64 {
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
