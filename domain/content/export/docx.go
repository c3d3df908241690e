package export

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// docxFixedParts are the parts of a WordprocessingML package (ECMA-376) that are the same in every
// file. docx_part.go has their text.
var docxFixedParts = []struct{ name, text string }{
	{"_rels/.rels", docxRelations},
	{"word/styles.xml", docxStyles},
}

// docxTime is the modification time of a package's entries. It is constant so that equal content
// produces equal bytes.
var docxTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// docxWriter collects the body, and the links and numberings that other parts declare.
type docxWriter struct {
	body        *fileBuffer
	redline     bool // struck-out and inserted text are tracked changes
	links       []string
	images      []*picture
	partNumbers map[*picture]int // from 1
	drawn       int
	numbers     []listNumbering
	changes     int
}

type listNumbering struct {
	ordered      bool
	level, start int
}

// paragraphContext is the style, indent and list of the next paragraph.
type paragraphContext struct {
	style  string // the paragraph style, or ""
	indent int    // twentieths of a point
	depth  int    // number of enclosing lists
	number int    // number of the list whose item the paragraph starts, or 0
	align  string // left, right, center, or "" for that of the text
}

// docxIndent is the indent of a list level or quote, in twentieths of a point.
const docxIndent = 480

// docxMaxLevel is the last of the nine list levels of WordprocessingML, from 0.
const docxMaxLevel = 8

// writeDOCX writes a WordprocessingML package.
func writeDOCX(out *fileBuffer, doc *Document) error {
	d := &docxWriter{body: newFileBuffer(out.ctx, out.limit), partNumbers: map[*picture]int{},
		redline: hasInsertions(doc.blocks)}
	d.body.WriteString(docxOpen)
	d.writeBlocks(doc.blocks, paragraphContext{})
	d.body.WriteString(docxClose)
	numbering, relations := newFileBuffer(out.ctx, out.limit), newFileBuffer(out.ctx, out.limit)
	d.writeNumbering(numbering)
	d.writeRelations(relations)
	for _, part := range []*fileBuffer{d.body, numbering, relations} {
		if part.err != nil {
			return part.err
		}
	}
	parts := append(docxFixedParts[:len(docxFixedParts):len(docxFixedParts)], []struct{ name, text string }{
		{"[Content_Types].xml", d.contentTypes()},
		{"docProps/core.xml", docxProperties(doc)},
		{"word/numbering.xml", numbering.buffer.String()},
		{"word/_rels/document.xml.rels", relations.buffer.String()},
		{"word/document.xml", d.body.buffer.String()},
	}...)
	for i, p := range d.images {
		parts = append(parts, struct{ name, text string }{"word/" + imageName(i, p), string(p.data)})
	}
	archive := zip.NewWriter(out)
	for _, part := range parts {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: docxTime})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(entry, part.text); err != nil {
			return err
		}
	}
	return archive.Close()
}

func (d *docxWriter) writeBlocks(blocks []block, at paragraphContext) {
	for _, b := range blocks {
		if d.body.isStopped() {
			return
		}
		d.writeBlock(b, at)
	}
}

func (d *docxWriter) writeBlock(b block, at paragraphContext) {
	switch b.kind {
	case paragraph:
		d.writeParagraph(b.runs, at)
	case heading:
		at.style = fmt.Sprintf("Heading%d", b.level)
		d.writeParagraph(b.runs, at)
	case list:
		if b.notes {
			d.writeParagraph(nil, paragraphContext{style: "Rule"})
		}
		d.writeList(b, at)
	case table:
		d.writeTable(b, at)
	case quote:
		d.writeBlocks(b.blocks, paragraphContext{style: "Quote", indent: at.indent + docxIndent, depth: at.depth})
	case code:
		at.style = "Code"
		d.writeParagraph([]textRun{{text: b.text}}, at)
	case rule:
		at.style = "Rule"
		d.writeParagraph(nil, at)
	}
}

