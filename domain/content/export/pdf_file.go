package export

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"unicode/utf16"
)

// pdfFile writes the objects of a PDF file (ISO 32000-1, section 7.5) in sequence.
type pdfFile struct {
	out     *fileBuffer
	at      int
	offsets []int // by object number, less one
	packer  *zlib.Writer
}

func newPDFFile(out *fileBuffer) *pdfFile {
	f := &pdfFile{out: out, packer: zlib.NewWriter(nil)}
	f.writeText("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	return f
}

func (f *pdfFile) writeText(text string) {
	n, _ := f.out.WriteString(text) // the buffer keeps its error
	f.at += n
}

// reserveObject returns the number of an object that is written later.
func (f *pdfFile) reserveObject() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets)
}

func (f *pdfFile) writeObject(number int, body string) {
	f.offsets[number-1] = f.at
	f.writeText(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, body))
}

// writeStream writes data as a new object with the dictionary entries and returns its number.
func (f *pdfFile) writeStream(entries string, data []byte) int {
	var packed bytes.Buffer
	f.packer.Reset(&packed)
	_, _ = f.packer.Write(data) // writing to a buffer cannot fail
	_ = f.packer.Close()
	return f.writeEncoded(entries+" /Filter /FlateDecode", packed.Bytes())
}

// writeEncoded writes data that a filter of the entries decodes as a new object, and returns its
// number.
func (f *pdfFile) writeEncoded(entries string, data []byte) int {
	number := f.reserveObject()
	f.writeObject(number, fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data))
	return number
}

// finish writes the cross-reference table and the trailer. It returns the first error of the file.
func (f *pdfFile) finish(catalog, info int) error {
	start := f.at
	var out strings.Builder
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, offset := range f.offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1,
		catalog, info, start)
	f.writeText(out.String())
	return f.out.err
}

// hexString returns a text string: big-endian UTF-16 in hexadecimal.
func hexString(text string) string { return "<FEFF" + utf16Hex(text) + ">" }

func utf16Hex(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&out, "%04X", unit)
	}
	return out.String()
}
