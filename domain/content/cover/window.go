package cover

import (
	"math"
	"slices"
)

// window is a passage beside a point.
type window struct {
	text        *Text
	first, last int // sentences
	words       []word
	score       float64
	exact       float64 // share of the point's words that stand here in the same stem
	at          []int   // where each unit of the point stands; -1 for nowhere
	flips       int     // units that stand here as their opposites
}

// match finds each word of the point in the passage; a name counts for more.
func (w *window) match(p *point) {
	for i := w.first; i <= w.last; i++ {
		w.words = append(w.words, w.text.sentences[i].words...)
	}
	sum, all, exact := 0.0, 0.0, 0
	w.at = make([]int, len(p.units))
	for n, i := range p.units {
		weight := 1.0
		if slices.Contains(p.names, i) {
			weight = 1.5
		}
		all += weight
		w.at[n] = w.find(&p.words[i])
		if w.at[n] < 0 {
			if w.at[n] = w.opposite(&p.words[i]); w.at[n] >= 0 {
				w.flips++
			}
		} else if w.words[w.at[n]].stem == p.words[i].stem {
			exact++
		}
		if w.at[n] >= 0 {
			sum += weight
		}
	}
	w.score, w.exact = sum/all, float64(exact)/float64(len(p.units))
}

// find is where a word stands in the passage: the same stem before what is only alike.
func (w *window) find(unit *word) int {
	like := -1
	for i := range w.words {
		if w.words[i].stem == unit.stem {
			return i
		}
		if like < 0 && (alike(unit, &w.words[i]) || w.words[i].isNumber() && w.words[i].sign == signs[unit.stem] && w.words[i].sign != 0) {
			like = i
		}
	}
	return like
}

func (w *window) opposite(unit *word) int {
	return slices.IndexFunc(w.words, func(other word) bool { return opposed(unit, &other) })
}

// makes judges whether the passage makes the point.
func (w *window) makes(p *point) bool {
	chosen := func(i int) bool { return slices.Contains(w.at, i) }
	switch {
	case w.score < enough, !w.hasNumbers(p), !w.hasNames(p), !w.hasParts(p), w.substitutes(p), w.reverses(p), partial(p.words, w.words):
		return false
	case (p.negations(w)+negations(w.words, func(i int) bool { return chosen(i) || w.words[i].isNumber() })+w.flips)%2 != 0:
		return false
	}
	return !slices.Contains(clashes[p.time], timeOf(w.words, chosen))
}

// negations of the point, without those that the passage says in another way: "nothing" for "free".
func (p *point) negations(w *window) int {
	count := p.negated
	for n, i := range p.units {
		if is("negator", p.words[i].lower) && w.at[n] >= 0 && count > 0 {
			count--
		}
	}
	return count
}

// hasNumbers holds that every number of the point stands in the passage, of the same thing.
func (w *window) hasNumbers(p *point) bool {
	for _, i := range p.numbers {
		want := &p.words[i]
		same := slices.IndexFunc(w.words, func(got word) bool {
			return got.isNumber() && math.Abs(got.number-want.number) < 1e-9 && (got.percent == want.percent || !want.percent)
		})
		if same < 0 || w.countsElse(p, i, same) {
			return false
		}
	}
	return true
}

// countsElse reports that the thing which the point counts is counted by another number in the passage.
func (w *window) countsElse(p *point, i, same int) bool {
	if i+1 >= len(p.words) || p.words[i+1].stem == "" || same+1 < len(w.words) && alike(&p.words[i+1], &w.words[same+1]) {
		return false
	}
	for j := 0; j+1 < len(w.words); j++ {
		if j != same && w.words[j].isNumber() && w.words[j+1].stem == p.words[i+1].stem {
			return true
		}
	}
	return false
}

// hasNames holds that whom the point names is named in the passage, or just before one that speaks of them without a name.
func (w *window) hasNames(p *point) bool {
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.at[n] < 0 && !w.refersTo(p, &p.words[i]) {
			return false
		}
	}
	if w.first == w.last {
		return true
	}
	main := w.main(p)
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.sentenceOf(w.at[n]) != main && !w.refersBack(main) && w.namesOthers(p, main) {
			return false
		}
	}
	return true
}

