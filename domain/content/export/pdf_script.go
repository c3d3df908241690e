package export

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
)

// scripted is the font of a character's own script, if there is one. Signs that several scripts of India share come with Devanagari's.
func (t *typefaces) scripted(r rune, bold bool) []func() *typeface {
	script := language.LookupScript(r)
	if r >= 0x0900 && r < 0x0980 {
		script = language.Devanagari
	}
	made, err := t.fonts.of(cut{script, bold})
	if err != nil {
		t.failed = err
	}
	if made == nil {
		return nil
	}
	name := fmt.Sprint(script, bold)
	return []func() *typeface{func() *typeface { return t.named(name, false, func() *font.Font { return made }) }}
}

// miss keeps in mind that no font has a character that is to be seen.
func (t *typefaces) miss(r rune) {
	if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Variation_Selector) {
		t.unseen[r] = true
	}
}

// missed lists those characters in order.
func (t *typefaces) missed() []rune {
	var all []rune
	for r := range t.unseen {
		all = append(all, r)
	}
	slices.Sort(all)
	return all
}
