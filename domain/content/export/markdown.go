package export

import (
	"bytes"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	mdtable "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// writeMarkdown writes CommonMark with the tables of GitHub's dialect.
func writeMarkdown(out *fileBuffer, doc *document) error {
	body := newFileBuffer(out.ctx)
	writeHTMLBlocks(body, doc.blocks)
	if body.err != nil {
		return body.err
	}
	padding := mdtable.CellPaddingBehaviorAligned
	if paddedSize(doc.blocks) > maxFile/2 {
		padding = mdtable.CellPaddingBehaviorMinimal
	}
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		mdtable.NewTablePlugin(mdtable.WithHeaderPromotion(true), mdtable.WithNewlineBehavior(mdtable.NewlineBehaviorPreserve), mdtable.WithCellPaddingBehavior(padding))))
	text, err := conv.ConvertReader(&body.buffer, converter.WithContext(out.ctx))
	if err != nil {
		return err
	}
	_, err = out.Write(append(bytes.TrimSpace(text), '\n'))
	return err
}

// paddedSize returns about how many bytes the tables take when every cell is as wide as its column's widest.
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
