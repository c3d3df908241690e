package extract

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Limits of a DOCX file, against archives that expand to a multiple of their size.
const (
	docxPart  = 64 << 20 // bytes of all unpacked parts
	docxDepth = 256      // nested elements
)

// extractDOCX reads a WordprocessingML document (ECMA-376) in the order in which Word shows it:
// paragraphs, headings, lists with their labels, tables, text boxes, embedded pages, notes and the
// core properties. Hidden, deleted and struck-out text, comments, and headers of many pages are left
// out. It returns a *Failure for other archives.
func extractDOCX(body []byte) (*Result, error) {
	files, err := openOffice(body)
	if err != nil {
		return nil, unsupportedContent("the DOCX is damaged and could not be opened", err)
	}
	w, err := readWord(files, 0)
	if err != nil {
		return nil, err
	}
	r := &Result{ContentType: "docx", Content: joinParagraphs(w.flow.paragraphs)}
	if core, err := files.readPart("docProps/core.xml"); err == nil {
		readProperties(core, r)
	}
	r.Restriction = w.readRestriction()
	r.Title = cmp.Or(w.named, r.Title, w.title, textTitle(w.first))
	return r, nil
}

// readWord reads the main part of an archive and the parts that it refers to. embedded is the
// number of files around it.
func readWord(files *officeFiles, embedded int) (*wordReader, error) {
	main := files.mainPart()
	document, err := files.readPart(main)
	if err != nil {
		return nil, unsupportedContent("the DOCX has no readable document inside", err)
	}
	w := &wordReader{files: files, parts: files.relations(main), embedded: embedded,
		noted: map[string]*wordNote{}, margins: map[string]bool{}}
	w.flow, w.pages = w.newFlow(), countPages(files)
	w.styles = readStyles(w.part("styles"))
	w.lists = readLists(w.part("numbering"))
	if err := w.readPart(document); err != nil {
		return nil, wordFailure(err)
	}
	if err := w.readNotes(); err != nil {
		return nil, wordFailure(err)
	}
	return w, nil
}

func wordFailure(err error) error {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return unsupportedContent("the DOCX's document could not be read", err)
}

func readProperties(core []byte, r *Result) {
	var p struct {
		Title    string `xml:"title"`
		Creator  string `xml:"creator"`
		Language string `xml:"language"`
		Created  string `xml:"created"`
	}
	if newXMLDecoder(core).Decode(&p) == nil {
		r.Title, r.Author, r.Language, r.Published = oneLine(p.Title), oneLine(p.Creator), p.Language,
			parseDate(p.Created)
	}
}

// wordReader walks over the elements of parts and collects the paragraphs of a flow.
type wordReader struct {
	files        *officeFiles
	parts        map[string]officeRelation
	styles       wordStyles
	lists        *wordLists
	named        string // the first paragraph of the style Title
	title        string // the first heading of the first level
	first        string // the first text
	flow         *wordFlow
	outer        []*wordFlow // the flows around an open text box
	alternatives []bool      // for each open choice of versions, whether one was read
	notes        []*wordNote // in the order of their marks
	noted        map[string]*wordNote
	reading      *wordNote // whose text is read
	footnotes    int
	endnotes     int
	embedded     int
	pages        int             // 0 if not known
	section      int             // index of the first paragraph of the open section
	margins      map[string]bool // headers and footers that were added; nil within one
	depth        int
}

func (w *wordReader) newFlow() *wordFlow { return &wordFlow{repeated: &w.files.repeated} }

// part returns the content of the part that the document refers to by a type, or nil.
func (w *wordReader) part(kind string) []byte {
	for _, relation := range w.parts {
		if relation.kind == kind {
			content, _ := w.files.readPart(relation.target)
			return content
		}
	}
	return nil
}

func (w *wordReader) readPart(part []byte) error {
	decoder := newXMLDecoder(part)
	w.depth = 0
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
			if w.depth++; w.depth > docxDepth {
				return errors.New("elements are nested too deeply")
			}
			if err := w.startElement(decoder, t); err != nil {
				return err
			}
		case xml.EndElement:
			w.depth--
			if err := w.endElement(t.Name.Local); err != nil {
				return err
			}
		}
	}
}

// startElement reads an element's start, or the whole of an element without paragraphs.
func (w *wordReader) startElement(decoder *xml.Decoder, t xml.StartElement) error {
	name := t.Name.Local
	if read := w.wholeElement(decoder, t); read != nil {
		w.depth--
		return read()
	}
	switch name {
	case "p":
		w.flow.paragraph = wordParagraph{}
	case "r":
		w.flow.run = w.styles.run(w.flow.paragraph.style(), wordRunFormat{})
	case "tab", "ptab":
		w.write("\t")
	case "br", "cr":
		w.write("\n")
	case "noBreakHyphen":
		w.write("-")
	case "sym":
		w.write(symbolText(attribute(t, "font"), attribute(t, "char")))
	case "footnoteReference", "endnoteReference":
		w.addNote(name, attribute(t, "id"))
	case "footnote", "endnote":
		w.reading, w.flow = w.findNote(name, attribute(t, "id")), w.newFlow()
	case "tbl", "tr", "tc":
		w.flow.startTable(name)
	case "txbxContent":
		w.outer = append(w.outer, w.flow)
		w.flow = w.newFlow()
	case "AlternateContent":
		w.alternatives = append(w.alternatives, false)
	}
	return nil
}

