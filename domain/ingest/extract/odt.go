package extract

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// extractODT reads a text of OpenDocument (ISO 26300): paragraphs, headings, items of lists and rows
// of tables in their order. Notes stand in brackets, comments and tracked deletions are left out.
func extractODT(body []byte, filename string) (*Result, error) {
	files, err := openOffice(body)
	if err != nil {
		return nil, unsupportedContent("the ODT is damaged and could not be opened", err)
	}
	content, err := files.readPart("content.xml")
	if err != nil {
		return nil, unsupportedContent("the ODT has no readable text inside", err)
	}
	o := &openText{}
	if err := o.read(content); err != nil {
		return nil, unsupportedContent("the ODT's text could not be read", err)
	}
	r := &Result{ContentType: "odt", Content: strings.Join(o.paragraphs, "\n\n")}
	if meta, err := files.readPart("meta.xml"); err == nil {
		readOpenMeta(meta, r)
	}
	r.Title = cmp.Or(r.Title, o.title, textTitle(r.Content), withoutExtension(filename))
	return r, nil
}

func readOpenMeta(part []byte, r *Result) {
	var file struct {
		Title   string `xml:"meta>title"`
		Creator string `xml:"meta>initial-creator"`
		Editor  string `xml:"meta>creator"`
		Created string `xml:"meta>creation-date"`
	}
	if newXMLDecoder(part).Decode(&file) != nil {
		return
	}
	r.Title, r.Author = oneLine(file.Title), oneLine(cmp.Or(file.Creator, file.Editor))
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(layout, file.Created); err == nil {
			r.Published = &at
			return
		}
	}
}

// openText collects the paragraphs of a text of OpenDocument.
type openText struct {
	paragraphs []string
	title      string
	text       strings.Builder // the open paragraph
	heading    int             // its level
	depth      int
	skipped    int      // the depth of an element that is left out; 0 outside one
	lists      int      // open lists
	notes      int      // open notes, whose paragraphs are part of the one around them
	rows       []string // the cells of the open row
	cells      int      // open cells
}

// leftOut are the elements whose text nobody reads in the document.
var leftOut = map[string]bool{"tracked-changes": true, "annotation": true, "forms": true, "sequence-decls": true,
	"bibliography-configuration": true, "note-citation": true, "variable-decls": true, "desc": true}

func (o *openText) read(part []byte) error {
	decoder := newXMLDecoder(part)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if o.depth++; o.depth > docxDepth {
				return errors.New("its elements are nested too deeply")
			}
			o.start(t)
		case xml.EndElement:
			o.end(t.Name.Local)
			if o.depth--; o.depth < o.skipped {
				o.skipped = 0
			}
		case xml.CharData:
			if o.skipped == 0 {
				o.text.Write(t)
			}
		}
	}
}

func (o *openText) start(t xml.StartElement) {
	name := t.Name.Local
	if o.skipped == 0 && leftOut[name] {
		o.skipped = o.depth
	}
	if o.skipped > 0 {
		return
	}
	switch name {
	case "h":
		o.text.Reset()
		o.heading = 1
		if n, err := strconv.Atoi(xmlAttribute(t, "outline-level")); err == nil {
			o.heading = min(max(n, 1), 6)
		}
	case "p":
		if o.notes == 0 {
			o.text.Reset() // white space between elements
		}
	case "note":
		o.notes++
		o.text.WriteString(" [")
	case "s":
		n, _ := strconv.Atoi(xmlAttribute(t, "c"))
		o.text.WriteString(strings.Repeat(" ", min(max(n, 1), 100)))
	case "tab":
		o.text.WriteByte('\t')
	case "line-break":
		o.text.WriteByte('\n')
	case "list":
		o.lists++
	case "table-row":
		o.rows = nil
	case "table-cell", "covered-table-cell":
		o.cells++
	}
}

func (o *openText) end(name string) {
	if o.skipped > 0 {
		return
	}
	switch name {
	case "p", "h":
		if o.notes == 0 {
			o.endParagraph()
		}
	case "note":
		o.notes--
		o.text.WriteByte(']')
	case "list":
		o.lists--
	case "table-cell", "covered-table-cell":
		o.cells--
	case "table-row":
		if line := joinCells(o.rows); line != "" {
			o.paragraphs = append(o.paragraphs, line)
		}
		o.rows = nil
	}
}

func (o *openText) endParagraph() {
	text := strings.TrimSpace(o.text.String())
	o.text.Reset()
	level := o.heading
	o.heading = 0
	switch {
	case text == "":
	case o.cells > 0:
		o.rows = append(o.rows, oneLine(text))
	case level > 0:
		if o.title == "" {
			o.title = oneLine(text)
		}
		o.paragraphs = append(o.paragraphs, headingMark(level)+oneLine(text))
	case o.lists > 0:
		o.paragraphs = append(o.paragraphs, strings.Repeat("  ", min(o.lists, 8)-1)+"- "+text)
	default:
		o.paragraphs = append(o.paragraphs, text)
	}
}
