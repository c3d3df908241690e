// Package qr draws QR codes.
package qr

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// quietZone is the white border of a QR code in modules, as ISO 18004 requires it.
const quietZone = 4

// Draw returns a text's QR code as SVG, one unit of its view box for each module: the same for the
// same text. A scanner reads it with up to 15 % of it damaged.
func Draw(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", err
	}
	width := code.Bounds().Dx()
	size := width + 2*quietZone
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 %d %d" `+
		`shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, size, size, size, size)
	for y := range width {
		drawRow(&out, code, y)
	}
	out.WriteString(`"/></svg>`)
	return out.String(), nil
}

// drawRow writes a path of the black modules of a row that are side by side.
func drawRow(out *strings.Builder, code barcode.Barcode, y int) {
	width := code.Bounds().Dx()
	black := func(x int) bool { return x < width && code.At(x, y) == color.Black }
	for x := 0; x < width; x++ {
		run := 0
		for black(x + run) {
			run++
		}
		if run > 0 {
			fmt.Fprintf(out, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
			x += run
		}
	}
}
