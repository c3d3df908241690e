package content

import (
	"slices"
	"strings"
	"unicode"

	"rostrum/domain/content/fact"
	"rostrum/llm/text"
)

// condenseText returns the text without its lower-ranked sentences, except for sentences that contain facts.
func condenseText(s string) string {
	pieces := text.Pieces(s)
	if len(pieces) < 2 {
		return s
	}
	ranked := text.Rank(s, (len(pieces)+1)/2)
	kept := slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool {
		weighty := slices.ContainsFunc(ranked, func(r text.Span) bool { return r.Text == strings.TrimSpace(piece) })
		return !weighty && len(fact.Extract(piece)) == 0
	})
	return strings.Join(kept, "")
}

// capitalizeSentences returns the text with a capital after each full stop, except for words with their own spelling such as iPhone.
func capitalizeSentences(s string) string {
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
