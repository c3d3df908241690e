package extract

import (
	"context"
	"strings"

	"rostrum/model"
)

// recognizeScan recognizes the pages of a PDF that has images and no text. It returns no_ocr
// without a recognizer. A child process draws one page at a time and is free for other files while
// the page is recognized.
func (x *Extractor) recognizeScan(ctx context.Context, source Source, scan *taskOutput) (*Result, error) {
	if x.recognizer() == nil {
		return nil, newFailure(model.ProcessingErrorCodeNoOcr,
			"the PDF holds scanned pages and this server has no text recognition; supply its text, or install tesseract")
	}
	var pages []string
	for i := range min(scan.Scanned, scannedPages) {
		drawn, err := x.runTask(ctx, fileTask{Source: source, Draw: i + 1})
		if err != nil {
			return nil, err
		}
		text, err := x.recognizeText(ctx, drawn.Picture, "image/png")
		if err != nil {
			return nil, err
		}
		pages = append(pages, text)
	}
	r := scan.Result
	r.Content = strings.Join(pages, "\n\n")
	if r.Title == "" {
		r.Title = cutTitle(textTitle(r.Content))
	}
	return r, nil
}
