package speaker

import "slices"

// isOutlet reports whether a name is that of a newspaper or a broadcaster which asks: no word of it is a first name, and the text mentions it after words for
// a talk: "X talked to Green Week".
func (r *Reading) isOutlet(name []token) bool {
	if len(name) < fullName || slices.ContainsFunc(name, isFirstName) {
		return false
	}
	written := joinTokens(name)
	for i := range r.tokens {
		n := max(r.words.matchLength(kindTalk, r.tokens[i:]), r.words.matchLength(kindInterview, r.tokens[i:]))
		for k := i + n; n > 0 && k <= i+n+1 && k+len(name) <= len(r.tokens); k++ {
			if joinTokens(r.tokens[k:k+len(name)]) == written {
				return true
			}
		}
	}
	return false
}
