package speaker

import "slices"

// isOutlet reports whether a name is that of a newspaper or a broadcaster which asks: no word of it
// is a first name, and the text mentions it after words for a talk: "X talked to Green Week".
func (r *cast) isOutlet(name []token) bool {
	return len(name) >= fullName && !slices.ContainsFunc(name, isFirstName) && r.talkedTo[joinTokens(name)]
}

// findTalkedTo collects the names after words for a talk.
func (r *cast) findTalkedTo() {
	r.talkedTo = map[string]bool{}
	for i := range r.tokens {
		n := max(r.words.matchLength(kindTalk, r.tokens[i:]), r.words.matchLength(kindInterview, r.tokens[i:]))
		for at := i + n; n > 0 && at <= min(i+n+1, len(r.tokens)-1); at++ {
			if run := r.runLength(r.tokens[at:]); run > 0 {
				r.talkedTo[joinTokens(r.tokens[at:at+run])] = true
				break
			}
		}
	}
}
