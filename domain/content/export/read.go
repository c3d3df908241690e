package export

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	markup "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rostrum/errs"
)

// sanitizer keeps structure and links and removes scripts, external resources and styles.
var sanitizer = newSanitizer()

func newSanitizer() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "header", "footer", "main",
		"aside", "figure",
		"figcaption", "address", "blockquote", "pre", "code", "kbd", "samp", "tt", "br", "hr", "ul", "ol", "li", "dl",
		"dt", "dd",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "b", "strong", "i", "em", "cite", "var", "dfn",
		"a", "span",
		"details", "summary", "del", "s", "strike", "ins", "sub", "sup", "input")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked").OnElements("input")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowURLSchemeWithCustomPolicy("data", func(address *url.URL) bool {
		return strings.HasPrefix(address.Opaque, "image/")
	})
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^footnote(s|-ref)$`)).OnElements("a", "div", "section")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|right|center)$`)).OnElements("td", "th")
	p.AllowAttrs("colspan").Matching(regexp.MustCompile(`^[1-9][0-9]?$`)).OnElements("td", "th")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,6}$`)).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	return p
}

// parseContent returns the document, parsed from the HTML if there is any. It returns
// errs.ValidationFailed for HTML that nests too deeply or has too many cells.
func parseContent(ctx context.Context, c Content) (*Document, error) {
	title := strings.Join(strings.Fields(printable(c.Title)), " ")
	doc := &Document{title: title, meta: c}
	var err error
	switch {
	case strings.TrimSpace(c.HTML) != "":
		err = doc.parseHTML(ctx, c.HTML, "content_html")
	case isMarkdown(c.ContentType):
		err = doc.parseMarkdown(ctx, printable(c.Text))
	default:
		doc.blocks = parseText(printable(c.Text))
	}
	if err != nil {
		return nil, err
	}
	doc.addTitle()
	return doc, nil
}

func isMarkdown(contentType string) bool {
	contentType = strings.ToLower(strings.TrimSpace(contentType))
	return contentType == "markdown" || contentType == "md" || strings.HasPrefix(contentType, "text/markdown")
}

// markdown reads CommonMark with GitHub's extensions, footnotes and insertions. HTML within it is
// sanitized as all HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList,
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	extension.NewFootnote(extension.WithFootnoteBacklinkHTML("")), insertionMarkup{}),
	goldmark.WithRendererOptions(markup.WithUnsafe()))

// ToHTML returns a text of a content type as HTML, which is not sanitized: HTML as it is, Markdown
// with the extensions of exports, and any other text in paragraphs.
func ToHTML(text, contentType string) (string, error) {
	var out strings.Builder
	switch kind := strings.ToLower(strings.TrimSpace(contentType)); {
	case kind == "html" || strings.HasPrefix(kind, "text/html"):
		return text, nil
	case isMarkdown(kind):
		if err := markdown.Convert([]byte(printable(text)), &out); err != nil {
			return "", fmt.Errorf("read Markdown: %w", err)
		}
		return out.String(), nil
	}
	for _, b := range parseText(printable(text)) {
		escaped := html.EscapeString(plainText(b.runs))
		out.WriteString("<p>" + strings.ReplaceAll(escaped, "\n", "<br>") + "</p>\n")
	}
	return out.String(), nil
}

// parseMarkdown parses CommonMark with tables, footnotes, struck-out and inserted text, and HTML.
func (d *Document) parseMarkdown(ctx context.Context, text string) error {
	var page bytes.Buffer
	if err := markdown.Convert([]byte(text), &page); err != nil {
		return fmt.Errorf("read Markdown: %w", err)
	}
	return d.parseHTML(ctx, page.String(), "content_text")
}

// addTitle adds the title as a heading, unless the content begins with it or it is empty or the
// default.
func (d *Document) addTitle() {
	if d.title == "" || d.title == untitled {
		d.title = untitled
		return
	}
	if len(d.blocks) > 0 && d.blocks[0].kind == heading && strings.TrimSpace(plainText(d.blocks[0].runs)) == d.title {
		return
	}
	d.blocks = append([]block{{kind: heading, level: 1, runs: []textRun{{text: d.title}}}}, d.blocks...)
}

// parseText splits text at blank lines into paragraphs and keeps the line breaks within.
func parseText(text string) []block {
	var blocks []block
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			blocks = append(blocks, block{kind: paragraph, runs: []textRun{{text: strings.Join(lines, "\n")}}})
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

// parseHTML sanitizes and parses HTML. It returns errs.ValidationFailed with the field if the HTML
// cannot be parsed.
func (d *Document) parseHTML(ctx context.Context, source, field string) error {
	clean := sanitizer.Sanitize(printable(source))
	nodes, err := html.ParseFragment(strings.NewReader(clean),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return errs.Invalid(errs.BodyField("value_error",
			"cannot be read as HTML; its elements may nest 500 deep at most", field))
	}
	r := &htmlParser{parseState: &parseState{ctx: ctx, field: field, pictures: map[string]*picture{}}}
	for _, n := range nodes {
		r.parseNode(n, textRun{})
	}
	r.endParagraph()
	d.blocks, d.pictures = r.blocks, r.ordered
	return r.err
}

// htmlParser collects blocks. Runs outside a block become a paragraph.
type htmlParser struct {
	*parseState
	blocks []block
	runs   []textRun
}

// parseBlocks parses the node's children as separate blocks.
func (s *parseState) parseBlocks(n *html.Node, style textRun) []block {
	r := &htmlParser{parseState: s}
	r.parseChildren(n, style)
	r.endParagraph()
	return r.blocks
}

// parseInline parses the node's children as runs. Blocks within become lines.
func (s *parseState) parseInline(n *html.Node, style textRun) []textRun {
	var out []textRun
	for _, b := range s.parseBlocks(n, style) {
		for _, line := range blockLines(b) {
			if len(out) > 0 {
				out = append(out, textRun{text: "\n"})
			}
			out = append(out, line...)
		}
	}
	return out
}

func (r *htmlParser) parseChildren(n *html.Node, style textRun) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		r.parseNode(child, style)
	}
}

func (r *htmlParser) parseNode(n *html.Node, style textRun) {
	if !r.addNode() {
		return
	}
	switch n.Type {
	case html.TextNode:
		r.addText(n.Data, style)
	case html.ElementNode:
		r.parseElement(n, style)
	}
}

func (r *htmlParser) parseElement(n *html.Node, style textRun) {
	switch n.DataAtom {
	case atom.Br:
		r.runs = append(r.runs, textRun{text: "\n"})
	case atom.Input:
		r.addTask(n)
	case atom.Img:
		r.addImage(n, style)
	case atom.Del, atom.S, atom.Strike:
		style.struck = true
		r.parseChildren(n, style)
	case atom.Ins:
		style.inserted = true
		r.parseChildren(n, style)
	case atom.Sub:
		style.script = subscript
		r.parseChildren(n, style)
	case atom.Sup:
		style.script = superscript
		r.parseChildren(n, style)
	case atom.B, atom.Strong:
		style.bold = true
		r.parseChildren(n, style)
	case atom.I, atom.Em, atom.Cite, atom.Var, atom.Dfn:
		style.italic = true
		r.parseChildren(n, style)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		style.code = true
		r.parseChildren(n, style)
	case atom.A:
		style.note = attributeValue(n, "class") == "footnote-ref"
		if address := attributeValue(n, "href"); !strings.HasPrefix(address, "data:") {
			style.link = address
		}
		r.parseChildren(n, style)
	case atom.Span:
		r.parseChildren(n, style)
	default:
		r.endParagraph()
		r.parseBlock(n, style)
		r.endParagraph()
	}
}

func (r *htmlParser) parseBlock(n *html.Node, style textRun) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if runs := r.parseInline(n, style); len(runs) > 0 {
			r.blocks = append(r.blocks, block{kind: heading, level: int(n.Data[1] - '0'), runs: runs})
		}
	case atom.Ul, atom.Ol:
		r.parseList(n, style)
	case atom.Div, atom.Section:
		r.parseChildren(n, style)
		if attributeValue(n, "class") == "footnotes" {
			r.endParagraph()
			r.blocks = markNotes(r.blocks)
		}
	case atom.Table:
		r.parseTable(n, style)
	case atom.Blockquote:
		r.blocks = append(r.blocks, block{kind: quote, blocks: r.parseBlocks(n, style)})
	case atom.Pre:
		r.blocks = append(r.blocks, block{kind: code, text: strings.TrimRight(nodeText(n), "\n")})
	case atom.Hr:
		r.blocks = append(r.blocks, block{kind: rule})
	case atom.Dt, atom.Summary:
		style.bold = true
		r.parseChildren(n, style)
	default:
		r.parseChildren(n, style)
	}
}

// addImage adds an image. Its text is the alternative text, which a file without the image has.
func (r *htmlParser) addImage(n *html.Node, style textRun) {
	style.text = strings.Join(strings.Fields(attributeValue(n, "alt")), " ")
	style.picture = r.addPicture(attributeValue(n, "src"), style.text)
	r.runs = append(r.runs, style)
}

// addTask adds the state of a task.
func (r *htmlParser) addTask(n *html.Node) {
	if attributeValue(n, "type") != "checkbox" {
		return
	}
	run := textRun{text: openTaskText, task: openTask}
	if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
		run = textRun{text: doneTaskText, task: doneTask}
	}
	r.runs = append(r.runs, run)
}

// trimEnd returns runs without the characters of space at their end.
func trimEnd(runs []textRun, space string) []textRun {
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, space); last.text != "" || last.picture != nil {
			break
		}
		runs = runs[:len(runs)-1]
	}
	return runs
}

// addText adds text with white space collapsed as in HTML: to one space, and to none at the start
// of a line.
func (r *htmlParser) addText(text string, style textRun) {
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
		style.text = out.String()
		r.runs = append(r.runs, style)
	}
}

func endsInSpace(text string) bool {
	return strings.HasSuffix(text, " ") || strings.HasSuffix(text, "\n")
}

// endParagraph adds the collected runs as a paragraph.
func (r *htmlParser) endParagraph() {
	r.runs = trimEnd(r.runs, " \n")
	for len(r.runs) > 0 && r.runs[0].text == "\n" {
		r.runs = r.runs[1:]
	}
	if len(r.runs) > 0 {
		r.blocks = append(r.blocks, block{kind: paragraph, runs: r.runs})
	}
	r.runs = nil
}

// attributeValue returns the value of an attribute, and "" if the node does not have it.
func attributeValue(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// nodeText returns the text of a node with its white space.
func nodeText(n *html.Node) string {
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
