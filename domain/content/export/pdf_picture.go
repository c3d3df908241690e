package export

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"slices"
	"strings"
)

// maxImageShare is the largest share of a page's height that an image takes.
const maxImageShare = 0.7

// drawPicture draws an image at the side where the run's text begins, and the run's text if the
// image cannot be decoded.
func (p *pageWriter) drawPicture(shown *picture, r textRun, c textColumn) {
	number, known := p.images[shown]
	if !known {
		number = p.writePicture(shown)
		p.images[shown] = number
	}
	if number == 0 {
		r.picture = nil
		p.drawLines([]textRun{r}, bodySize, c)
		return
	}
	width, height := shown.fitting(c.right-c.left, (pageHeight-2*margin)*maxImageShare)
	p.ensureHeight(height)
	x := c.left
	if rightToLeft([]textRun{r}) {
		x = c.right - width
	}
	fmt.Fprintf(&p.content, "/Span << /Alt %s >> BDC q %.2f 0 0 %.2f %.2f %.2f cm /I%d Do Q EMC\n", hexString(r.text),
		width, height, x, p.y-height, number)
	if r.link != "" {
		p.drawLink(r.link, x, p.y-height, width, height)
	}
	p.y -= height
	p.addSpace(4)
}

// imageResources returns the entry of the images in the resources, and "" without images.
func (p *pageWriter) imageResources() string {
	var numbers []int
	for _, number := range p.images {
		if number > 0 {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return ""
	}
	slices.Sort(numbers)
	var out strings.Builder
	for _, number := range numbers {
		fmt.Fprintf(&out, "/I%d %d 0 R ", number, number)
	}
	return "/XObject << " + out.String() + ">> "
}

// writePicture writes an image object (ISO 32000-1, section 8.9.5) and returns its number, or 0 if
// the image cannot be decoded.
func (p *pageWriter) writePicture(shown *picture) int {
	if shown.kind == "jpeg" {
		return p.file.writeEncoded(imageEntries(shown.width, shown.height, jpegSpace(shown.color.ColorModel))+
			" /Filter /DCTDecode", shown.data)
	}
	decoded, _, err := image.Decode(bytes.NewReader(shown.data))
	if err != nil {
		return 0
	}
	colors, alpha := p.packPixels(decoded)
	size := decoded.Bounds().Size()
	entries := imageEntries(size.X, size.Y, "/DeviceRGB")
	if alpha != nil {
		entries += fmt.Sprintf(" /SMask %d 0 R", p.file.writeEncoded(imageEntries(size.X, size.Y, "/DeviceGray")+
			" /Filter /FlateDecode", alpha))
	}
	return p.file.writeEncoded(entries+" /Filter /FlateDecode", colors)
}

func imageEntries(width, height int, space string) string {
	return fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace %s", width,
		height, space)
}

// jpegSpace returns the color space of a JPEG file. Files with four colors store them inverted.
func jpegSpace(model color.Model) string {
	switch model {
	case color.GrayModel:
		return "/DeviceGray"
	case color.CMYKModel:
		return "/DeviceCMYK /Decode [1 0 1 0 1 0 1 0]"
	}
	return "/DeviceRGB"
}

// packPixels returns the compressed colors and opacities of an image by rows; alpha is nil if all
// pixels are opaque.
func (p *pageWriter) packPixels(decoded image.Image) (colors, alpha []byte) {
	var packedColors, packedAlpha bytes.Buffer
	colorWriter, alphaWriter := zlib.NewWriter(&packedColors), zlib.NewWriter(&packedAlpha)
	bounds := decoded.Bounds()
	row := image.NewNRGBA(image.Rect(0, 0, bounds.Dx(), 1))
	opaque := true
	for y := bounds.Min.Y; y < bounds.Max.Y && !p.isStopped(); y++ {
		draw.Draw(row, row.Rect, decoded, image.Pt(bounds.Min.X, y), draw.Src)
		opaque = writeRow(colorWriter, alphaWriter, row.Pix) && opaque
	}
	_, _ = colorWriter.Close(), alphaWriter.Close() // writing to a buffer cannot fail
	if opaque {
		return packedColors.Bytes(), nil
	}
	return packedColors.Bytes(), packedAlpha.Bytes()
}

// writeRow writes the colors and opacities of pixels, and reports whether all are opaque.
func writeRow(colors, alpha io.Writer, pixels []byte) bool {
	three, one := make([]byte, 0, len(pixels)/4*3), make([]byte, 0, len(pixels)/4)
	opaque := true
	for i := 0; i < len(pixels); i += 4 {
		three = append(three, pixels[i:i+3]...)
		one = append(one, pixels[i+3])
		opaque = opaque && pixels[i+3] == 255
	}
	_, _ = colors.Write(three) // writing to a buffer cannot fail
	_, _ = alpha.Write(one)
	return opaque
}

// undecoded returns the images that could not be decoded.
func (p *pageWriter) undecoded(pictures []*picture) (names []string) {
	for _, shown := range pictures {
		if number, known := p.images[shown]; known && number == 0 {
			names = append(names, shown.name)
		}
	}
	return names
}

// pictureRuns returns the runs that show images.
func pictureRuns(runs []textRun) []textRun {
	return slices.DeleteFunc(slices.Clone(runs), func(r textRun) bool { return r.shownPicture() == nil })
}
