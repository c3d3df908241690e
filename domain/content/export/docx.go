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

// Parts of a WordprocessingML package (ECMA-376) that are the same in every file; docx_part.go has their text.
var docxFixed = []struct{ name, text string }{
	{"[Content_Types].xml", docxTypes},
	{"_rels/.rels", docxRelations},
	{"word/styles.xml", docxStyles},
}

// docxEpoch is the time of a package's entries, so that the same content gives the same bytes.
var docxEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// docx collects the body, and the links and numberings that other parts must tell of.
type docx struct {
	body    bytes.Buffer
	links   []string
	numbers []numbering
}

type numbering struct {
	ordered      bool
	level, start int
}

// place is where in the document a block stands.
type place struct {
	style  string // the paragraph style, or empty
	indent int    // twentieths of a point
	depth  int    // how many lists it is in
	number int    // the numbering that the next paragraph starts an item of, or 0
}

// docxStep is the indent of a list level or quote, in twentieths of a point.
const docxStep = 480

// docxDeepest is the last of the nine list levels that WordprocessingML has.
const docxDeepest = 8

func writeDOCX(w io.Writer, doc *document) error {
	d := &docx{}
	d.blocks(doc.blocks, place{})
	parts := append(docxFixed[:len(docxFixed):len(docxFixed)], []struct{ name, text string }{
		{"docProps/core.xml", docxCore(doc)},
		{"word/numbering.xml", d.numbering()},
		{"word/_rels/document.xml.rels", d.relations()},
		{"word/document.xml", docxOpen + d.body.String() + docxClose},
	}...)
	archive := zip.NewWriter(w)
	for _, part := range parts {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: docxEpoch})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(entry, part.text); err != nil {
			return err
		}
	}
	return archive.Close()
}

func (d *docx) blocks(blocks []block, at place) {
	for _, b := range blocks {
		d.block(b, at)
	}
}

func (d *docx) block(b block, at place) {
	switch b.kind {
	case paragraph:
		d.paragraph(b.runs, at)
	case heading:
		at.style = fmt.Sprintf("Heading%d", b.level)
		d.paragraph(b.runs, at)
	case list:
		d.list(b, at)
	case table:
		d.table(b, at)
	case quote:
		d.blocks(b.blocks, place{style: "Quote", indent: at.indent + docxStep, depth: at.depth})
	case code:
		at.style = "Code"
		d.paragraph([]run{{text: b.text}}, at)
	case rule:
		at.style = "Rule"
		d.paragraph(nil, at)
	}
}

