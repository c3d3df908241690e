package cover

import (
	"math"
	"slices"
)

// passageWindow is a passage compared with a point.
type passageWindow struct {
	text        *Text
	first, last int // indexes of sentences
	words       []taggedWord
	score       float64
	exact       float64 // share of the point's words with an equal stem
	positions   []int   // word index of each unit, or -1
	opposites   int     // number of units matched by their antonyms
}

// matchPoint locates each unit of the point in the passage. Names weigh more.
func (w *passageWindow) matchPoint(p *parsedPoint) {
	for i := w.first; i <= w.last; i++ {
		w.words = append(w.words, w.text.sentences[i].words...)
	}
	sum, all, exact := 0.0, 0.0, 0
	w.positions = make([]int, len(p.units))
	for n, i := range p.units {
		weight := 1.0
		if slices.Contains(p.names, i) {
			weight = 1.5
		}
		all += weight
		w.positions[n] = w.findWord(&p.words[i])
		if w.positions[n] < 0 {
			if w.positions[n] = w.findOpposite(&p.words[i]); w.positions[n] >= 0 {
				w.opposites++
			}
		} else if w.words[w.positions[n]].stem == p.words[i].stem {
			exact++
		}
		if w.positions[n] >= 0 {
			sum += weight
		}
	}
	w.score, w.exact = sum/all, float64(exact)/float64(len(p.units))
}

// findWord returns the index of a word in the passage, or -1. Equal stems precede similar words.
func (w *passageWindow) findWord(unit *taggedWord) int {
	like := -1
	for i := range w.words {
		if w.words[i].stem == unit.stem {
			return i
		}
		if like < 0 && (areAlike(unit, &w.words[i]) || w.words[i].isNumber() && w.words[i].currency == currencySigns[unit.stem] && w.words[i].currency != 0) {
			like = i
		}
	}
	return like
}

func (w *passageWindow) findOpposite(unit *taggedWord) int {
	return slices.IndexFunc(w.words, func(other taggedWord) bool { return areOpposed(unit, &other) })
}

// makesPoint reports whether the passage makes the point.
func (w *passageWindow) makesPoint(p *parsedPoint) bool {
	chosen := func(i int) bool { return slices.Contains(w.positions, i) }
	switch {
	case w.score < minScore, !w.hasNumbers(p), !w.hasNames(p), !w.hasParts(p), w.substitutesWord(p), w.reversesNames(p), isPartial(p.words, w.words):
		return false
	case (p.openNegations(w)+countNegations(w.words, func(i int) bool { return chosen(i) || w.words[i].isNumber() })+w.opposites)%2 != 0:
		return false
	}
	return !slices.Contains(tenseConflicts[p.time], tenseOf(w.words, chosen))
}

// openNegations returns the negations of the point without those matched by other words: "nothing" for "free".
func (p *parsedPoint) openNegations(w *passageWindow) int {
	count := p.negations
	for n, i := range p.units {
		if isKind("negator", p.words[i].lower) && w.positions[n] >= 0 && count > 0 {
			count--
		}
	}
	return count
}

// hasNumbers reports whether the passage has every number of the point for the same subject.
func (w *passageWindow) hasNumbers(p *parsedPoint) bool {
	for _, i := range p.numbers {
		want := &p.words[i]
		same := slices.IndexFunc(w.words, func(got taggedWord) bool {
			return got.isNumber() && math.Abs(got.number-want.number) < 1e-9 && (got.percent == want.percent || !want.percent)
		})
		if same < 0 || w.countsDifferently(p, i, same) {
			return false
		}
	}
	return true
}

// countsDifferently reports whether the passage has another number for the subject that the point counts.
func (w *passageWindow) countsDifferently(p *parsedPoint, i, same int) bool {
	if i+1 >= len(p.words) || p.words[i+1].stem == "" || same+1 < len(w.words) && areAlike(&p.words[i+1], &w.words[same+1]) {
		return false
	}
	for j := 0; j+1 < len(w.words); j++ {
		if j != same && w.words[j].isNumber() && w.words[j+1].stem == p.words[i+1].stem {
			return true
		}
	}
	return false
}

// hasNames reports whether the passage names everyone named in the point, or refers to a name in the sentences ahead of it.
func (w *passageWindow) hasNames(p *parsedPoint) bool {
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.positions[n] < 0 && !w.refersTo(p, &p.words[i]) {
			return false
		}
	}
	if w.first == w.last {
		return true
	}
	main := w.mainSentence(p)
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.sentenceOf(w.positions[n]) != main && !w.refersBack(main) && w.namesOthers(p, main) {
			return false
		}
	}
	return true
}

