package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// Limits of a DOCX file, against archives that expand to a multiple of their size.
const (
	docxPart  = 64 << 20 // bytes of one unpacked part
	docxDepth = 256      // nested elements
)

// extractDOCX reads a WordprocessingML document (ECMA-376): paragraphs, headings, lists, tables and
// the core properties. It returns a *Failure for other archives.
func extractDOCX(body []byte) (*Result, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, unsupportedContent("the DOCX is damaged and could not be opened", err)
	}
	document, err := readPart(archive, "word/document.xml")
	if err != nil {
		return nil, unsupportedContent("the DOCX has no readable document inside", err)
	}
	w := &wordReader{}
	if err := w.readDocument(document); err != nil {
		return nil, unsupportedContent("the DOCX's document could not be read", err)
	}
	r := &Result{ContentType: "docx", Content: joinParagraphs(w.paragraphs)}
	if core, err := readPart(archive, "docProps/core.xml"); err == nil {
		readProperties(core, r)
	}
	if r.Title == "" {
		r.Title = w.title
	}
	if r.Title == "" {
		r.Title = textTitle(r.Content)
	}
	return r, nil
}

func readPart(archive *zip.Reader, name string) ([]byte, error) {
	file, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, docxPart+1))
	if len(content) > docxPart {
		return nil, errors.New("a part is too large")
	}
	return content, err
}

func readProperties(core []byte, r *Result) {
	var p struct {
		Title    string `xml:"title"`
		Creator  string `xml:"creator"`
		Language string `xml:"language"`
		Created  string `xml:"created"`
	}
	if xml.Unmarshal(core, &p) == nil {
		r.Title, r.Author, r.Language, r.Published = oneLine(p.Title), oneLine(p.Creator), p.Language,
			parseDate(p.Created)
	}
}

// wordReader collects paragraphs during a walk over the document's elements.
type wordReader struct {
	paragraphs []wordParagraph
	title      string
	text       strings.Builder
	style      string
	listed     bool
	cells      [][]string // the cells of each open table row, the innermost last
	cell       []int      // index of the first paragraph of each open cell
	last       string     // kind of the previous paragraph: "item", "row" or ""
	outer      []string   // value of last before each open row
}

// wordParagraph is a paragraph, or a line that continues a list or a table.
type wordParagraph struct {
	text      string
	continued bool // on the line after the previous one, without an empty line
}

// joinParagraphs returns the text of paragraphs, with an empty line between them.
func joinParagraphs(paragraphs []wordParagraph) string {
	var out strings.Builder
	for i, p := range paragraphs {
		switch {
		case p.continued:
			out.WriteByte('\n')
		case i > 0:
			out.WriteString("\n\n")
		}
		out.WriteString(p.text)
	}
	return out.String()
}

func (w *wordReader) readDocument(document []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	depth := 0
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
			if depth++; depth > docxDepth {
				return errors.New("elements are nested too deeply")
			}
			if err := w.startElement(decoder, t, &depth); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
			w.endElement(t.Name.Local)
		}
	}
}

func (w *wordReader) startElement(decoder *xml.Decoder, t xml.StartElement, depth *int) error {
	switch t.Name.Local {
	case "t":
		*depth--
		var text string
		if err := decoder.DecodeElement(&text, &t); err != nil {
			return err
		}
		w.text.WriteString(text)
	case "tab":
		w.text.WriteByte('\t')
	case "br", "cr":
		w.text.WriteByte('\n')
	case "noBreakHyphen":
		w.text.WriteByte('-')
	case "pStyle":
		w.style = elementValue(t)
	case "numId":
		w.listed = elementValue(t) != "0"
	case "tr":
		w.cells = append(w.cells, nil)
		w.outer = append(w.outer, w.last)
	case "tc":
		w.cell = append(w.cell, len(w.paragraphs))
	case "del", "moveFrom", "Fallback", "instrText", "delText", "footnotePr":
		*depth--
		return decoder.Skip()
	}
	return nil
}

func elementValue(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "val" {
			return a.Value
		}
	}
	return ""
}

func (w *wordReader) endElement(name string) {
	switch name {
	case "p":
		w.endParagraph()
	case "tc":
		if n := len(w.cell) - 1; n >= 0 && len(w.cells) > 0 {
			begin := min(w.cell[n], len(w.paragraphs))
			row := len(w.cells) - 1
			w.cells[row] = append(w.cells[row], oneLine(joinParagraphs(w.paragraphs[begin:])))
			w.paragraphs, w.cell = w.paragraphs[:begin], w.cell[:n]
		}
	case "tr":
		if n := len(w.cells) - 1; n >= 0 {
			row := strings.Join(w.cells[n], " | ")
			w.last = w.outer[n]
			w.cells, w.outer = w.cells[:n], w.outer[:n]
			w.addParagraph(row, "row")
		}
	case "tbl":
		w.last = ""
	}
}

func (w *wordReader) endParagraph() {
	text := strings.TrimSpace(w.text.String())
	style := strings.ToLower(w.style)
	item := w.listed || strings.HasPrefix(style, "list")
	if text != "" {
		level := headingLevel(style)
		if w.title == "" && level == 1 {
			w.title = oneLine(text)
		}
		switch {
		case item:
			w.addParagraph("- "+text, "item")
		case level > 0 && len(w.cell) == 0:
			w.addParagraph(headingMark(level)+oneLine(text), "")
		default:
			w.addParagraph(text, "")
		}
	}
	w.text.Reset()
	w.style, w.listed = "", false
}

// headingStyle matches the identifiers of the styles of headings in lower case.
var headingStyle = regexp.MustCompile(`^(?:title|heading([1-6]))(?:$|\D)`)

// headingLevel returns the level of a paragraph's style in lower case, from 1 to 6; 0 for a style
// of no heading.
func headingLevel(style string) int {
	m := headingStyle.FindStringSubmatch(style)
	switch {
	case m == nil:
		return 0
	case m[1] == "":
		return 1
	}
	return int(m[1][0] - '0')
}

// addParagraph appends a paragraph. Consecutive items and rows are on consecutive lines, except at
// the start of a cell.
func (w *wordReader) addParagraph(text, kind string) {
	n := len(w.paragraphs) - 1
	begins := len(w.cell) > 0 && w.cell[len(w.cell)-1] > n
	continued := kind != "" && kind == w.last && n >= 0 && !begins
	w.paragraphs = append(w.paragraphs, wordParagraph{text, continued})
	w.last = kind
}
