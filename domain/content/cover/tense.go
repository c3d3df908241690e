package cover

import (
	"slices"
	"strings"
)

// tense is the time or certainty of a statement.
type tense int

const (
	unknown tense = iota
	present
	past
	perfect
	future
	hedged // possible or hoped for
	former // true in the past only
)

// tenseConflicts maps the tense of a point to the tenses of passages that do not make it.
var tenseConflicts = map[tense][]tense{
	unknown: {future, hedged, former},
	present: {future, hedged, former, past},
	past:    {future, hedged, present},
	perfect: {future, hedged, former},
	future:  {past, perfect, hedged, former},
	former:  {future, hedged},
}

// tenseReach is the number of words searched for a tense ahead of a matched word.
const tenseReach = 5

// tenseOf returns the tense of the chosen words, taken from the nearest preceding word with a tense or from the words themselves.
func tenseOf(words []taggedWord, chosen func(int) bool) tense {
	found := unknown
	for i := range words {
		if !chosen(i) {
			continue
		}
		for j := i; j >= max(0, i-tenseReach); j-- {
			if when := tenseAt(words, j, i); when != unknown {
				found = max(found, when)
				break
			}
			if words[j].first { // earlier words belong to another sentence
				break
			}
		}
	}
	return found
}

// tenseAt returns the tense that word j sets for the later word i.
func tenseAt(words []taggedWord, j, i int) tense {
	w := words[j].lower
	to := j+1 < len(words) && words[j+1].lower == "to" || j+2 < len(words) && words[j+2].lower == "to"
	switch {
	case isKind("former", w) && (w != "used" || j+1 < len(words) && words[j+1].lower == "to" && !hasBefore(words, j, "is", "are", "be", "been")):
		return former
	case isKind("hedge", w) && !(w == "may" && words[j].capital && !words[j].first):
		return hedged
	case isKind("future", w):
		return future
	case (w == "expected" || w == "due" || w == "scheduled") && !to && hasBefore(words, j, "is", "are"):
		return future
	case isKind("future2", w) && to:
		if strings.HasPrefix(w, "hop") || strings.HasPrefix(w, "want") || strings.HasPrefix(w, "plan") || strings.HasPrefix(w, "aim") || strings.HasPrefix(w, "intend") {
			return hedged
		}
		return future
	case isKind("perfect", w):
		if i > j && isParticiple(words[i].lower) {
			return perfect
		}
		return present
	case isKind("past", w):
		return past
	case w == "is" || w == "are" || w == "am" || w == "do" || w == "does":
		return present
	case j == i && (isParticiple(w) && !words[j].first || isKind("irregular", w)):
		if hasBefore(words, j, "is", "are", "be", "being", "been", "has", "have", "was", "were", "had") {
			return unknown
		}
		return past
	}
	return unknown
}

func isParticiple(w string) bool {
	return strings.HasSuffix(w, "ed") && len(w) > 4 || isKind("irregular", w) || isKind("participle", w)
}

// hasBefore reports whether any of the words occurs among the four words ahead of a position.
func hasBefore(words []taggedWord, at int, any ...string) bool {
	for j := max(0, at-4); j < at; j++ {
		for _, w := range any {
			if words[j].lower == w {
				return true
			}
		}
	}
	return false
}

// countNegations returns the number of negators that apply to the chosen words.
func countNegations(words []taggedWord, chosen func(int) bool) int {
	count := 0
	for i := range words {
		negator := isKind("negator", words[i].lower) || strings.HasSuffix(words[i].lower, "n't")
		if negator && !(words[i].stem != "" && chosen(i)) && negatesWord(words, i, chosen) {
			count++
		}
	}
	return count
}

// negatesWord reports whether a negator has a chosen word within its reach and clause.
func negatesWord(words []taggedWord, i int, chosen func(int) bool) bool {
	for j := i + 1; j <= min(len(words)-1, i+7) && !words[j].afterComma; j++ {
		if chosen(j) {
			return true
		}
	}
	for j := i - 1; j >= max(0, i-3) && !words[j+1].afterComma; j-- {
		if chosen(j) {
			return true
		}
	}
	return false
}

// isPartial reports whether the point is about all and the passage about some.
func isPartial(point, passage []taggedWord) bool {
	has := func(kind string, words []taggedWord) bool {
		return slices.ContainsFunc(words, func(w taggedWord) bool { return isKind(kind, w.lower) })
	}
	return has("all", point) && has("some", passage) && !has("all", passage)
}
