package extract

import (
	"regexp"
	"strings"

	"rostrum/llm/text/script"
)

// wordValue is an element with a value, for example <w:outlineLvl w:val="0"/>.
type wordValue struct {
	Val string `xml:"val,attr"`
}

// isOn reports whether a toggle is set: its element without a value, or with another one than off.
func (v *wordValue) isOn() bool {
	return v != nil && v.Val != "0" && v.Val != "false" && v.Val != "off" && v.Val != "none"
}

// wordParagraphFormat has the properties of a paragraph or of a style.
type wordParagraphFormat struct {
	Style     *wordValue     `xml:"pStyle"`
	Outline   *wordValue     `xml:"outlineLvl"`
	Numbering *wordNumbering `xml:"numPr"`
	Section   *wordSection   `xml:"sectPr"` // that ends with the paragraph
}

type wordNumbering struct {
	Level wordValue  `xml:"ilvl"`
	ID    *wordValue `xml:"numId"`
}

func (f *wordParagraphFormat) style() string {
	if f.Style == nil {
		return ""
	}
	return f.Style.Val
}

// wordRunFormat has the properties of a run or of a style. A property that is not set is nil.
type wordRunFormat struct {
	Style   *wordValue `xml:"rStyle"`
	Hidden  *wordValue `xml:"vanish"`
	Struck  *wordValue `xml:"strike"`
	Doubled *wordValue `xml:"dstrike"`
	Align   *wordValue `xml:"vertAlign"`
	Fonts   struct {
		ASCII string `xml:"ascii,attr"`
		ANSI  string `xml:"hAnsi,attr"`
	} `xml:"rFonts"`
}

// wordStyle is a style of paragraphs or characters.
type wordStyle struct {
	ID        string              `xml:"styleId,attr"`
	Name      wordValue           `xml:"name"`
	Base      wordValue           `xml:"basedOn"`
	Paragraph wordParagraphFormat `xml:"pPr"`
	Run       wordRunFormat       `xml:"rPr"`
}

// wordStyles has a document's styles by their identifiers.
type wordStyles map[string]*wordStyle

// maxBases is the maximum number of styles on which one is based, which also ends cycles.
const maxBases = 12

// readStyles returns the styles of the styles part, which may be missing.
func readStyles(part []byte) wordStyles {
	var file struct {
		Styles []*wordStyle `xml:"style"`
	}
	styles := wordStyles{}
	if newXMLDecoder(part).Decode(&file) != nil {
		return styles
	}
	for _, s := range file.Styles {
		styles[s.ID] = s
	}
	return styles
}

// chain returns a style and those on which it is based. A style that the document does not define
// has its identifier as its name.
func (s wordStyles) chain(id string) []*wordStyle {
	if id == "" {
		return nil
	}
	if s[id] == nil {
		return []*wordStyle{{ID: id, Name: wordValue{id}}}
	}
	var all []*wordStyle
	for ; s[id] != nil && len(all) < maxBases; id = s[id].Base.Val {
		all = append(all, s[id])
	}
	return all
}

// headingStyle matches the names of the built-in styles of headings, which are the same in every
// language of Word, and their usual identifiers.
var headingStyle = regexp.MustCompile(`(?i)^(?:title|heading ?([1-9]))(?:$|[^\d\pL])`)

// isTitle reports whether a paragraph has the style Title, or one that is based on it.
func (s wordStyles) isTitle(format *wordParagraphFormat) bool {
	for _, style := range s.chain(format.style()) {
		if m := headingStyle.FindStringSubmatch(style.Name.Val); m != nil {
			return m[1] == ""
		}
	}
	return false
}

// heading returns the level of a heading, from 1 to 6, and 0 for other paragraphs.
func (s wordStyles) heading(format *wordParagraphFormat) int {
	if level := outlineLevel(format); level >= 0 {
		return level
	}
	for _, style := range s.chain(format.style()) {
		if level := outlineLevel(&style.Paragraph); level >= 0 {
			return level
		}
		switch m := headingStyle.FindStringSubmatch(style.Name.Val); {
		case m == nil:
		case m[1] == "":
			return 1
		default:
			return min(int(m[1][0]-'0'), 6)
		}
	}
	return 0
}

// outlineLevel returns the level of a heading, 0 for body text, and -1 if none is set.
func outlineLevel(format *wordParagraphFormat) int {
	if format.Outline == nil || len(format.Outline.Val) != 1 || format.Outline.Val > "9" {
		return -1
	}
	level := int(format.Outline.Val[0] - '0')
	if level == 9 {
		return 0
	}
	return min(level+1, 6)
}

// bulletStyle matches the built-in styles of lists, for documents without the style's definition.
var bulletStyle = regexp.MustCompile(`(?i)^list ?(bullet|number)`)

// numbering returns the list of a paragraph, or nil.
func (s wordStyles) numbering(format *wordParagraphFormat) *wordNumbering {
	if n := format.Numbering; n != nil && n.ID != nil {
		return n
	}
	for _, style := range s.chain(format.style()) {
		found := style.Paragraph.Numbering
		if found == nil && bulletStyle.MatchString(style.Name.Val) {
			found = &wordNumbering{ID: &wordValue{}}
		}
		if found == nil || found.ID == nil {
			continue
		}
		if own := format.Numbering; own != nil { // a level of its own in the list of the style
			return &wordNumbering{own.Level, found.ID}
		}
		return found
	}
	return nil
}

// run returns the format of a run in a paragraph of a style: its own properties, then those of its
// style and of the paragraph's.
func (s wordStyles) run(paragraphStyle string, own wordRunFormat) wordRun {
	var run wordRun
	formats := []*wordRunFormat{&own}
	if own.Style != nil {
		for _, style := range s.chain(own.Style.Val) {
			formats = append(formats, &style.Run)
		}
	}
	for _, style := range s.chain(paragraphStyle) {
		formats = append(formats, &style.Run)
	}
	first := func(of func(*wordRunFormat) *wordValue) *wordValue {
		for _, format := range formats {
			if value := of(format); value != nil {
				return value
			}
		}
		return nil
	}
	run.hidden = first(func(f *wordRunFormat) *wordValue { return f.Hidden }).isOn()
	run.struck = first(func(f *wordRunFormat) *wordValue { return f.Struck }).isOn() ||
		first(func(f *wordRunFormat) *wordValue { return f.Doubled }).isOn()
	if align := first(func(f *wordRunFormat) *wordValue { return f.Align }); align != nil {
		run.script = scripts[align.Val]
	}
	for _, format := range formats {
		if font := format.Fonts.ASCII + format.Fonts.ANSI; font != "" && run.font == "" {
			run.font = strings.ToLower(font)
		}
	}
	return run
}

var scripts = map[string]script.Position{"superscript": script.Superscript, "subscript": script.Subscript}
