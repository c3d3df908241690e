package speaker

// doubtReach is the number of tokens in front of a verb in which a modal verb belongs to it.
const doubtReach = 8

// hasDoubt reports whether a clause does not assert that its subject spoke: it has a condition, a negation, a possibility or hearsay.
func (r *Reading) hasDoubt(from, to int) bool {
	if r.words.contains(kindHearsay, r.tokens[from:to]) {
		return true
	}
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+n) {
		if r.isNegated(from, at, at+n) || r.isPossible(from, at) {
			return true
		}
	}
	return false
}

// isPossible reports whether a modal verb belongs to a verb of saying, or a conjunction makes it a condition: "X would say", "if X said".
func (r *Reading) isPossible(from, verb int) bool {
	for i := verb - 1; i >= max(from, verb-doubtReach) && !r.tokens[i].is(","); i-- {
		if r.words.matchLength(kindModal, r.tokens[i:verb]) > 0 || r.words.matchLength(kindConditional, r.tokens[i:verb]) > 0 {
			return true
		}
	}
	return false
}
