package cover

import (
	"strings"

	"rostrum/llm/text"
)

// point is what is looked for.
type point struct {
	words   []word
	units   []int // the words that say something
	names   []int
	numbers []int
	part    []int // of each unit: which of the things that are joined by "and" it belongs to
	time    tense
	negated int
}

func (t *Text) point(claim string) *point {
	language := t.language
	if language == "" {
		language = text.Language(claim)
	}
	claim = strings.TrimSpace(claim)
	p := &point{words: wordsOf(text.Span{Text: claim, End: len([]rune(claim))}, language)}
	part, since := 0, 0
	for i := range p.words {
		w := &p.words[i]
		if joins(w) && since > 0 {
			part, since = part+1, 0
		}
		switch {
		case w.isNumber():
			p.numbers = append(p.numbers, i)
		case w.stem == "" || is("auxiliary", w.lower) || is("negator", w.lower) && len(known().groups[w.stem]) == 0:
			continue
		default:
			since++
			p.units, p.part = append(p.units, i), append(p.part, part)
			if t.isName(p.words, i) {
				p.names = append(p.names, i)
			}
		}
	}
	all := func(int) bool { return true }
	p.time, p.negated = timeOf(p.words, all), negations(p.words, all)
	return p
}

// joins reports a word that begins another of several things.
func joins(w *word) bool {
	switch w.lower {
	case "and", "or", "plus", "but", "because", "while", "und", "et", "y", "e", "ou", "oder":
		return true
	}
	return w.apart
}

// isName reports a word of a point that names somebody or something: it has a capital that its place does not explain.
func (t *Text) isName(words []word, i int) bool {
	w := &words[i]
	switch {
	case !w.capital || t.plain[w.lower] || t.language == "de":
		return false
	case !w.first:
		return true
	case i+1 < len(words) && words[i+1].capital:
		return true
	}
	common := len(known().groups[w.stem]) > 0 || strings.HasSuffix(w.lower, "s") || strings.HasSuffix(w.lower, "ing")
	return !common
}

// verb reports a word of the point that stands where verbs stand: behind a noun or a pronoun, and before a small word. Another verb says the
// same more often than another noun does.
func (p *point) verb(i int) bool {
	if i == 0 || i+1 >= len(p.words) {
		return false
	}
	before, behind := &p.words[i-1], &p.words[i+1]
	small := behind.stem == "" && !behind.isNumber() && !joins(behind)
	return small && (before.stem != "" || is("subject", before.lower) || is("auxiliary", before.lower))
}