func (d *docx) paragraph(runs []run, at place) {
	d.body.WriteString("<w:p><w:pPr>")
	if at.style != "" {
		fmt.Fprintf(&d.body, `<w:pStyle w:val="%s"/>`, at.style)
	}
	if at.number > 0 {
		fmt.Fprintf(&d.body, `<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, d.numbers[at.number-1].level, at.number)
	}
	if rightToLeft(runs) && at.style != "Code" {
		d.body.WriteString("<w:bidi/>")
	}
	if at.indent > 0 {
		fmt.Fprintf(&d.body, `<w:ind w:left="%d"`, at.indent)
		if at.number > 0 {
			fmt.Fprintf(&d.body, ` w:hanging="%d"`, docxStep*3/4)
		}
		d.body.WriteString("/>")
	}
	d.body.WriteString("</w:pPr>")
	for _, r := range runs {
		d.run(r)
	}
	d.body.WriteString("</w:p>\n")
}

func (d *docx) run(r run) {
	if r.link != "" {
		d.links = append(d.links, r.link)
		fmt.Fprintf(&d.body, `<w:hyperlink r:id="link%d">`, len(d.links))
		defer d.body.WriteString("</w:hyperlink>")
	}
	for _, part := range byDirection(r.text) {
		d.body.WriteString("<w:r>" + docxLook(r, rightToLeft([]run{{text: part}})))
		d.text(part)
		d.body.WriteString("</w:r>")
	}
}

// docxLook writes a run's properties in the order that the schema asks for.
func docxLook(r run, rtl bool) string {
	var out strings.Builder
	for _, p := range []struct {
		on  bool
		xml string
	}{
		{r.link != "", `<w:rStyle w:val="Hyperlink"/>`},
		{r.code, `<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>`},
		{r.bold, "<w:b/><w:bCs/>"},
		{r.italic, "<w:i/><w:iCs/>"},
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

func (d *docx) text(text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			d.body.WriteString("<w:br/>")
		}
		for j, part := range strings.Split(line, "\t") {
			if j > 0 {
				d.body.WriteString("<w:tab/>")
			}
			if part != "" {
				d.body.WriteString(`<w:t xml:space="preserve">` + xmlText(part) + "</w:t>")
			}
		}
	}
}

func (d *docx) list(b block, at place) {
	d.numbers = append(d.numbers, numbering{b.ordered, min(at.depth, docxDeepest), b.start})
	number := len(d.numbers)
	inner := place{style: at.style, indent: at.indent + docxStep, depth: at.depth + 1}
	for _, item := range b.items {
		first := inner
		first.number = number
		if len(item) == 0 || item[0].kind != paragraph {
			d.paragraph(nil, first)
		} else {
			d.paragraph(item[0].runs, first)
			item = item[1:]
		}
		d.blocks(item, inner)
	}
}

func (d *docx) table(b block, at place) {
	fmt.Fprintf(&d.body, `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/>%s<w:tblW w:w="0" w:type="auto"/><w:tblInd w:w="%d" w:type="dxa"/></w:tblPr><w:tblGrid>`,
		docxVisual(b), at.indent)
	d.body.WriteString(strings.Repeat("<w:gridCol/>", b.columns()) + "</w:tblGrid>")
	for _, r := range b.rows {
		d.body.WriteString("<w:tr>")
		if r.header {
			d.body.WriteString("<w:trPr><w:tblHeader/></w:trPr>")
		}
		for column := range b.columns() {
			var runs []run
			if column < len(r.cells) {
				runs = r.cells[column]
			}
			d.body.WriteString("<w:tc><w:tcPr/>")
			d.paragraph(emphasised(runs, r.header), place{style: "TableText"})
			d.body.WriteString("</w:tc>")
		}
		d.body.WriteString("</w:tr>\n")
	}
	d.body.WriteString("</w:tbl>\n")
	d.paragraph(nil, place{style: "TableText"}) // two tables in a row would become one
}

// docxVisual turns the order of a table's columns when its text runs from right to left.
func docxVisual(b block) string {
	if rightToLeft(b.allRuns()) {
		return "<w:bidiVisual/>"
	}
	return ""
}

func xmlText(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer takes everything
	return out.String()
}

func (d *docx) relations() string {
	var out strings.Builder
	out.WriteString(docxPartRelations)
	for i, link := range d.links {
		fmt.Fprintf(&out, `<Relationship Id="link%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`,
			i+1, xmlText(link))
	}
	return out.String() + "</Relationships>"
}

// numbering gives every list a numbering of its own, so that each starts anew.
func (d *docx) numbering() string {
	var out strings.Builder
	out.WriteString(docxNumberingOpen)
	for i, marks := range [][]string{{"•", "◦", "▪"}, {"decimal", "lowerLetter", "lowerRoman"}} {
		fmt.Fprintf(&out, `<w:abstractNum w:abstractNumId="%d"><w:multiLevelType w:val="hybridMultilevel"/>`, i)
		for level := range docxDeepest + 1 {
			format, text := "bullet", marks[level%3]
			if i == 1 {
				format, text = marks[level%3], fmt.Sprintf("%%%d.", level+1)
			}
			fmt.Fprintf(&out, `<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/><w:lvlJc w:val="start"/><w:pPr><w:ind w:left="%d" w:hanging="%d"/></w:pPr></w:lvl>`,
				level, format, text, docxStep*(level+1), docxStep*3/4)
		}
		out.WriteString("</w:abstractNum>")
	}
	for i, n := range d.numbers {
		kind := 0
		if n.ordered {
			kind = 1
		}
		fmt.Fprintf(&out, `<w:num w:numId="%d"><w:abstractNumId w:val="%d"/><w:lvlOverride w:ilvl="%d"><w:startOverride w:val="%d"/></w:lvlOverride></w:num>`,
			i+1, kind, n.level, n.start)
	}
	return out.String() + "</w:numbering>"
}

func docxCore(doc *document) string {
	element := func(name, text string) string {
		if text == "" {
			return ""
		}
		return "<" + name + ">" + xmlText(printable(text)) + "</" + name + ">"
	}
	return docxCoreOpen + element("dc:title", doc.title) + element("cp:keywords", strings.Join(doc.meta.Themes, ", ")) +
		element("cp:category", doc.meta.ContentType) + element("dc:subject", doc.meta.TonePersona) + "</cp:coreProperties>"
}
