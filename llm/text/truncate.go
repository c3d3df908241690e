package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Truncate gives a text of at most limit runes: the whole where it fits, else up to the last sentence that does where that keeps half of the
// room, else up to the last word with an ellipsis. It never cuts a character that is made of several runes.
func Truncate(text string, limit int) string {
	text = strings.TrimSpace(text)
	if limit <= 0 {
		return ""
	}
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	if whole := fill(text, limit, uniseg.FirstSentenceInString); 2*utf8.RuneCountInString(whole) >= limit {
		return whole
	}
	cut := fill(text, limit-1, uniseg.FirstWordInString)
	if cut == "" {
		cut = fill(text, limit-1, cluster)
	}
	return strings.TrimRight(cut, ",;:–—- ") + "…"
}

func cluster(text string, state int) (first, rest string, after int) {
	first, rest, _, after = uniseg.FirstGraphemeClusterInString(text, state)
	return first, rest, after
}

// fill takes parts while they fit; the space behind the last one does not count.
func fill(text string, limit int, next func(string, int) (string, string, int)) string {
	kept, runes := 0, 0
	rest, part := text, ""
	for state := -1; rest != ""; {
		part, rest, state = next(rest, state)
		runes += utf8.RuneCountInString(part)
		if runes-utf8.RuneCountInString(part)+utf8.RuneCountInString(strings.TrimRightFunc(part, unicode.IsSpace)) > limit {
			break
		}
		kept = len(text) - len(rest)
	}
	return strings.TrimSpace(text[:kept])
}
