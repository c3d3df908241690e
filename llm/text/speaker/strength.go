package speaker

import "slices"

// The limits of the words between a name and its verb of saying.
const (
	appositionTokens = 20 // after the name
	invertedTokens   = 12 // after the verb
)

// isDirect reports whether a clause proves its subject directly: it has one verb of saying, whose
// subject is the person's full or last name beside it, and nobody else is named in it.
func (r *cast) isDirect(s subject, from, to int) bool {
	if r.isIntroducedRole(s, from, to) {
		return true
	}
	if s.of == nil || !r.showsPerson(s.of) || s.from < from || s.to > to || s.from >= s.to || !r.isOwnName(s) {
		return false
	}
	verb, n := r.directVerb(from, to)
	if verb < 0 || !r.onlyVerb(verb+n, to) || r.namesOther(from, to, s.of) || r.hasDoubt(from, to) {
		return false
	}
	if s.from < verb {
		return r.isFreeSubject(s, from) && r.isApposition(s.to, verb)
	}
	return r.isInverted(verb+n, s.from) && !r.isJoined(s.to, to)
}

// directVerb returns the first verb of saying of a clause, or the German "so" in its place.
func (r *quoted) directVerb(from, to int) (at, length int) {
	at, length = r.findVerb(from, to, from)
	if so := from + 1; at < 0 && r.german && so < to && joinTokens(r.tokens[from:so+1]) == ", so" {
		return so, 1
	}
	return at, length
}

// showsPerson reports whether a name is shown to be a person's, and no firm's, by a first name, a
// title, a pronoun or the metadata.
func (r *page) showsPerson(of *person) bool {
	return of.gender != anyGender || SameName(of.name, r.source.Executive)
}

// isIntroducedRole reports whether a clause is no more than a verb of saying and a role that the
// text introduces for one person and that nobody else has: "said the chief executive". The role has
// several words or is the abbreviation of an office that a firm has once, such as "CEO".
func (r *cast) isIntroducedRole(s subject, from, to int) bool {
	verb, n := r.findVerb(from, to, from)
	at := verb + n + 1
	if s.of == nil || verb < 0 || at >= to || !r.isA(at-1, kindDeterminer) || r.isA(at-1, kindUnnamed) {
		return false
	}
	length := r.roleAt(at, to)
	isWhole := at+length >= to || !r.tokens[at+length].word
	role := r.tokens[at : at+length]
	isOffice := length >= fullName || length == 1 && r.words[kindOffice][role[0].lower]
	return isOffice && isWhole && r.people.byRole(joinTokens(role)) == s.of && r.isHeldBy(role, s.of) &&
		r.onlyVerb(at, to) && !r.hasDoubt(from, to)
}

// isOwnName reports whether a subject is written with the person's full or last name, and not in
// the genitive.
func (r *cast) isOwnName(s subject) bool {
	if r.isPronoun(s.from) || r.tokens[s.to-1].possessive {
		return false
	}
	return r.wordsIn(s.from, s.to) >= fullName ||
		r.people.byPart(r.tokens[s.from].lower, r.titleGender(r.tokens, s.from)) == s.of
}

// isFreeSubject reports whether the name in front of a verb is no object and no part of a list.
func (r *page) isFreeSubject(s subject, from int) bool {
	at := s.from
	for at > from && (r.isA(at-1, kindTitle) || r.tokens[at-1].is(".") ||
		r.isRole(r.tokens[at-1].lower) || r.isA(at-1, kindDeterminer)) {
		at--
	}
	return at == from || !r.isA(at-1, kindPreposition, kindConjunction) && !r.tokens[at-1].possessive
}

// isJoined reports whether a further name or role is joined to one: "said X and Y".
func (r *page) isJoined(at, to int) bool {
	return at < to && r.isA(at, kindConjunction)
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

// isInverted reports whether the tokens between a verb and the name behind it are adverbs, titles
// and roles.
func (r *page) isInverted(from, name int) bool {
	if name-from > invertedTokens {
		return false
	}
	hasRole := false
	for i := from; i < name; i++ {
		word := r.tokens[i].lower
		n := max(r.roleAt(i, name), r.match(kindAdverb, i, name))
		switch {
		case n > 0:
			hasRole = hasRole || r.isRole(word)
			i += n - 1
		case hasRole || r.words[kindDeterminer][word] || r.words[kindTitle][word] || r.words[kindAuxiliary][word] ||
			r.words[kindReflexive][word]:
		case r.tokens[i].is(".") || r.tokens[i].capital:
		default:
			return false
		}
	}
	return true
}

// isStrong reports whether a voice proves the speaker of a passage strongly: its words are the
// voice's own, and not repeated from somebody else.
func (r *Reading) isStrong(v *voice, first, last int) bool {
	if v == nil || !v.direct {
		return false
	}
	isQuoted := v.proof == Quotation || v.proof == Report
	if !isQuoted && (r.isEmbedded(first) || r.isRelayedIn(first, last)) {
		return false
	}
	for i := first; i < last; i++ {
		isSpoken := r.tokens[i].word && r.voices[i] != silentVoice && r.voices[i] != clauseVoice
		if isSpoken && !r.isOwnWord(i, v, isQuoted) {
			return false
		}
	}
	return true
}

// isOwnWord reports whether a word is a voice's own, and neither repeated nor quoted by somebody
// else.
func (r *Reading) isOwnWord(at int, v *voice, isQuoted bool) bool {
	if !sameVoice(r.voices[at], v) || r.repeated[at] {
		return false
	}
	outer := r.outer[at]
	if !isQuoted {
		return !r.repeatsAt(at)
	}
	return outer == nil || outer == v || outer.name == ""
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

// isEmbedded reports whether a passage of a turn or a speech begins after a colon or a conjunction
// that may introduce words of somebody else, which no rule reads: "They wrote on the wall: WE
// STAY".
func (r *Reading) isEmbedded(first int) bool {
	at := first
	if at > 0 && !r.isA(at, kindThat) {
		at--
	}
	introduces := r.match(kindThat, at, first+1) > 0 || r.tokens[at].is(":") || r.german && r.tokens[at].is(",")
	if !introduces || r.voices[at] == silentVoice {
		return false
	}
	start := at
	for start > r.blocks[r.blockOf[at]].from && !r.isStop(start-1) && r.voices[start-1] != silentVoice {
		start--
	}
	switch {
	case start == at:
		return false
	case r.contains(kindCarrier, start, at): // "I heard that …"
		return true
	case r.tokens[at].is(",") && !r.contains(kindVerb, start, at):
		return false
	}
	return !slices.ContainsFunc(r.tokens[start:at], func(t token) bool { return r.words[kindFirstSubject][t.lower] })
}

// repeatsAt reports whether a token of a turn or a speech is in a quotation, which does not begin
// the turn.
func (r *script) repeatsAt(at int) bool {
	n := r.quoteOf[at]
	return n > 0 && r.isStatement(r.quotes[n-1]) && !r.opensTurn(r.quotes[n-1].from)
}

// isRepeated reports whether a passage is no more than words in quotation marks that the speaker
// repeats from somebody else: those inside a quotation, or those inside a turn, an answer or a
// speech.
func (r *script) isRepeated(v *voice, first, last int) bool {
	for i := first; i < last; i++ {
		n := r.quoteOf[i]
		isQuoted := n > 0 && r.quotes[n-1].by == nil && !r.quotes[n-1].isOwn && !r.opensTurn(r.quotes[n-1].from) &&
			v.proof != Quotation && v.proof != Report
		if r.tokens[i].word && !r.repeated[i] && !isQuoted {
			return false
		}
	}
	return true
}
