// Package cover tells whether a text makes a point, and where, by the words of both: what is named, counted, denied, and when it is.
package cover

import (
	"math/bits"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Finding is whether a text makes a point, and the passage that makes it; the zero value is that it does not.
type Finding struct {
	Covered  bool
	Evidence text.Span
}

// Text is a text that points are looked for in.
type Text struct {
	runes     []rune
	language  string
	sentences []sentence
	plain     map[string]bool // words that it has in lower case
}

// sentence is one with its words.
type sentence struct {
	text.Span
	words []word
	keys  map[string]bool // by which its words are alike or opposed to others
}

// Read prepares a text for any number of points.
func Read(content string) *Text {
	t := &Text{runes: []rune(content), language: text.Language(content), plain: map[string]bool{}}
	for _, s := range text.Sentences(content) {
		words := wordsOf(s, t.language)
		for _, w := range words {
			if !w.capital {
				t.plain[w.lower] = true
			}
		}
		t.sentences = append(t.sentences, sentence{s, words, keysOf(words)})
	}
	return t
}

// How alike the words of a point and of a passage are before the rest is looked at.
const (
	enough     = 0.6 // share of the point's words that the passage has
	worthALook = 0.4
	mostLooks  = 8
)

// Find looks for the passage of one or two sentences that makes a point.
func (t *Text) Find(claim string) Finding {
	if found := t.same(claim); found.Covered {
		return found
	}
	point := t.point(claim)
	if len(point.units) == 0 {
		return t.verbatim(claim)
	}
	windows := t.windows(point)
	for _, w := range windows[:min(len(windows), mostLooks)] {
		if w.makes(point) {
			return Finding{true, t.span(w.first, w.last)}
		}
	}
	return Finding{}
}

// same finds a point that stands in the text as sentences of its own.
func (t *Text) same(claim string) Finding {
	wanted := bare(claim)
	for i := range t.sentences {
		for j := i; wanted != "" && j < min(i+3, len(t.sentences)); j++ {
			if span := t.span(i, j); bare(span.Text) == wanted {
				return Finding{true, span}
			}
		}
	}
	return Finding{}
}

// bare is a text in lower case, in one line and without the punctuation at its end.
func bare(s string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".!?…。！？ ")
}

// verbatim finds a point that has nothing but small words.
func (t *Text) verbatim(claim string) Finding {
	claim = strings.ToLower(strings.TrimSpace(claim))
	for i, s := range t.sentences {
		if claim != "" && strings.Contains(strings.ToLower(s.Text), claim) {
			return Finding{true, t.span(i, i)}
		}
	}
	return Finding{}
}

func (t *Text) span(first, last int) text.Span {
	start, end := t.sentences[first].Start, t.sentences[last].End
	return text.Span{Text: string(t.runes[start:end]), Start: start, End: end}
}

// mayHave tells of each sentence which units of the point it may have, one bit for each: a quick look before the real one.
func (t *Text) mayHave(p *point) []uint64 {
	may := make([]uint64, len(t.sentences))
	for n, i := range p.units[:min(64, len(p.units))] {
		keys := append(keysOfWord(&p.words[i]), known().opposites[p.words[i].stem]...)
		for s := range t.sentences {
			if slices.ContainsFunc(keys, func(key string) bool { return t.sentences[s].keys[key] }) {
				may[s] |= 1 << n
			}
		}
	}
	return may
}

// windows lists passages that share words with the point, the likeliest first: single sentences before pairs that are as like.
func (t *Text) windows(p *point) []*window {
	var found []*window
	may := t.mayHave(p)
	add := func(first, last int) {
		if share := float64(bits.OnesCount64(may[first]|may[last])) / float64(len(p.units)); len(p.units) <= 64 && share < worthALook/2 {
			return
		}
		w := &window{text: t, first: first, last: last}
		w.match(p)
		if w.score >= worthALook {
			found = append(found, w)
		}
	}
	for i := range t.sentences {
		add(i, i)
		if i+1 < len(t.sentences) {
			add(i, i+1)
		}
	}
	slices.SortStableFunc(found, func(a, b *window) int {
		return int(1000 * (b.score - a.score - 0.05*float64((b.last-b.first)-(a.last-a.first))))
	})
	return found
}
