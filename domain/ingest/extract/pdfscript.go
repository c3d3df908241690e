package extract

import (
	"regexp"
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

// markScripts returns a line with its raised and lowered numbers as plain text, for example 10⁶. Of a
// number only the last digit is looked at, and all if it is raised or lowered, as in "41/2". Letters
// never are: "1st" stays.
func (f *pdfFile) markScripts(line textLine, page references.FPDF_TEXTPAGE, at int, raw string) string {
	if !line.placed {
		return raw
	}
	var marked script.Writer
	counted, end := 0, 0
	for _, span := range numbers.FindAllStringIndex(raw, -1) {
		number := raw[span[0]:span[1]]
		at += len(utf16.Encode([]rune(raw[counted:span[1]])))
		last := at - 1
		counted = span[1]
		if f.scriptAt(line, page, last) == script.Baseline {
			continue
		}
		marked.Write(raw[end:span[0]], script.Baseline)
		for i, r := range number {
			marked.Write(string(r), f.scriptAt(line, page, last-len(number)+1+i))
		}
		end = span[1]
	}
	marked.Write(raw[end:], script.Baseline)
	return marked.String()
}

// numbers matches the characters of one byte that exponents and the marks of notes have.
var numbers = regexp.MustCompile(`[-+]?\d+|\*`)

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
