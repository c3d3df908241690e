package export

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// insertionMarkup is an extension of Markdown that reads ++text++ as inserted text, as ~~text~~ is
// struck out.
type insertionMarkup struct{}

// Extend implements goldmark.Extender.
func (m insertionMarkup) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(m, 500)))
	md.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(m, 500)))
}

// Trigger implements parser.InlineParser.
func (insertionMarkup) Trigger() []byte { return []byte{'+'} }

// Parse implements parser.InlineParser.
func (m insertionMarkup) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	mark := parser.ScanDelimiter(line, before, 2, m)
	if mark == nil || mark.OriginalLength != 2 || before == '+' {
		return nil
	}
	mark.Segment = segment.WithStop(segment.Start + mark.OriginalLength)
	block.Advance(mark.OriginalLength)
	pc.PushDelimiter(mark)
	return mark
}

// IsDelimiter implements parser.DelimiterProcessor.
func (insertionMarkup) IsDelimiter(b byte) bool { return b == '+' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (insertionMarkup) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (insertionMarkup) OnMatch(int) ast.Node { return &insertionNode{} }

// RegisterFuncs implements renderer.NodeRenderer.
func (insertionMarkup) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(insertionKind, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</ins>"
		if entering {
			tag = "<ins>"
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
}

var insertionKind = ast.NewNodeKind("Insertion")

// insertionNode is inserted text of a Markdown document.
type insertionNode struct{ ast.BaseInline }

// Kind implements ast.Node.
func (*insertionNode) Kind() ast.NodeKind { return insertionKind }

// Dump implements ast.Node.
func (n *insertionNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
