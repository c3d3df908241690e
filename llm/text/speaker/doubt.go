package speaker

// mostVerbs is the maximum number of verbs of saying in a clause whose speaker is clear.
const mostVerbs = 8

// doubtReach is the number of tokens in front of a verb in which a modal verb belongs to it.
const doubtReach = 8

// hasDoubt reports whether a clause does not assert that its subject spoke: it has a condition, a
// negation, a possibility or hearsay.
func (r *quoted) hasDoubt(from, to int) bool {
	if r.contains(kindHearsay, from, to) {
		return true
	}
	if to-1 > from && r.tokens[to-1].is(":") && r.isA(to-fullName, kindModal) {
		return true
	}
	if r.isA(from, kindSubordinate) { // "Asked whether she had a plan, X said"
		for i := from; i < to && i < from+appositionTokens; i++ {
			if r.tokens[i].is(",") {
				from = i + 1
				break
			}
		}
	}
	verbs := 0
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+n) {
		if verbs++; verbs > mostVerbs || r.isNegated(from, at, at+n) || r.isPossible(from, at) {
			return true
		}
	}
	return false
}

// isPossible reports whether a modal verb belongs to a verb of saying, or a conjunction makes it a
// condition: "X would say", "if X said".
func (r *page) isPossible(from, verb int) bool {
	for i := verb - 1; i >= max(from, verb-doubtReach) && !r.tokens[i].is(","); i-- {
		if r.match(kindModal, i, verb) > 0 || r.match(kindConditional, i, verb) > 0 {
			return true
		}
	}
	return false
}

// isUncertain reports whether the clause of a quotation has a doubt, or a source as well as a verb
// of saying, so that somebody hears the words from somebody else: "according to X, the mayor said:
// …".
func (r *Reading) isUncertain(from, to int) bool {
	return r.hasDoubt(from, to) || r.isRelayed(from, to)
}

// isRelayed reports whether a clause has a source and, after it, a verb of saying.
func (r *Reading) isRelayed(from, to int) bool {
	if _, ok := r.sourceOf(from, to); !ok {
		return false
	}
	for i := from; i < to; i++ {
		if n := r.match(kindAccording, i, to); n > 0 && (i == from || !r.tokens[i-1].word) {
			verb, length := r.findVerb(i+n, to, i+n)
			return verb > i+n && !(verb+length < to && r.tokens[verb+length].is(",")) &&
				(r.introducesReport(verb, length, to) || r.quotesIn(from, to))
		}
	}
	return false
}

// quotesIn reports whether a range has words in quotation marks, or ends in front of them.
func (r *quoted) quotesIn(from, to int) bool {
	for i := from; i < min(to+1, len(r.tokens)); i++ {
		if r.quoteOf[i] > 0 {
			return true
		}
	}
	return false
}

// carrierReach is the number of tokens between a verb and the thing with words that is its object.
const carrierReach = 3

// hasCarrier reports whether the object of the last verb in front of a quotation is a thing with
// words of its own: "X holds up a sign: …".
func (r *page) hasCarrier(from, to int) bool {
	for i := to - 1; i > max(from, to-carrierReach-1); i-- {
		isObject := r.isA(i-1, kindDeterminer) && i-2 >= from && r.tokens[i-2].word && !r.isA(i-2, kindPreposition)
		if r.isA(i, kindCarrier) && isObject {
			return true
		}
	}
	return false
}

// hasOtherSentence reports whether a further sentence between two quotations has a subject that is
// not the person: "…", said X. Her brother nods. "…"
func (r *script) hasOtherSentence(from, to int, p *person) bool {
	if from >= to || !r.tokens[from].capital || !r.tokens[from-fullName].is(stopMarks) {
		from = r.stopAfter(from, to) + 1
	}
	for from < to {
		end := r.stopAfter(from, to)
		s := r.sentenceSubject(from, end, false)
		isOwn := s.of != nil && s.of == p || s.of == nil && r.isPronoun(from) || r.isSubjectless(from, end) ||
			r.german && r.isIndirect(tokenRange{from, end})
		if end-from >= fewestQuoted && !isOwn {
			return true
		}
		from = end + 1
	}
	return false
}

// stopAfter returns the position of the mark that ends the sentence at a position.
func (r *layout) stopAfter(at, to int) int {
	for at < to && !r.isStop(at) {
		at++
	}
	return at
}
