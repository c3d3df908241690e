package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textBlock is the text between two block-level borders of a page, with attributes of its
// surroundings.
type textBlock struct {
	text    string
	shown   string // the text with cells of rows above, if there are any
	key     string // letters and digits only, in lower case; the key for comparisons with candidates
	kind    blockKind
	level   int // of a heading
	node    *html.Node
	anchors string // the text inside links
	linked  int    // letters and digits inside links
	weight  int    // of its letters; 0 until first use
}

type blockKind uint8

const (
	paragraphBlock blockKind = iota
	headingBlock
	itemBlock
	rowBlock
	codeBlock
	captionBlock
)

// linkShare returns the share of the block's letters inside links, from 0 to 1.
func (b *textBlock) linkShare() float64 {
	if len(b.key) == 0 {
		return 1
	}
	return float64(b.linked) / float64(len(b.key))
}

// letters returns the weight of the block's text in letters.
func (b *textBlock) letters() int {
	if b.weight == 0 {
		b.weight = weighLetters(b.text)
	}
	return b.weight
}

// unreadElements are elements without visible text.
var unreadElements = atomSet(atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Head,
	atom.Button,
	atom.Select, atom.Textarea, atom.Object, atom.Embed, atom.Audio, atom.Video, atom.Canvas, atom.Map, atom.Datalist,
	atom.Dialog)

// blockElements are elements that end a line of text.
var blockElements = atomSet(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption,
	atom.Center, atom.Dd,
	atom.Details, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
	atom.H1,
	atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Legend, atom.Li, atom.Main,
	atom.Menu,
	atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td,
	atom.Tfoot,
	atom.Th, atom.Thead, atom.Tr, atom.Ul)

func atomSet(list ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool, len(list))
	for _, a := range list {
		set[a] = true
	}
	return set
}

// blockSegmenter walks a tree and splits it into blocks.
type blockSegmenter struct {
	blocks   []*textBlock
	text     strings.Builder
	linked   strings.Builder
	pre      bool
	breaks   int                 // line breaks since the last text
	tables   map[*html.Node]bool // whether the parents of rows are data tables
	spans    map[*html.Node]*rowSpans
	repeated int // bytes of cells that are repeated
	limit    int // letters after which the walk stops; 0 for none
	found    int // letters of the blocks so far
}

// segmentBlocks returns the visible blocks of a page in document order.
func segmentBlocks(root *html.Node) []*textBlock { return segmentUntil(root, 0) }

// segmentUntil is segmentBlocks until the blocks have the number of bytes of keys; 0 segments the
// whole.
func segmentUntil(root *html.Node, limit int) []*textBlock {
	s := &blockSegmenter{limit: limit, spans: map[*html.Node]*rowSpans{}}
	s.walkNode(root, root, false)
	s.endBlock(root)
	return s.blocks
}

func (s *blockSegmenter) walkNode(n, owner *html.Node, inLink bool) {
	for c := n.FirstChild; c != nil && (s.limit == 0 || s.found < s.limit); c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			s.writeText(c.Data, inLink)
		case html.ElementNode:
			s.walkElement(c, owner, inLink)
		}
	}
}

func (s *blockSegmenter) walkElement(n, owner *html.Node, inLink bool) {
	switch {
	case unreadElements[n.DataAtom] || isHidden(n):
	case n.DataAtom == atom.Br:
		s.lineBreak(owner)
	case n.DataAtom == atom.Tr && s.isDataRow(n):
		s.endBlock(owner)
		s.writeRow(n)
	case n.DataAtom == atom.Pre:
		s.endBlock(owner)
		s.pre = true
		s.walkNode(n, n, inLink)
		s.endBlock(n)
		s.pre = false
	case blockElements[n.DataAtom]:
		s.endBlock(owner)
		s.walkNode(n, n, inLink)
		s.endBlock(n)
	default:
		s.walkNode(n, owner, inLink || n.DataAtom == atom.A)
	}
}

// lineBreak ends a block at the second consecutive break, which old pages use between paragraphs. A
// single break ends a line.
func (s *blockSegmenter) lineBreak(owner *html.Node) {
	if s.pre {
		s.text.WriteByte('\n')
		return
	}
	if s.breaks++; s.breaks > 1 {
		s.endBlock(owner)
		return
	}
	s.text.WriteByte('\n')
}

func (s *blockSegmenter) writeText(text string, inLink bool) {
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

// plainSpace converts a line end of the source to a space and removes invisible marks.
func plainSpace(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == '\u00ad' || r == '\u200b' || r == '\ufeff' || r == '\u2060':
		return -1
	}
	return r
}

func (s *blockSegmenter) endBlock(owner *html.Node) {
	text := s.text.String()
	if s.pre {
		text = strings.Trim(text, "\n")
	} else {
		text = tidyLines(text)
	}
	if key := keyOf(text); key != "" {
		b := &textBlock{text: text, key: key, node: owner, anchors: s.linked.String(),
			linked: len(keyOf(s.linked.String()))}
		b.setKind()
		s.found += len(key)
		s.blocks = append(s.blocks, b)
	}
	s.text.Reset()
	s.linked.Reset()
	s.breaks = 0
}

func (b *textBlock) setKind() {
	for n := b.node; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			b.kind, b.level = headingBlock, int(n.Data[1]-'0')
		case atom.Li:
			b.kind = itemBlock
		case atom.Tr:
			b.kind = rowBlock
		case atom.Pre:
			b.kind = codeBlock
		case atom.Figcaption, atom.Figure:
			b.kind = captionBlock
		case atom.P, atom.Div, atom.Span, atom.Dd, atom.Dt, atom.Blockquote:
			continue
		}
		return
	}
}

// isHidden reports whether the page hides the element.
func isHidden(n *html.Node) bool {
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

// keyOf returns the letters and digits of a text in lower case.
func keyOf(text string) string {
	return strings.Map(func(r rune) rune {
		if isKeyRune(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func isKeyRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

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