// mainSentence returns the index of the sentence with most of the point's words.
func (w *passageWindow) mainSentence(p *parsedPoint) int {
	count := map[int]int{}
	for n := range p.units {
		if w.positions[n] >= 0 {
			count[w.sentenceOf(w.positions[n])]++
		}
	}
	if count[w.last] > count[w.first] {
		return w.last
	}
	return w.first
}

func (w *passageWindow) sentenceOf(at int) int {
	if at < len(w.text.sentences[w.first].words) {
		return w.first
	}
	return w.last
}

// refersTo reports whether the passage begins with a pronoun or generic noun for a name in one of the three preceding sentences.
func (w *passageWindow) refersTo(p *parsedPoint, name *taggedWord) bool {
	if w.hasOtherSubject(p) {
		return false
	}
	if !w.refersBack(w.first) {
		return false
	}
	for i := max(0, w.first-3); i < w.first; i++ {
		if slices.ContainsFunc(w.text.sentences[i].words, func(o taggedWord) bool { return o.stem == name.stem }) {
			return true
		}
	}
	return false
}

// refersBack reports whether a sentence begins with a pronoun or generic noun.
func (w *passageWindow) refersBack(sentence int) bool {
	words := w.text.sentences[sentence].words
	return slices.ContainsFunc(words[:min(2, len(words))], func(o taggedWord) bool { return isKind("pronoun", o.lower) || isKind("generic", o.lower) })
}

// namesOthers reports whether a sentence contains a name that is not in the point.
func (w *passageWindow) namesOthers(p *parsedPoint, sentence int) bool {
	words := w.text.sentences[sentence].words
	for i := range words {
		if words[i].stem == "" || !w.text.isName(words, i) {
			continue
		}
		if !slices.ContainsFunc(p.words, func(o taggedWord) bool { return o.stem == words[i].stem }) {
			return true
		}
	}
	return false
}

// hasOtherSubject reports whether the first sentence has a subject that the point does not name. A name after a preposition is no subject.
func (w *passageWindow) hasOtherSubject(p *parsedPoint) bool {
	words := w.text.sentences[w.first].words
	for i := range words {
		if words[i].stem == "" || !w.text.isName(words, i) || i > 0 && (isKind("preposition", words[i-1].lower) || w.text.isName(words, i-1)) {
			continue
		}
		if !slices.ContainsFunc(p.words, func(o taggedWord) bool { return o.stem == words[i].stem }) {
			return true
		}
	}
	return false
}

// hasParts reports whether the passage mentions each conjunct of the point.
func (w *passageWindow) hasParts(p *parsedPoint) bool {
	if len(p.partOf) == 0 {
		return true
	}
	found := make([]int, p.partOf[len(p.partOf)-1]+1)
	for n, part := range p.partOf {
		if w.positions[n] >= 0 {
			found[part]++
		}
	}
	return !slices.Contains(found, 0)
}

// substitutesWord reports whether a passage otherwise in the point's words has a different word in the position of a unit.
func (w *passageWindow) substitutesWord(p *parsedPoint) bool {
	if w.exact < 0.5 {
		return false
	}
	for n := range p.units {
		if w.positions[n] < 0 && !p.isVerb(p.units[n]) && w.hasOwnWord(w.neighborAt(n, -1), w.neighborAt(n, 1)) {
			return true
		}
	}
	return false
}

// neighborAt returns the index of the next matched unit in the direction of step, or -1.
func (w *passageWindow) neighborAt(n, step int) int {
	for n += step; n >= 0 && n < len(w.positions); n += step {
		if w.positions[n] >= 0 {
			return w.positions[n]
		}
	}
	return -1
}

// hasOwnWord reports whether the passage has an unmatched content word between two positions, or near the only known position.
func (w *passageWindow) hasOwnWord(before, behind int) bool {
	from, to := before+1, behind
	switch {
	case before < 0 && behind < 0:
		return false
	case before < 0:
		from = max(0, behind-3)
	case behind < 0:
		to = min(len(w.words), before+5)
	case before > behind:
		return false
	}
	for i := from; i < to && i < len(w.words); i++ {
		if w.words[i].stem != "" && !slices.Contains(w.positions, i) && !isKind("auxiliary", w.words[i].lower) && !w.words[i].isNumber() {
			return true
		}
	}
	return false
}

// reversesNames reports whether two names of the point have swapped positions, such as subject and object.
func (w *passageWindow) reversesNames(p *parsedPoint) bool {
	var places []int
	last := -2
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.positions[n] >= 0 {
			if i != last+1 {
				places = append(places, w.positions[n])
			}
			last = i
		}
	}
	passive := slices.ContainsFunc(w.words, func(o taggedWord) bool { return o.lower == "by" })
	return len(places) == 2 && places[0] > places[1] && !passive
}
