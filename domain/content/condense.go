package content

import (
	"slices"
	"strings"
	"unicode"

	"rostrum/domain/content/fact"
	"rostrum/llm/text"
)

// condensed leaves out the sentences that say least of what a text says and hold no facts.
func condensed(s string) string {
	pieces := text.Pieces(s)
	if len(pieces) < 2 {
		return s
	}
	ranked := text.Rank(s, (len(pieces)+1)/2)
	kept := slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool {
		weighty := slices.ContainsFunc(ranked, func(r text.Span) bool { return r.Text == strings.TrimSpace(piece) })
		return !weighty && len(fact.Of(piece)) == 0
	})
	return strings.Join(kept, "")
}

// capitalised begins with a capital what follows a full stop, unless it is written in a way of its own, as iPhone is.
func capitalised(s string) string {
	pieces := text.Pieces(s)
	for i, piece := range pieces {
		if i > 0 {
			pieces[i] = asSentenceStart(piece)
		}
	}
	return strings.Join(pieces, "")
}

func asSentenceStart(s string) string {
	word, _, _ := strings.Cut(s, " ")
	runes := []rune(s)
	if len(runes) == 0 || !unicode.IsLower(runes[0]) || strings.ToLower(word) != word {
		return s
	}
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}
