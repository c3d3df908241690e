package speaker

import "strings"

// phraseWords is the number of words of a noun phrase in front of a name: "l'élu écologiste X".
const phraseWords = 3

// markRoles marks the German nouns in front of a full name that begins with a known first name, which are roles: "Verteidigerin X". In front of a last
// name the same noun is a role too.
func (r *Reading) markRoles() {
	if !r.german {
		return
	}
	roles := map[string]bool{}
	for i := range r.tokens {
		t := r.tokens[i]
		isNoun := t.word && t.capital && !t.upper && r.isNameWord(t) && !r.isFunctionWord(t.lower) && !isFirstName(t)
		isFeminine := strings.HasSuffix(t.lower, "in") && i+fullName < len(r.tokens) && r.isNameWord(r.tokens[i+1]) && r.isNameWord(r.tokens[i+fullName])
		if isNoun && (isFeminine || r.beginsFullName(i+1)) && r.blockOf[i] == r.blockOf[i+1] {
			roles[t.lower] = true
		}
	}
	for i := range r.tokens[:max(0, len(r.tokens)-1)] {
		if roles[r.tokens[i].lower] && r.isNameWord(r.tokens[i]) && r.isNameWord(r.tokens[i+1]) {
			r.tokens[i].role = true
		}
	}
}

// beginsFullName reports whether a known first name and a further word of a name are at a token.
func (r *Reading) beginsFullName(at int) bool {
	return at+1 < len(r.tokens) && r.tokens[at].capital && isFirstName(r.tokens[at]) && r.runLength(r.tokens[at:at+fullName]) == fullName
}

// isFirstName reports whether a word is a first name of any language, alone or with a hyphen.
func isFirstName(t token) bool {
	first, _, _ := strings.Cut(t.lower, "-")
	return firstNameGender(first) != anyGender
}

// phraseName returns the position of the full name that ends a noun phrase with an article: "l'élu écologiste X"; 0 without one.
func (r *Reading) phraseName(at, to int) int {
	if r.german || !r.words[kindDeterminer][r.tokens[at].lower] && !r.words[kindPossessive][r.tokens[at].lower] {
		return 0
	}
	for i := at + 1; i <= min(at+phraseWords+1, to-fullName); i++ {
		switch t := r.tokens[i]; {
		case i > at+1 && r.beginsFullName(i):
			return i
		case t.is(",") && i > at+1:
			if r.beginsFullName(i + 1) {
				return i + 1
			}
			return 0
		case !t.word || t.capital || r.isFunctionWord(t.lower):
			return 0
		}
	}
	return 0
}