// main is the sentence with most of the point's words.
func (w *window) main(p *point) int {
	count := map[int]int{}
	for n := range p.units {
		if w.at[n] >= 0 {
			count[w.sentenceOf(w.at[n])]++
		}
	}
	if count[w.last] > count[w.first] {
		return w.last
	}
	return w.first
}

func (w *window) sentenceOf(at int) int {
	if at < len(w.text.sentences[w.first].words) {
		return w.first
	}
	return w.last
}

// refersTo reports that the passage begins with a word for somebody whom one of the three sentences before it names.
func (w *window) refersTo(p *point, name *word) bool {
	if w.hasOtherSubject(p) {
		return false
	}
	if !w.refersBack(w.first) {
		return false
	}
	for i := max(0, w.first-3); i < w.first; i++ {
		if slices.ContainsFunc(w.text.sentences[i].words, func(o word) bool { return o.stem == name.stem }) {
			return true
		}
	}
	return false
}

// refersBack reports a sentence that begins with a word for somebody who was named before.
func (w *window) refersBack(sentence int) bool {
	words := w.text.sentences[sentence].words
	return slices.ContainsFunc(words[:min(2, len(words))], func(o word) bool { return is("pronoun", o.lower) || is("generic", o.lower) })
}

// namesOthers reports a sentence that names somebody whom the point does not.
func (w *window) namesOthers(p *point, sentence int) bool {
	words := w.text.sentences[sentence].words
	for i := range words {
		if words[i].stem == "" || !w.text.isName(words, i) {
			continue
		}
		if !slices.ContainsFunc(p.words, func(o word) bool { return o.stem == words[i].stem }) {
			return true
		}
	}
	return false
}

// hasOtherSubject reports that the passage begins with a sentence that names somebody who does something and whom the point does not name:
// a name behind a preposition does nothing.
func (w *window) hasOtherSubject(p *point) bool {
	words := w.text.sentences[w.first].words
	for i := range words {
		if words[i].stem == "" || !w.text.isName(words, i) || i > 0 && (is("preposition", words[i-1].lower) || w.text.isName(words, i-1)) {
			continue
		}
		if !slices.ContainsFunc(p.words, func(o word) bool { return o.stem == words[i].stem }) {
			return true
		}
	}
	return false
}

// hasParts holds that each of the things that the point joins is spoken of.
func (w *window) hasParts(p *point) bool {
	if len(p.part) == 0 {
		return true
	}
	found := make([]int, p.part[len(p.part)-1]+1)
	for n, part := range p.part {
		if w.at[n] >= 0 {
			found[part]++
		}
	}
	return !slices.Contains(found, 0)
}

// substitutes reports a passage in the point's own words that has another word in the place of one.
func (w *window) substitutes(p *point) bool {
	if w.exact < 0.5 {
		return false
	}
	for n := range p.units {
		if w.at[n] < 0 && !p.verb(p.units[n]) && w.fills(w.neighbour(n, -1), w.neighbour(n, 1)) {
			return true
		}
	}
	return false
}

// neighbour is where the next unit before or behind stands that the passage has; -1 for none.
func (w *window) neighbour(n, step int) int {
	for n += step; n >= 0 && n < len(w.at); n += step {
		if w.at[n] >= 0 {
			return w.at[n]
		}
	}
	return -1
}

// fills reports a word of its own close between two places, or behind the one or before the other where there is only that.
func (w *window) fills(before, behind int) bool {
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
		if w.words[i].stem != "" && !slices.Contains(w.at, i) && !is("auxiliary", w.words[i].lower) && !w.words[i].isNumber() {
			return true
		}
	}
	return false
}

// reverses reports that two whom the point names have changed places: who did it and to whom it was done.
func (w *window) reverses(p *point) bool {
	var places []int
	last := -2
	for n, i := range p.units {
		if slices.Contains(p.names, i) && w.at[n] >= 0 {
			if i != last+1 {
				places = append(places, w.at[n])
			}
			last = i
		}
	}
	passive := slices.ContainsFunc(w.words, func(o word) bool { return o.lower == "by" })
	return len(places) == 2 && places[0] > places[1] && !passive
}
