package export

import (
	"fmt"
	"strings"

	"github.com/go-text/typesetting/font"
)

// mark is a glyph and where it stands in its cluster, in thousandths of an em.
type mark struct {
	gid    font.GID
	dx, dy int
}

// letter is a cluster as it is drawn, and the text it stands for.
type letter struct {
	typeface *typeface
	marks    []mark
	text     []rune
	advance  int // thousandths of an em
}

// letterKey tells letters apart. Most are one glyph for one character; what more there is stands in rest.
type letterKey struct {
	typeface int
	first    mark
	text     rune
	rest     string
}

func (l letter) key() letterKey {
	out := letterKey{typeface: l.typeface.number}
	if len(l.marks) == 1 && len(l.text) == 1 {
		out.first, out.text = l.marks[0], l.text[0]
		return out
	}
	out.rest = fmt.Sprint(l.marks, l.text)
	return out
}

// codesPerFont is how many characters a simple font may have beside the one of code 0, which no text uses.
const codesPerFont = 255

// gauge is the width of that one in thousandths of an em. Poppler tells the size of such a font, and with it the gaps between words, from
// the character that is named m, and takes this for its usual width.
const gauge = 600

// charCode is a letter's place in the file's fonts.
type charCode struct {
	font    int // from 0
	char    byte
	advance int
}

// alphabet makes Type 3 fonts (ISO 32000-1, section 9.6.5) of the clusters that a document uses. A cluster is one character of such a
// font, whatever font file its outlines or pictures come from, and carries its own text, so that what is copied out is what was put in.
type alphabet struct {
	file  *pdfFile
	codes map[letterKey]charCode
	fonts []*simpleFont
}

type simpleFont struct {
	object                 int
	procs, images          strings.Builder
	widths                 []string
	unicode                []string
	left, low, right, high float64
}

func newAlphabet(file *pdfFile) *alphabet {
	return &alphabet{file: file, codes: map[letterKey]charCode{}}
}

// code finds the letter's code, and adds its glyph to the file when it is new.
func (a *alphabet) code(l letter) charCode {
	key := l.key()
	if found, ok := a.codes[key]; ok {
		return found
	}
	if len(a.fonts) == 0 || len(a.fonts[len(a.fonts)-1].widths) == codesPerFont {
		a.fonts = append(a.fonts, &simpleFont{object: a.file.reserve()})
	}
	f := a.fonts[len(a.fonts)-1]
	out := charCode{font: len(a.fonts) - 1, char: byte(len(f.widths) + 1), advance: l.advance}
	fmt.Fprintf(&f.procs, "/c%d %d 0 R ", out.char, a.file.stream("", []byte(a.draw(f, l))))
	f.widths = append(f.widths, fmt.Sprint(l.advance))
	f.unicode = append(f.unicode, fmt.Sprintf("<%02X> <%s>", out.char, utf16Hex(string(l.text))))
	a.codes[key] = out
	return out
}

// draw writes a glyph's description.
func (a *alphabet) draw(f *simpleFont, l letter) string {
	p := newPath()
	for _, m := range l.marks {
		if drawn, ok := a.picture(f, l, m); ok {
			return drawn
		}
		l.typeface.outline(p, m.gid, float64(m.dx), float64(m.dy))
	}
	if p.empty() {
		return fmt.Sprintf("%d 0 0 0 0 0 d1\n", l.advance)
	}
	paint, edge := "f\n", 0.0
	if l.typeface.heavy {
		paint, edge = "24 w 1 j B\n", 12
	}
	f.grow(p.left-edge, p.low-edge, p.right+edge, p.high+edge)
	return fmt.Sprintf("%d 0 %.0f %.0f %.0f %.0f d1\n", l.advance, p.left-edge, p.low-edge, p.right+edge, p.high+edge) + p.ops.String() + paint
}

func (f *simpleFont) grow(left, low, right, high float64) {
	f.left, f.low = min(f.left, left), min(f.low, low)
	f.right, f.high = max(f.right, right), max(f.high, high)
}

// picture writes a glyph that is a bitmap, which has its own colours.
func (a *alphabet) picture(f *simpleFont, l letter, m mark) (string, bool) {
	rgb, alpha, width, height, ok := l.typeface.picture(m.gid)
	if !ok {
		return "", false
	}
	size := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8", width, height)
	mask := a.file.stream(size+" /ColorSpace /DeviceGray", alpha)
	image := a.file.stream(fmt.Sprintf("%s /ColorSpace /DeviceRGB /SMask %d 0 R", size, mask), rgb)
	fmt.Fprintf(&f.images, "/i%d %d 0 R ", image, image)
	scale := float64(l.advance) / float64(width)
	tall := float64(height) * scale
	f.grow(0, -0.2*em, float64(l.advance), tall)
	return fmt.Sprintf("%d 0 d0\nq %d 0 0 %.0f 0 %.0f cm /i%d Do Q\n", l.advance, l.advance, tall, -0.2*em, image), true
}

// finish writes the fonts and gives the dictionary that names them.
func (a *alphabet) finish() string {
	var names strings.Builder
	for i, f := range a.fonts {
		fmt.Fprintf(&names, "/F%d %d 0 R ", i, f.object)
		var chars strings.Builder
		for char := range f.widths {
			fmt.Fprintf(&chars, "/c%d ", char+1)
		}
		blank := a.file.stream("", fmt.Appendf(nil, "%d 0 0 0 0 0 d1\n", gauge))
		a.file.object(f.object, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [%.0f %.0f %.0f %.0f] /FontMatrix [0.001 0 0 0.001 0 0] "+
			"/FirstChar 0 /LastChar %d /Widths [%d %s] /CharProcs << /m %d 0 R %s>> /Encoding << /Type /Encoding /Differences [0 /m %s] >> "+
			"/ToUnicode %d 0 R /Resources << /XObject << %s>> >> >>", f.left, f.low, f.right, f.high, len(f.widths), gauge, strings.Join(f.widths, " "), blank,
			f.procs.String(), chars.String(), a.file.stream("", []byte(f.toUnicode())), f.images.String()))
	}
	return names.String()
}

// toUnicode is the CMap from codes to text, in groups of a hundred as the format asks.
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
