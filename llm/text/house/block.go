package house

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	source "github.com/yuin/goldmark/text"

	"rostrum/llm/text"
)

// maxBlock is the greatest number of bytes that expressions see at once. A longer paragraph is cut
// between words.
const maxBlock = 8000

// hidden stands for what is no text, such as code: no expression for words matches it.
const hidden = "\ufffc"

// block is the visible text of a part of Markdown, in one line.
type block struct {
	scope string // its most exact name, such as "heading.h2"
	text  string
	at    []int // the place in the Markdown of each byte of text
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// readBlocks returns the blocks of a Markdown text.
func readBlocks(content string) []block {
	var blocks []block
	bytes := []byte(content)
	_ = ast.Walk(markdown.Parse(source.NewReader(bytes)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		scope := scopeOf(node)
		if !entering || scope == "" {
			return ast.WalkContinue, nil
		}
		var words visible
		words.addChildren(node, bytes)
		blocks = append(blocks, words.blocks(scope)...)
		return ast.WalkSkipChildren, nil
	})
	return blocks
}

// scopeOf returns the scope of a node with text; "" for another.
func scopeOf(node ast.Node) string {
	switch one := node.(type) {
	case *ast.Heading:
		return "heading.h" + strconv.Itoa(one.Level)
	case *extended.TableCell:
		return "table"
	case *ast.TextBlock, *ast.Paragraph:
		if _, isItem := node.Parent().(*ast.ListItem); isItem {
			return "list"
		}
		return "paragraph"
	}
	return ""
}

// visible collects visible text.
type visible struct {
	text []byte
	at   []int
}

// addChildren adds the visible text below a node.
func (v *visible) addChildren(node ast.Node, bytes []byte) {
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch one := child.(type) {
		case *ast.Text:
			v.addText(one.Segment.Value(bytes), one.Segment.Start)
			if one.SoftLineBreak() || one.HardLineBreak() {
				v.add(" ", one.Segment.Stop)
			}
		case *ast.CodeSpan, *ast.AutoLink, *ast.Image, *ast.RawHTML, *extended.Strikethrough:
			if len(v.at) > 0 {
				v.add(hidden, v.at[len(v.at)-1]+1)
			}
		default:
			v.addChildren(child, bytes)
		}
	}
}

// addText adds text of the Markdown at an offset, without the backslashes of escapes.
func (v *visible) addText(words []byte, offset int) {
	for i := 0; i < len(words); i++ {
		if words[i] == '\\' && i+1 < len(words) && strings.IndexByte(escapable, words[i+1]) >= 0 {
			i++
		}
		v.text = append(v.text, words[i])
		v.at = append(v.at, offset+i)
	}
}

// escapable are the characters that a backslash may stand before.
const escapable = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// add adds characters that the Markdown has at an offset.
func (v *visible) add(characters string, offset int) {
	v.text = append(v.text, characters...)
	for range len(characters) {
		v.at = append(v.at, offset)
	}
}

// blocks returns the text as blocks that expressions may see at once.
func (v *visible) blocks(scope string) []block {
	var blocks []block
	words, at := string(v.text), v.at
	for len(words) > 0 {
		end := len(words)
		if end > maxBlock {
			end = borderBefore(words, maxBlock)
		}
		blocks = append(blocks, block{scope, words[:end], at[:end]})
		words, at = words[end:], at[end:]
	}
	return blocks
}

// borderBefore returns the last place before an offset where a text may be cut: between words, or
// else between characters.
func borderBefore(words string, offset int) int {
	if at := strings.LastIndexByte(words[:offset], ' '); at > 0 {
		return at
	}
	for offset > 1 && !utf8.RuneStart(words[offset]) {
		offset--
	}
	return offset
}

// unit is a part of a block that a rule looks at.
type unit struct {
	*block
	start, end int // in bytes of the block's text
}

func (u unit) words() string { return u.text[u.start:u.end] }

// units returns the parts of a text that belong to the scopes.
func (s *search) units(scopes []string) []unit {
	var units []unit
	for i := range s.blocks {
		one := &s.blocks[i]
		for _, scope := range scopes {
			switch {
			case scope == "sentence" && !strings.HasPrefix(one.scope, "heading"):
				units = append(units, one.sentences()...)
			case scope == "text", scope == one.scope, strings.HasPrefix(one.scope, scope+"."):
				units = append(units, unit{one, 0, len(one.text)})
			}
		}
	}
	return units
}

// sentences returns the sentences of a block.
func (b *block) sentences() []unit {
	var units []unit
	from := 0
	for _, piece := range text.Pieces(b.text) {
		if said := strings.TrimSpace(piece); said != "" {
			start := from + strings.Index(piece, said)
			units = append(units, unit{b, start, start + len(said)})
		}
		from += len(piece)
	}
	return units
}
