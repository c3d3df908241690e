package export

import (
	"bytes"
	"slices"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	mdtable "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// writeMarkdown writes CommonMark with the tables of GitHub's dialect.
func writeMarkdown(out *fileBuffer, doc *Document) error {
	body := newFileBuffer(out.ctx, out.limit)
	writeHTMLBlocks(body, doc.blocks)
	if body.err != nil {
		return body.err
	}
	padding := mdtable.CellPaddingBehaviorAligned
	if paddedSize(doc.blocks) > out.limit/2 {
		padding = mdtable.CellPaddingBehaviorMinimal
	}
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		strikethrough.NewStrikethroughPlugin(), mdtable.NewTablePlugin(mdtable.WithHeaderPromotion(true),
			mdtable.WithNewlineBehavior(mdtable.NewlineBehaviorPreserve), mdtable.WithCellPaddingBehavior(padding))))
	for _, tag := range []string{"ins", "sub", "sup"} {
		conv.Register.RendererFor(tag, converter.TagTypeInline, renderInline, converter.PriorityEarly)
	}
	conv.Register.RendererFor("input", converter.TagTypeInline, renderTask, converter.PriorityEarly)
	conv.Register.RendererFor("a", converter.TagTypeInline, renderAddress, converter.PriorityEarly)
	conv.Register.RendererFor("section", converter.TagTypeBlock, renderNotes, converter.PriorityEarly)
	for _, tag := range []string{"ol", "ul"} {
		conv.Register.RendererFor(tag, converter.TagTypeBlock, separateList, converter.PriorityEarly)
	}
	page, err := html.Parse(&body.buffer)
	if err != nil {
		return err
	}
	linkAddresses(page)
	text, err := conv.ConvertNode(page, converter.WithContext(out.ctx))
	if err != nil {
		return err
	}
	_, err = out.Write(append(bytes.TrimSpace(text), '\n'))
	return err
}

// renderInline writes an element that Markdown has no marks for as HTML, and the mark of a footnote.
func renderInline(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if c := n.FirstChild; c != nil && attributeValue(c, "class") == "footnote-ref" {
		_, _ = w.WriteString("[^" + nodeText(c) + "]")
		return converter.RenderSuccess
	}
	_, _ = w.WriteString("<" + n.Data + ">")
	ctx.RenderChildNodes(ctx, w, n)
	_, _ = w.WriteString("</" + n.Data + ">")
	return converter.RenderSuccess
}

// renderTask writes the state of a task as GitHub's dialect has it.
func renderTask(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	mark := "[ ]"
	if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
		mark = "[x]"
	}
	_, _ = w.WriteString(mark)
	return converter.RenderSuccess
}

// paddedSize returns about how many bytes the tables take when every cell is as wide as its
// column's widest.
func paddedSize(blocks []block) int {
	size := 0
	for _, b := range blocks {
		size += paddedSize(b.blocks)
		for _, item := range b.items {
			size += paddedSize(item)
		}
		widths := make([]int, b.columns)
		for _, r := range b.rows {
			for i, cell := range r.cells {
				widths[i] = max(widths[i], len(plainText(cell)))
			}
		}
		for _, width := range widths {
			size += width * len(b.rows)
		}
	}
	return size
}
