package cover

import (
	"strings"

	"rostrum/llm/text"
)

// parsedPoint is a point to search for.
type parsedPoint struct {
	words     []taggedWord
	units     []int // indexes of the content words
	names     []int
	numbers   []int
	partOf    []int // number of the conjunct of each unit
	time      tense
	negations int
}

func (t *Text) parsePoint(claim string) *parsedPoint {
	language := t.language
	if language == "" {
		language = text.Language(claim)
	}
	claim = strings.TrimSpace(claim)
	p := &parsedPoint{words: parseWords(text.Span{Text: claim, End: len([]rune(claim))}, language)}
	part, since := 0, 0
	for i := range p.words {
		w := &p.words[i]
		if startsPart(w) && since > 0 {
			part, since = part+1, 0
		}
		switch {
		case w.isNumber():
			p.numbers = append(p.numbers, i)
		case w.stem == "" || isKind("auxiliary", w.lower) || isKind("negator", w.lower) && len(loadWords().groups[w.stem]) == 0:
			continue
		default:
			since++
			p.units, p.partOf = append(p.units, i), append(p.partOf, part)
			if t.isName(p.words, i) {
				p.names = append(p.names, i)
			}
		}
	}
	all := func(int) bool { return true }
	p.time, p.negations = tenseOf(p.words, all), countNegations(p.words, all)
	return p
}

// startsPart reports whether a word begins another conjunct.
func startsPart(w *taggedWord) bool {
	switch w.lower {
	case "and", "or", "plus", "but", "because", "while", "und", "et", "y", "e", "ou", "oder":
		return true
	}
	return w.afterComma
}

// isName reports whether a word is a proper name: its capital is not explained by its position.
func (t *Text) isName(words []taggedWord, i int) bool {
	w := &words[i]
	switch {
	case !w.capital || t.lowercase[w.lower] || t.language == "de":
		return false
	case !w.first:
		return true
	case i+1 < len(words) && words[i+1].capital:
		return true
	}
	common := len(loadWords().groups[w.stem]) > 0 || strings.HasSuffix(w.lower, "s") || strings.HasSuffix(w.lower, "ing")
	return !common
}

// isVerb reports whether a word is in the position of a verb: after a noun or pronoun and ahead of a stop word. Verbs are paraphrased more
// often than nouns.
func (p *parsedPoint) isVerb(i int) bool {
	if i == 0 || i+1 >= len(p.words) {
		return false
	}
	before, behind := &p.words[i-1], &p.words[i+1]
	small := behind.stem == "" && !behind.isNumber() && !startsPart(behind)
	return small && (before.stem != "" || isKind("subject", before.lower) || isKind("auxiliary", before.lower))
}