func (d *docxWriter) writeParagraph(runs []textRun, at paragraphContext) {
	d.body.WriteString("<w:p><w:pPr>")
	if at.style != "" {
		fmt.Fprintf(d.body, `<w:pStyle w:val="%s"/>`, at.style)
	}
	if at.number > 0 {
		fmt.Fprintf(d.body, `<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`,
			d.numbers[at.number-1].level, at.number)
	}
	if rightToLeft(runs) && at.style != "Code" {
		d.body.WriteString("<w:bidi/>")
	}
	if at.indent > 0 {
		fmt.Fprintf(d.body, `<w:ind w:left="%d"`, at.indent)
		if at.number > 0 {
			fmt.Fprintf(d.body, ` w:hanging="%d"`, docxIndent*3/4)
		}
		d.body.WriteString("/>")
	}
	if at.align != "" {
		fmt.Fprintf(d.body, `<w:jc w:val="%s"/>`, at.align)
	}
	d.body.WriteString("</w:pPr>")
	for _, r := range runs {
		if d.body.isStopped() {
			return
		}
		d.writeRun(r)
	}
	d.body.WriteString("</w:p>\n")
}

func (d *docxWriter) writeRun(r textRun) {
	if r.link != "" {
		d.links = append(d.links, r.link)
		fmt.Fprintf(d.body, `<w:hyperlink r:id="link%d">`, len(d.links))
		defer d.body.WriteString("</w:hyperlink>")
	}
	text := "w:t"
	if change := d.changeOf(r); change != "" {
		d.changes++
		fmt.Fprintf(d.body, `<w:%s w:id="%d" w:author="Rostrum">`, change, d.changes)
		defer d.body.WriteString("</w:" + change + ">")
		if change == "del" {
			text, r.struck = "w:delText", false
		}
	}
	if p := r.shownPicture(); p != nil {
		d.writePicture(p, r.text)
		return
	}
	for _, part := range splitByDirection(r.text) {
		d.body.WriteString("<w:r>" + docxRunProperties(r, rightToLeft([]textRun{{text: part}})))
		d.writeText(part, text)
		d.body.WriteString("</w:r>")
	}
}

// changeOf returns the element of a tracked change that has the run, and "" if it is none. Text
// that is struck out in a document without insertions, such as a former price, is no deletion.
func (d *docxWriter) changeOf(r textRun) string {
	switch {
	case d.redline && r.struck:
		return "del"
	case r.inserted:
		return "ins"
	}
	return ""
}

// docxRunProperties returns a run's properties in the order that the schema requires.
func docxRunProperties(r textRun, rtl bool) string {
	var out strings.Builder
	for _, p := range []struct {
		on  bool
		xml string
	}{
		{r.link != "", `<w:rStyle w:val="Hyperlink"/>`},
		{r.code, `<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>`},
		{r.bold, "<w:b/><w:bCs/>"},
		{r.italic, "<w:i/><w:iCs/>"},
		{r.struck, "<w:strike/>"},
		{r.script == subscript, `<w:vertAlign w:val="subscript"/>`},
		{r.script == superscript, `<w:vertAlign w:val="superscript"/>`},
		{rtl, "<w:rtl/>"},
	} {
		if p.on {
			out.WriteString(p.xml)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return "<w:rPr>" + out.String() + "</w:rPr>"
}

// writeText writes the lines of a run in elements of the name.
func (d *docxWriter) writeText(text, element string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			d.body.WriteString("<w:br/>")
		}
		for j, part := range strings.Split(line, "\t") {
			if j > 0 {
				d.body.WriteString("<w:tab/>")
			}
			if part != "" {
				d.body.WriteString("<" + element + ` xml:space="preserve">` + escapeXML(part) + "</" + element + ">")
			}
		}
	}
}

func (d *docxWriter) writeList(b block, at paragraphContext) {
	d.numbers = append(d.numbers, listNumbering{b.ordered, min(at.depth, docxMaxLevel), b.start})
	number := len(d.numbers)
	inner := paragraphContext{style: at.style, indent: at.indent + docxIndent, depth: at.depth + 1}
	for _, item := range b.items {
		first := inner
		first.number = number
		if len(item) == 0 || item[0].kind != paragraph {
			d.writeParagraph(nil, first)
		} else {
			d.writeParagraph(item[0].runs, first)
			item = item[1:]
		}
		d.writeBlocks(item, inner)
	}
}

