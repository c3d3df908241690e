package cover

import (
	"slices"
	"strings"
)

// tense is when, or how surely, something is.
type tense int

const (
	unknown tense = iota
	present
	past
	perfect
	future
	hedged // it may be, or somebody hopes so
	former // it was once and is no more
)

// clashes says which tenses of a passage do not make a point of a tense.
var clashes = map[tense][]tense{
	unknown: {future, hedged, former},
	present: {future, hedged, former, past},
	past:    {future, hedged, present},
	perfect: {future, hedged, former},
	future:  {past, perfect, hedged, former},
	former:  {future, hedged},
}

// reach is how many words before a matched one still speak of it.
const reach = 5

// timeOf is the tense of what the chosen words tell: of the word nearest before them that has one, or of themselves.
func timeOf(words []word, chosen func(int) bool) tense {
	found := unknown
	for i := range words {
		if !chosen(i) {
			continue
		}
		for j := i; j >= max(0, i-reach); j-- {
			if when := tenseAt(words, j, i); when != unknown {
				found = max(found, when)
				break
			}
			if words[j].first { // what stands before is another sentence's
				break
			}
		}
	}
	return found
}

// tenseAt is the tense that word j gives to word i behind it.
func tenseAt(words []word, j, i int) tense {
	w := words[j].lower
	to := j+1 < len(words) && words[j+1].lower == "to" || j+2 < len(words) && words[j+2].lower == "to"
	switch {
	case is("former", w) && (w != "used" || j+1 < len(words) && words[j+1].lower == "to" && !hasBefore(words, j, "is", "are", "be", "been")):
		return former
	case is("hedge", w) && !(w == "may" && words[j].capital && !words[j].first):
		return hedged
	case is("future", w):
		return future
	case (w == "expected" || w == "due" || w == "scheduled") && !to && hasBefore(words, j, "is", "are"):
		return future
	case is("future2", w) && to:
		if strings.HasPrefix(w, "hop") || strings.HasPrefix(w, "want") || strings.HasPrefix(w, "plan") || strings.HasPrefix(w, "aim") || strings.HasPrefix(w, "intend") {
			return hedged
		}
		return future
	case is("perfect", w):
		if i > j && participle(words[i].lower) {
			return perfect
		}
		return present
	case is("past", w):
		return past
	case w == "is" || w == "are" || w == "am" || w == "do" || w == "does":
		return present
	case j == i && (participle(w) && !words[j].first || is("irregular", w)):
		if hasBefore(words, j, "is", "are", "be", "being", "been", "has", "have", "was", "were", "had") {
			return unknown
		}
		return past
	}
	return unknown
}

func participle(w string) bool {
	return strings.HasSuffix(w, "ed") && len(w) > 4 || is("irregular", w) || is("participle", w)
}

// hasBefore reports one of the words close before a place.
func hasBefore(words []word, at int, any ...string) bool {
	for j := max(0, at-4); j < at; j++ {
		for _, w := range any {
			if words[j].lower == w {
				return true
			}
		}
	}
	return false
}

// negations counts what denies the chosen words: a negator before one of them in its clause, or close behind.
func negations(words []word, chosen func(int) bool) int {
	count := 0
	for i := range words {
		negator := is("negator", words[i].lower) || strings.HasSuffix(words[i].lower, "n't")
		if negator && !(words[i].stem != "" && chosen(i)) && denies(words, i, chosen) {
			count++
		}
	}
	return count
}

// denies reports a chosen word in the reach of a negator and in its clause.
func denies(words []word, i int, chosen func(int) bool) bool {
	for j := i + 1; j <= min(len(words)-1, i+7) && !words[j].apart; j++ {
		if chosen(j) {
			return true
		}
	}
	for j := i - 1; j >= max(0, i-3) && !words[j+1].apart; j-- {
		if chosen(j) {
			return true
		}
	}
	return false
}

// partial reports that a point of all is met by a passage of some.
func partial(point, passage []word) bool {
	has := func(kind string, words []word) bool {
		return slices.ContainsFunc(words, func(w word) bool { return is(kind, w.lower) })
	}
	return has("all", point) && has("some", passage) && !has("all", passage)
}
