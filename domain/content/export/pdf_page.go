package export

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The page is A4. Lengths are points from the lower left corner.
const (
	pageWidth  = 595.0
	pageHeight = 842.0
	margin     = 64.0
)

// pageWriter fills pages in sequence. It holds the current page in memory until the next one
// begins.
type pageWriter struct {
	file      *pdfFile
	fonts     *fontBuilder
	setter    *typesetter
	tree      int // object number of the page tree
	resources int // object number of the resources that all pages share
	written   []int
	content   bytes.Buffer
	links     []string
	images    map[*picture]int // object numbers; 0 for an image that cannot be decoded
	y         float64          // the top of the next line
}

func newPageWriter(file *pdfFile, fonts *Fonts) *pageWriter {
	return &pageWriter{
		file: file, fonts: newFontBuilder(file), setter: &typesetter{faces: newTypefaces(fonts)},
		tree: file.reserveObject(), resources: file.reserveObject(), images: map[*picture]int{}, y: pageHeight - margin,
	}
}

// isStopped reports whether the file has an error or the context has ended. It counts as a write,
// because some loops only lay out text.
func (p *pageWriter) isStopped() bool { return !p.file.out.accepts(0) }

// ensureHeight begins a new page if less than the height is left.
func (p *pageWriter) ensureHeight(height float64) {
	if p.y-height < margin && p.y < pageHeight-margin {
		p.nextPage()
	}
}

func (p *pageWriter) nextPage() {
	p.drawPageNumber(len(p.written) + 1)
	p.writePage()
	p.y = pageHeight - margin
}

// addSpace leaves space below the last line, except at the top of a page.
func (p *pageWriter) addSpace(height float64) {
	if p.y < pageHeight-margin {
		p.y -= height
	}
}

// writePage writes the current page to the file and clears it.
func (p *pageWriter) writePage() {
	content := p.file.writeStream("", p.content.Bytes())
	page := p.file.reserveObject()
	p.file.writeObject(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.0f %.0f] /Resources %d 0 R /Contents %d 0 R /Annots [%s] >>",
		p.tree, pageWidth, pageHeight, p.resources, content, strings.Join(p.links, " ")))
	p.written = append(p.written, page)
	p.content.Reset()
	p.links = nil
}

// drawPageNumber draws the page's number as a shape, so that text extracted from the file is the
// content's alone.
func (p *pageWriter) drawPageNumber(page int) {
	face := p.setter.faces.sans(textStyle{})
	shape := newGlyphPath()
	x := 0
	for line := range p.setter.lines([]textRun{{text: strconv.Itoa(page)}}, pageWidth*em) {
		for _, g := range line.parts[0].Glyphs {
			face.addOutline(shape, g.GlyphID, float64(x), 0)
			x += g.Advance.Round()
		}
	}
	const size = 9.0
	fmt.Fprintf(&p.content, "/Artifact BMC q 0.45 g %.4f 0 0 %.4f %.2f %.2f cm\n%sf Q EMC\n",
		size/em, size/em, (pageWidth-float64(x)*size/em)/2, margin/2, shape.ops.String())
}

// finish writes the last page, the shared objects and the end of the file. It returns the first
// error of the file.
func (p *pageWriter) finish(doc *Document) error {
	if len(p.written) > 0 {
		p.drawPageNumber(len(p.written) + 1)
	}
	p.writePage()
	p.file.writeObject(p.resources, "<< /Font << "+p.fonts.finish()+">> "+p.imageResources()+">>")
	kids := make([]string, len(p.written))
	for i, page := range p.written {
		kids[i] = fmt.Sprintf("%d 0 R", page)
	}
	p.file.writeObject(p.tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids),
		strings.Join(kids, " ")))
	catalog, info := p.file.reserveObject(), p.file.reserveObject()
	p.file.writeObject(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /ViewerPreferences << /DisplayDocTitle true >> >>", p.tree))
	p.file.writeObject(info, fmt.Sprintf("<< /Title %s /Subject %s /Keywords %s /Producer (Rostrum) >>",
		hexString(doc.title), hexString(printable(doc.meta.ContentType)),
		hexString(printable(strings.Join(doc.meta.Themes, ", ")))))
	return p.file.finish(catalog, info)
}

