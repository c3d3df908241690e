package hostile

import (
	"fmt"
	"strings"
)

// Contents are HTML of content to export, with many equal parts.
var Contents = []Sized{
	{"table", func(rows int) []byte {
		return []byte("<table>" + repeat(rows, func(i int) string {
			return fmt.Sprintf("<tr><td>item %d</td><td>x</td></tr>", i)
		}) + "</table>")
	}},
	{"tables", func(count int) []byte {
		return []byte(repeat(count, constant("<table><tr><td>a</td><td>b</td></tr></table>")))
	}},
	{"list", func(items int) []byte { return []byte("<ol>" + repeat(items, constant("<li>an item</li>")) + "</ol>") }},
	{"lists", func(count int) []byte { return []byte(repeat(count, constant("<ul><li>an item</li></ul>"))) }},
	{"nested lists", func(items int) []byte {
		return []byte(strings.Repeat("<ul><li>a", 50) + repeat(items, constant("<p>x</p>")) +
			strings.Repeat("</li></ul>", 50))
	}},
	{"paragraphs", func(count int) []byte { return []byte(repeat(count, constant("<p>a paragraph</p>"))) }},
	{"runs", func(count int) []byte {
		return []byte("<p>" + repeat(count, constant("<b>bold</b> <i>slanted</i> ")) + "</p>")
	}},
	{"links", func(count int) []byte {
		return []byte("<p>" + repeat(count, func(i int) string {
			return fmt.Sprintf(`<a href="https://example.com/%d">link</a> `, i)
		}) + "</p>")
	}},
	{"breaks", func(count int) []byte { return []byte("<p>" + repeat(count, constant("a line<br>")) + "</p>") }},
	{"code", func(lines int) []byte {
		return []byte("<pre>" + repeat(lines, constant("a line of code\n")) + "</pre>")
	}},
	{"word", func(letters int) []byte { return []byte("<p>" + repeat(letters, constant("letters")) + "</p>") }},
	{"syntax", func(count int) []byte { return []byte("<p>" + repeat(count, constant("*_[`] ")) + "</p>") }},
}

// SpanningCells returns a table of 25 bytes for each cell, of which each spans 99 columns.
func SpanningCells(cells int) []byte {
	return []byte("<table>" + repeat(cells, constant(`<tr><td colspan="99">x</td></tr>`)) + "</table>")
}

// RaggedTable returns a table with a long row, to which a writer has to fill up the others.
func RaggedTable(columns, rows int) []byte {
	return []byte("<table><tr>" + repeat(columns, constant("<td>x</td>")) + "</tr>" +
		repeat(rows, constant("<tr><td>y</td></tr>")) + "</table>")
}

// WideTable returns a table with a cell of the width in letters, to which plain text has to pad the cells of all rows.
func WideTable(width, rows int) []byte {
	return []byte("<table><tr><td>" + strings.Repeat("x", width) + "</td><td>y</td></tr>" +
		repeat(rows, constant("<tr><td>a</td><td>b</td></tr>")) + "</table>")
}

// LongLink returns a link with an address of the length whose text has many runs, each of which a file may repeat the address for.
func LongLink(length, runs int) []byte {
	return []byte(`<p><a href="https://example.com/` + strings.Repeat("x", length) + `">` +
		repeat(runs, constant("<b>b</b>i")) + "</a></p>")
}
