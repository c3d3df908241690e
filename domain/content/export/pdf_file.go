package export

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// pdfFile writes the objects of a PDF file (ISO 32000-1, section 7.5) as they come; its first error stays.
type pdfFile struct {
	w       io.Writer
	at      int
	offsets []int // by object number, less one
	err     error
}

func newPDFFile(w io.Writer) *pdfFile {
	f := &pdfFile{w: w}
	f.write("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	return f
}

func (f *pdfFile) write(text string) {
	if f.err != nil {
		return
	}
	n, err := io.WriteString(f.w, text)
	f.at += n
	f.err = err
}

// reserve gives the number of an object that is written later.
func (f *pdfFile) reserve() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets)
}

func (f *pdfFile) object(number int, body string) {
	f.offsets[number-1] = f.at
	f.write(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, body))
}

// stream writes data as a new object and gives its number; entries stand in its dictionary.
func (f *pdfFile) stream(entries string, data []byte) int {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	number := f.reserve()
	f.object(number, fmt.Sprintf("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", entries, packed.Len(), packed.Bytes()))
	return number
}

func (f *pdfFile) finish(catalog, info int) error {
	start := f.at
	var out strings.Builder
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, offset := range f.offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, catalog, info, start)
	f.write(out.String())
	return f.err
}

// pdfText is a text string: UTF-16, big end first, in hexadecimal.
func pdfText(text string) string { return "<FEFF" + utf16Hex(text) + ">" }

func utf16Hex(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&out, "%04X", unit)
	}
	return out.String()
}