// drawLine draws a line of text with its baseline at y, aligned left, or right in a right-to-left
// paragraph.
func (p *pageWriter) drawLine(line textLine, size, left, right, y float64) {
	x := left
	if line.rtl {
		x = right - line.width()*size/em
	}
	for _, part := range line.parts {
		width := float64(part.Advance) / 64 * size / em
		source := line.runs[line.runOf[part.Runes.Offset]]
		color := "0.1 0.1 0.12 rg"
		if source.link != "" {
			color = "0.1 0.34 0.69 rg"
			p.drawLink(source.link, x, y, width, size)
		}
		fmt.Fprintf(&p.content, "BT %s 1 0 0 1 %.2f %.2f Tm\n", color, x, y+size*scriptRise[source.script])
		p.showClusters(p.setter.clusters(line, part), size*sizeOf(source))
		p.content.WriteString("ET\n")
		p.drawChange(source, x, y, width, size)
		x += width
	}
}

// scriptRise is the height of subscript and superscript text above the line, in font sizes.
var scriptRise = map[scriptPosition]float64{subscript: -0.15, superscript: 0.35}

// scriptSize is the size of subscript and superscript text.
const scriptSize = 0.65

// sizeOf returns the size of a run's text relative to the line.
func sizeOf(r textRun) float64 {
	if r.script != 0 {
		return scriptSize
	}
	return 1
}

// drawChange strikes text out that is struck out, and underlines inserted text. Annotations mark
// both for readers.
func (p *pageWriter) drawChange(r textRun, x, y, width, size float64) {
	if r.struck {
		p.markText("StrikeOut", "0.75 0.1 0.1", x, y, y+size*0.28, width, size)
	}
	if r.inserted {
		p.markText("Underline", "0.05 0.45 0.2", x, y, y-size*0.14, width, size)
	}
}

// markText draws a line over text at the height at, and adds an annotation of the kind (ISO
// 32000-1, section 12.5.6.10).
func (p *pageWriter) markText(kind, color string, x, y, at, width, size float64) {
	fmt.Fprintf(&p.content, "q %s RG 0.7 w %.2f %.2f m %.2f %.2f l S Q\n", color, x, at, x+width, at)
	low, high, right := y-size*0.25, y+size*0.8, x+width
	annotation := p.file.reserveObject()
	p.file.writeObject(annotation, fmt.Sprintf("<< /Type /Annot /Subtype /%s /F 4 /CA 0 /C [%s] /Rect [%.2f %.2f %.2f %.2f] /QuadPoints [%.2f %.2f %.2f %.2f %.2f %.2f %.2f %.2f] >>",
		kind, color, x, low, right, high, x, high, right, high, x, low, right, low))
	p.links = append(p.links, fmt.Sprintf("%d 0 R", annotation))
}

// showClusters writes the clusters' codes. TJ adjusts the position where a cluster's advance
// differs from its font's; it counts backwards.
func (p *pageWriter) showClusters(clusters []textCluster, size float64) {
	font, between := -1, ""
	for _, c := range clusters {
		code := p.fonts.encode(c)
		if code.font != font {
			p.content.WriteString(between)
			fmt.Fprintf(&p.content, "/F%d %.4g Tf [<", code.font, size)
			font, between = code.font, ">] TJ\n"
		}
		const digits = "0123456789ABCDEF"
		p.content.WriteByte(digits[code.char>>4])
		p.content.WriteByte(digits[code.char&15])
		if code.advance != c.advance {
			p.content.WriteString(">" + strconv.Itoa(code.advance-c.advance) + "<")
		}
	}
	p.content.WriteString(between)
}

// drawLink underlines a part of a line and adds a link annotation over it.
func (p *pageWriter) drawLink(address string, x, y, width, size float64) {
	fmt.Fprintf(&p.content, "q 0.1 0.34 0.69 RG 0.6 w %.2f %.2f m %.2f %.2f l S Q\n", x, y-size*0.14, x+width,
		y-size*0.14)
	annotation := p.file.reserveObject()
	p.file.writeObject(annotation, fmt.Sprintf("<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [%.2f %.2f %.2f %.2f] /A << /S /URI /URI <%X> >> >>",
		x, y-size*0.25, x+width, y+size*0.8, address))
	p.links = append(p.links, fmt.Sprintf("%d 0 R", annotation))
}

// strokeLine draws a gray line.
func (p *pageWriter) strokeLine(x1, y1, x2, y2, weight float64) {
	fmt.Fprintf(&p.content, "q 0.72 G %.2f w %.2f %.2f m %.2f %.2f l S Q\n", weight, x1, y1, x2, y2)
}

// fillBox fills a rectangle with light gray.
func (p *pageWriter) fillBox(x, y, width, height float64) {
	fmt.Fprintf(&p.content, "q 0.95 g %.2f %.2f %.2f %.2f re f Q\n", x, y, width, height)
}
