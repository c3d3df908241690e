package export

import (
	"bytes"
	"io"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	mdtable "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// writeMarkdown writes CommonMark with the tables of GitHub's dialect.
func writeMarkdown(w io.Writer, doc *document) error {
	var body bytes.Buffer
	writeHTMLBlocks(&body, doc.blocks)
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		mdtable.NewTablePlugin(mdtable.WithHeaderPromotion(true), mdtable.WithNewlineBehavior(mdtable.NewlineBehaviorPreserve))))
	out, err := conv.ConvertReader(&body)
	if err != nil {
		return err
	}
	_, err = w.Write(append(bytes.TrimSpace(out), '\n'))
	return err
}
