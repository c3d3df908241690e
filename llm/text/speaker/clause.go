package speaker

import "slices"

// subject is the subject of a verb of saying.
type subject struct {
	name     string
	of       *person
	from, to int // tokens
}

// clauseSpeaker returns the subject of the verb of saying in a clause. Inverted prefers the subject
// after the verb, as after a quotation. Its second result reports whether the clause has a verb of
// saying or a source at all.
func (r *Reading) clauseSpeaker(from, to int, inverted bool) (subject, bool) {
	if s, ok := r.sourceOf(from, to); ok {
		return s, true
	}
	said := false
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+1) {
		said = true
		start := r.skipAuxiliaries(from, at)
		if s := r.subjectBefore(from, start); s.name != "" {
			return s, true
		}
		if !r.hasWords(from, start) {
			return r.subjectAround(start, at, at+n, to), true
		}
	}
	return subject{}, said
}

// subjectAround returns the subject after a verb, else the one between its auxiliary and its
// participle: "hat sie mir gesagt".
func (r *script) subjectAround(auxiliary, verb, end, to int) subject {
	if r.german && auxiliary < verb && r.isA(auxiliary, kindAuxiliary) {
		if s := r.subjectAfter(auxiliary+1, verb); s.name != "" {
			return s
		}
	}
	return r.subjectAfter(end, to)
}

// sourceOf returns the subject of "according to X" at the start or the end of a clause.
func (r *Reading) sourceOf(from, to int) (subject, bool) {
	if n := r.match(kindOwnView, from, to); n > 0 {
		s := r.subjectAbove(from)
		return s, s.name != ""
	}
	if s := r.eyesOf(from, to); s.of != nil {
		return s, true
	}
	for i := from; i < to; i++ {
		if i > from && r.isA(i, kindAfter) {
			return r.adjacentSubject(from, i), true
		}
		if s, ok := r.accordingTo(i, from, to); ok {
			return s, true
		}
	}
	return subject{}, false
}

// eyesOf returns the subject of the Spanish "Para X, …", in whose eyes something is so.
func (r *script) eyesOf(from, to int) subject {
	if !r.drops || from+1 >= to || r.tokens[from].lower != "para" || !r.hasComma(from, to) {
		return subject{}
	}
	comma := from + 1
	for !r.tokens[comma].is(",") {
		comma++
	}
	if s := r.subjectAfter(from+1, comma); r.onlyVerb(from, comma) {
		return s
	}
	return subject{}
}

// accordingTo returns the subject of "according to" at a token of a clause.
func (r *Reading) accordingTo(i, from, to int) (subject, bool) {
	n := r.match(kindAccording, i, to)
	isOblique := r.isOblique(i+n, to)
	if n == 0 || i > from && r.tokens[i-1].word && !isOblique {
		return subject{}, false
	}
	word := joinTokens(r.tokens[i : i+n])
	if word == "pour" && isOblique && i+n+1 < to && r.tokens[i+n+1].word { // "pour lui dire"
		return subject{}, false
	}
	s := r.subjectAfter(i+n, to)
	if s.name == "" && i == from {
		s = r.saidAbove(i+n, from, to)
	}
	if s.name == "" && i+n < to {
		s = r.obliqueAt(i + n)
	}
	return s, s.name != "" || !slices.Contains([]string{"so", "wie", "pour"}, word)
}

// saidAbove returns the subject of the sentence above for a source without one: "Según ha relatado,
// …".
func (r *Reading) saidAbove(at, from, to int) subject {
	if !r.drops || !r.saysFirst(at, to) {
		return subject{}
	}
	return r.subjectAbove(from)
}

func (r *page) isPronoun(i int) bool {
	return r.isA(i, kindShe, kindHe)
}

// isOblique reports whether a pronoun after a preposition is at a position: "selon lui".
func (r *page) isOblique(at, to int) bool {
	return at < to && (r.isA(at, kindHer, kindHim)) &&
		!r.isA(at, kindDeterminer) && (at+1 == to || !r.tokens[at+1].capital)
}

