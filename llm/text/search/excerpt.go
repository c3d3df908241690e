package search

import (
	"slices"
	"strings"
	"unicode"
)

// Marker finds the words of a query in a text.
type Marker struct {
	Forms    map[string]bool // words as the index has them
	Prefixes []string        // starts of words
}

// Mark is a range of a text in code points.
type Mark struct{ Start, End int }

// markedWord is a found word.
type markedWord struct {
	Mark
	form string
}

func (m Marker) isMarked(form string) bool {
	return m.Forms[form] || slices.ContainsFunc(m.Prefixes, func(start string) bool {
		return strings.HasPrefix(form, start)
	})
}

// find returns the found words of a text in order.
func (m Marker) find(text string) []markedWord {
	var found []markedWord
	tokenize(text, func(t token) bool {
		if form := cutWord(t.form); m.isMarked(form) {
			found = append(found, markedWord{Mark{t.start, t.end}, form})
		}
		return true
	})
	return found
}

// Marks returns the ranges of the found words in a text. Ranges that touch are one.
func (m Marker) Marks(text string) []Mark { return joinMarks(m.find(text), 0) }

func joinMarks(found []markedWord, offset int) []Mark {
	marks := []Mark{}
	for _, word := range found {
		one := Mark{word.Start - offset, word.End - offset}
		if n := len(marks); n > 0 && one.Start <= marks[n-1].End {
			marks[n-1].End = max(marks[n-1].End, one.End)
			continue
		}
		marks = append(marks, one)
	}
	return marks
}

const (
	// excerptRunes is the length of an excerpt, and leadRunes how much of it stands before the
	// first found word.
	excerptRunes, leadRunes = 240, 60
)

// Excerpt returns the part of a text that has most of the searched words, in one line, and their
// ranges in it. Without any it returns the start of the text.
func (m Marker) Excerpt(text string) (string, []Mark) {
	runes, found := []rune(text), m.find(text)
	start := 0
	if len(found) > 0 {
		start = wordStart(runes, max(0, found[bestWindow(found)].Start-leadRunes))
	}
	end := wordEnd(runes, start, min(len(runes), start+excerptRunes))
	found = slices.DeleteFunc(found, func(w markedWord) bool { return w.Start < start || w.End > end })
	part := slices.Clone(runes[start:end])
	for i, r := range part {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			part[i] = ' '
		}
	}
	return string(part), joinMarks(found, start)
}

// bestWindow returns the first word of the window with most different words.
func bestWindow(found []markedWord) int {
	best, most := 0, 0
	for i, first := range found {
		forms := map[string]bool{}
		for _, word := range found[i:] {
			if word.End > first.Start+excerptRunes-leadRunes {
				break
			}
			forms[word.form] = true
		}
		if len(forms) > most {
			best, most = i, len(forms)
		}
	}
	return best
}

// wordStart returns the start of a word at or after a place, if there is one near.
func wordStart(runes []rune, at int) int {
	if at == 0 {
		return 0
	}
	for i := at; i < min(len(runes), at+leadRunes/2); i++ {
		if unicode.IsSpace(runes[i-1]) && !unicode.IsSpace(runes[i]) {
			return i
		}
	}
	return at
}

// wordEnd returns the end of a word at or before a place, if there is one near.
func wordEnd(runes []rune, start, at int) int {
	if at == len(runes) {
		return at
	}
	for i := at; i > max(start, at-leadRunes/2); i-- {
		if unicode.IsSpace(runes[i]) {
			return i
		}
	}
	return at
}
