// Package cover finds the passage of a text that makes a point, by comparing words, numbers, negation and tense.
package cover

import (
	"math/bits"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// Finding is the result of a search. The zero value means that the text does not make the point.
type Finding struct {
	Covered  bool
	Evidence text.Span
}

// Text is a text prepared for searching points.
type Text struct {
	runes     []rune
	language  string
	sentences []textSentence
	lowercase map[string]bool // words that occur in lower case
}

// textSentence is a sentence with its words.
type textSentence struct {
	text.Span
	words []taggedWord
	keys  map[string]bool // keys of similar and opposite words
}

// Read returns a text prepared for searching any number of points.
func Read(content string) *Text {
	t := &Text{runes: []rune(content), language: text.Language(content), lowercase: map[string]bool{}}
	for _, s := range text.Sentences(content) {
		words := parseWords(s, t.language)
		for _, w := range words {
			if !w.capital {
				t.lowercase[w.lower] = true
			}
		}
		t.sentences = append(t.sentences, textSentence{s, words, keysOf(words)})
	}
	return t
}

// Limits for the share of a point's words in a passage.
const (
	minScore          = 0.6 // of a passage that makes the point
	minCandidateScore = 0.4
	maxCandidates     = 8
)

// Find returns the passage of one or two sentences that makes a point. It returns the zero Finding without a match.
func (t *Text) Find(claim string) Finding {
	if found := t.findSame(claim); found.Covered {
		return found
	}
	point := t.parsePoint(claim)
	if len(point.units) == 0 {
		return t.findVerbatim(claim)
	}
	windows := t.rankWindows(point)
	for _, w := range windows[:min(len(windows), maxCandidates)] {
		if w.makesPoint(point) {
			return Finding{true, t.spanOf(w.first, w.last)}
		}
	}
	return Finding{}
}

// findSame finds a point that occurs as complete sentences of the text.
func (t *Text) findSame(claim string) Finding {
	wanted := normalizeClaim(claim)
	for i := range t.sentences {
		for j := i; wanted != "" && j < min(i+3, len(t.sentences)); j++ {
			if span := t.spanOf(i, j); normalizeClaim(span.Text) == wanted {
				return Finding{true, span}
			}
		}
	}
	return Finding{}
}

// normalizeClaim returns a text in lower case, in one line and without its final punctuation.
func normalizeClaim(s string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".!?…。！？ ")
}

// findVerbatim finds a point that consists of stop words.
func (t *Text) findVerbatim(claim string) Finding {
	claim = strings.ToLower(strings.TrimSpace(claim))
	for i, s := range t.sentences {
		if claim != "" && strings.Contains(strings.ToLower(s.Text), claim) {
			return Finding{true, t.spanOf(i, i)}
		}
	}
	return Finding{}
}

func (t *Text) spanOf(first, last int) text.Span {
	start, end := t.sentences[first].Start, t.sentences[last].End
	return text.Span{Text: string(t.runes[start:end]), Start: start, End: end}
}

// candidateUnits returns for each sentence a bit set of the units that it may contain. It is a fast filter before the exact comparison.
func (t *Text) candidateUnits(p *parsedPoint) []uint64 {
	may := make([]uint64, len(t.sentences))
	for n, i := range p.units[:min(64, len(p.units))] {
		keys := append(keysOfWord(&p.words[i]), loadWords().opposites[p.words[i].stem]...)
		for s := range t.sentences {
			if slices.ContainsFunc(keys, func(key string) bool { return t.sentences[s].keys[key] }) {
				may[s] |= 1 << n
			}
		}
	}
	return may
}

// rankWindows returns passages that share words with the point, best first. Single sentences precede pairs with the same score.
func (t *Text) rankWindows(p *parsedPoint) []*passageWindow {
	var found []*passageWindow
	may := t.candidateUnits(p)
	add := func(first, last int) {
		if share := float64(bits.OnesCount64(may[first]|may[last])) / float64(len(p.units)); len(p.units) <= 64 && share < minCandidateScore/2 {
			return
		}
		w := &passageWindow{text: t, first: first, last: last}
		w.matchPoint(p)
		if w.score >= minCandidateScore {
			found = append(found, w)
		}
	}
	for i := range t.sentences {
		add(i, i)
		if i+1 < len(t.sentences) {
			add(i, i+1)
		}
	}
	slices.SortStableFunc(found, func(a, b *passageWindow) int {
		return int(1000 * (b.score - a.score - 0.05*float64((b.last-b.first)-(a.last-a.first))))
	})
	return found
}