// obliqueAt returns the person of a pronoun after a preposition: "according to her".
func (r *script) obliqueAt(i int) subject {
	switch word := r.tokens[i].lower; {
	case r.words[kindHer][word]:
		return r.pronounOf(i, female)
	case r.words[kindHim][word]:
		return r.pronounOf(i, male)
	}
	return subject{}
}

// pronounAt returns the person of a pronoun.
func (r *script) pronounAt(i int) subject {
	sex := male
	if r.isA(i, kindShe) {
		sex = female
	}
	return r.pronounOf(i, sex)
}

// pronounOf returns the person of a pronoun with a gender.
func (r *script) pronounOf(i int, sex gender) subject {
	p := r.resolvePronoun(i, sex)
	if p == nil {
		return subject{}
	}
	s := subject{name: p.name, of: p, from: i, to: i + 1}
	for k := i - 1; k >= max(0, i-mentionLife); k-- { // the name proves the speaker, not the pronoun
		if r.mentionOf[k] == p && !r.isPronoun(k) && r.isNameWord(r.tokens[k]) {
			s.from, s.to = k, r.nameEnd(k)
			break
		}
	}
	r.mentionAt(i, p)
	return s
}

// nameEnd returns the end of the name that starts at a token.
func (r *layout) nameEnd(at int) int {
	return at + max(1, r.untilBreak(at, r.nameAt(at, min(at+longestRun+2, len(r.tokens)))))
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

// subjectAfter returns the subject that follows a verb: a pronoun, a name with a title or role, or
// a role whose person is known. A name after a preposition is not the subject.
func (r *script) subjectAfter(from, to int) subject {
	role := ""
	for i := from; i < to; {
		s, n, ends := r.subjectByMark(role, i, from, to)
		if n == 0 && !ends {
			n = r.skipBeforeSubject(i, from, to)
		}
		if length := r.roleAt(i, to); n == 0 && !ends && length > 0 {
			role, n = r.roleOfSubject(i, length, from), length
		}
		if n == 0 && !ends {
			s, n, ends = r.subjectByName(role, i, from, to)
		}
		if n == 0 && !ends {
			s, n, ends = r.subjectByPreposition(role, i, from, to)
		}
		if ends {
			return s
		}
		i += n
	}
	return r.subjectOfRole(role, to, to)
}

// subjectByMark returns the subject that a mark, a pronoun, an epithet or a noun phrase at a token
// ends the search with, or the number of tokens to skip.
func (r *script) subjectByMark(role string, i, from, to int) (s subject, skip int, ends bool) {
	t := r.tokens[i]
	switch {
	case t.is(".") && r.hasTitle(r.tokens, i+1):
		return subject{}, 1, false
	case r.partLength(i, to) > 0:
		at := i + r.partLength(i, to) + 1
		return r.nameSubject(at, at+r.nameAt(at, to)), 0, true
	case !t.word:
		return r.subjectOfRole(role, i, to), 0, true
	case r.isPronoun(i) && !r.words[kindDeterminer][t.lower]:
		return r.pronounAt(i), 0, true
	case i > from && (r.isAge(t.lower) || r.isEpithet(i, to)):
		return r.personOfEpithet(i), 0, true
	case r.phraseName(i, to) > 0:
		at := r.phraseName(i, to)
		return r.nameSubject(at, at+r.nameAt(at, to)), 0, true
	}
	return subject{}, 0, false
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

// subjectByName returns the subject whose name is at a token, or the number of tokens of another
// name in front of the subject.
func (r *script) subjectByName(role string, i, from, to int) (s subject, skip int, ends bool) {
	n := r.nameAt(i, to)
	switch office := r.officeOf(i+n, to); {
	case n == 0:
		return subject{}, 0, false
	case r.tokens[i+n-1].possessive || i+n < to && r.roleAt(i+n, to) > 0:
		return subject{}, n, false // the company in front of a role
	case office > 0:
		return subject{}, n + office, false // "says Port of Waimoana chief executive X"
	case r.isAfterDeterminer(r.tokens, i) && role == "" && !r.isKnownName(i, i+n):
		if r.german && r.isEpithet(i+n-1, to) { // "der Nordhorner Coach"
			return r.personOfEpithet(i + n - 1), 0, true
		}
		return subject{}, 0, true
	case n == 1 && i > from && isAgency(r.tokens[i]) && !r.isKnownName(i, i+n): // "à l'agence ABP la directrice"
		return subject{}, 1, false
	}
	return r.nameSubject(i, i+n), 0, true
}

// isAgency reports whether a word is an abbreviation in capital letters.
func isAgency(t token) bool { return t.upper && t.end-t.start > 1 }

// subjectByPreposition returns the subject that a preposition or a further word ends the search
// with, or the number of tokens to skip.
func (r *script) subjectByPreposition(role string, i, from, to int) (s subject, skip int, ends bool) {
	isArticle := r.isA(i, kindDeterminer)
	switch n := r.addresseeLength(i, to); {
	case r.inverts && role == "" && n > 0:
		return subject{}, n, false
	case r.isA(i, kindPreposition) && !(i == from && isArticle): // "der" is an article too
		return r.subjectOfRole(role, i, to), 0, true
	case !isArticle && role == "" && i > from+2:
		return subject{}, 0, true
	}
	return subject{}, 1, false
}

// unnamedRole is the role of somebody whom an indefinite article introduces, which is nobody's whom
// the text has named: "said a spokeswoman".
const unnamedRole = "?"

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

func (r *cast) isKnownName(from, to int) bool {
	return r.people.byPart(r.tokens[to-1].lower, anyGender) != nil && from < to
}

// subjectOfRole returns the person of a role: the name of the apposition after it, or the only
// person with this role.
func (r *script) subjectOfRole(role string, from, to int) subject {
	if role == "" {
		return subject{}
	}
	for i := from; i < to && i < from+2*roleReach; i++ {
		if !r.tokens[i].is(",") {
			continue
		}
		start := i + 1
		for start < to && (r.isA(start, kindTitle) || r.tokens[start].is(".") || start == i+1 &&
			r.isA(start, kindDeterminer)) {
			start++
		}
		if n := r.nameAt(min(start, to), to); n > 0 && r.wordsIn(start, start+n) >= fullName &&
			!r.hasOrganization(r.tokens[start:start+n]) {
			return r.nameSubject(start, start+n)
		}
		break
	}
	p := r.people.byRole(role)
	if p == nil {
		return r.epithetSubject(role, from)
	}
	if p.first < 0 {
		return subject{}
	}
	r.mentionAt(max(from-1, 0), p)
	return subject{name: p.name, of: p, from: p.first, to: r.nameEnd(p.first)}
}

// subjectBefore returns the subject in front of a verb: the adjacent name or pronoun, or the name
// in front of an apposition.
func (r *script) subjectBefore(from, to int) subject {
	if to <= from {
		return subject{}
	}
	if !r.tokens[to-1].is(",)–—") {
		return r.adjacentSubject(from, to)
	}
	for i := from; i < to; {
		n := r.nameAt(i, to)
		if n > 0 && !r.isObject(from, i) && r.precedesApposition(i, i+n, to) {
			return r.nameSubject(i, i+n)
		}
		i += max(1, n)
	}
	return subject{}
}

// precedesApposition reports whether a known name, or one of several words, is in front of a mark
// that may begin an apposition, and no part of a list or a genitive.
func (r *cast) precedesApposition(from, end, to int) bool {
	isNamed := r.wordsIn(from, end) >= fullName || r.isKnownName(from, end) || r.hasTitle(r.tokens, from)
	if !isNamed || r.tokens[end-1].possessive {
		return false
	}
	return end >= to || !r.isA(end, kindConjunction) && r.roleAt(end, to) == 0 &&
		(r.tokens[end].is(",(–—-") || end == to-1)
}

// isObject reports whether a name is after a preposition: "of X", "of the X".
func (r *page) isObject(from, at int) bool {
	if at > from && r.isA(at-1, kindDeterminer) && !r.isA(at-1, kindPreposition) {
		at--
	}
	return at > from && r.isA(at-1, kindPreposition)
}

// adjacentSubject returns the subject that ends directly in front of a verb.
func (r *script) adjacentSubject(from, to int) subject {
	if r.isPronoun(to - 1) {
		return r.pronounAt(to - 1)
	}
	for i := max(from, to-longestRun-2); i < to; i++ {
		if n := r.nameAt(i, to); n > 0 && i+n == to {
			return r.subjectWithName(i, from, to)
		}
	}
	if s := r.subjectOfGroup(from, to); s.name != "" {
		return s
	}
	if s := r.subjectOfEpithet(from, to); s.name != "" {
		return s
	}
	for i := max(from, to-roleLength); i < to; i++ {
		if n := r.roleAt(i, to); n > 0 && i+n == to &&
			!(i > from && (r.tokens[i-1].possessive || r.isA(i-1, kindUnnamed))) {
			return r.subjectOfRole(joinTokens(r.tokens[i:to]), to, to)
		}
	}
	return subject{}
}

// subjectWithName returns the subject of the name that ends directly in front of a verb, unless it
// is an object, part of a list, or a genitive.
func (r *script) subjectWithName(name, from, to int) subject {
	before, titled := r.beforeTitles(name, from)
	inside := name > from
	isOther := inside && r.isA(before, kindDeterminer) && !titled
	isArticle := before == from && r.isA(before, kindDeterminer)
	isObject := inside && r.isA(before, kindPreposition) && !isArticle
	if isObject || isOther && before > from && r.isA(before-1, kindPreposition) {
		return r.subjectWithPlace(from, before)
	}
	isJoined := before > from && r.isA(before, kindConjunction) && r.tokens[before-1].capital
	if isJoined || isOther || r.tokens[to-1].possessive {
		return subject{}
	}
	return r.nameSubject(name, to)
}

// beforeTitles returns the token in front of a name and its titles, and whether it has titles.
func (r *page) beforeTitles(name, from int) (before int, titled bool) {
	before = max(name-1, from)
	if r.isA(before, kindDeterminer) && r.tokens[before].capital && before > from && r.hasTitle(r.tokens, before) {
		before--
		titled = true
	}
	for before > from && (r.isA(before, kindTitle) || r.tokens[before].is(".") && r.hasTitle(r.tokens, name)) {
		before--
		titled = true
	}
	return before, titled
}

// onlyNamedBefore returns the only one of several people with a last name whom the text has named
// in front of a position.
func (r *cast) onlyNamedBefore(last string, at int) *person {
	var found *person
	for _, p := range r.people.lasts[last] {
		if p.first < 0 || p.first >= at || p == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// nameSubject returns the subject of a name. A single word needs a title, a person with this name,
// or a place inside the sentence.
func (r *cast) nameSubject(from, to int) subject {
	run := r.tokens[from:to]
	written := r.textOf(from, to)
	if countWords(run) >= fullName {
		if r.isOrganization(from, to) {
			return subject{}
		}
		p := r.people.addPerson(written)
		r.mentionAt(from, p)
		return subject{name: p.name, of: p, from: from, to: to}
	}
	p := r.people.byPart(run[0].lower, r.titleGender(r.tokens, from))
	if p == nil {
		p = r.onlyNamedBefore(run[0].lower, from)
	}
	if p != nil {
		r.mentionAt(from, p)
		return subject{name: p.name, of: p, from: from, to: to}
	}
	if r.hasTitle(r.tokens, from) || r.german && from > 0 && r.roleAt(from-1, from) > 0 {
		p := r.people.addPerson(written)
		r.mentionAt(from, p)
		return subject{name: p.name, of: p, from: from, to: to}
	}
	isFirst := from == 0 || r.isStop(from-1) || r.blockOf[from-1] != r.blockOf[from]
	ambiguous := r.people.hasPart(run[0].lower)
	if r.german || isFirst || ambiguous || run[0].upper {
		return subject{}
	}
	return subject{name: written, from: from, to: to}
}
