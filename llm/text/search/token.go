package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word of a text, or a pair of characters of a script without spaces.
type token struct {
	form       string // as the index has it
	raw        string // in lower case with accents, as stemmers need it
	start, end int    // code points
	isGram     bool
}

// elided are the words that end before an apostrophe, as in l'entreprise and dell'azienda.
var elided = wordSet("c d j l m n s t qu jusqu lorsqu puisqu quoiqu un gl dell all dall nell sull coll quell quest bell sant anch com dov")

// endings are the ends of English words behind an apostrophe, as in company's.
var endings = wordSet("s d t ll re ve m")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// tokenize splits a text into words: letters, digits and marks in a row. Everything else separates
// them: slashes, hyphens, dots, also of addresses and file names. It calls yield with each, until
// it returns false.
func tokenize(text string, yield func(token) bool) {
	at := 0
	for len(text) > 0 {
		size, runes, next := segment(text)
		if size > 0 && !splitSegment(text[:size], at, rest(text[size:]), yield) {
			return
		}
		_, skipped := utf8.DecodeRuneInString(text[size:])
		at += runes + next
		text = text[size+skipped:]
	}
}

// segment returns the length of the word at the start of a text, in bytes and in code points, and 1
// if a separator follows it.
func segment(text string) (size, runes, next int) {
	for i, r := range text {
		if !isWordRune(r) && (i == 0 || !isIgnored(r) && !isApostrophe(r, text[:i], text[i:])) {
			return i, runes, 1
		}
		runes++
	}
	return len(text), runes, 0
}

// isApostrophe reports whether a character joins letters on both sides.
func isApostrophe(r rune, before, from string) bool {
	if r != '\'' && r != '’' {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(from[utf8.RuneLen(r):])
	return unicode.IsLetter(last) && unicode.IsLetter(first)
}

// rest returns the signs behind a letter that make it a name, as in C++ and C#.
func rest(after string) string {
	for _, sign := range []string{"++", "#"} {
		if behind, ok := strings.CutPrefix(after, sign); ok {
			if r, _ := utf8.DecodeRuneInString(behind); behind == "" || !isWordRune(r) {
				return sign
			}
		}
	}
	return ""
}

// splitSegment splits a segment at apostrophes and where the kind of script changes.
func splitSegment(text string, at int, sign string, yield func(token) bool) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '\'' || r == '’' })
	for i, part := range parts {
		runes := utf8.RuneCountInString(part)
		form := fold(part)
		isElided := i+1 < len(parts) && elided[form] || i > 0 && i+1 == len(parts) && endings[form]
		if !isElided && !splitScripts(part, at, sign, yield) {
			return false
		}
		at += runes + 1
	}
	return true
}

func splitScripts(text string, at int, sign string, yield func(token) bool) bool {
	for len(text) > 0 {
		first, _ := utf8.DecodeRuneInString(text)
		unspaced, size, runes := isUnspaced(first), 0, 0
		for i, r := range text {
			if unicode.Is(unicode.M, r) || isUnspaced(r) == unspaced {
				size, runes = i+utf8.RuneLen(r), runes+1
				continue
			}
			break
		}
		part := text[:size]
		text = text[size:]
		if unspaced {
			if !yieldPairs(part, at, runes, yield) {
				return false
			}
		} else if form := fold(part); form != "" {
			if len(form) == 1 && len(text) == 0 {
				form += sign
			}
			if !yield(token{form: form, raw: strings.ToLower(norm.NFC.String(part)), start: at, end: at + runes}) {
				return false
			}
		}
		at += runes
	}
	return true
}

// yieldPairs yields each two characters in a row, and the last one alone, so that a query of one
// character finds all that begin with it.
func yieldPairs(text string, at, length int, yield func(token) bool) bool {
	runes := []rune(fold(text))
	for i := range runes {
		end := min(i+2, len(runes))
		one := token{form: string(runes[i:end]), start: at + min(i, length-1), end: at + min(end, length), isGram: true}
		if !yield(one) {
			return false
		}
	}
	return true
}
