package speaker

import "slices"

// showsPerson reports whether a name is shown to be a person's, and no firm's, by a first name, a
// title, a pronoun or the metadata.
func (r *page) showsPerson(of *person) bool {
	return of.gender != anyGender || SameName(of.name, r.source.Executive)
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

func (r *page) endsWith(at int, marks string) bool { return at > 0 && r.tokens[at-1].is(marks) }

// skipConjunctions returns the position after the conjunctions at the start of a sentence.
func (r *page) skipConjunctions(from, to int) int {
	for from < to && r.isA(from, kindConjunction) {
		from++
	}
	return from
}

// beginsSubject reports whether a noun with an article, which may be the subject, is in front of a
// verb: "Die Staatsanwaltschaft wirft X vor, …".
func (r *page) beginsSubject(from, verb int) bool {
	return from+1 < verb && r.isA(from, kindDeterminer) && !r.isA(from, kindPreposition) && !r.hasComma(from, verb)
}

// negationReach is the number of tokens in front of a verb in which a negation belongs to it.
const negationReach = 2

// isNegated reports whether a clause does not assert that the words of a verb were spoken: "X never
// claimed that …", "if X claimed that …".
func (r *page) isNegated(from, at, end int) bool {
	if r.isA(from, kindConditional) && !r.hasComma(from, at) {
		return true
	}
	return r.contains(kindNegation, max(from, at-negationReach), at) || end < len(r.tokens) && r.isA(end, kindNegation)
}

func (r *page) hasComma(from, to int) bool {
	for i := from; i < to; i++ {
		if r.tokens[i].is(",") {
			return true
		}
	}
	return false
}

// skipInsertion returns the position after words between commas, with the commas at most so many
// tokens: ", sin embargo,", ", tío de la concejala,"; the position itself without them.
func (r *page) skipInsertion(at, to, most int) int {
	for i := at + 1; at < to && r.tokens[at].is(",") && i < min(to, at+most); i++ {
		if r.tokens[i].is(",") {
			return i + 1
		}
	}
	return at
}

// thatReach is the number of tokens after a verb in which a conjunction introduces indirect speech.
const thatReach = 8

// thatFollows reports whether a conjunction of indirect speech is near a position.
func (r *page) thatFollows(at, to int) bool {
	for i := at; i < min(to, at+thatReach); i++ {
		if r.match(kindThat, i, to) > 0 {
			return true
		}
		if !r.german && r.tokens[i].is(",") {
			return false
		}
	}
	return false
}

// findNestedVerb returns the first verb of saying in a range, also one of several people or a
// passive one: "they have said", "we were told"; -1 without one.
func (r *page) findNestedVerb(from, to int) (at, length int) {
	for i := from; i < to; i++ {
		if n := r.match(kindVerb, i, to); n > 0 && (i == from || !r.isNoun(i)) {
			return i, n
		}
	}
	return -1, 0
}

// isOwnVerb reports whether a verb of saying has the first person for its subject, or a person who
// is addressed.
func (r *page) isOwnVerb(from, at, end, to int) bool {
	own := func(t token) bool { return r.words[kindFirstSubject][t.lower] }
	start := at
	for start > max(from, at-thatReach) && !r.tokens[start-1].is(",;") {
		start--
	}
	return slices.ContainsFunc(r.tokens[start:at], own) || end < to && own(r.tokens[end])
}

// skipObject returns the position after the pronouns between a verb and its subject.
func (r *page) skipObject(at, end int) int {
	for at < end && (r.isA(at, kindReflexive) || r.isA(at, kindHim, kindHer) && !r.isPronoun(at)) {
		at++
	}
	return at
}

// isSubjectless reports whether a clause with a verb of saying has no subject of its own, as
// Spanish allows: "…", añadió en la radio.
func (r *page) isSubjectless(from, to int) bool {
	for i := from; r.drops && i < to; i++ {
		switch {
		case r.endsClause(i, from, to):
			return true
		case !r.tokens[i].word, i > from && r.isObject(from, i):
		case r.isPronoun(i), r.isA(i, kindDeterminer) && !r.isA(i, kindAuxiliary), r.isRole(r.tokens[i].lower),
			r.tokens[i].capital && i > from && r.nameAt(i, to) > 0:
			return false
		}
	}
	return r.drops
}

// endsClause reports whether a Spanish clause ends at a token: at a conjunction, or at a comma with
// one.
func (r *page) endsClause(i, from, to int) bool {
	switch r.tokens[i].lower {
	case "mientras", "cuando", "tras":
		return true
	}
	// "dice, y suelta una carcajada"
	return r.isA(i, kindThat) || r.tokens[i].is(",") && i > from+1 && i+1 < to && r.isA(i+1, kindConjunction)
}

// voiceBy returns the voice of a subject.
func (r *page) voiceBy(s subject, proof Proof) *voice {
	return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: proof}
}

