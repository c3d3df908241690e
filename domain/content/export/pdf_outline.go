package export

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// em is the number of glyph units in an em, as PDF defines it.
const em = 1000

// glyphPath collects the operators of an outline and its bounding box.
type glyphPath struct {
	ops                    strings.Builder
	left, low, right, high float64
}

func newGlyphPath() *glyphPath {
	return &glyphPath{left: math.Inf(1), low: math.Inf(1), right: math.Inf(-1), high: math.Inf(-1)}
}

func (p *glyphPath) isEmpty() bool { return p.ops.Len() == 0 }

func (p *glyphPath) addOperator(name string, xy ...float64) {
	for i := 0; i < len(xy); i += 2 {
		p.left, p.right = min(p.left, xy[i]), max(p.right, xy[i])
		p.low, p.high = min(p.low, xy[i+1]), max(p.high, xy[i+1])
		fmt.Fprintf(&p.ops, "%.0f %.0f ", xy[i], xy[i+1])
	}
	p.ops.WriteString(name + "\n")
}

// addQuadratic adds a quadratic curve as a cubic one, because PDF has no quadratic curves.
func (p *glyphPath) addQuadratic(x0, y0, x1, y1, x2, y2 float64) {
	p.addOperator("c", x0+(x1-x0)*2/3, y0+(y1-y0)*2/3, x2+(x1-x2)*2/3, y2+(y1-y2)*2/3, x2, y2)
}

// addOutline adds a glyph to the path, moved by dx and dy.
func (t *typeface) addOutline(p *glyphPath, gid font.GID, dx, dy float64) {
	shape, _ := t.face.GlyphDataOutline(gid)
	scale := em / float64(t.face.Upem())
	at := func(s opentype.SegmentPoint) (float64, float64) {
		return float64(s.X)*scale + dx, float64(s.Y)*scale + dy
	}
	var x, y float64
	for i, s := range shape.Segments {
		x1, y1 := at(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				p.addOperator("h")
			}
			p.addOperator("m", x1, y1)
			x, y = x1, y1
		case opentype.SegmentOpLineTo:
			p.addOperator("l", x1, y1)
			x, y = x1, y1
		case opentype.SegmentOpQuadTo:
			x2, y2 := at(s.Args[1])
			p.addQuadratic(x, y, x1, y1, x2, y2)
			x, y = x2, y2
		case opentype.SegmentOpCubeTo:
			x2, y2 := at(s.Args[1])
			x3, y3 := at(s.Args[2])
			p.addOperator("c", x1, y1, x2, y2, x3, y3)
			x, y = x3, y3
		}
	}
	if len(shape.Segments) > 0 {
		p.addOperator("h")
	}
}

// glyphBitmap returns a glyph's bitmap as colors and opacity, with one byte for each channel of a
// pixel. It returns false for glyphs without one.
func (t *typeface) glyphBitmap(gid font.GID) (rgb, alpha []byte, width, height int, ok bool) {
	bitmap, ok := t.face.GlyphDataBitmap(gid)
	if !ok || bitmap.Format != font.PNG {
		return nil, nil, 0, 0, false
	}
	decoded, err := png.Decode(bytes.NewReader(bitmap.Data))
	if err != nil {
		return nil, nil, 0, 0, false
	}
	box := decoded.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, a := decoded.At(x, y).RGBA()
			if a > 0 {
				r, g, b = r*0xFFFF/a, g*0xFFFF/a, b*0xFFFF/a
			}
			rgb = append(rgb, byte(r>>8), byte(g>>8), byte(b>>8))
			alpha = append(alpha, byte(a>>8))
		}
	}
	return rgb, alpha, box.Dx(), box.Dy(), true
}
