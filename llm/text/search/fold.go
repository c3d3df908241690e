package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// plainLetters are letters that Unicode does not decompose into a letter and an accent.
var plainLetters = strings.NewReplacer("ø", "o", "đ", "d", "ð", "d", "ł", "l", "þ", "th", "æ", "ae", "œ", "oe",
	"ı", "i", "ŀ", "l", "ħ", "h", "ŧ", "t")

// fold returns a word without case and accents, for example zurich for Zürich and strasse for
// Straße. It keeps only letters, digits and marks.
func fold(word string) string {
	if isPlain(word) {
		return word
	}
	folded := norm.NFD.String(plainLetters.Replace(cases.Fold().String(norm.NFKC.String(word))))
	var kept strings.Builder
	base := rune(0)
	for _, r := range folded {
		switch {
		case isAccent(r) && (r != breve || base != 'и'), r == tatweel:
		case isWordRune(r):
			kept.WriteRune(r)
		}
		if !unicode.Is(unicode.M, r) {
			base = r
		}
	}
	return norm.NFC.String(kept.String())
}

// isPlain reports whether a word is already folded: ASCII letters in lower case and digits.
func isPlain(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// breve makes й of и, which is another letter; tatweel only stretches an Arabic word.
const breve, tatweel = '\u0306', 'ـ'

// isAccent reports whether a mark can be left out in writing: accents, and the vowels of Arabic and
// Hebrew. The marks of Thai, Hindi and Japanese belong to their letters.
func isAccent(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x64b && r <= 0x65f || r == 0x670 || r >= 0x591 && r <= 0x5c7
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// isIgnored reports whether a character within a word does not count: soft hyphens and joiners.
func isIgnored(r rune) bool {
	return r == 0xad || r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

// isUnspaced reports whether the script of a character has no spaces between words, or as in Korean
// spaces only between groups of them.
func isUnspaced(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || r == '々' || r == 0xff70 || unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// umlauts are the other ways to write letters without their accents.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ø", "oe", "å", "aa")

// digraphs returns a folded word with a, o, u for ae, oe, ue, as in mueller for Müller. Short words
// and a ue behind a vowel, as in Bauer, remain.
func digraphs(form string) string {
	if len(form) < 5 {
		return form
	}
	var out strings.Builder
	before := byte('q')
	for i := 0; i < len(form); i++ {
		out.WriteByte(form[i])
		if i+1 < len(form) && form[i+1] == 'e' && strings.IndexByte("aou", form[i]) >= 0 &&
			strings.IndexByte("aeiouq", before) < 0 {
			i++
		}
		before = form[i]
	}
	return out.String()
}

func reverse(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		out.WriteRune(r)
		text = text[:len(text)-size]
	}
	return out.String()
}
