package export

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"rostrum/llm/text/script"
)

// writeText writes plain text: lists with markers, tables as columns, links followed by their
// address.
func writeText(out *fileBuffer, doc *Document) error {
	writeTextBlocks(out, doc.blocks, "")
	return nil
}

func writeTextBlocks(out *fileBuffer, blocks []block, indent string) {
	for i, b := range blocks {
		if out.isStopped() {
			return
		}
		if i > 0 {
			out.WriteString(strings.TrimRight(indent, " ") + "\n")
		}
		writeTextBlock(out, b, indent)
	}
}

func writeTextBlock(out *fileBuffer, b block, indent string) {
	switch b.kind {
	case paragraph, heading:
		writeTextLines(out, plainRuns(b.runs), indent)
	case list:
		writeTextList(out, b, indent)
	case table:
		writeTextTable(out, b, indent)
	case quote:
		writeTextBlocks(out, b.blocks, indent+"> ")
	case code:
		writeTextLines(out, b.text, indent+"    ")
	case rule:
		writeTextLines(out, "----------", indent)
	}
}

func writeTextLines(out *fileBuffer, text, indent string) {
	for line := range strings.SplitSeq(text, "\n") {
		if out.isStopped() {
			return
		}
		out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// plainRuns returns the text of runs with the addresses of links.
func plainRuns(runs []textRun) string {
	var out script.Writer
	for i, r := range runs {
		if r.note {
			out.Write(script.NoteMark(r.text), script.Baseline)
			continue
		}
		out.Write(markedText(r), script.Position(r.script))
		ends := i == len(runs)-1 || runs[i+1].link != r.link
		address := strings.TrimPrefix(r.link, "mailto:")
		if r.link != "" && ends && !strings.HasSuffix(out.String(), address) {
			out.Write(" ("+address+")", script.Baseline)
		}
	}
	return out.String()
}

// markedText returns the text of a run with the marks of Markdown for struck-out and inserted text.
func markedText(r textRun) string {
	if strings.TrimSpace(r.text) == "" {
		return r.text
	}
	text := r.text
	if r.struck {
		text = "~~" + text + "~~"
	}
	if r.inserted {
		text = "++" + text + "++"
	}
	return text
}

// writeTextList writes a list and indents the further lines of an item. An item is written with its
// indent, whose end the marker replaces.
func writeTextList(out *fileBuffer, b block, indent string) {
	for i, item := range b.items {
		if out.isStopped() {
			return
		}
		mark := "- "
		if b.ordered {
			mark = strconv.Itoa(b.start+i) + ". "
		}
		if b.notes {
			mark = script.NoteMark(strconv.Itoa(b.start+i)) + " "
		}
		inner, begin := indent+strings.Repeat(" ", len(mark)), out.buffer.Len()
		for j, child := range item {
			if j > 0 && child.kind != list {
				out.WriteString(strings.TrimRight(indent, " ") + "\n")
			}
			writeTextBlock(out, child, inner)
		}
		if len(item) == 0 {
			out.WriteString(inner + "\n")
		}
		if !out.isStopped() {
			out.markItem(begin, inner, indent+mark)
		}
	}
}

// markItem writes an item's marker at its beginning, in place of the indent or, before an empty
// line, in addition.
func (b *fileBuffer) markItem(begin int, inner, mark string) {
	text := b.buffer.Bytes()[begin:]
	if bytes.HasPrefix(text, []byte(inner)) {
		copy(text, mark)
		return
	}
	rest := string(text)
	b.buffer.Truncate(begin)
	b.WriteString(mark + rest)
}

// textTable holds the texts of a table's cells and the widths of its columns in a terminal.
type textTable struct {
	cells  [][]string
	widths []int
}

func newTextTable(b block) *textTable {
	t := &textTable{widths: make([]int, b.columns)}
	for _, r := range b.rows {
		texts := make([]string, len(r.cells))
		for i, cell := range r.cells {
			texts[i] = plainCell(cell)
			t.widths[i] = max(t.widths[i], uniseg.StringWidth(texts[i]))
		}
		t.cells = append(t.cells, texts)
	}
	return t
}

// writeTextTable writes a table with columns aligned by their width in a terminal.
func writeTextTable(out *fileBuffer, b block, indent string) {
	table := newTextTable(b)
	for row, texts := range table.cells {
		if out.isStopped() {
			return
		}
		var line strings.Builder
		for i, text := range texts {
			padding := strings.Repeat(" ", max(0, table.widths[i]-uniseg.StringWidth(text)))
			if b.alignment(i) == "right" {
				text, padding = padding+text, ""
			}
			line.WriteString(text)
			if i < len(texts)-1 {
				line.WriteString(padding + " | ")
			}
		}
		writeTextLines(out, line.String(), indent)
		if b.rows[row].header {
			writeTextLines(out, headerRule(table.widths), indent)
		}
	}
}

func plainCell(runs []textRun) string { return strings.ReplaceAll(plainRuns(runs), "\n", " ") }

func headerRule(widths []int) string {
	parts := make([]string, len(widths))
	for i, width := range widths {
		parts[i] = strings.Repeat("-", width)
	}
	return strings.Join(parts, "-|-")
}
