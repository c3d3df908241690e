package export

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// writeText writes plain text: lists with markers, tables as columns, links followed by their address.
func writeText(w io.Writer, doc *document) error {
	var out bytes.Buffer
	writeTextBlocks(&out, doc.blocks, "")
	_, err := out.WriteTo(w)
	return err
}

func writeTextBlocks(out *bytes.Buffer, blocks []block, indent string) {
	for i, b := range blocks {
		if i > 0 {
			out.WriteString(strings.TrimRight(indent, " ") + "\n")
		}
		writeTextBlock(out, b, indent)
	}
}

func writeTextBlock(out *bytes.Buffer, b block, indent string) {
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

func writeTextLines(out *bytes.Buffer, text, indent string) {
	for line := range strings.SplitSeq(text, "\n") {
		out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// plainRuns returns the text of runs with the addresses of links.
func plainRuns(runs []textRun) string {
	var out strings.Builder
	for i, r := range runs {
		out.WriteString(r.text)
		ends := i == len(runs)-1 || runs[i+1].link != r.link
		if r.link != "" && ends && !strings.HasSuffix(out.String(), r.link) {
			out.WriteString(" (" + strings.TrimPrefix(r.link, "mailto:") + ")")
		}
	}
	return out.String()
}

// writeTextList writes a list and indents the further lines of an item.
func writeTextList(out *bytes.Buffer, b block, indent string) {
	for i, item := range b.items {
		mark := "- "
		if b.ordered {
			mark = strconv.Itoa(b.start+i) + ". "
		}
		var body bytes.Buffer
		inner := indent + strings.Repeat(" ", len(mark))
		for j, child := range item {
			if j > 0 && child.kind != list {
				body.WriteString(strings.TrimRight(indent, " ") + "\n")
			}
			writeTextBlock(&body, child, inner)
		}
		out.WriteString(indent + mark + strings.TrimPrefix(body.String(), inner))
		if len(item) == 0 {
			out.WriteByte('\n')
		}
	}
}

// writeTextTable writes a table with columns aligned by their width in a terminal.
func writeTextTable(out *bytes.Buffer, b block, indent string) {
	widths := make([]int, b.columns())
	for _, r := range b.rows {
		for i, cell := range r.cells {
			widths[i] = max(widths[i], uniseg.StringWidth(plainCell(cell)))
		}
	}
	for _, r := range b.rows {
		var line strings.Builder
		for i, cell := range r.cells {
			text := plainCell(cell)
			line.WriteString(text)
			if i < len(r.cells)-1 {
				line.WriteString(strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(text))) + " | ")
			}
		}
		writeTextLines(out, line.String(), indent)
		if r.header {
			writeTextLines(out, headerRule(widths), indent)
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
