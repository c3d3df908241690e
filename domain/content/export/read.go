package export

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rostrum/errs"
)

// policy keeps structure and links, and nothing that runs, loads or hides.
var policy = newPolicy()

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "header", "footer", "main", "aside", "figure",
		"figcaption", "address", "blockquote", "pre", "code", "kbd", "samp", "tt", "br", "hr", "ul", "ol", "li", "dl", "dt", "dd",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "b", "strong", "i", "em", "cite", "var", "dfn", "a", "span",
		"details", "summary")
	p.AllowAttrs("colspan").Matching(regexp.MustCompile(`^[1-9][0-9]?$`)).OnElements("td", "th")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,6}$`)).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	return p
}

// read makes the document, from the HTML when there is any.
func read(c Content) (*document, error) {
	title := strings.Join(strings.Fields(printable(c.Title)), " ")
	doc := &document{title: title, meta: c}
	var err error
	switch {
	case strings.TrimSpace(c.HTML) != "":
		doc.blocks, err = readHTML(c.HTML, "content_html")
	case isMarkdown(c.ContentType):
		doc.blocks, err = readMarkdown(printable(c.Text))
	default:
		doc.blocks = readText(printable(c.Text))
	}
	if err != nil {
		return nil, err
	}
	doc.entitle()
	return doc, nil
}

func isMarkdown(contentType string) bool {
	contentType = strings.ToLower(strings.TrimSpace(contentType))
	return contentType == "markdown" || contentType == "md" || strings.HasPrefix(contentType, "text/markdown")
}

// readMarkdown reads CommonMark with tables. HTML within it is left out.
func readMarkdown(text string) ([]block, error) {
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &page); err != nil {
		return nil, fmt.Errorf("read Markdown: %w", err)
	}
	return readHTML(page.String(), "content_text")
}

// entitle puts the title above the content, unless the content begins with it or the title says nothing.
func (d *document) entitle() {
	if d.title == "" || d.title == untitled {
		d.title = untitled
		return
	}
	if len(d.blocks) > 0 && d.blocks[0].kind == heading && strings.TrimSpace(plain(d.blocks[0].runs)) == d.title {
		return
	}
	d.blocks = append([]block{{kind: heading, level: 1, runs: []run{{text: d.title}}}}, d.blocks...)
}

// readText takes blank lines as the ends of paragraphs, and keeps the line breaks within.
func readText(text string) []block {
	var blocks []block
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			blocks = append(blocks, block{kind: paragraph, runs: []run{{text: strings.Join(lines, "\n")}}})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		lines = append(lines, strings.TrimRight(line, " \t"))
	}
	flush()
	return blocks
}

// readHTML reads sanitised HTML that came in a field, which its failure names.
func readHTML(source, field string) ([]block, error) {
	clean := policy.Sanitize(printable(source))
	nodes, err := html.ParseFragment(strings.NewReader(clean), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("value_error", "cannot be read as HTML; its elements may nest 500 deep at most", field))
	}
	r := &reader{}
	for _, n := range nodes {
		r.node(n, run{})
	}
	r.flush()
	return r.blocks, nil
}

// reader collects blocks; runs that no block has taken yet become a paragraph.
type reader struct {
	blocks []block
	runs   []run
}

// within reads the node's children as blocks of their own.
func within(n *html.Node, look run) []block {
	r := &reader{}
	r.children(n, look)
	r.flush()
	return r.blocks
}

// inline reads the node's children as runs, where blocks within become lines.
func inline(n *html.Node, look run) []run {
	var out []run
	for _, b := range within(n, look) {
		for _, line := range lines(b) {
			if len(out) > 0 {
				out = append(out, run{text: "\n"})
			}
			out = append(out, line...)
		}
	}
	return out
}

// lines are a block's runs, a line each where it has several.
func lines(b block) [][]run {
	var out [][]run
	nested := append([][]block{b.blocks}, b.items...)
	for _, blocks := range nested {
		for _, inner := range blocks {
			out = append(out, lines(inner)...)
		}
	}
	for _, r := range b.rows {
		out = append(out, r.cells...)
	}
	if b.kind == code {
		out = append(out, []run{{text: b.text, code: true}})
	}
	if len(b.runs) > 0 {
		out = append(out, b.runs)
	}
	return out
}

func (r *reader) children(n *html.Node, look run) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		r.node(child, look)
	}
}

func (r *reader) node(n *html.Node, look run) {
	switch n.Type {
	case html.TextNode:
		r.say(n.Data, look)
	case html.ElementNode:
		r.element(n, look)
	}
}

func (r *reader) element(n *html.Node, look run) {
	switch n.DataAtom {
	case atom.Br:
		r.runs = append(r.runs, run{text: "\n"})
	case atom.B, atom.Strong:
		look.bold = true
		r.children(n, look)
	case atom.I, atom.Em, atom.Cite, atom.Var, atom.Dfn:
		look.italic = true
		r.children(n, look)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		look.code = true
		r.children(n, look)
	case atom.A:
		look.link = attribute(n, "href")
		r.children(n, look)
	case atom.Span:
		r.children(n, look)
	default:
		r.flush()
		r.block(n, look)
		r.flush()
	}
}

func (r *reader) block(n *html.Node, look run) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if runs := inline(n, look); len(runs) > 0 {
			r.blocks = append(r.blocks, block{kind: heading, level: int(n.Data[1] - '0'), runs: runs})
		}
	case atom.Ul, atom.Ol:
		r.list(n, look)
	case atom.Table:
		r.table(n, look)
	case atom.Blockquote:
		r.blocks = append(r.blocks, block{kind: quote, blocks: within(n, look)})
	case atom.Pre:
		r.blocks = append(r.blocks, block{kind: code, text: strings.TrimRight(content(n), "\n")})
	case atom.Hr:
		r.blocks = append(r.blocks, block{kind: rule})
	case atom.Dt, atom.Summary:
		look.bold = true
		r.children(n, look)
	default:
		r.children(n, look)
	}
}

// list takes what stands between the items into the item before.
func (r *reader) list(n *html.Node, look run) {
	out := block{kind: list, ordered: n.DataAtom == atom.Ol, start: 1}
	if start, err := strconv.Atoi(attribute(n, "start")); err == nil {
		out.start = start
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.DataAtom == atom.Li {
			out.items = append(out.items, within(child, look))
			continue
		}
		stray := &reader{}
		stray.node(child, look)
		stray.flush()
		if last := len(out.items) - 1; last >= 0 {
			out.items[last] = append(out.items[last], stray.blocks...)
		} else if len(stray.blocks) > 0 {
			out.items = append(out.items, stray.blocks)
		}
	}
	if len(out.items) > 0 {
		r.blocks = append(r.blocks, out)
	}
}

func (r *reader) table(n *html.Node, look run) {
	out := block{kind: table}
	for part := n.FirstChild; part != nil; part = part.NextSibling {
		switch part.DataAtom {
		case atom.Caption:
			look := look
			look.bold = true
			r.children(part, look)
			r.flush()
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for line := part.FirstChild; line != nil; line = line.NextSibling {
				out.addRow(line, look)
			}
		}
	}
	if out.columns() > 0 {
		r.blocks = append(r.blocks, out)
	}
}

func (b *block) addRow(n *html.Node, look run) {
	if n.DataAtom != atom.Tr {
		return
	}
	line := row{header: true}
	for cell := n.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th {
			continue
		}
		line.header = line.header && cell.DataAtom == atom.Th
		line.cells = append(line.cells, inline(cell, look))
		span, _ := strconv.Atoi(attribute(cell, "colspan"))
		for ; span > 1; span-- {
			line.cells = append(line.cells, nil)
		}
	}
	line.header = line.header && len(b.rows) == 0
	if len(line.cells) > 0 {
		b.rows = append(b.rows, line)
	}
}

// say adds text as HTML shows it: white space is one space, and none where a line begins.
func (r *reader) say(text string, look run) {
	var out strings.Builder
	space := len(r.runs) == 0 || endsInSpace(r.runs[len(r.runs)-1].text)
	for _, c := range text {
		if c == ' ' || c == '\n' || c == '\t' || c == '\f' {
			if !space {
				out.WriteByte(' ')
			}
			space = true
			continue
		}
		out.WriteRune(c)
		space = false
	}
	if out.Len() > 0 {
		look.text = out.String()
		r.runs = append(r.runs, look)
	}
}

func endsInSpace(text string) bool {
	return strings.HasSuffix(text, " ") || strings.HasSuffix(text, "\n")
}

// flush ends the paragraph that the collected runs make.
func (r *reader) flush() {
	for len(r.runs) > 0 {
		last := &r.runs[len(r.runs)-1]
		last.text = strings.TrimRight(last.text, " \n")
		if last.text != "" {
			break
		}
		r.runs = r.runs[:len(r.runs)-1]
	}
	for len(r.runs) > 0 && r.runs[0].text == "\n" {
		r.runs = r.runs[1:]
	}
	if len(r.runs) > 0 {
		r.blocks = append(r.blocks, block{kind: paragraph, runs: r.runs})
	}
	r.runs = nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// content is the text of a node as it is written.
func content(n *html.Node) string {
	var out strings.Builder
	for child := range n.Descendants() {
		switch {
		case child.Type == html.TextNode:
			out.WriteString(child.Data)
		case child.DataAtom == atom.Br:
			out.WriteByte('\n')
		}
	}
	return out.String()
}
