package export

import "strconv"

const (
	bodySize  = 11.0
	codeSize  = 9.5
	cellSize  = 9.5
	leading   = 1.45 // line height in font sizes
	listStep  = 22.0
	quoteStep = 18.0
	minWidth  = 60.0 // the width that indents leave to a line
)

// headingSizes are the font sizes of the six heading levels.
var headingSizes = [...]float64{21, 16.5, 14, 12.5, 11.5, 11}

// textColumn is the horizontal extent of blocks on a page.
type textColumn struct {
	left, right float64
	bar         bool // whether a bar is drawn along the left side
	depth       int  // number of enclosing lists
}

// indented returns the column narrowed by step, and the column itself if it would become narrower
// than minWidth.
func (c textColumn) indented(step float64, rtl bool) textColumn {
	if c.right-c.left-step < minWidth {
		return c
	}
	if rtl {
		c.right -= step
	} else {
		c.left += step
	}
	return c
}

// writePDF writes the document as a PDF and records the characters that no font has. It returns an
// error if an installed font cannot be read.
func writePDF(out *fileBuffer, doc *Document) error {
	p := newPageWriter(newPDFFile(out), doc.fonts)
	p.drawBlocks(doc.blocks, textColumn{left: margin, right: pageWidth - margin})
	if err := p.finish(doc); err != nil {
		return err
	}
	if err := p.setter.faces.err; err != nil {
		return err
	}
	doc.missing = p.setter.faces.missingRunes()
	doc.undecoded = p.undecoded(doc.pictures)
	return nil
}

func (p *pageWriter) drawBlocks(blocks []block, c textColumn) {
	for _, b := range blocks {
		if p.isStopped() {
			return
		}
		p.drawBlock(b, c)
	}
}

func (p *pageWriter) drawBlock(b block, c textColumn) {
	switch b.kind {
	case paragraph:
		p.drawText(b.runs, bodySize, c)
		p.addSpace(7)
	case heading:
		p.drawHeading(b, c)
	case list:
		if b.notes {
			p.drawRule(c)
		}
		p.drawList(b, c)
	case table:
		p.drawTable(b, c)
	case quote:
		inner := c.indented(quoteStep, false)
		inner.bar = true
		p.drawBlocks(b.blocks, inner)
	case code:
		p.drawCode(b.text, c)
	case rule:
		p.drawRule(c)
	}
}

func (p *pageWriter) drawRule(c textColumn) {
	p.ensureHeight(16)
	p.addSpace(6)
	p.strokeLine(c.left, p.y, c.right, p.y, 0.8)
	p.addSpace(10)
}

// drawHeading keeps a heading on the same page as the next line.
func (p *pageWriter) drawHeading(b block, c textColumn) {
	size := headingSizes[b.level-1]
	p.addSpace(size * 0.7)
	p.ensureHeight(size*leading + 2*bodySize*leading)
	p.drawText(emboldened(b.runs, true), size, c)
	p.addSpace(size * 0.35)
}

// drawText draws lines of text. An image is drawn below the text ahead of it.
func (p *pageWriter) drawText(runs []textRun, size float64, c textColumn) {
	begin := 0
	for i, r := range runs {
		if shown := r.shownPicture(); shown != nil {
			p.drawLines(runs[begin:i], size, c)
			p.drawPicture(shown, r, c)
			begin = i + 1
		}
	}
	p.drawLines(runs[begin:], size, c)
}

func (p *pageWriter) drawLines(runs []textRun, size float64, c textColumn) {
	if len(runs) == 0 {
		return
	}
	for line := range p.setter.lines(runs, (c.right-c.left)*em/size) {
		if p.isStopped() {
			return
		}
		p.ensureHeight(size * leading)
		if c.bar {
			p.strokeLine(c.left-9, p.y, c.left-9, p.y-size*leading, 2)
		}
		p.drawLine(line, size, c.left, c.right, p.y-size)
		p.y -= size * leading
	}
}

func (p *pageWriter) drawCode(text string, c textColumn) {
	const pad = 8.0
	p.addSpace(3)
	inner := c.indented(pad, false).indented(pad, true)
	for line := range p.setter.lines([]textRun{{text: text, code: true}}, (inner.right-inner.left)*em/codeSize) {
		if p.isStopped() {
			return
		}
		p.ensureHeight(codeSize * leading)
		p.fillBox(c.left, p.y-codeSize*leading, c.right-c.left, codeSize*leading)
		p.drawLine(line, codeSize, inner.left, inner.right, p.y-codeSize*1.1)
		p.y -= codeSize * leading
	}
	p.addSpace(10)
}

// drawList draws each item's marker in the indent, at the side where the item's text begins.
func (p *pageWriter) drawList(b block, c textColumn) {
	bullets := []string{"•", "◦", "▪"}
	for i, item := range b.items {
		if p.isStopped() {
			return
		}
		mark := bullets[c.depth%len(bullets)]
		if b.ordered {
			mark = strconv.Itoa(b.start+i) + "."
		}
		rtl := len(item) > 0 && rightToLeft(item[0].runs)
		inner := c.indented(listStep, rtl)
		inner.depth++
		p.ensureHeight(bodySize * leading)
		p.drawMarker(mark, c, inner, rtl)
		if len(item) == 0 {
			p.y -= bodySize * leading
		}
		p.drawBlocks(item, inner)
	}
	if c.depth == 0 {
		p.addSpace(3)
	}
}

func (p *pageWriter) drawMarker(text string, c, inner textColumn, rtl bool) {
	for line := range p.setter.lines([]textRun{{text: text}}, pageWidth*em) {
		width := line.width() * bodySize / em
		line.rtl = false
		x := inner.left - 7 - width
		if rtl {
			x = inner.right + 7
		}
		p.drawLine(line, bodySize, x, c.right, p.y-bodySize)
	}
}
