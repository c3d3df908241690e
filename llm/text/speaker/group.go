package speaker

// subjectOfGroup returns the full name at the start of a clause whose group ends directly in front
// of the verb: "X of the union said".
func (r *Reading) subjectOfGroup(from, to int) subject {
	if at := from + 1; at < to && r.words[kindDeterminer][r.tokens[from].lower] &&
		r.isGroup(at+r.roleLength(r.tokens[at:to]), to) {
		if n := r.roleLength(r.tokens[at:to]); n > 0 && !r.words[kindUnnamed][r.tokens[from].lower] {
			return r.subjectOfRole(joinTokens(r.tokens[at:at+n]), to, to)
		}
	}
	for from < to && (r.words[kindTitle][r.tokens[from].lower] || r.tokens[from].is(".")) {
		from++
	}
	at := from + r.runLength(r.tokens[from:to])
	if countWords(r.tokens[from:at]) < fullName && !(at > from && r.hasTitle(r.tokens, from)) || at >= to ||
		r.hasOrganization(r.tokens[from:at]) || r.tokens[at-1].possessive {
		return subject{}
	}
	if !r.isGroup(at, to) || r.namesOther(at, to, r.mentionOf[from]) {
		return subject{}
	}
	return r.nameSubject(from, at)
}

// isGroup reports whether a range is a preposition and the words that belong to it.
func (r *Reading) isGroup(from, to int) bool {
	if from >= to || !r.words[kindPreposition][r.tokens[from].lower] || to-from > 2*roleReach {
		return false
	}
	for i := from; i < to; i++ {
		if !r.tokens[i].word || r.words[kindSubordinate][r.tokens[i].lower] ||
			r.words[kindRelative][r.tokens[i].lower] {
			return false
		}
	}
	return true
}

// subjectWithPlace returns the full name that ends in front of a preposition: "X of Bank Y".
func (r *Reading) subjectWithPlace(from, at int) subject {
	for at > from && (r.words[kindPreposition][r.tokens[at-1].lower] || r.words[kindDeterminer][r.tokens[at-1].lower]) {
		at--
	}
	for i := max(from, at-longestRun); i < at; i++ {
		n := r.runLength(r.tokens[i:at])
		if n == 0 || i+n != at || countWords(r.tokens[i:at]) < fullName {
			i += max(n-1, 0)
			continue
		}
		if r.hasOrganization(r.tokens[i:at]) || i > from && r.words[kindPreposition][r.tokens[i-1].lower] ||
			r.tokens[at-1].possessive {
			return subject{}
		}
		return r.nameSubject(i, at)
	}
	return subject{}
}
