package speaker

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

// saysFirst reports whether a verb of saying, with its auxiliaries, and a comma are at a position.
func (r *quoted) saysFirst(at, to int) bool {
	verb, n := r.findVerb(at, min(to, at+fullName+1), at)
	return verb >= 0 && r.skipAuxiliaries(at, verb) == at && verb+n < to && r.tokens[verb+n].is(",")
}

// directVerb returns the first verb of saying of a clause, or the German "so" in its place.
func (r *quoted) directVerb(from, to int) (at, length int) {
	at, length = r.findVerb(from, to, from)
	if so := from + 1; at < 0 && r.german && so < to && joinTokens(r.tokens[from:so+1]) == ", so" {
		return so, 1
	}
	return at, length
}

// isApposition reports whether the tokens between a name and the verb behind it are adverbs, or an
// apposition in commas or brackets.
func (r *quoted) isApposition(from, verb int) bool {
	end := r.skipAuxiliaries(from, verb)
	if end == from {
		return true
	}
	if end-from > appositionTokens || !r.tokens[from].is(",(–—") || !r.tokens[end-1].is(",)–—") {
		return false
	}
	for i := from; i < end; i++ {
		if word := r.tokens[i].lower; r.words[kindThat][word] || r.words[kindRelative][word] ||
			r.words[kindSubordinate][word] {
			return false
		}
	}
	return true
}

// isRelayedIn reports whether a passage of a turn or a speech is in the subjunctive of indirect
// speech or after a phrase of hearsay, or is a note in brackets.
func (r *quoted) isRelayedIn(first, last int) bool {
	from := first
	for from < last && r.tokens[from].is("*_") {
		from++
	}
	if from < last && r.tokens[from].is("(") {
		return true
	}
	start := r.sentenceStart(first)
	return r.german && (r.isIndirect(tokenRange{first, last}) || r.contains(kindHearsay, start, last))
}

// voiceAbove returns the voice of the quotation in the paragraph above, for a paragraph that is one
// quotation.
func (r *quoted) voiceAbove(n int, b block) *voice {
	q := r.quotes[n]
	if n == 0 || q.from != b.from || q.to != b.to {
		return nil
	}
	before := r.quotes[n-1]
	above := r.blockOf[before.from]
	if above+1 != r.blockOf[q.from] || before.by == nil || before.by.of == nil ||
		r.clauseEnd(n-1, r.blocks[above]) != r.blocks[above].to {
		return nil
	}
	return before.by.weakened()
}

// onlyVerb reports whether no verb of saying follows in a range.
func (r *quoted) onlyVerb(from, to int) bool {
	at, _ := r.findVerb(from, to, from)
	return at < 0
}

// clauseEnd returns the end of the words after a quotation: in front of the next sentence or
// quotation.
func (r *quoted) clauseEnd(n int, b block) int {
	end := r.quotes[n].to
	if r.quotes[n].closed && r.beginsAnother(end, b) {
		return end
	}
	for end < b.to && (r.quoteOf[end] == 0 || !r.isStatement(r.quotes[r.quoteOf[end]-1])) {
		if end++; r.quoteOf[end-1] == 0 && r.isStop(end-1) {
			break
		}
	}
	return end
}

// shortClause is the number of words of "X said." after a quotation that ends with a full stop.
const shortClause = 4

// beginsAnother reports whether a sentence of its own, and no clause of the quotation, is behind a
// closed quotation.
func (r *quoted) beginsAnother(at int, b block) bool {
	if at >= b.to || !r.tokens[at].capital || !r.tokens[at-2].is(stopMarks) || !r.tokens[at-1].is(anyQuote) {
		return false
	}
	next := at
	for next < b.to && (r.quoteOf[next] > 0 || !r.isStop(next)) {
		next++
	}
	isLong := r.wordsIn(at, next) > shortClause && r.tokens[at-2].is(".")
	return isLong || r.onlyVerb(at, next) || r.isA(at, kindFirstSubject)
}

// splitClauses returns the sentences, split at the semicolons after which a verb introduces further
// reported words: "X asks for it; Y answers that …".
func (r *quoted) splitClauses() []tokenRange {
	var all []tokenRange
	for _, s := range r.sentences {
		for i := s.to - 1; i > s.from; i-- {
			if !r.tokens[i].is(";") || r.quoteOf[i] > 0 {
				continue
			}
			verb, n := r.findVerb(i+1, min(s.to, i+closingReach), i+1)
			if verb >= 0 && r.introducesReport(verb, n, s.to) {
				all = append(all, tokenRange{i + 1, s.to})
				s.to = i + 1
			}
		}
		all = append(all, s)
	}
	return all
}

// endsSubjectless reports whether no more than a short adverbial follows the verb of a clause
// without a subject: "…, explica entre risas."
func (r *quoted) endsSubjectless(at, to int) bool {
	if at >= to || !r.tokens[at].word {
		return true
	}
	word := r.tokens[at].lower
	return r.wordsIn(at, to) <= closingWords &&
		(r.words[kindPreposition][word] || r.words[kindAdverb][word]) && r.onlyVerb(at, to)
}

// introducesReport reports whether a verb introduces indirect speech.
func (r *quoted) introducesReport(at, n, to int) bool {
	next := r.skipInsertion(at+n, to, insertedTokens)
	if next >= to {
		return false
	}
	word := joinTokens(r.tokens[at : at+n])
	if r.thatFollows(next, to) || r.subjunctiveFollows(next, to) || r.introducesInfinitive(at, n, to) ||
		r.words[kindDemand][word] && r.isA(next, kindDeterminer) || r.tokens[next].is(":") {
		return true
	}
	switch {
	case !r.words[kindOpenVerb][word]:
		return false
	case r.german:
		return r.tokens[next].is(",")
	}
	return r.tokens[next].word && (!r.isA(next, kindPreposition) || r.match(kindAdverb, next, to) > 1)
}

// subjunctiveFollows reports whether a comma and a German clause in the subjunctive are near a
// position.
func (r *quoted) subjunctiveFollows(at, to int) bool {
	comma := at
	for r.german && comma < min(to-1, at+commaReach) && r.tokens[comma].word {
		comma++
	}
	return r.german && r.tokens[comma].is(",") && r.hasSubjunctive(tokenRange{comma + 1, min(to, comma+1+closingReach)})
}
