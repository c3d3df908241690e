package export

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The page is A4; lengths are points, from the lower left corner.
const (
	pageWidth  = 595.0
	pageHeight = 842.0
	margin     = 64.0
)

// pages fills one page after another. The page at hand stays in memory until the next begins.
type pages struct {
	file      *pdfFile
	letters   *alphabet
	setter    *typesetter
	tree      int // the object of the page tree
	resources int // the object of what all pages share
	done      []int
	content   bytes.Buffer
	links     []string
	y         float64 // where the next line's top is
}

func newPages(file *pdfFile, fonts *Fonts) *pages {
	return &pages{
		file: file, letters: newAlphabet(file), setter: &typesetter{faces: newTypefaces(fonts)},
		tree: file.reserve(), resources: file.reserve(), y: pageHeight - margin,
	}
}

// room begins a new page when less than the height is left.
func (p *pages) room(height float64) {
	if p.y-height < margin && p.y < pageHeight-margin {
		p.turn()
	}
}

func (p *pages) turn() {
	p.number(len(p.done) + 1)
	p.end()
	p.y = pageHeight - margin
}

// space leaves room below what is drawn, but none on top of a page.
func (p *pages) space(height float64) {
	if p.y < pageHeight-margin {
		p.y -= height
	}
}

// end writes the page at hand.
func (p *pages) end() {
	content := p.file.stream("", p.content.Bytes())
	page := p.file.reserve()
	p.file.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.0f %.0f] /Resources %d 0 R /Contents %d 0 R /Annots [%s] >>",
		p.tree, pageWidth, pageHeight, p.resources, content, strings.Join(p.links, " ")))
	p.done = append(p.done, page)
	p.content.Reset()
	p.links = nil
}

// number draws the page's number as a shape, so that text taken out of the file is the content's only.
func (p *pages) number(page int) {
	face := p.setter.faces.sans(look{})
	shape := newPath()
	x := 0
	for line := range p.setter.lines([]run{{text: strconv.Itoa(page)}}, pageWidth*em) {
		for _, g := range line.parts[0].Glyphs {
			face.outline(shape, g.GlyphID, float64(x), 0)
			x += g.Advance.Round()
		}
	}
	const size = 9.0
	fmt.Fprintf(&p.content, "/Artifact BMC q 0.45 g %.4f 0 0 %.4f %.2f %.2f cm\n%sf Q EMC\n",
		size/em, size/em, (pageWidth-float64(x)*size/em)/2, margin/2, shape.ops.String())
}

// finish writes what the pages share and the file's end.
func (p *pages) finish(doc *document) error {
	if len(p.done) > 0 {
		p.number(len(p.done) + 1)
	}
	p.end()
	p.file.object(p.resources, "<< /Font << "+p.letters.finish()+">> >>")
	kids := make([]string, len(p.done))
	for i, page := range p.done {
		kids[i] = fmt.Sprintf("%d 0 R", page)
	}
	p.file.object(p.tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " ")))
	catalog, info := p.file.reserve(), p.file.reserve()
	p.file.object(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /ViewerPreferences << /DisplayDocTitle true >> >>", p.tree))
	p.file.object(info, fmt.Sprintf("<< /Title %s /Subject %s /Keywords %s /Producer (Rostrum) >>",
		pdfText(doc.title), pdfText(printable(doc.meta.ContentType)), pdfText(printable(strings.Join(doc.meta.Themes, ", ")))))
	return p.file.finish(catalog, info)
}

// draw writes a line of text with its baseline at y, between left and right: at the side where its paragraph begins.
func (p *pages) draw(line typeset, size, left, right, y float64) {
	x := left
	if line.rtl {
		x = right - line.width()*size/em
	}
	for _, part := range line.parts {
		width := float64(part.Advance) / 64 * size / em
		look := line.runs[line.looks[part.Runes.Offset]]
		color := "0.1 0.1 0.12 rg"
		if look.link != "" {
			color = "0.1 0.34 0.69 rg"
			p.link(look.link, x, y, width, size)
		}
		fmt.Fprintf(&p.content, "BT %s 1 0 0 1 %.2f %.2f Tm\n", color, x, y)
		p.show(p.setter.letters(line, part), size)
		p.content.WriteString("ET\n")
		x += width
	}
}

// show writes the letters' codes. Where a letter's advance is not the one its font states, the difference is told (TJ counts backwards).
func (p *pages) show(letters []letter, size float64) {
	font, between := -1, ""
	for _, l := range letters {
		code := p.letters.code(l)
		if code.font != font {
			p.content.WriteString(between)
			fmt.Fprintf(&p.content, "/F%d %.4g Tf [<", code.font, size)
			font, between = code.font, ">] TJ\n"
		}
		const digits = "0123456789ABCDEF"
		p.content.WriteByte(digits[code.char>>4])
		p.content.WriteByte(digits[code.char&15])
		if code.advance != l.advance {
			p.content.WriteString(">" + strconv.Itoa(code.advance-l.advance) + "<")
		}
	}
	p.content.WriteString(between)
}

// link underlines a piece of a line and makes it lead to its address.
func (p *pages) link(address string, x, y, width, size float64) {
	fmt.Fprintf(&p.content, "q 0.1 0.34 0.69 RG 0.6 w %.2f %.2f m %.2f %.2f l S Q\n", x, y-size*0.14, x+width, y-size*0.14)
	annotation := p.file.reserve()
	p.file.object(annotation, fmt.Sprintf("<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [%.2f %.2f %.2f %.2f] /A << /S /URI /URI <%X> >> >>",
		x, y-size*0.25, x+width, y+size*0.8, address))
	p.links = append(p.links, fmt.Sprintf("%d 0 R", annotation))
}

// line strokes a line in grey.
func (p *pages) line(x1, y1, x2, y2, weight float64) {
	fmt.Fprintf(&p.content, "q 0.72 G %.2f w %.2f %.2f m %.2f %.2f l S Q\n", weight, x1, y1, x2, y2)
}

// fill paints a rectangle in a light grey.
func (p *pages) fill(x, y, width, height float64) {
	fmt.Fprintf(&p.content, "q 0.95 g %.2f %.2f %.2f %.2f re f Q\n", x, y, width, height)
}
