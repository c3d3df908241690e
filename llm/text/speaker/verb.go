package speaker

// separableReach is the number of tokens between a German verb and its prefix.
const separableReach = 7

// findVerb returns the first verb of saying in a range, from a position on; -1 without one.
func (r *quoted) findVerb(from, to, after int) (at, length int) {
	for i := max(from, after); i < to; i++ {
		n := max(r.match(kindVerb, i, to), r.prefixLength(kindVerb, i, to))
		if n == 0 || r.quoteOf[i] > 0 {
			continue
		}
		if i > from && (r.isPassive(i) || r.isA(i-1, kindPlural) || r.isNoun(i)) {
			continue
		}
		return i, n
	}
	return -1, 0
}

// isPassive reports whether a verb follows an auxiliary of the passive, which is not reflexive:
// "was told", but not "s'est amusé".
func (r *page) isPassive(at int) bool {
	return at > 0 && r.isA(at-1, kindPassive) && !(at > 1 && r.isA(at-fullName, kindReflexive))
}

// prefixLength returns 1 if a German verb of a kind is at a token whose prefix ends the clause:
// "Dagegen wendet X ein, …"; 0 without one.
func (r *page) prefixLength(kind string, at, to int) int {
	for i := at + fullName; r.german && i < min(to, at+separableReach) && r.tokens[i].word; i++ {
		ends := i+1 == to || r.tokens[i+1].is(",.:;")
		if ends && r.words[kind][r.tokens[at].lower+" "+r.tokens[i].lower] {
			return 1
		}
	}
	return 0
}

// isNoun reports whether a word in the form of a verb is a noun: it follows an article or a
// preposition.
func (r *page) isNoun(at int) bool {
	before := r.tokens[at-1].lower
	return !r.words[kindAuxiliary][before] && (r.words[kindDeterminer][before] || r.words[kindPreposition][before])
}

// skipAuxiliaries returns the position in front of the auxiliaries and adverbs of a verb.
func (r *quoted) skipAuxiliaries(from, at int) int {
	for at > from {
		n := r.adverbBefore(from, at)
		if n == 0 && r.isA(at-1, kindAuxiliary) && !r.isPronoun(at-1) {
			n = 1
		}
		if n == 0 {
			break
		}
		at -= n
	}
	if r.german && at > from && !r.isA(at, kindAuxiliary) {
		return r.skipPerfect(from, at)
	}
	return at
}

// longestAdverb is the maximum number of words of an adverb.
const longestAdverb = 3

// adverbBefore returns the number of tokens of the adverb that ends in front of a position; 0
// without one.
func (r *page) adverbBefore(from, at int) int {
	for n := min(longestAdverb, at-from); n > 0; n-- {
		if (n > 1 || !r.isPronoun(at-1)) && r.words[kindAdverb][joinTokens(r.tokens[at-n:at])] {
			return n
		}
	}
	return 0
}

// skipPerfect returns the position of the auxiliary that is apart from its participle: "X hat zum
// Abschied gesagt"; the position itself without one.
func (r *quoted) skipPerfect(from, participle int) int {
	for i := participle - 1; i >= max(from, participle-doubtReach) && !r.tokens[i].is(",;:("+dashMarks) &&
		r.quoteOf[i] == 0; i-- {
		if r.isA(i, kindAuxiliary) {
			return i
		}
	}
	return participle
}

func (r *page) hasWords(from, to int) bool {
	for i := from; i < to; i++ {
		n := r.match(kindAdverb, i, to)
		if r.tokens[i].word && n == 0 {
			return true
		}
		i += max(n-1, 0)
	}
	return false
}

// saysFirst reports whether a verb of saying, with its auxiliaries, and a comma are at a position.
func (r *quoted) saysFirst(at, to int) bool {
	verb, n := r.findVerb(at, min(to, at+fullName+1), at)
	return verb >= 0 && r.skipAuxiliaries(at, verb) == at && verb+n < to && r.tokens[verb+n].is(",")
}
