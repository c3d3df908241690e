package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// block is a run of a page's text between two block-level borders, with what its surroundings say of it.
type block struct {
	text    string
	key     string // letters and digits only, lower case: what candidates are compared by
	kind    blockKind
	level   int // of a heading
	node    *html.Node
	anchors string // the text inside links
	linked  int    // letters and digits inside links
	ordinal int    // of an item in an ordered list
}

type blockKind uint8

const (
	paragraph blockKind = iota
	heading
	item
	row
	code
	caption
)

// linkShare is the part of the block's letters that are links, 0 to 1.
func (b *block) linkShare() float64 {
	if len(b.key) == 0 {
		return 1
	}
	return float64(b.linked) / float64(len(b.key))
}

// unread are elements whose text is not shown as text.
var unread = atomSet(atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Head, atom.Button,
	atom.Select, atom.Textarea, atom.Object, atom.Embed, atom.Audio, atom.Video, atom.Canvas, atom.Map, atom.Datalist, atom.Dialog)

// borders are elements that end a line of text.
var borders = atomSet(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd,
	atom.Details, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1,
	atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Legend, atom.Li, atom.Main, atom.Menu,
	atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot,
	atom.Th, atom.Thead, atom.Tr, atom.Ul)

func atomSet(list ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool, len(list))
	for _, a := range list {
		set[a] = true
	}
	return set
}

// segmenter walks a tree and cuts it into blocks.
type segmenter struct {
	blocks []*block
	text   strings.Builder
	linked strings.Builder
	pre    bool
	breaks int // line breaks since the last text
}

// segment cuts what a reader of the page sees into blocks, in document order.
func segment(root *html.Node) []*block {
	s := &segmenter{}
	s.walk(root, root, false)
	s.flush(root)
	return s.blocks
}

func (s *segmenter) walk(n, owner *html.Node, inLink bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			s.write(c.Data, inLink)
		case html.ElementNode:
			s.element(c, owner, inLink)
		}
	}
}

func (s *segmenter) element(n, owner *html.Node, inLink bool) {
	switch {
	case unread[n.DataAtom] || hidden(n):
	case n.DataAtom == atom.Br:
		s.lineBreak(owner)
	case n.DataAtom == atom.Tr && isData(n):
		s.flush(owner)
		s.row(n)
	case n.DataAtom == atom.Pre:
		s.flush(owner)
		s.pre = true
		s.walk(n, n, inLink)
		s.flush(n)
		s.pre = false
	case borders[n.DataAtom]:
		s.flush(owner)
		s.walk(n, n, inLink)
		s.flush(n)
	default:
		s.walk(n, owner, inLink || n.DataAtom == atom.A)
	}
}

// lineBreak ends a block at the second break in a row, which old pages use for paragraphs; one break is a line's end.
func (s *segmenter) lineBreak(owner *html.Node) {
	if s.pre {
		s.text.WriteByte('\n')
		return
	}
	if s.breaks++; s.breaks > 1 {
		s.flush(owner)
		return
	}
	s.text.WriteByte('\n')
}

func (s *segmenter) write(text string, inLink bool) {
	if strings.TrimSpace(text) != "" {
		s.breaks = 0
	}
	if !s.pre {
		text = strings.Map(plainSpace, text)
	}
	s.text.WriteString(text)
	if inLink {
		s.linked.WriteString(text)
	}
}

// plainSpace folds a source line's end, which is no line's end on the page, and drops marks that are not shown.
func plainSpace(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == '\u00ad' || r == '\u200b' || r == '\ufeff' || r == '\u2060':
		return -1
	}
	return r
}

func (s *segmenter) flush(owner *html.Node) {
	text := s.text.String()
	if s.pre {
		text = strings.Trim(text, "\n")
	} else {
		text = tidyLines(text)
	}
	if key := keyOf(text); key != "" {
		b := &block{text: text, key: key, node: owner, anchors: s.linked.String(), linked: len(keyOf(s.linked.String()))}
		b.classify()
		s.blocks = append(s.blocks, b)
	}
	s.text.Reset()
	s.linked.Reset()
	s.breaks = 0
}

func (b *block) classify() {
	for n := b.node; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			b.kind, b.level = heading, int(n.Data[1]-'0')
		case atom.Li:
			b.kind = item
		case atom.Tr:
			b.kind = row
		case atom.Pre:
			b.kind = code
		case atom.Figcaption, atom.Figure:
			b.kind = caption
		case atom.P, atom.Div, atom.Span, atom.Dd, atom.Dt, atom.Blockquote:
			continue
		}
		return
	}
}

// hidden reports whether the page itself takes the element out of sight.
func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found"
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// keyOf keeps letters and digits only, in lower case.
func keyOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// tidyLines collapses the space inside each line and drops empty lines.
func tidyLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
