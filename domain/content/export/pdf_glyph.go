package export

import (
	"fmt"
	"strings"

	"github.com/go-text/typesetting/font"
)

// placedGlyph is a glyph and its offset within its cluster, in thousandths of an em.
type placedGlyph struct {
	gid    font.GID
	dx, dy int
}

// textCluster is a cluster of glyphs and the characters that it shows.
type textCluster struct {
	typeface *typeface
	glyphs   []placedGlyph
	text     []rune
	advance  int // thousandths of an em
}

// clusterKey identifies a cluster. Most clusters are one glyph for one character; rest describes
// the others.
type clusterKey struct {
	typeface int
	first    placedGlyph
	text     rune
	rest     string
}

func (c textCluster) key() clusterKey {
	out := clusterKey{typeface: c.typeface.number}
	if len(c.glyphs) == 1 && len(c.text) == 1 {
		out.first, out.text = c.glyphs[0], c.text[0]
		return out
	}
	out.rest = fmt.Sprint(c.glyphs, c.text)
	return out
}

// codesPerFont is the number of codes of a simple font without code 0, which no text uses.
const codesPerFont = 255

// referenceWidth is the width of code 0 in thousandths of an em. Poppler derives the size of a Type
// 3 font, and so the gaps between words, from the character named m, and expects this width.
const referenceWidth = 600

// charCode is the code of a cluster in the fonts of the file.
type charCode struct {
	font    int // index, from 0
	char    byte
	advance int
}

// fontBuilder builds Type 3 fonts (ISO 32000-1, section 9.6.5) from the clusters that a document
// uses. Each cluster is one character of such a font and maps to its own text, so that readers
// extract the original text in every script.
type fontBuilder struct {
	file  *pdfFile
	codes map[clusterKey]charCode
	fonts []*simpleFont
}

type simpleFont struct {
	object                 int
	procs, images          strings.Builder
	widths                 []string
	unicode                []string
	left, low, right, high float64
}

func newFontBuilder(file *pdfFile) *fontBuilder {
	return &fontBuilder{file: file, codes: map[clusterKey]charCode{}}
}

// encode returns the cluster's code, and writes its glyph to the file on the first call.
func (a *fontBuilder) encode(c textCluster) charCode {
	key := c.key()
	if found, ok := a.codes[key]; ok {
		return found
	}
	if len(a.fonts) == 0 || len(a.fonts[len(a.fonts)-1].widths) == codesPerFont {
		a.fonts = append(a.fonts, &simpleFont{object: a.file.reserveObject()})
	}
	f := a.fonts[len(a.fonts)-1]
	out := charCode{font: len(a.fonts) - 1, char: byte(len(f.widths) + 1), advance: c.advance}
	fmt.Fprintf(&f.procs, "/c%d %d 0 R ", out.char, a.file.writeStream("", []byte(a.describeGlyph(f, c))))
	f.widths = append(f.widths, fmt.Sprint(c.advance))
	f.unicode = append(f.unicode, fmt.Sprintf("<%02X> <%s>", out.char, utf16Hex(string(c.text))))
	a.codes[key] = out
	return out
}

// describeGlyph returns the content stream of a glyph.
func (a *fontBuilder) describeGlyph(f *simpleFont, c textCluster) string {
	p := newGlyphPath()
	for _, g := range c.glyphs {
		if drawn, ok := a.embedBitmap(f, c, g); ok {
			return drawn
		}
		c.typeface.addOutline(p, g.gid, float64(g.dx), float64(g.dy))
	}
	if p.isEmpty() {
		return fmt.Sprintf("%d 0 0 0 0 0 d1\n", c.advance)
	}
	f.extendBox(p.left, p.low, p.right, p.high)
	return fmt.Sprintf("%d 0 %.0f %.0f %.0f %.0f d1\n", c.advance, p.left, p.low, p.right, p.high) + p.ops.String() +
		"f\n"
}

func (f *simpleFont) extendBox(left, low, right, high float64) {
	f.left, f.low = min(f.left, left), min(f.low, low)
	f.right, f.high = max(f.right, right), max(f.high, high)
}

// embedBitmap writes a glyph's bitmap to the file and returns the content stream that shows it. It
// returns false for glyphs without one.
func (a *fontBuilder) embedBitmap(f *simpleFont, c textCluster, g placedGlyph) (string, bool) {
	rgb, alpha, width, height, ok := c.typeface.glyphBitmap(g.gid)
	if !ok {
		return "", false
	}
	size := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8", width, height)
	mask := a.file.writeStream(size+" /ColorSpace /DeviceGray", alpha)
	image := a.file.writeStream(fmt.Sprintf("%s /ColorSpace /DeviceRGB /SMask %d 0 R", size, mask), rgb)
	fmt.Fprintf(&f.images, "/i%d %d 0 R ", image, image)
	tall := float64(height) * float64(c.advance) / float64(width)
	f.extendBox(0, -0.2*em, float64(c.advance), tall)
	return fmt.Sprintf("%d 0 d0\nq %d 0 0 %.0f 0 %.0f cm /i%d Do Q\n", c.advance, c.advance, tall, -0.2*em, image), true
}

// finish writes the fonts and returns the dictionary that names them.
func (a *fontBuilder) finish() string {
	var names strings.Builder
	for i, f := range a.fonts {
		fmt.Fprintf(&names, "/F%d %d 0 R ", i, f.object)
		var chars strings.Builder
		for char := range f.widths {
			fmt.Fprintf(&chars, "/c%d ", char+1)
		}
		blank := a.file.writeStream("", fmt.Appendf(nil, "%d 0 0 0 0 0 d1\n", referenceWidth))
		a.file.writeObject(f.object, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [%.0f %.0f %.0f %.0f] /FontMatrix [0.001 0 0 0.001 0 0] "+
			"/FirstChar 0 /LastChar %d /Widths [%d %s] /CharProcs << /m %d 0 R %s>> /Encoding << /Type /Encoding /Differences [0 /m %s] >> "+
			"/ToUnicode %d 0 R /Resources << /XObject << %s>> >> >>", f.left, f.low, f.right, f.high, len(f.widths),
			referenceWidth, strings.Join(f.widths, " "), blank,
			f.procs.String(), chars.String(), a.file.writeStream("", []byte(f.toUnicode())), f.images.String()))
	}
	return names.String()
}

// toUnicode returns the CMap from codes to text, in groups of 100 as the format requires.
func (f *simpleFont) toUnicode() string {
	var out strings.Builder
	out.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Text def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<00> <FF>\nendcodespacerange\n")
	for begin := 0; begin < len(f.unicode); begin += 100 {
		group := f.unicode[begin:min(begin+100, len(f.unicode))]
		fmt.Fprintf(&out, "%d beginbfchar\n%s\nendbfchar\n", len(group), strings.Join(group, "\n"))
	}
	return out.String() + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
}
