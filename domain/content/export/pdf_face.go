package export

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"unicode"

	"eliasnaur.com/font/noto/emoji/color"
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/dejavu/dejavusansboldoblique"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/go-fonts/dejavu/dejavusansoblique"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"golang.org/x/text/unicode/bidi"
)

// The embedded fonts: DejaVu for Latin, Greek, Cyrillic, Hebrew and symbols, and Noto for emoji.
// Fonts has the other scripts. A font is parsed when a text first needs it.
var (
	sansFonts = map[textStyle]func() *font.Font{
		{}:                         parseOnce(dejavusans.TTF),
		{bold: true}:               parseOnce(dejavusansbold.TTF),
		{italic: true}:             parseOnce(dejavusansoblique.TTF),
		{bold: true, italic: true}: parseOnce(dejavusansboldoblique.TTF),
		{code: true}:               parseOnce(dejavusansmono.TTF),
		{code: true, bold: true}:   parseOnce(dejavusansmonobold.TTF),
	}
	emojiFont = parseOnce(color.TTF)
)

// parseOnce returns a function that parses an embedded font on its first call and panics if it
// cannot be parsed.
func parseOnce(data []byte) func() *font.Font {
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
	number   int
	pictures bool // whether its glyphs are bitmaps
}

func (t *typeface) hasGlyph(r rune) bool {
	_, ok := t.face.NominalGlyph(r)
	return ok
}

// typefaces holds the fonts of one document. Faces have caches that are not safe for concurrent
// use, so documents do not share them.
type typefaces struct {
	byName   map[string]*typeface
	byFace   map[*font.Face]*typeface
	choosers map[textStyle]*faceChooser
	missing  map[rune]bool // characters that no font has
	fonts    *Fonts
	err      error // the first error of an installed font
}

// textStyle selects the font of a character together with the character itself.
type textStyle struct {
	bold, italic, code bool
	eastAsian          string // the preferred family for Han characters
}

func newTypefaces(fonts *Fonts) *typefaces {
	return &typefaces{
		byName: map[string]*typeface{}, byFace: map[*font.Face]*typeface{}, choosers: map[textStyle]*faceChooser{},
		missing: map[rune]bool{}, fonts: fonts,
	}
}

func (t *typefaces) chooser(style textStyle) *faceChooser {
	if t.choosers[style] == nil {
		t.choosers[style] = &faceChooser{faces: t, style: style, resolved: map[rune]*font.Face{}}
	}
	return t.choosers[style]
}

// named returns the document's typeface of that name, and adds it on the first call.
func (t *typefaces) named(name string, load func() *font.Font) *typeface {
	if found := t.byName[name]; found != nil {
		return found
	}
	out := &typeface{face: font.NewFace(load()), number: len(t.byName)}
	t.byName[name], t.byFace[out.face] = out, out
	return out
}

// sans returns the embedded font of a style.
func (t *typefaces) sans(style textStyle) *typeface {
	style = textStyle{bold: style.bold, italic: style.italic && !style.code, code: style.code}
	return t.named(fmt.Sprint(style), sansFonts[style])
}

func (t *typefaces) emoji() *typeface {
	out := t.named("emoji", emojiFont)
	out.pictures = true
	return out
}

// installed returns an installed font, and nil if it is not installed or cannot be read.
func (t *typefaces) installed(key fontKey) *typeface {
	loaded, err := t.fonts.load(key)
	if err != nil && t.err == nil {
		t.err = err
	}
	if loaded == nil {
		return nil
	}
	return t.named(fmt.Sprint(key), func() *font.Font { return loaded })
}

// faceChooser finds the font for each character of a style. It implements shaping.Fontmap.
type faceChooser struct {
	faces    *typefaces
	style    textStyle
	resolved map[rune]*font.Face
}

// firstEmoji is the first character of the blocks of pictographs.
const firstEmoji = 0x1F000

// firstEastAsian is the first character of the blocks of East Asian scripts.
const firstEastAsian = 0x2E80

// ResolveFace returns the first font that has the character, and the style's embedded font if none
// has.
func (c *faceChooser) ResolveFace(r rune) *font.Face {
	face, ok := c.resolved[r]
	if !ok {
		face = c.findFace(r)
		c.resolved[r] = face
	}
	return face
}

func (c *faceChooser) findFace(r rune) *font.Face {
	for _, candidate := range c.candidates(r) {
		if found := candidate(); found != nil && found.hasGlyph(r) {
			return found.face
		}
	}
	c.faces.recordMissing(r)
	return c.faces.sans(c.style).face
}

// candidates returns the fonts to try for a character, in order.
func (c *faceChooser) candidates(r rune) []func() *typeface {
	sans := func() *typeface { return c.faces.sans(c.style) }
	plain := func() *typeface { return c.faces.sans(textStyle{}) }
	switch {
	case r >= firstEmoji && r < 0x20000:
		return []func() *typeface{c.faces.emoji, sans, plain}
	case bidiClass(r) == bidi.AL:
		return []func() *typeface{c.family(arabicFamily), sans, plain}
	case r >= firstEastAsian && scriptFamily(r) == "", slices.Contains(eastAsianFamilies, scriptFamily(r)):
		return append(c.eastAsian(), sans, plain, c.faces.emoji)
	case scriptFamily(r) != "":
		return []func() *typeface{c.family(scriptFamily(r)), sans, plain}
	case sans().hasGlyph(r):
		return []func() *typeface{sans}
	}
	return append(append([]func() *typeface{plain}, c.eastAsian()...), c.faces.emoji)
}

// family returns a candidate from an installed family.
func (c *faceChooser) family(name string) func() *typeface {
	return func() *typeface { return c.faces.installed(fontKey{name, c.style.bold}) }
}

// eastAsianFamilies are the East Asian families in the order in which they are tried for a
// character.
var eastAsianFamilies = []string{chineseFamily, koreanFamily, japaneseFamily}

// eastAsian returns the East Asian fonts, the style's preferred family first.
func (c *faceChooser) eastAsian() []func() *typeface {
	out := []func() *typeface{c.family(c.style.eastAsian)}
	for _, name := range eastAsianFamilies {
		if name != c.style.eastAsian {
			out = append(out, c.family(name))
		}
	}
	return out
}

// scriptFamily returns the installed family of a character's script, or "". Signs that several
// scripts of India share have Devanagari's.
func scriptFamily(r rune) string {
	if r >= 0x0900 && r < 0x0980 {
		return scriptFamilies[language.Devanagari]
	}
	return scriptFamilies[language.LookupScript(r)]
}

// recordMissing records a visible character that no font has.
func (t *typefaces) recordMissing(r rune) {
	if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Variation_Selector) {
		t.missing[r] = true
	}
}

// missingRunes returns the recorded characters in order.
func (t *typefaces) missingRunes() []rune {
	var all []rune
	for r := range t.missing {
		all = append(all, r)
	}
	slices.Sort(all)
	return all
}
