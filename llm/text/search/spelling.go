package search

import (
	"slices"
	"unicode/utf8"
)

// Span is a range of words by their order: from Start to before End.
type Span struct{ Start, End string }

// last is greater than every character of a word.
const last = "\U0010FFFF"

// StartingWith returns the range of texts with a start.
func StartingWith(start string) Span { return Span{start, start + last} }

// Likeness returns the ranges in which the words that a misspelled word may mean are searched: the
// list of words by form, and by its reversed stems. They share its first or its last third.
func (w QueryWord) Likeness() (forms, reversed Span) {
	runes := []rune(w.Form)
	third := max(2, len(runes)/3)
	third = min(third, len(runes))
	return StartingWith(string(runes[:third])), StartingWith(reverse(string(runes[len(runes)-third:])))
}

// Typos returns the number of letters that are missing, added, wrong or exchanged with their
// neighbour, or -1 if there are more than a word of this length may have.
func Typos(word, other string) int {
	most := mostTypos(word)
	a, b := []rune(word), []rune(other)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return -1
	}
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	if row[len(b)] > most {
		return -1
	}
	return row[len(b)]
}

// mostTypos returns how many typing errors a word may have.
func mostTypos(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// Replace returns the query with words replaced, by their places. It keeps everything else as it
// was written.
func Replace(query string, words []QueryWord, by map[string]string) string {
	runes := []rune(query)
	sorted := slices.Clone(words)
	slices.SortFunc(sorted, func(a, b QueryWord) int { return b.at - a.at })
	for _, word := range sorted {
		if other, ok := by[word.Form]; ok && word.end <= len(runes) {
			runes = slices.Replace(runes, word.at, word.end, []rune(other)...)
		}
	}
	return string(runes)
}
