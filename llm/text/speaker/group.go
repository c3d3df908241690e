package speaker

// subjectOfGroup returns the full name at the start of a clause whose group ends directly in front
// of the verb: "X of the union said".
func (r *script) subjectOfGroup(from, to int) subject {
	at := from + 1
	if n := r.roleAt(min(at, to), to); n > 0 && r.isA(from, kindDeterminer) && !r.isA(from, kindUnnamed) &&
		r.isGroup(at+n, to) {
		return r.subjectOfRole(joinTokens(r.tokens[at:at+n]), to, to)
	}
	for from < to && (r.isA(from, kindTitle) || r.tokens[from].is(".")) {
		from++
	}
	at = from + r.nameAt(from, to)
	if at == from || r.wordsIn(from, at) < fullName && !r.hasTitle(r.tokens, from) ||
		r.hasOrganization(r.tokens[from:at]) || r.tokens[at-1].possessive {
		return subject{}
	}
	if !r.isGroup(at, to) || r.namesOther(at, to, r.mentionOf[from]) {
		return subject{}
	}
	return r.nameSubject(from, at)
}

// isGroup reports whether a range is a preposition and the words that belong to it.
func (r *page) isGroup(from, to int) bool {
	if from >= to || !r.isA(from, kindPreposition) || to-from > 2*roleReach {
		return false
	}
	return true
}

// subjectWithPlace returns the full name that ends in front of a preposition: "X of Bank Y".
func (r *cast) subjectWithPlace(from, at int) subject {
	for at > from && (r.isA(at-1, kindPreposition, kindDeterminer)) {
		at--
	}
	for i := max(from, at-longestRun); i < at; i++ {
		n := r.nameAt(i, at)
		if n == 0 || i+n != at || r.wordsIn(i, at) < fullName {
			i += max(n-1, 0)
			continue
		}
		if r.hasOrganization(r.tokens[i:at]) || i > from && r.isA(i-1, kindPreposition) || r.tokens[at-1].possessive {
			return subject{}
		}
		return r.nameSubject(i, at)
	}
	return subject{}
}
