package hostile

import (
	"fmt"
	"strings"
)

// Sized is a file of one kind in any size. Its bytes grow in proportion to the size.
type Sized struct {
	Name string
	Make func(size int) []byte
}

// Pages are HTML pages with many equal parts. A size of 1000 is 20 to 120 KB.
var Pages = []Sized{
	{"data table", dataTable},
	{"layout row", layoutRow},
	{"layout cell", layoutCell},
	{"section openers", sectionOpeners},
	{"links", linkParagraphs},
	{"short lines", shortLines},
	{"accept buttons", acceptButtons},
	{"long class", longClass},
	{"hidden panels", hiddenPanels},
	{"title parts", titleParts},
	{"title and headings", titleAndHeadings},
	{"noscripts", noscripts},
	{"script objects", scriptObjects},
}

func page(head, body string) []byte {
	return []byte("<!DOCTYPE html><html><head>" + head + "</head><body>" + body + "</body></html>")
}

// repeat joins the texts of a func for 0 to size-1.
func repeat(size int, part func(int) string) string {
	var out strings.Builder
	for i := range size {
		out.WriteString(part(i))
	}
	return out.String()
}

func constant(text string) func(int) string { return func(int) string { return text } }

const sentence = "The quick brown fox jumps over the lazy dog near the river bank, and nobody in the village sees it go. "

// dataTable returns a page with an ordinary table of two short columns; a row has about 50 bytes.
func dataTable(rows int) []byte {
	return page("<title>Stock</title>", "<h1>Stock</h1><p>"+sentence+"</p><table>"+
		repeat(rows, func(i int) string { return fmt.Sprintf("<tr><td>Item %d</td><td>%d pieces</td></tr>", i, i*7) })+
		"</table>")
}

func layoutRow(cells int) []byte {
	return page("", "<table><tr>"+repeat(cells, func(i int) string {
		return fmt.Sprintf("<td><div>label %d</div></td>", i)
	})+"</tr></table>")
}

func layoutCell(lines int) []byte {
	return page("", "<table><tr><td>x</td><td>"+repeat(lines,
		func(i int) string { return fmt.Sprintf("<div>label %d</div>", i) })+"</td></tr></table>")
}

func sectionOpeners(blocks int) []byte {
	return page("", "<article>"+repeat(blocks/2+1, constant("<p>"+sentence+"</p><h2>Related articles</h2>"))+
		"</article>")
}

// LongPage returns an ordinary page of 70 bytes for each block; 200,000 blocks take seconds to
// read.
func LongPage(blocks int) []byte { return linkParagraphs(blocks) }

func linkParagraphs(blocks int) []byte {
	return page("", "<article><p>"+sentence+"</p>"+repeat(blocks/2+1, func(i int) string {
		return fmt.Sprintf(`<p><a href="/%d">a link to another article of the site with number %d</a></p><p>And number %d is a line of text that is not a link.</p>`, i, i, i)
	})+"</article>")
}

func shortLines(count int) []byte {
	return page("", "<article><p>"+sentence+"</p></article>"+
		repeat(count, func(i int) string { return fmt.Sprintf("<div>line %d</div>", i) }))
}

func acceptButtons(count int) []byte {
	return page("", repeat(count, constant("<div><p>We use cookies.</p><button>Accept all</button></div>")))
}

func longClass(count int) []byte {
	return page("", `<div class="`+repeat(count*4, constant("column "))+`">`+repeat(count, constant("<p>A line.</p>"))+
		"</div>")
}

func hiddenPanels(count int) []byte {
	return page("", `<div class="`+repeat(count*4, constant("column "))+`">`+
		repeat(count, constant("<h3>Q</h3><div hidden>An answer.</div>"))+"</div>")
}

func titleParts(count int) []byte {
	return page("<title>"+repeat(count, constant("site | "))+
		`site</title><meta property="og:site_name" content="site">`, "<p>"+sentence+"</p>")
}

func titleAndHeadings(count int) []byte {
	return page("<title>"+strings.Repeat("a long title ", 50)+"</title>", repeat(count, constant("<h1>a heading</h1>"))+
		"<p>"+sentence+"</p>")
}

func noscripts(count int) []byte {
	return page("", repeat(count, constant("<noscript>no script</noscript>"))+"<p>"+sentence+"</p>")
}

func scriptObjects(count int) []byte {
	return page(repeat(count, constant(`<script type="application/ld+json">{"@type":"Thing","name":"x"}</script>`)),
		"<p>"+sentence+"</p>")
}
