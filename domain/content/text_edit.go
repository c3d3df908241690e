package content

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/rivo/uniseg"
)

// textEdit replaces a part of a text, from From to To, by a part of another, both in code points.
type textEdit struct {
	From, To       int
	NewFrom, NewTo int
}

// textEdits returns the edits that make the text before the text after, in order. Lines that both
// texts have once divide them; the words between are compared. Of very many changes between such
// lines some may be one edit.
func textEdits(before, after string) (edits []textEdit) {
	old, present := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	starts, newStarts, known := offsets(old), offsets(present), map[string]rune{}
	from, to := 0, 0
	for _, fixed := range append(fixedPoints(numbered(old, known), numbered(present, known)),
		[2]int{len(old), len(present)}) {
		i, j := fixed[0], fixed[1]
		edits = append(edits, wordEdits(strings.Join(old[from:i], ""), strings.Join(present[to:j], ""), starts[from],
			newStarts[to])...)
		if i < len(old) && old[i] != present[j] { // only the line break differs
			edits = append(edits, textEdit{starts[i] + lineEnd(old[i]), starts[i+1], newStarts[j] + lineEnd(present[j]),
				newStarts[j+1]})
		}
		from, to = i+1, j+1
	}
	return edits
}

// lineEnd returns the number of code points of a line without its break.
func lineEnd(line string) int { return utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) }

// wordEdits returns the edits between two parts that begin at the offsets in their texts.
func wordEdits(before, after string, from, to int) []textEdit {
	if before == after {
		return nil
	}
	if before == "" || after == "" {
		return []textEdit{{from, from + utf8.RuneCountInString(before), to, to + utf8.RuneCountInString(after)}}
	}
	old, present := segments(before), segments(after)
	starts, newStarts := offsets(old), offsets(present)
	var edits []textEdit
	for _, d := range diffTokens(old, present) {
		gone, added := []rune(strings.Join(old[d.Start:d.End], "")), []rune(strings.Join(present[d.ReplStart:d.ReplEnd], ""))
		e := textEdit{from + starts[d.Start], from + starts[d.End], to + newStarts[d.ReplStart], to + newStarts[d.ReplEnd]}
		edits = append(edits, e.trimmed(gone, added))
	}
	return edits
}

// trimmed returns the edit without what its texts begin and end with both, so that a corrected
// letter does not replace its word.
func (e textEdit) trimmed(gone, added []rune) textEdit {
	first, last := 0, 0
	for first < len(gone) && first < len(added) && gone[first] == added[first] {
		first++
	}
	for last < len(gone)-first && last < len(added)-first && gone[len(gone)-1-last] == added[len(added)-1-last] {
		last++
	}
	return textEdit{e.From + first, e.To - last, e.NewFrom + first, e.NewTo - last}
}

// segments returns the words of a text and what is between them (UAX #29).
func segments(text string) (all []string) {
	var segment string
	for state := -1; text != ""; {
		segment, text, state = uniseg.FirstWordInString(text, state)
		all = append(all, segment)
	}
	return all
}

// offsets returns where each segment begins, in code points, and where the last one ends.
func offsets(segments []string) []int {
	all := make([]int, len(segments)+1)
	for i, s := range segments {
		all[i+1] = all[i] + utf8.RuneCountInString(s)
	}
	return all
}

// diffTokens returns the differences of two lists of tokens. Tokens that both lists have once divide
// them; package lcs, which gives up after 100 differences, compares what is between.
func diffTokens(before, after []string) (all []lcs.Diff) {
	known := map[string]rune{}
	old, present := numbered(before, known), numbered(after, known)
	from, to := 0, 0
	for _, fixed := range append(fixedPoints(old, present), [2]int{len(old), len(present)}) {
		for _, d := range lcs.DiffRunes(old[from:fixed[0]], present[to:fixed[1]]) {
			d = lcs.Diff{Start: d.Start + from, End: d.End + from, ReplStart: d.ReplStart + to, ReplEnd: d.ReplEnd + to}
			if last := len(all) - 1; last >= 0 && all[last].End == d.Start && all[last].ReplEnd == d.ReplStart {
				all[last].End, all[last].ReplEnd = d.End, d.ReplEnd
			} else {
				all = append(all, d)
			}
		}
		from, to = fixed[0], fixed[1]
	}
	return all
}

// numbered returns the tokens as numbers, equal ones with the same number. In a line, kinds of line
// breaks are no difference.
func numbered(tokens []string, known map[string]rune) []rune {
	numbers := make([]rune, len(tokens))
	for i, token := range tokens {
		if end, found := strings.CutSuffix(token, "\r\n"); found && end != "" {
			token = end + "\n"
		}
		if _, found := known[token]; !found {
			known[token] = rune(len(known))
		}
		numbers[i] = known[token]
	}
	return numbers
}

// fixedPoints returns the indexes of the tokens that both lists have once, as many of them as are in
// the same order in both (the patience diff).
func fixedPoints(before, after []rune) [][2]int {
	places, newPlaces := uniquePlaces(before), uniquePlaces(after)
	var pairs [][2]int
	for i, token := range before {
		if j := newPlaces[token]; places[token] == i+1 && j > 0 {
			pairs = append(pairs, [2]int{i, j - 1})
		}
	}
	return longestRise(pairs)
}

// uniquePlaces returns the index of each token that the list has once, plus 1.
func uniquePlaces(tokens []rune) map[rune]int {
	places := make(map[rune]int, len(tokens))
	for i, token := range tokens {
		if _, again := places[token]; again {
			places[token] = 0
		} else {
			places[token] = i + 1
		}
	}
	return places
}

// longestRise returns the longest part of the pairs whose second members rise.
func longestRise(pairs [][2]int) [][2]int {
	var piles []int // the index of the pair with the least second member that ends a rise of this length
	before := make([]int, len(pairs))
	for i, pair := range pairs {
		n := sort.Search(len(piles), func(n int) bool { return pairs[piles[n]][1] > pair[1] })
		if before[i] = -1; n > 0 {
			before[i] = piles[n-1]
		}
		if n == len(piles) {
			piles = append(piles, i)
		} else {
			piles[n] = i
		}
	}
	rise := make([][2]int, len(piles))
	if len(piles) == 0 {
		return rise
	}
	for n, i := len(piles)-1, piles[len(piles)-1]; n >= 0; n-- {
		rise[n], i = pairs[i], before[i]
	}
	return rise
}
