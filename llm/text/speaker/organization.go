package speaker

import "slices"

func (r *page) hasOrganization(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return r.words[kindOrganization][t.lower] })
}

// findFirms finds the first words of the names of organizations: "Tarn Outdoor Group".
func (r *cast) findFirms() {
	r.firms = map[string]bool{}
	for i := 0; i < len(r.tokens); i++ {
		n := r.runLength(r.tokens[i:])
		if run := r.tokens[i : i+n]; n > 1 && r.hasOrganization(run[1:]) && !isFirstName(run[0]) {
			r.firms[run[0].lower] = true
		}
		i += max(0, n-1)
	}
}

// isOrganization reports whether a name is an organization's: by a word of it, by the noun in front
// of it, or because it begins like the name of one.
func (r *cast) isOrganization(from, to int) bool {
	return r.hasOrganization(r.tokens[from:to]) || r.followsOrganization(from) || r.firms[r.tokens[from].lower]
}

// isCapitalPhrase reports whether words in capital letters have a preposition that joins no name,
// as those of a heading.
func (r *page) isCapitalPhrase(run []token) bool {
	return r.inCapitals(run) && slices.ContainsFunc(run,
		func(t token) bool { return r.words[kindPreposition][t.lower] && !joiners[t.lower] })
}

// followsOrganization reports whether a name is an organization's by the noun in front of it:
// "l'association X".
func (r *page) followsOrganization(at int) bool {
	return at > 0 && !r.tokens[at-1].capital && r.isA(at-1, kindOrganization) && !isFirstName(r.tokens[at])
}
