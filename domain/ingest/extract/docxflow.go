package extract

import (
	"encoding/xml"
	"strconv"
	"strings"

	"rostrum/llm/text/script"
)

// wordFlow is the text of the body, of a note, or of a text box.
type wordFlow struct {
	paragraphs []flowParagraph
	paragraph  wordParagraph // the open one
	run        wordRun       // the open one
	boxes      []flowParagraph
	tables     []*wordTable // the open ones, the innermost last
	items      []wordItem   // the last items of the levels above and of this one
	last       flowKind     // of the previous paragraph
	repeated   *int         // bytes of cells that are repeated, of all flows
}

// flowParagraph is a paragraph of the text, or a line that continues a list or a table.
type flowParagraph struct {
	text      string
	kind      flowKind
	continued bool // on the line after the previous one, without an empty line
}

type flowKind uint8

const (
	plainText flowKind = iota
	listItem
	tableRow
)

// wordParagraph is an open paragraph.
type wordParagraph struct {
	wordParagraphFormat
	text script.Writer
}

// wordRun is the format of an open run.
type wordRun struct {
	hidden, struck bool
	script         script.Position
	font           string
}

// joinParagraphs returns the text of paragraphs, with an empty line between them.
func joinParagraphs(paragraphs []flowParagraph) string {
	var out strings.Builder
	for i, p := range paragraphs {
		switch {
		case i > 0 && p.continued:
			out.WriteByte('\n')
		case i > 0:
			out.WriteString("\n\n")
		}
		out.WriteString(p.text)
	}
	return out.String()
}

// add appends a paragraph. Consecutive items and rows are on consecutive lines, except at the start
// of a cell.
func (f *wordFlow) add(text string, kind flowKind) {
	begins := false
	if n := len(f.tables) - 1; n >= 0 {
		begins = f.tables[n].first >= len(f.paragraphs)
	}
	continued := kind != plainText && kind == f.last && !begins
	f.paragraphs = append(f.paragraphs, flowParagraph{text, kind, continued})
	if f.last = kind; kind != listItem {
		f.items = nil
	}
}

// wordItem is the level of a list item and the width of its label.
type wordItem struct{ level, width int }

// addItem appends a list item, indented below the last item of a higher level.
func (f *wordFlow) addItem(label listLabel, text string) {
	if f.last != listItem {
		f.items = nil
	}
	for n := len(f.items); n > 0 && f.items[n-1].level >= label.level; n-- {
		f.items = f.items[:n-1]
	}
	indent := 0
	for _, above := range f.items {
		indent += above.width
	}
	space := strings.Repeat(" ", indent)
	width := len([]rune(label.text)) + 1
	text = strings.ReplaceAll(text, "\n", "\n"+space+strings.Repeat(" ", width))
	items := append(f.items, wordItem{label.level, width})
	f.add(space+label.text+" "+text, listItem)
	f.items = items
}

// wordTable is an open table.
type wordTable struct {
	row      []string
	first    int            // the first paragraph of the open cell
	before   flowKind       // the kind of the paragraph before the open row
	above    map[int]string // the cells that may continue in the next row, by their columns
	repeated *int
	cell     wordCellFormat
}

// wordCellFormat has the columns and rows that a cell spans.
type wordCellFormat struct {
	Span  wordValue  `xml:"gridSpan"`
	Merge *wordValue `xml:"vMerge"`
}

func (f *wordFlow) readCellFormat(decoder *xml.Decoder, t xml.StartElement) error {
	var format wordCellFormat
	err := decoder.DecodeElement(&format, &t)
	if n := len(f.tables) - 1; n >= 0 {
		f.tables[n].cell = format
	}
	return err
}

func (f *wordFlow) startTable(name string) {
	if name == "tbl" {
		f.tables = append(f.tables, &wordTable{above: map[int]string{}, repeated: f.repeated})
		return
	}
	n := len(f.tables) - 1
	if n < 0 {
		return
	}
	table := f.tables[n]
	if name == "tr" {
		table.row, table.before = nil, f.last
	} else {
		table.cell = wordCellFormat{}
	}
	table.first = len(f.paragraphs)
}

func (f *wordFlow) endTable(name string) {
	n := len(f.tables) - 1
	if n < 0 {
		return
	}
	table := f.tables[n]
	switch name {
	case "tc":
		first := min(table.first, len(f.paragraphs))
		table.addCell(oneLine(joinParagraphs(f.paragraphs[first:])))
		f.paragraphs = f.paragraphs[:first]
	case "tr":
		f.last = table.before
		f.tables = f.tables[:n] // the row is a paragraph around the table
		if row := joinCells(table.row); row != "" {
			f.add(row, tableRow)
		}
		f.tables = append(f.tables, table)
	case "tbl":
		f.tables = f.tables[:n]
		f.last = plainText
	}
}

// addCell appends a cell to the open row, and empty cells for further columns that it spans. A cell
// that continues the one above has its text.
func (t *wordTable) addCell(text string) {
	column := len(t.row)
	switch merge := t.cell.Merge; {
	case merge == nil:
		delete(t.above, column)
	case merge.Val == "restart":
		t.above[column] = text
	case text == "" && *t.repeated+len(t.above[column]) <= maxRepeated:
		text = t.above[column]
		*t.repeated += len(text)
	}
	t.row = append(t.row, text)
	span, _ := strconv.Atoi(t.cell.Span.Val)
	for range min(span, maxSpan) - 1 {
		t.row = append(t.row, "")
	}
}
