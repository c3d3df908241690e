package export

import (
	"bufio"
	"io"
	"strconv"
)

const (
	bodySize  = 11.0
	codeSize  = 9.5
	cellSize  = 9.5
	leading   = 1.45 // a line's height, in font sizes
	listStep  = 22.0
	quoteStep = 18.0
	narrowest = 60.0 // what indents leave of a line's width
)

// headingSizes are the sizes of the six levels.
var headingSizes = [...]float64{21, 16.5, 14, 12.5, 11.5, 11}

// column is where blocks stand on a page.
type column struct {
	left, right float64
	bar         bool // whether a bar runs along the left side
	depth       int  // how many lists it is in
}

func (c column) indented(step float64, rtl bool) column {
	if c.right-c.left-step < narrowest {
		return c
	}
	if rtl {
		c.right -= step
	} else {
		c.left += step
	}
	return c
}

func writePDF(w io.Writer, doc *document) error {
	buffered := bufio.NewWriter(w)
	p := newPages(newPDFFile(buffered), doc.fonts)
	p.blocks(doc.blocks, column{left: margin, right: pageWidth - margin})
	if err := p.finish(doc); err != nil {
		return err
	}
	if err := p.setter.faces.failed; err != nil {
		return err
	}
	doc.unseen = p.setter.faces.missed()
	return buffered.Flush()
}

func (p *pages) blocks(blocks []block, c column) {
	for _, b := range blocks {
		p.block(b, c)
	}
}

func (p *pages) block(b block, c column) {
	switch b.kind {
	case paragraph:
		p.text(b.runs, bodySize, c)
		p.space(7)
	case heading:
		p.heading(b, c)
	case list:
		p.list(b, c)
	case table:
		p.table(b, c)
	case quote:
		inner := c.indented(quoteStep, false)
		inner.bar = true
		p.blocks(b.blocks, inner)
	case code:
		p.code(b.text, c)
	case rule:
		p.room(16)
		p.space(6)
		p.line(c.left, p.y, c.right, p.y, 0.8)
		p.space(10)
	}
}

// heading keeps room for a line of what follows it.
func (p *pages) heading(b block, c column) {
	size := headingSizes[b.level-1]
	p.space(size * 0.7)
	p.room(size*leading + 2*bodySize*leading)
	p.text(emphasised(b.runs, true), size, c)
	p.space(size * 0.35)
}

func (p *pages) text(runs []run, size float64, c column) {
	for line := range p.setter.lines(runs, (c.right-c.left)*em/size) {
		p.room(size * leading)
		if c.bar {
			p.line(c.left-9, p.y, c.left-9, p.y-size*leading, 2)
		}
		p.draw(line, size, c.left, c.right, p.y-size)
		p.y -= size * leading
	}
}

func (p *pages) code(text string, c column) {
	const pad = 8.0
	p.space(3)
	inner := c.indented(pad, false).indented(pad, true)
	for line := range p.setter.lines([]run{{text: text, code: true}}, (inner.right-inner.left)*em/codeSize) {
		p.room(codeSize * leading)
		p.fill(c.left, p.y-codeSize*leading, c.right-c.left, codeSize*leading)
		p.draw(line, codeSize, inner.left, inner.right, p.y-codeSize*1.1)
		p.y -= codeSize * leading
	}
	p.space(10)
}

// list hangs the mark of an item at the side where its text begins.
func (p *pages) list(b block, c column) {
	bullets := []string{"•", "◦", "▪"}
	for i, item := range b.items {
		mark := bullets[c.depth%len(bullets)]
		if b.ordered {
			mark = strconv.Itoa(b.start+i) + "."
		}
		rtl := len(item) > 0 && rightToLeft(item[0].runs)
		inner := c.indented(listStep, rtl)
		inner.depth++
		p.room(bodySize * leading)
		p.mark(mark, c, inner, rtl)
		if len(item) == 0 {
			p.y -= bodySize * leading
		}
		p.blocks(item, inner)
	}
	if c.depth == 0 {
		p.space(3)
	}
}

func (p *pages) mark(text string, c, inner column, rtl bool) {
	for line := range p.setter.lines([]run{{text: text}}, pageWidth*em) {
		width := line.width() * bodySize / em
		line.rtl = false
		x := inner.left - 7 - width
		if rtl {
			x = inner.right + 7
		}
		p.draw(line, bodySize, x, c.right, p.y-bodySize)
	}
}
