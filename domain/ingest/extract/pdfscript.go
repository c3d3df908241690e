package extract

import (
	"unicode"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"rostrum/llm/text/script"
)

// Raised and lowered characters are smaller than those of their line, by this share of its size,
// and off its base by that one.
const (
	scriptSize   = 0.85
	scriptOffset = 0.12
)

// markScripts returns a line with its raised and lowered numbers and signs as plain text, for
// example 10⁶. Only characters behind others are looked at, and letters never: "1st" stays.
func (f *pdfFile) markScripts(line textLine, page references.FPDF_TEXTPAGE, at int, raw string) string {
	if !line.placed {
		return raw
	}
	var marked script.Writer
	for _, r := range raw {
		position := script.Baseline
		if unicode.IsDigit(r) || r == '-' || r == '−' || r == '+' || r == '*' {
			position = f.scriptAt(line, page, at)
		}
		marked.Write(string(r), position)
		at += utf16.RuneLen(r)
	}
	return marked.String()
}

// scriptAt returns the position of a character of a line.
func (f *pdfFile) scriptAt(line textLine, page references.FPDF_TEXTPAGE, at int) script.Position {
	size, err := f.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: page, Index: at})
	if err != nil || size.FontSize <= 0 || size.FontSize > scriptSize*line.size {
		return script.Baseline
	}
	box, err := f.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: page, Index: at})
	switch offset := scriptOffset * line.size; {
	case err != nil:
		return script.Baseline
	case box.Bottom > line.base+offset:
		return script.Superscript
	case box.Bottom < line.base-offset:
		return script.Subscript
	}
	return script.Baseline
}
