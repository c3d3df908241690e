package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Bounds of a DOCX, against archives that unpack to much more than they are.
const (
	docxPart  = 64 << 20 // bytes of one unpacked part
	docxDepth = 256      // elements inside each other
)

// docx reads a WordprocessingML document (ECMA-376): paragraphs, headings, lists and tables, and the core properties.
func docx(body []byte) (*Result, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, unsupported("the DOCX is damaged and could not be opened", err)
	}
	document, err := part(archive, "word/document.xml")
	if err != nil {
		return nil, unsupported("the DOCX has no readable document inside", err)
	}
	w := &wordReader{}
	if err := w.read(document); err != nil {
		return nil, unsupported("the DOCX's document could not be read", err)
	}
	r := &Result{ContentType: "docx", Content: strings.Join(w.paragraphs, "\n\n")}
	if core, err := part(archive, "docProps/core.xml"); err == nil {
		properties(core, r)
	}
	if r.Title == "" {
		r.Title = w.title
	}
	if r.Title == "" {
		r.Title = textTitle(r.Content)
	}
	return r, nil
}

func part(archive *zip.Reader, name string) ([]byte, error) {
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

func properties(core []byte, r *Result) {
	var p struct {
		Title    string `xml:"title"`
		Creator  string `xml:"creator"`
		Language string `xml:"language"`
		Created  string `xml:"created"`
	}
	if xml.Unmarshal(core, &p) == nil {
		r.Title, r.Author, r.Language, r.Published = oneLine(p.Title), oneLine(p.Creator), p.Language, parseDate(p.Created)
	}
}

// wordReader collects paragraphs while it walks the document's elements.
type wordReader struct {
	paragraphs []string
	title      string
	text       strings.Builder
	style      string
	listed     bool
	cells      [][]string // the cells of each open table row, the innermost last
	cell       []int      // where the paragraphs of each open cell begin
	last       string     // the kind of the paragraph before: "item", "row" or empty
	outer      []string   // what last was before each open row
}

func (w *wordReader) read(document []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	depth := 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
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
			if err := w.start(decoder, t, &depth); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
			w.end(t.Name.Local)
		}
	}
}

func (w *wordReader) start(decoder *xml.Decoder, t xml.StartElement, depth *int) error {
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
		w.style = value(t)
	case "numId":
		w.listed = value(t) != "0"
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

func value(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "val" {
			return a.Value
		}
	}
	return ""
}

func (w *wordReader) end(name string) {
	switch name {
	case "p":
		w.paragraph()
	case "tc":
		if n := len(w.cell) - 1; n >= 0 && len(w.cells) > 0 {
			begin := min(w.cell[n], len(w.paragraphs))
			row := len(w.cells) - 1
			w.cells[row] = append(w.cells[row], oneLine(strings.Join(w.paragraphs[begin:], " ")))
			w.paragraphs, w.cell = w.paragraphs[:begin], w.cell[:n]
		}
	case "tr":
		if n := len(w.cells) - 1; n >= 0 {
			row := strings.Join(w.cells[n], " | ")
			w.last = w.outer[n]
			w.cells, w.outer = w.cells[:n], w.outer[:n]
			w.add(row, "row")
		}
	case "tbl":
		w.last = ""
	}
}

func (w *wordReader) paragraph() {
	text := strings.TrimSpace(w.text.String())
	style := strings.ToLower(w.style)
	item := w.listed || strings.HasPrefix(style, "list")
	if text != "" {
		if w.title == "" && (style == "title" || strings.HasPrefix(style, "heading1")) {
			w.title = oneLine(text)
		}
		if item {
			w.add("- "+text, "item")
		} else {
			w.add(text, "")
		}
	}
	w.text.Reset()
	w.style, w.listed = "", false
}

// add appends a paragraph; items and rows that follow each other stand on lines of one, but not where a cell begins.
func (w *wordReader) add(text, kind string) {
	n := len(w.paragraphs) - 1
	begins := len(w.cell) > 0 && w.cell[len(w.cell)-1] > n
	if kind != "" && kind == w.last && n >= 0 && !begins {
		w.paragraphs[n] += "\n" + text
	} else {
		w.paragraphs = append(w.paragraphs, text)
	}
	w.last = kind
}