// wholeElement returns a func that reads or skips an element with all it contains, or nil.
func (w *wordReader) wholeElement(decoder *xml.Decoder, t xml.StartElement) func() error {
	switch t.Name.Local {
	case "t":
		return func() error { return w.readText(decoder, t) }
	case "pPr":
		return func() error { return decoder.DecodeElement(&w.flow.paragraph.wordParagraphFormat, &t) }
	case "sectPr":
		return func() error {
			var section wordSection
			return errors.Join(decoder.DecodeElement(&section, &t), w.endSection(&section))
		}
	case "rPr":
		return func() error {
			var format wordRunFormat
			err := decoder.DecodeElement(&format, &t)
			w.flow.run = w.styles.run(w.flow.paragraph.style(), format)
			return err
		}
	case "tcPr":
		return func() error { return w.flow.readCellFormat(decoder, t) }
	case "ffData":
		return func() error { return w.readFormField(decoder, t) }
	case "oMath":
		return func() error { return w.readMath(decoder, t) }
	case "altChunk":
		return func() error { return errors.Join(w.readChunk(attribute(t, "id")), decoder.Skip()) }
	}
	if w.isUnread(t) {
		return decoder.Skip
	}
	return nil
}

// isUnread reports whether an element has no text that Word shows: deletions, former properties,
// code of fields, settings, and further versions of what was read.
func (w *wordReader) isUnread(t xml.StartElement) bool {
	switch name := t.Name.Local; name {
	case "del", "moveFrom", "delText", "instrText", "delInstrText", "sdtPr", "rt":
		return true
	case "footnote", "endnote":
		return w.findNote(name, attribute(t, "id")) == nil
	case "Choice", "Fallback":
		last := len(w.alternatives) - 1
		if last < 0 {
			return name == "Fallback"
		}
		read := w.alternatives[last]
		w.alternatives[last] = true
		return read
	default:
		return strings.HasSuffix(name, "PrChange")
	}
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (w *wordReader) readText(decoder *xml.Decoder, t xml.StartElement) error {
	var text string
	if err := decoder.DecodeElement(&text, &t); err != nil {
		return err
	}
	w.write(plainSymbols(w.flow.run.font, text))
	return nil
}

// write appends text of the open run, unless Word hides it or strikes it out.
func (w *wordReader) write(text string) {
	if run := w.flow.run; !run.hidden && !run.struck {
		w.flow.paragraph.text.Write(text, run.script)
	}
}

func (w *wordReader) endElement(name string) error {
	switch name {
	case "p":
		return w.endParagraph()
	case "r":
		w.flow.run = wordRun{}
	case "tbl", "tr", "tc":
		w.flow.endTable(name)
	case "footnote", "endnote":
		w.endNote()
	case "txbxContent":
		if n := len(w.outer) - 1; n >= 0 {
			inner := w.flow
			w.flow, w.outer = w.outer[n], w.outer[:n]
			w.flow.boxes = append(w.flow.boxes, inner.paragraphs...)
		}
	case "AlternateContent":
		w.alternatives = w.alternatives[:max(0, len(w.alternatives)-1)]
	}
	return nil
}

// endParagraph adds the open paragraph, and after it those of the text boxes that it anchors.
func (w *wordReader) endParagraph() error {
	f := w.flow
	p := &f.paragraph
	label := w.lists.next(w.styles.numbering(&p.wordParagraphFormat)) // Word counts empty items too
	if text := strings.TrimSpace(p.text.String()); text != "" {
		if w.named == "" && len(f.tables) == 0 && w.styles.isTitle(&p.wordParagraphFormat) {
			w.named = oneLine(text)
		}
		w.addText(text, w.styles.heading(&p.wordParagraphFormat), label)
	}
	section := p.Section
	f.paragraph = wordParagraph{}
	for _, box := range f.boxes {
		f.add(box.text, box.kind)
	}
	f.boxes = nil
	if section != nil {
		return w.endSection(section)
	}
	return nil
}

// addText adds a paragraph, heading or list item. Headings in tables are paragraphs.
func (w *wordReader) addText(text string, heading int, label listLabel) {
	w.first = cmp.Or(w.first, text)
	switch {
	case heading > 0 && len(w.flow.tables) == 0:
		text = oneLine(text)
		if w.title == "" && heading == 1 {
			w.title = text
		}
		if label.text != bullet {
			text = strings.TrimSpace(label.text + " " + text)
		}
		w.flow.add(headingMark(heading)+text, plainText)
	case label.text != "":
		w.flow.addItem(label, text)
	default:
		w.flow.add(text, plainText)
	}
}
