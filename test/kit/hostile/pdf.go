package hostile

import (
	"bytes"
	"fmt"
	"strings"
)

// NestedForms returns a PDF of a page whose forms each show the next form several times: width to
// the power of depth texts in 2 KB.
func NestedForms(depth, width int) []byte {
	var objects []string
	form := func(content, resources string) string {
		return fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << %s >> /Length %d >>\nstream\n%s\nendstream", resources, len(content), content)
	}
	shows := strings.Repeat("/N Do ", width)
	next := func(number int) string { return fmt.Sprintf("/XObject << /N %d 0 R >>", number) }
	const first = 5
	objects = append(objects, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << "+next(first)+" >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(shows), shows))
	for level := range depth {
		objects = append(objects, form(shows, next(first+level+1)))
	}
	objects = append(objects, form("BT /T 12 Tf 10 10 Td (words) Tj ET",
		"/Font << /T << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"))
	return writePDF(objects)
}

// writePDF returns a PDF of the objects, numbered from 1, of which the first is the catalog.
func writePDF(objects []string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return out.Bytes()
}
