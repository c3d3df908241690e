package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scriptPosition is the position of text relative to the line.
type scriptPosition int8

const (
	subscript   scriptPosition = -1
	baseline    scriptPosition = 0
	superscript scriptPosition = 1
)

// scriptWriter joins the pieces of a line. Raised and lowered pieces keep their meaning in plain
// text, for example 10⁶, 4 1/2, and "12 t.[3]" for a note.
type scriptWriter struct {
	text strings.Builder
	last rune // of the text so far; 0 at the start

	raised, slash, lowered string // not written yet, because what follows decides
}

// write appends text at a position.
func (w *scriptWriter) write(text string, at scriptPosition) {
	switch {
	case text == "":
	case at == superscript:
		if w.slash+w.lowered != "" {
			w.flush(0)
		}
		w.raised += text
	case at == subscript:
		if w.raised != "" && w.slash == "" {
			w.flush(0)
		}
		w.lowered += text
	case w.raised != "" && w.slash+w.lowered == "" && isFractionSlash(text):
		w.slash = text
	default:
		first, _ := utf8.DecodeRuneInString(text)
		w.flush(first)
		w.append(text)
	}
}

// String returns the text so far.
func (w *scriptWriter) String() string {
	w.flush(0)
	return w.text.String()
}

func (w *scriptWriter) append(text string) {
	w.text.WriteString(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text != "" {
		w.last = last
	}
}

// flush writes the pieces that wait, before a character; 0 is none.
func (w *scriptWriter) flush(next rune) {
	raised, slash, lowered := w.raised, w.slash, w.lowered
	w.raised, w.slash, w.lowered = "", "", ""
	if fraction := fractionText(w.last, raised, slash, lowered); fraction != "" {
		w.append(fraction)
		return
	}
	if raised != "" {
		following := next
		if slash != "" {
			following = '/'
		}
		w.append(raisedText(w.last, raised, following))
	}
	w.append(slash)
	if lowered != "" {
		w.append(loweredText(w.last, lowered, next))
	}
}

// isFractionSlash reports whether a piece is the slash between the numbers of a fraction.
func isFractionSlash(text string) bool { return text == "/" || text == "\u2044" }

// fractionText returns a fraction behind a character, and "" for pieces that are none.
func fractionText(last rune, raised, slash, lowered string) string {
	if slash == "" || !isNumber(raised) || !isNumber(lowered) {
		return ""
	}
	fraction := strings.TrimSpace(raised) + "/" + strings.TrimSpace(lowered)
	if unicode.IsDigit(last) {
		return " " + fraction
	}
	return fraction
}

func isNumber(text string) bool {
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

// raisedText returns text that was raised between two characters: an exponent, a note's mark, or
// the end of a word, as in "1st".
func raisedText(last rune, text string, next rune) string {
	text = oneLine(text)
	behindWord := unicode.IsLetter(last) || unicode.IsDigit(last)
	numbers := strings.Trim(text, "0123456789,–* ") == ""
	switch {
	case text == "" || !strings.ContainsFunc(text, isKeyRune):
		return text // a symbol, such as ™
	case text[0] == '[':
		return text
	case isNumber(text) && !behindWord && last != ')' && last != ']' && !unicode.IsLetter(next):
		return noteMark(text)
	case numbers && !isNumber(text) && !unicode.IsDigit(last):
		return noteMark(text)
	case utf8.RuneCountInString(text) > 1 && !strings.ContainsFunc(text, notLetter):
		return text // st, er, TM
	}
	if raised, ok := mapRunes(text, raisable, raisedAs); ok && len(text) <= maxRaised {
		return raised
	}
	return apart(behindWord, text, "^")
}

// loweredText returns text that was lowered between two characters. Numbers behind letters stay as
// people write them, as in CO2.
func loweredText(last rune, text string, next rune) string {
	text = oneLine(text)
	number := isNumber(text)
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
	case strings.ContainsFunc(text, func(r rune) bool { return !isKeyRune(r) }):
		return sign + "(" + text + ")"
	}
	return sign + text
}

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

func notLetter(r rune) bool { return !unicode.IsLetter(r) && r != '.' }

// noteMark returns the mark of a note.
func noteMark(mark string) string { return "[" + mark + "]" }
