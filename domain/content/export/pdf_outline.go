package export

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/golang/freetype/truetype"
	xfont "golang.org/x/image/font"
)

// em is the number of units that glyphs are measured in, as PDF counts them.
const em = 1000

// path collects the operators of an outline and the box around it.
type path struct {
	ops                    strings.Builder
	left, low, right, high float64
}

func newPath() *path {
	return &path{left: math.Inf(1), low: math.Inf(1), right: math.Inf(-1), high: math.Inf(-1)}
}

func (p *path) empty() bool { return p.ops.Len() == 0 }

func (p *path) op(name string, xy ...float64) {
	for i := 0; i < len(xy); i += 2 {
		p.left, p.right = min(p.left, xy[i]), max(p.right, xy[i])
		p.low, p.high = min(p.low, xy[i+1]), max(p.high, xy[i+1])
		fmt.Fprintf(&p.ops, "%.0f %.0f ", xy[i], xy[i+1])
	}
	p.ops.WriteString(name + "\n")
}

// quad writes a quadratic curve as a cubic one.
func (p *path) quad(x0, y0, x1, y1, x2, y2 float64) {
	p.op("c", x0+(x1-x0)*2/3, y0+(y1-y0)*2/3, x2+(x1-x2)*2/3, y2+(y1-y2)*2/3, x2, y2)
}

// outline adds a glyph to the path, moved by dx and dy.
func (t *typeface) outline(p *path, gid font.GID, dx, dy float64) {
	if t.han != nil {
		hanOutline(p, t.han, truetype.Index(gid), dx, dy)
		return
	}
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
				p.op("h")
			}
			p.op("m", x1, y1)
			x, y = x1, y1
		case opentype.SegmentOpLineTo:
			p.op("l", x1, y1)
			x, y = x1, y1
		case opentype.SegmentOpQuadTo:
			x2, y2 := at(s.Args[1])
			p.quad(x, y, x1, y1, x2, y2)
			x, y = x2, y2
		case opentype.SegmentOpCubeTo:
			x2, y2 := at(s.Args[1])
			x3, y3 := at(s.Args[2])
			p.op("c", x1, y1, x2, y2, x3, y3)
			x, y = x3, y3
		}
	}
	if len(shape.Segments) > 0 {
		p.op("h")
	}
}

func hanOutline(p *path, f *truetype.Font, index truetype.Index, dx, dy float64) {
	var glyph truetype.GlyphBuf
	if glyph.Load(f, em, index, xfont.HintingNone) != nil {
		return
	}
	begin := 0
	for _, end := range glyph.Ends {
		contour(p, glyph.Points[begin:end], dx, dy)
		begin = end
	}
}

// contour draws a closed TrueType contour: between two points off the curve lies one on it.
func contour(p *path, points []truetype.Point, dx, dy float64) {
	n := len(points)
	if n < 2 {
		return
	}
	at := func(i int) (x, y float64, on bool) {
		q := points[i%n]
		return float64(q.X) + dx, float64(q.Y) + dy, q.Flags&1 != 0
	}
	first := 0
	for first < n && points[first].Flags&1 == 0 {
		first++
	}
	x, y, on := at(first)
	if !on { // no point is on the curve
		x2, y2, _ := at(first + 1)
		x, y = (x+x2)/2, (y+y2)/2
	}
	p.op("m", x, y)
	for i := first + 1; i <= first+n; i++ {
		x1, y1, on := at(i)
		if on {
			p.op("l", x1, y1)
			x, y = x1, y1
			continue
		}
		x2, y2, on := at(i + 1)
		if on {
			i++
		} else {
			x2, y2 = (x1+x2)/2, (y1+y2)/2
		}
		p.quad(x, y, x1, y1, x2, y2)
		x, y = x2, y2
	}
	p.op("h")
}

// picture gives a glyph's bitmap as colours and as opacity, a byte each for every pixel's channel.
func (t *typeface) picture(gid font.GID) (rgb, alpha []byte, width, height int, ok bool) {
	if t.han != nil {
		return nil, nil, 0, 0, false
	}
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
