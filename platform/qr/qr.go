// Package qr draws QR codes.
package qr

import (
	"fmt"
	"strings"

	"github.com/yeqown/go-qrcode/v2"
)

// quietZone is the white border of a QR code in modules, as ISO 18004 requires it.
const quietZone = 4

// Draw returns a text's QR code as SVG, one unit of its view box for each module. A scanner
// reads it with up to 15 % of it damaged.
func Draw(text string) (string, error) {
	code, err := qrcode.NewWith(text, qrcode.WithErrorCorrectionLevel(qrcode.ErrorCorrectionMedium))
	if err != nil {
		return "", err
	}
	var drawn svgWriter
	if err := code.Save(&drawn); err != nil {
		return "", err
	}
	return drawn.out.String(), nil
}

// svgWriter writes a matrix as SVG; it implements qrcode.Writer.
type svgWriter struct{ out strings.Builder }

// Write writes the matrix: a white square, and a path of the black modules that are side by side.
func (w *svgWriter) Write(m qrcode.Matrix) error {
	size := m.Width() + 2*quietZone
	fmt.Fprintf(&w.out, `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 %d %d" `+
		`shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, size, size, size, size)
	for y, row := range m.Bitmap() {
		for x := 0; x < len(row); x++ {
			run := 0
			for x+run < len(row) && row[x+run] {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&w.out, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
				x += run
			}
		}
	}
	_, err := w.out.WriteString(`"/></svg>`)
	return err
}

// Close implements qrcode.Writer.
func (*svgWriter) Close() error { return nil }
