package export

import (
	"fmt"
	"slices"
	"strings"
)

const (
	emuPerPoint = 12700 // units of DrawingML per point
	pointsPixel = 0.75  // points per pixel, at 96 pixels per inch
	docxWidth   = 464.9 // points between the margins of a page
	docxHeight  = 640.0 // points at most of an image

	drawingSpace = "http://schemas.openxmlformats.org/drawingml/2006/"
)

// contentTypes returns the part that declares the types of all parts.
func (d *docxWriter) contentTypes() string {
	var kinds strings.Builder
	for _, kind := range []string{"gif", "jpeg", "png"} {
		if slices.ContainsFunc(d.images, func(p *picture) bool { return p.kind == kind }) {
			fmt.Fprintf(&kinds, `<Default Extension="%s" ContentType="image/%s"/>`, kind, kind)
		}
	}
	return strings.Replace(docxTypes, "<Override", kinds.String()+"<Override", 1)
}

// imageName returns the name of an image's part, relative to the document's.
func imageName(i int, p *picture) string { return fmt.Sprintf("media/image%d.%s", i+1, p.kind) }

// writePicture writes a run with an image in the line. Runs with the same image share its part.
func (d *docxWriter) writePicture(p *picture, alternative string) {
	number := d.partNumbers[p]
	if number == 0 {
		d.images = append(d.images, p)
		number = len(d.images)
		d.partNumbers[p] = number
	}
	d.drawn++
	width, height := p.fitting(docxWidth, docxHeight)
	size := fmt.Sprintf(`cx="%.0f" cy="%.0f"`, width*emuPerPoint, height*emuPerPoint)
	fmt.Fprintf(d.body, `<w:r><w:drawing><wp:inline xmlns:wp="%swordprocessingDrawing"><wp:extent %s/><wp:docPr id="%d" name="Image %d" descr="%s"/>`,
		drawingSpace, size, d.drawn, d.drawn, escapeXML(alternative))
	fmt.Fprintf(d.body, `<a:graphic xmlns:a="%smain"><a:graphicData uri="%spicture"><pic:pic xmlns:pic="%spicture">`,
		drawingSpace, drawingSpace, drawingSpace)
	fmt.Fprintf(d.body, `<pic:nvPicPr><pic:cNvPr id="%d" name="Image %d"/><pic:cNvPicPr/></pic:nvPicPr>`, d.drawn,
		d.drawn)
	fmt.Fprintf(d.body, `<pic:blipFill><a:blip r:embed="image%d"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`,
		number)
	fmt.Fprintf(d.body, `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext %s/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`, size)
	d.body.WriteString("</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>")
}

// fitting returns the width and the height of the image in points: its own, or smaller ones of the
// same shape.
func (p *picture) fitting(maxWidth, maxHeight float64) (width, height float64) {
	width, height = float64(p.width)*pointsPixel, float64(p.height)*pointsPixel
	scale := min(1, maxWidth/width, maxHeight/height)
	return width * scale, height * scale
}
