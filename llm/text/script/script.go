// Package script writes raised and lowered text as plain text of the same meaning: 10⁶, 4 1/2, CO2,
// and "12 t.[3]" for a note.
//
// Limits: letters that Unicode has no raised form of, and long exponents, are written as 10^(a+b).
package script

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Position is the position of text relative to the line.
type Position int8

// The positions.
const (
	Subscript   Position = -1
	Baseline    Position = 0
	Superscript Position = 1
)

// Writer joins the pieces of a line. The zero value is ready to use.
type Writer struct {
	text strings.Builder
	last rune // of the text so far; 0 at the start

	raised, slash, lowered string // not written yet, because what follows decides
}

// Write appends text at a position.
func (w *Writer) Write(text string, at Position) {
	switch {
	case text == "":
	case at == Superscript:
		if w.slash+w.lowered != "" {
			w.flush(0)
		}
		w.raised += text
	case at == Subscript:
		if w.raised != "" && w.slash == "" {
			w.flush(0)
		}
		w.lowered += text
	case w.raised != "" && w.slash+w.lowered == "" && IsFractionSlash(text):
		w.slash = text
	default:
		first, _ := utf8.DecodeRuneInString(text)
		w.flush(first)
		w.append(text)
	}
}

// String returns the text so far.
func (w *Writer) String() string {
	w.flush(0)
	return w.text.String()
}

func (w *Writer) append(text string) {
	w.text.WriteString(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text != "" {
		w.last = last
	}
}

// flush writes the pieces that wait, before a character; 0 is none.
func (w *Writer) flush(next rune) {
	raised, slash, lowered := w.raised, w.slash, w.lowered
	w.raised, w.slash, w.lowered = "", "", ""
	if fraction := Fraction(w.last, raised, slash, lowered); fraction != "" {
		w.append(fraction)
		return
	}
	if raised != "" {
		following := next
		if slash != "" {
			following = '/'
		}
		w.append(Raised(w.last, raised, following))
	}
	w.append(slash)
	if lowered != "" {
		w.append(Lowered(w.last, lowered, next))
	}
}

// IsFractionSlash reports whether a piece is the slash between the numbers of a fraction.
func IsFractionSlash(text string) bool { return text == "/" || text == "\u2044" }

// Fraction returns a fraction behind a character, and "" for pieces that are none.
func Fraction(last rune, raised, slash, lowered string) string {
	if slash == "" || !IsNumber(raised) || !IsNumber(lowered) {
		return ""
	}
	fraction := strings.TrimSpace(raised) + "/" + strings.TrimSpace(lowered)
	if unicode.IsDigit(last) {
		return " " + fraction
	}
	return fraction
}

// IsNumber reports whether a text is a number in digits.
func IsNumber(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// The characters that have a raised or a lowered form.
const (
	raisable  = "0123456789+-−=()abcdefghijklmnoprstuvwxyz"
	raisedAs  = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ªᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿºᵖʳˢᵗᵘᵛʷˣʸᶻ"
	lowerable = "0123456789+-−=()"
	loweredAs = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"
)

// maxRaised is the maximum length of an exponent that is written in raised characters.
const maxRaised = 8

// Raised returns text that was raised between two characters: an exponent, a note's mark, or
// the end of a word, as in "1st".
func Raised(last rune, text string, next rune) string {
	text = strings.Join(strings.Fields(text), " ")
	behindWord := unicode.IsLetter(last) || unicode.IsDigit(last)
	numbers := strings.Trim(text, "0123456789,–* ") == ""
	switch {
	case text == "" || !strings.ContainsFunc(text, isWord):
		return text // a symbol, such as ™
	case text[0] == '[':
		return text
	case text == "TM":
		return "™"
	case IsNumber(text) && !behindWord && last != ')' && last != ']' && next != '/' && !unicode.IsLetter(next):
		return NoteMark(text)
	case numbers && !IsNumber(text) && !unicode.IsDigit(last):
		return NoteMark(text)
	case utf8.RuneCountInString(text) > 1 && !strings.ContainsFunc(text, notLetter):
		return text // st, er, TM
	}
	if raised, ok := Raise(text); ok && len(text) <= maxRaised {
		return raised
	}
	return apart(behindWord, text, "^")
}

// Lowered returns text that was lowered between two characters. Numbers behind letters stay as
// people write them, as in CO2.
func Lowered(last rune, text string, next rune) string {
	text = strings.Join(strings.Fields(text), " ")
	number := IsNumber(text)
	switch {
	case text == "" || last == 0:
		return text
	case number && !unicode.IsDigit(last) && !unicode.IsDigit(next):
		return text
	}
	if lowered, ok := mapRunes(text, lowerable, loweredAs); ok {
		return lowered
	}
	return apart(unicode.IsLetter(last) || unicode.IsDigit(last), text, "_")
}

// apart separates text from the word before it: a term by the sign, and words by a space.
func apart(behindWord bool, text, sign string) string {
	switch {
	case !behindWord:
		return text
	case strings.Contains(text, " "):
		return " " + text
	case strings.ContainsFunc(text, func(r rune) bool { return !isWord(r) }):
		return sign + "(" + text + ")"
	}
	return sign + text
}

// Raise returns a text in raised characters. It returns false if Unicode lacks one of them.
func Raise(text string) (string, bool) { return mapRunes(text, raisable, raisedAs) }

// mapRunes replaces characters by those at the same place of another list. It reports whether all
// were found.
func mapRunes(text, from, to string) (string, bool) {
	targets, found := []rune(to), true
	mapped := strings.Map(func(r rune) rune {
		for i, f := range []rune(from) {
			if f == r {
				return targets[i]
			}
		}
		found = false
		return r
	}, text)
	return mapped, found
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

func notLetter(r rune) bool { return !unicode.IsLetter(r) && r != '.' }

// NoteMark returns the mark of a note.
func NoteMark(mark string) string { return "[" + mark + "]" }
