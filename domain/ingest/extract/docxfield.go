package extract

import (
	"encoding/base64"
	"encoding/xml"
	"io"
	"mime/quotedprintable"
	"strconv"
	"strings"
)

// decodeTransfer decodes a body in an encoding of RFC 2045.
func decodeTransfer(body io.Reader, encoding string) io.Reader {
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	}
	return body
}

// readFormField writes the state of a check box or the choice of a list, which Word draws from the
// field's properties.
func (w *wordReader) readFormField(decoder *xml.Decoder, t xml.StartElement) error {
	var field struct {
		Box *struct {
			Default *wordValue `xml:"default"`
			Checked *wordValue `xml:"checked"`
		} `xml:"checkBox"`
		List *struct {
			Default wordValue   `xml:"default"`
			Result  *wordValue  `xml:"result"`
			Entries []wordValue `xml:"listEntry"`
		} `xml:"ddList"`
	}
	if err := decoder.DecodeElement(&field, &t); err != nil {
		return err
	}
	switch {
	case field.Box != nil:
		checked := field.Box.Checked
		if checked == nil {
			checked = field.Box.Default
		}
		w.write(checkMark(checked.isOn()))
	case field.List != nil:
		choice := field.List.Default
		if field.List.Result != nil {
			choice = *field.List.Result
		}
		if at, _ := strconv.Atoi(choice.Val); at >= 0 && at < len(field.List.Entries) {
			w.write(field.List.Entries[at].Val)
		}
	}
	return nil
}

// checkMark returns a check box as a character.
func checkMark(checked bool) string {
	if checked {
		return "☒"
	}
	return "☐"
}

// The symbol fonts of Windows, which documents use by the codes of their characters. The strings
// begin at U+0020 and U+00A0.
const (
	symbolLow  = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
	symbolHigh = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
)

// wingdings are the characters of the font that have a meaning in a text.
var wingdings = map[rune]rune{0x4A: '☺', 0x4C: '☹', 0x6C: '●', 0x6E: '■', 0x6F: '□', 0x70: '□', 0x71: '❑', 0x72: '❒',
	0x74: '⧫', 0x75: '◆', 0x76: '❖', 0x77: '⬥', 0x9E: '·', 0x9F: '•', 0xA0: '▪', 0xA1: '○', 0xA7: '▪', 0xA8: '◻',
	0xD5: '⌫', 0xD8: '➢', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE8: '➔', 0xEF: '⇦', 0xF0: '⇨', 0xF3: '⬄',
	0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑'}

// symbolText returns a character of a font by its code in hexadecimal.
func symbolText(font, code string) string {
	r, err := strconv.ParseUint(code, 16, 21)
	if err != nil {
		return "\uFFFD"
	}
	return string(symbolRune(font, rune(r)))
}

// plainSymbols replaces the private characters of symbol fonts, for example U+F0B7, by those that
// the font shows.
func plainSymbols(font, text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xF020 && r <= 0xF0FF {
			return symbolRune(font, r)
		}
		return r
	}, text)
}

// symbolRune returns the character that a font shows for a code, and U+FFFD if it is not known.
func symbolRune(font string, code rune) rune {
	font = strings.ToLower(font)
	low := code
	if code >= 0xF000 && code <= 0xF0FF {
		low = code - 0xF000
	}
	switch {
	case strings.HasPrefix(font, "wingdings"):
		if r, known := wingdings[low]; known && !strings.ContainsAny(font, "23") {
			return r
		}
	case strings.HasPrefix(font, "symbol") || font == "" && low != code:
		table, from := []rune(symbolLow), rune(0x20)
		if low >= 0xA0 {
			table, from = []rune(symbolHigh), 0xA0
		}
		if at := int(low - from); at >= 0 && at < len(table) {
			return table[at]
		}
	case low == code:
		return code
	}
	return '\uFFFD'
}
