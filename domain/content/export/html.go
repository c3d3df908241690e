package export

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// styleSheet is the page's style. The page loads no external resources.
const styleSheet = `body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1.5rem;color:#1b1b1f}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.6em 0 .5em}
table{border-collapse:collapse;margin:1em 0}
th,td{border:1px solid #b9b9c2;padding:.4em .7em;text-align:start;vertical-align:top}
th{background:#f1f1f4}
blockquote{margin:1em 0;padding-inline-start:1em;border-inline-start:3px solid #b9b9c2;color:#45454d}
pre{background:#f5f5f7;padding:.8em 1em;overflow-x:auto}
code{font-family:ui-monospace,monospace}
`

// writeHTML writes a complete page.
func writeHTML(out *fileBuffer, doc *Document) error {
	var head strings.Builder
	fmt.Fprintf(&head, "<title>%s</title>\n", html.EscapeString(doc.title))
	for _, m := range [][2]string{{"keywords", strings.Join(doc.meta.Themes, ", ")}, {"category", doc.meta.ContentType},
		{"tone", doc.meta.TonePersona}} {
		if m[1] != "" {
			fmt.Fprintf(&head, "<meta name=\"%s\" content=\"%s\">\n", m[0], html.EscapeString(printable(m[1])))
		}
	}
	out.WriteString("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n")
	out.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'" + imagePolicy(doc) + "\">\n")
	out.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	out.WriteString(head.String())
	out.WriteString("<style>\n" + styleSheet + "</style>\n</head>\n<body>\n")
	writeHTMLBlocks(out, doc.blocks)
	out.WriteString("</body>\n</html>\n")
	return nil
}

// imagePolicy returns the part of the page's policy that allows the images within it, if there are
// any.
func imagePolicy(doc *Document) string {
	if doc.imageBytes() == 0 {
		return ""
	}
	return "; img-src data:"
}

func writeHTMLBlocks(out *fileBuffer, blocks []block) {
	for _, b := range blocks {
		if out.isStopped() {
			return
		}
		writeHTMLBlock(out, b)
	}
}

func writeHTMLBlock(out *fileBuffer, b block) {
	switch b.kind {
	case paragraph:
		writeHTMLElement(out, "p", b.runs)
	case heading:
		writeHTMLElement(out, fmt.Sprintf("h%d", b.level), b.runs)
	case list:
		writeHTMLList(out, b)
	case table:
		writeHTMLTable(out, b)
	case quote:
		out.WriteString("<blockquote dir=\"auto\">\n")
		writeHTMLBlocks(out, b.blocks)
		out.WriteString("</blockquote>\n")
	case code:
		out.WriteString("<pre><code>" + html.EscapeString(b.text) + "</code></pre>\n")
	case rule:
		out.WriteString("<hr>\n")
	}
}

// writeHTMLElement writes an element whose direction follows its first letter.
func writeHTMLElement(out *fileBuffer, name string, runs []textRun) {
	fmt.Fprintf(out, "<%s dir=\"auto\">", name)
	writeHTMLRuns(out, runs)
	fmt.Fprintf(out, "</%s>\n", name)
}

func writeHTMLRuns(out *fileBuffer, runs []textRun) {
	for _, r := range runs {
		if out.isStopped() {
			return
		}
		closing := ""
		open := func(needed bool, tag, attributes string) {
			if needed {
				out.WriteString("<" + tag + attributes + ">")
				closing = "</" + tag + ">" + closing
			}
		}
		if r.task != noTask {
			out.WriteString(taskInput(r.task))
			continue
		}
		open(r.struck, "del", "")
		open(r.inserted, "ins", "")
		open(r.script == subscript, "sub", "")
		open(r.script == superscript, "sup", "")
		open(r.note, "a", ` class="footnote-ref" href="#note-`+html.EscapeString(r.text)+`"`)
		open(r.link != "" && !r.note, "a", ` href="`+html.EscapeString(r.link)+`" rel="noopener noreferrer nofollow"`)
		open(r.bold, "strong", "")
		open(r.italic, "em", "")
		open(r.code, "code", "")
		if p := r.shownPicture(); p != nil {
			out.WriteString(`<img src="` + p.dataURI() + `" alt="` + html.EscapeString(r.text) + `">`)
		} else {
			out.WriteString(strings.ReplaceAll(html.EscapeString(r.text), "\n", "<br>\n"))
		}
		out.WriteString(closing)
	}
}

// taskInput returns the element that shows the state of a task.
func taskInput(state taskState) string {
	if state == doneTask {
		return `<input type="checkbox" disabled checked>`
	}
	return `<input type="checkbox" disabled>`
}

func writeHTMLList(out *fileBuffer, b block) {
	tag, attributes := "ul", ""
	if b.ordered {
		tag = "ol"
		if b.start != 1 {
			attributes = fmt.Sprintf(" start=\"%d\"", b.start)
		}
	}
	if b.notes {
		out.WriteString("<section class=\"footnotes\">\n<hr>\n")
		defer out.WriteString("</section>\n")
	}
	out.WriteString("<" + tag + attributes + " dir=\"auto\">\n")
	for i, item := range b.items {
		id := ""
		if b.notes {
			id = fmt.Sprintf(" id=\"note-%d\"", b.start+i)
		}
		out.WriteString("<li dir=\"auto\"" + id + ">")
		if len(item) > 0 && item[0].kind == paragraph {
			writeHTMLRuns(out, item[0].runs)
			item = item[1:]
		}
		writeHTMLBlocks(out, item)
		out.WriteString("</li>\n")
	}
	out.WriteString("</" + tag + ">\n")
}

func writeHTMLTable(out *fileBuffer, b block) {
	out.WriteString("<table dir=\"auto\">\n")
	for i, r := range b.rows {
		if out.isStopped() {
			return
		}
		cell, opening, closing := "td", "", ""
		if r.header {
			cell, opening, closing = "th", "<thead>", "</thead>"
		}
		if i == 0 && !r.header || i == 1 && b.rows[0].header {
			opening = "<tbody>"
		}
		if i == len(b.rows)-1 && !r.header {
			closing = "</tbody>"
		}
		out.WriteString(opening + "<tr>\n")
		for _, c := range r.spanned(b.columns) {
			attributes := ""
			if c.span > 1 {
				attributes = fmt.Sprintf(" colspan=\"%d\"", c.span)
			}
			if align := b.alignment(c.column); align != "" {
				attributes += fmt.Sprintf(" align=\"%s\" style=\"text-align:%[1]s\"", align)
			}
			fmt.Fprintf(out, "<%s dir=\"auto\"%s>", cell, attributes)
			writeHTMLRuns(out, c.runs)
			fmt.Fprintf(out, "</%s>\n", cell)
		}
		out.WriteString("</tr>" + closing + "\n")
	}
	out.WriteString("</table>\n")
}