// quotedSubject returns the voice of a person whom a quotation may have; the unknown one without a
// person.
func (r *page) quotedSubject(s subject) *voice {
	if s.of == nil {
		return unknownVoice
	}
	return r.voiceBy(s, Quotation)
}

// followsAdverbial reports whether a verb is in front of its subject: "Am Montag sagte Karin Vogt".
func (r *page) followsAdverbial(verb int) bool {
	return verb+1 < len(r.tokens) && (r.isPronoun(verb+1) || r.tokens[verb+1].capital || r.isA(verb+1, kindDeterminer))
}

// isGroup reports whether a range is a preposition and the words that belong to it.
func (r *page) isGroup(from, to int) bool {
	if from >= to || !r.isA(from, kindPreposition) || to-from > 2*roleReach {
		return false
	}
	return true
}

// doubtReach is the number of tokens in front of a verb in which a modal verb belongs to it.
const doubtReach = 8

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

func (r *page) isPronoun(i int) bool {
	return r.isA(i, kindShe, kindHe)
}

// isOblique reports whether a pronoun after a preposition is at a position: "selon lui".
func (r *page) isOblique(at, to int) bool {
	return at < to && (r.isA(at, kindHer, kindHim)) &&
		!r.isA(at, kindDeterminer) && (at+1 == to || !r.tokens[at+1].capital)
}

// officeOf returns the number of tokens after the first word of an organization of several words,
// "of" and a name, if a role is behind them, and else 0.
func (r *page) officeOf(at, to int) int {
	if at >= to || r.tokens[at].lower != "of" {
		return 0
	}
	n := r.nameAt(at+1, to)
	if n == 0 || r.roleAt(at+1+n, to) == 0 {
		return 0
	}
	return n + 1
}

// skipBeforeSubject returns the number of tokens of an adverb, an auxiliary or a title.
func (r *page) skipBeforeSubject(i, from, to int) int {
	if n := r.match(kindAdverb, i, to); n > 0 {
		return n
	}
	if i == from && r.isA(i, kindAuxiliary) || r.isA(i, kindTitle) {
		return 1
	}
	return 0
}

// roleOfSubject returns the role at a token; an indefinite article introduces somebody else.
func (r *page) roleOfSubject(i, length, from int) string {
	if i > from && r.isA(i-1, kindUnnamed) {
		return unnamedRole
	}
	return joinTokens(r.tokens[i : i+length])
}

// addresseeLength returns the number of tokens of an addressee between a verb and its subject: "a
// este diario"; 0 without one.
func (r *page) addresseeLength(at, to int) int {
	i := at + 1
	// "der" is an article too
	if word := r.tokens[at].lower; !r.words[kindPreposition][word] || r.words[kindDeterminer][word] || i+1 >= to {
		return 0
	}
	if !r.isA(i, kindDeterminer) { // "entre risas"
		i--
	}
	return i + 2 - at
}

// partLength returns the number of tokens of a part of a group in front of a full name: "one of
// them, X"; 0 without one.
func (r *page) partLength(at, to int) int {
	n := r.match(kindPartOf, at, to)
	if n == 0 || at+n+1 >= to || !r.tokens[at+n].is(",") || r.wordsIn(at+n+1, at+n+1+r.nameAt(at+n+1, to)) < fullName {
		return 0
	}
	return n
}

// isObject reports whether a name is after a preposition: "of X", "of the X".
func (r *page) isObject(from, at int) bool {
	if at > from && r.isA(at-1, kindDeterminer) && !r.isA(at-1, kindPreposition) {
		at--
	}
	return at > from && r.isA(at-1, kindPreposition)
}
