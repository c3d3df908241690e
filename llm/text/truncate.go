package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Truncate returns a text of at most limit runes: the whole text if it fits, else up to the last
// sentence that fits if that is at least half of the limit, else up to the last word with an
// ellipsis. It never splits a grapheme cluster.
func Truncate(text string, limit int) string {
	text = strings.TrimSpace(text)
	if limit <= 0 {
		return ""
	}
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	if whole := fillWithin(text, limit, uniseg.FirstSentenceInString); 2*utf8.RuneCountInString(whole) >= limit {
		return whole
	}
	cut := fillWithin(text, limit-1, uniseg.FirstWordInString)
	if cut == "" {
		cut = fillWithin(text, limit-1, nextCluster)
	}
	return strings.TrimRight(cut, ",;:–—- ") + "…"
}

// FirstRunes returns the first runes of a text, limit at most.
func FirstRunes(text string, limit int) string {
	count := 0
	for i := range text {
		if count == limit {
			return text[:i]
		}
		count++
	}
	return text
}

func nextCluster(text string, state int) (first, rest string, after int) {
	first, rest, _, after = uniseg.FirstGraphemeClusterInString(text, state)
	return first, rest, after
}

// fillWithin appends parts while they fit; trailing space is not counted.
func fillWithin(text string, limit int, next func(string, int) (string, string, int)) string {
	kept, runes := 0, 0
	rest, part := text, ""
	for state := -1; rest != ""; {
		part, rest, state = next(rest, state)
		runes += utf8.RuneCountInString(part)
		if runes-utf8.RuneCountInString(part)+utf8.RuneCountInString(strings.TrimRightFunc(part,
			unicode.IsSpace)) > limit {
			break
		}
		kept = len(text) - len(rest)
	}
	return strings.TrimSpace(text[:kept])
}
