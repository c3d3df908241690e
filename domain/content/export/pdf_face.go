package export

import (
	"bytes"
	"fmt"
	"sync"

	"eliasnaur.com/font/noto/emoji/color"
	arabicbold "eliasnaur.com/font/noto/sans/arabic/bold"
	arabicregular "eliasnaur.com/font/noto/sans/arabic/regular"
	japanese "eliasnaur.com/font/noto/sans/jp/regular"
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/dejavu/dejavusansboldoblique"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/go-fonts/dejavu/dejavusansoblique"
	"github.com/go-text/typesetting/font"
	"github.com/golang/freetype/truetype"
	base64Captcha "github.com/mojocn/base64Captcha"
	xfont "golang.org/x/image/font"
	"golang.org/x/text/unicode/bidi"
)

// The fonts come with modules: DejaVu for Latin, Greek, Cyrillic, Hebrew and symbols, Noto for Arabic, Japanese and emoji, and WenQuanYi
// Micro Hei, which a captcha library carries, for Chinese and Korean; Fonts has what no module carries. Each is parsed when a text first needs it.
var (
	sansFonts = map[look]func() *font.Font{
		{}:                         once(dejavusans.TTF),
		{bold: true}:               once(dejavusansbold.TTF),
		{italic: true}:             once(dejavusansoblique.TTF),
		{bold: true, italic: true}: once(dejavusansboldoblique.TTF),
		{code: true}:               once(dejavusansmono.TTF),
		{code: true, bold: true}:   once(dejavusansmonobold.TTF),
	}
	arabicFont     = once(arabicregular.TTF)
	arabicBoldFont = once(arabicbold.TTF)
	japaneseFont   = once(japanese.TTF)
	emojiFont      = once(color.TTF)
	hanFont        = sync.OnceValue(func() *truetype.Font {
		return base64Captcha.DefaultEmbeddedFonts.LoadFontByName("fonts/wqy-microhei.ttc")
	})
)

// once parses a font of a module at most once; that it can be parsed is known from the tests.
func once(data []byte) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		face, err := font.ParseTTF(bytes.NewReader(data))
		if err != nil {
			panic(fmt.Errorf("parse an embedded font: %w", err))
		}
		return face.Font
	})
}

// typeface is a font in one document.
type typeface struct {
	face     *font.Face
	han      *truetype.Font // where set, it has the glyphs, and face only stands for it
	heavy    bool           // whether its outlines are thickened, for want of a bold cut
	number   int
	pictures bool                   // whether its glyphs are bitmaps
	widths   map[truetype.Index]int // of han's glyphs, in thousandths of an em
}

func (t *typeface) has(r rune) bool {
	if t.han != nil {
		return t.han.Index(r) != 0
	}
	_, ok := t.face.NominalGlyph(r)
	return ok
}

// typefaces makes the fonts of a document when they are asked for; faces keep caches, so that documents do not share them.
type typefaces struct {
	byName   map[string]*typeface
	byFace   map[*font.Face]*typeface
	choosers map[look]*chooser
	unseen   map[rune]bool // characters that no font has
	fonts    *Fonts
	failed   error // why a font that is there cannot be used
}

// look is what a character's font depends on beside the character.
type look struct {
	bold, italic, code bool
	japanese           bool // whether Han characters stand beside kana
}

func newTypefaces(fonts *Fonts) *typefaces {
	return &typefaces{
		byName: map[string]*typeface{}, byFace: map[*font.Face]*typeface{}, choosers: map[look]*chooser{}, unseen: map[rune]bool{}, fonts: fonts,
	}
}

func (t *typefaces) chooser(l look) *chooser {
	if t.choosers[l] == nil {
		t.choosers[l] = &chooser{faces: t, look: l, known: map[rune]*font.Face{}}
	}
	return t.choosers[l]
}

func (t *typefaces) named(name string, heavy bool, made func() *font.Font) *typeface {
	name = fmt.Sprint(name, heavy)
	if found := t.byName[name]; found != nil {
		return found
	}
	out := &typeface{face: font.NewFace(made()), heavy: heavy, number: len(t.byName)}
	t.byName[name], t.byFace[out.face] = out, out
	return out
}

// sans is the font of a look's plain letters.
func (t *typefaces) sans(l look) *typeface {
	l = look{bold: l.bold, italic: l.italic && !l.code, code: l.code}
	return t.named(fmt.Sprint(l), false, sansFonts[l])
}

func (t *typefaces) arabic(bold bool) *typeface {
	if bold {
		return t.named("arabic bold", false, arabicBoldFont)
	}
	return t.named("arabic", false, arabicFont)
}

func (t *typefaces) han(heavy bool) *typeface {
	out := t.named("han", heavy, sansFonts[look{}])
	if out.han == nil {
		out.han, out.widths = hanFont(), map[truetype.Index]int{}
	}
	return out
}

// hanWidth is a glyph's advance as its outline states it: the font's table of advances is wrong for composite glyphs, as of Hangul.
func (t *typeface) hanWidth(index truetype.Index) int {
	width, known := t.widths[index]
	if !known {
		var glyph truetype.GlyphBuf
		if glyph.Load(t.han, em, index, xfont.HintingNone) == nil {
			width = int(glyph.AdvanceWidth)
		}
		t.widths[index] = width
	}
	return width
}

func (t *typefaces) japanese(heavy bool) *typeface { return t.named("japanese", heavy, japaneseFont) }

func (t *typefaces) emoji() *typeface {
	out := t.named("emoji", false, emojiFont)
	out.pictures = true
	return out
}

// chooser finds the font for each character of a look: shaping.Fontmap.
type chooser struct {
	faces *typefaces
	look  look
	known map[rune]*font.Face
}

// firstEmoji is where the blocks of pictographs begin.
const firstEmoji = 0x1F000

// firstEastAsian is where the blocks of East Asian scripts begin.
const firstEastAsian = 0x2E80

// ResolveFace gives the first font that has the character, and the look's own when none has.
func (c *chooser) ResolveFace(r rune) *font.Face {
	face, known := c.known[r]
	if !known {
		face = c.find(r)
		c.known[r] = face
	}
	return face
}

func (c *chooser) find(r rune) *font.Face {
	for _, candidate := range c.candidates(r) {
		if found := candidate(); found.has(r) {
			return found.face
		}
	}
	c.faces.miss(r)
	return c.faces.sans(c.look).face
}

func (c *chooser) candidates(r rune) []func() *typeface {
	sans := func() *typeface { return c.faces.sans(c.look) }
	plain := func() *typeface { return c.faces.sans(look{}) }
	arabic := func() *typeface { return c.faces.arabic(c.look.bold) }
	han := func() *typeface { return c.faces.han(c.look.bold) }
	japanese := func() *typeface { return c.faces.japanese(c.look.bold) }
	switch {
	case r >= firstEmoji && r < 0x20000:
		return []func() *typeface{c.faces.emoji, sans, plain}
	case class(r) == bidi.AL:
		return []func() *typeface{arabic, sans, plain}
	case r >= firstEastAsian && c.look.japanese:
		return []func() *typeface{japanese, han, sans, plain, c.faces.emoji}
	case r >= firstEastAsian:
		return []func() *typeface{han, japanese, sans, plain, c.faces.emoji}
	}
	if own := c.faces.scripted(r, c.look.bold); own != nil {
		return append(own, sans, plain)
	}
	if sans().has(r) {
		return []func() *typeface{sans}
	}
	return []func() *typeface{plain, han, japanese, c.faces.emoji}
}
