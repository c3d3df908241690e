package export

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// writeText writes plain text: lists with marks, tables as columns, links with their address behind them.
func writeText(w io.Writer, doc *document) error {
	var out bytes.Buffer
	textBlocks(&out, doc.blocks, "")
	_, err := out.WriteTo(w)
	return err
}

func textBlocks(out *bytes.Buffer, blocks []block, indent string) {
	for i, b := range blocks {
		if i > 0 {
			out.WriteString(strings.TrimRight(indent, " ") + "\n")
		}
		textBlock(out, b, indent)
	}
}

func textBlock(out *bytes.Buffer, b block, indent string) {
	switch b.kind {
	case paragraph, heading:
		textLines(out, textRuns(b.runs), indent)
	case list:
		textList(out, b, indent)
	case table:
		textTable(out, b, indent)
	case quote:
		textBlocks(out, b.blocks, indent+"> ")
	case code:
		textLines(out, b.text, indent+"    ")
	case rule:
		textLines(out, "----------", indent)
	}
}

func textLines(out *bytes.Buffer, text, indent string) {
	for line := range strings.SplitSeq(text, "\n") {
		out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

func textRuns(runs []run) string {
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

// textList hangs an item's further lines below its first.
func textList(out *bytes.Buffer, b block, indent string) {
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
			textBlock(&body, child, inner)
		}
		out.WriteString(indent + mark + strings.TrimPrefix(body.String(), inner))
		if len(item) == 0 {
			out.WriteByte('\n')
		}
	}
}

// textTable aligns the columns by how wide a terminal shows them.
func textTable(out *bytes.Buffer, b block, indent string) {
	widths := make([]int, b.columns())
	for _, r := range b.rows {
		for i, cell := range r.cells {
			widths[i] = max(widths[i], uniseg.StringWidth(textCell(cell)))
		}
	}
	for _, r := range b.rows {
		var line strings.Builder
		for i, cell := range r.cells {
			text := textCell(cell)
			line.WriteString(text)
			if i < len(r.cells)-1 {
				line.WriteString(strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(text))) + " | ")
			}
		}
		textLines(out, line.String(), indent)
		if r.header {
			textLines(out, textRule(widths), indent)
		}
	}
}

func textCell(runs []run) string { return strings.ReplaceAll(textRuns(runs), "\n", " ") }

func textRule(widths []int) string {
	parts := make([]string, len(widths))
	for i, width := range widths {
		parts[i] = strings.Repeat("-", width)
	}
	return strings.Join(parts, "-|-")
}