func (d *docxWriter) writeTable(b block, at paragraphContext) {
	fmt.Fprintf(d.body, `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/>%s<w:tblW w:w="0" w:type="auto"/><w:tblInd w:w="%d" w:type="dxa"/></w:tblPr><w:tblGrid>`,
		docxTableDirection(b), at.indent)
	d.body.WriteString(strings.Repeat("<w:gridCol/>", b.columns) + "</w:tblGrid>")
	for _, r := range b.rows {
		if d.body.isStopped() {
			return
		}
		d.body.WriteString("<w:tr>")
		if r.header {
			d.body.WriteString("<w:trPr><w:tblHeader/></w:trPr>")
		}
		for _, cell := range r.spanned(b.columns) {
			d.body.WriteString("<w:tc><w:tcPr>")
			if cell.span > 1 {
				fmt.Fprintf(d.body, `<w:gridSpan w:val="%d"/>`, cell.span)
			}
			d.body.WriteString("</w:tcPr>")
			d.writeParagraph(emboldened(cell.runs, r.header), paragraphContext{style: "TableText", align: b.alignment(cell.column)})
			d.body.WriteString("</w:tc>")
		}
		d.body.WriteString("</w:tr>\n")
	}
	d.body.WriteString("</w:tbl>\n")
	d.writeParagraph(nil, paragraphContext{style: "TableText"}) // Word merges adjacent tables
}

// docxTableDirection returns the property that reverses the columns of a right-to-left table, and
// "" for other tables.
func docxTableDirection(b block) string {
	if rightToLeft(b.allRuns()) {
		return "<w:bidiVisual/>"
	}
	return ""
}

func escapeXML(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // writing to a buffer cannot fail
	return out.String()
}

func (d *docxWriter) writeRelations(out *fileBuffer) {
	out.WriteString(docxPartRelations)
	for i, link := range d.links {
		if out.isStopped() {
			return
		}
		fmt.Fprintf(out, `<Relationship Id="link%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`,
			i+1, escapeXML(link))
	}
	for i, p := range d.images {
		fmt.Fprintf(out, `<Relationship Id="image%d" Type="%s/image" Target="%s"/>`, i+1, officeTypes, imageName(i, p))
	}
	out.WriteString("</Relationships>")
}

// writeNumbering writes the numbering part. Every list has its own numbering, so that each starts
// at its own number.
func (d *docxWriter) writeNumbering(out *fileBuffer) {
	out.WriteString(docxNumberingOpen)
	for i, marks := range [][]string{{"•", "◦", "▪"}, {"decimal", "lowerLetter", "lowerRoman"}} {
		fmt.Fprintf(out, `<w:abstractNum w:abstractNumId="%d"><w:multiLevelType w:val="hybridMultilevel"/>`, i)
		for level := range docxMaxLevel + 1 {
			format, text := "bullet", marks[level%3]
			if i == 1 {
				format, text = marks[level%3], fmt.Sprintf("%%%d.", level+1)
			}
			fmt.Fprintf(out, `<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/><w:lvlJc w:val="start"/><w:pPr><w:ind w:left="%d" w:hanging="%d"/></w:pPr></w:lvl>`,
				level, format, text, docxIndent*(level+1), docxIndent*3/4)
		}
		out.WriteString("</w:abstractNum>")
	}
	for i, n := range d.numbers {
		kind := 0
		if n.ordered {
			kind = 1
		}
		fmt.Fprintf(out, `<w:num w:numId="%d"><w:abstractNumId w:val="%d"/><w:lvlOverride w:ilvl="%d"><w:startOverride w:val="%d"/></w:lvlOverride></w:num>`,
			i+1, kind, n.level, n.start)
	}
	out.WriteString("</w:numbering>")
}

func docxProperties(doc *Document) string {
	element := func(name, text string) string {
		if text == "" {
			return ""
		}
		return "<" + name + ">" + escapeXML(printable(text)) + "</" + name + ">"
	}
	return docxCoreOpen + element("dc:title", doc.title) + element("cp:keywords", strings.Join(doc.meta.Themes, ", ")) +
		element("cp:category", doc.meta.ContentType) + element("dc:subject", doc.meta.TonePersona) +
		"</cp:coreProperties>"
}
