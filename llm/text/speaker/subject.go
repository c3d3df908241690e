package speaker

// unlistedVerb returns the subject of a clause after a quotation whose verb is in no lexicon: the
// place of the clause shows that it is one.
func (r *script) unlistedVerb(q *quotation, from, end int) (subject, bool) {
	isQuoted := r.tokens[q.to].is(",") || q.to-2 > q.from && r.tokens[q.to-2].is(",?!")
	if !isQuoted || r.match(kindVerb, from, end) > 0 || r.isA(from, kindAuxiliary) || !r.isCommonWord(from) {
		return subject{}, false
	}
	next := r.skipObject(from+1, end)
	if next >= end || !r.tokens[next].word {
		return subject{}, false
	}
	isArticle := r.isA(next, kindDeterminer)
	if r.isPronoun(next) && !isArticle {
		return r.pronounAt(next), true
	}
	s := r.subjectAfter(next, end)
	return s, s.of != nil && (r.tokens[next].capital || isArticle || r.isA(next, kindTitle) || r.roleAt(next, end) > 0)
}

// sentenceSubject returns the person who is the subject of a sentence: the name or the pronoun at
// its start, or the name of an apposition. Alone requires that the sentence names nobody else.
func (r *script) sentenceSubject(from, to int, alone bool) subject {
	at := r.skipToSubject(from, to)
	if at >= to {
		return subject{}
	}
	var s subject
	switch {
	case r.isPronoun(at) && at+1 < to && r.tokens[at+1].word && !r.tokens[at+1].capital && !r.isA(at, kindDeterminer):
		s = r.pronounAt(at)
	case r.isPersonAt(at):
		s = r.namedSubject(at, to)
	default:
		if s = r.apposition(from, to); s.name == "" {
			s = r.roleSubject(from, at)
		}
	}
	if s.of == nil || alone && r.namesOther(from, to, s.of) && (s.from < from || r.namesOther(from, s.from, s.of) ||
		r.namesOther(r.skipInsertion(s.to, to, appositionTokens), to, s.of)) {
		return subject{}
	}
	return s
}

// roleSubject returns the person of the role that ends a range: "The mayor".
func (r *script) roleSubject(from, to int) subject {
	for i := max(from, to-roleLength); i < to; i++ {
		if n := r.roleAt(i, to); n > 0 && i+n == to && i > from && r.isA(i-1, kindDeterminer) {
			return r.subjectOfRole(joinTokens(r.tokens[i:to]), to, to)
		}
	}
	return subject{}
}

// laterSubject returns the person after the verb of a clause that ends in front of a quotation and
// names nobody else: "Weniger zufrieden war sie mit dem Anfang: …", "zeigte sich die Intendantin
// kampfeslustig: …".
func (r *script) laterSubject(from, to int) subject {
	if only := r.onlyPerson(from, to); only.of != nil {
		before := max(from, only.from-1)
		isFree := before > from && r.tokens[before].word && !r.isA(before, kindPreposition, kindConjunction)
		if r.inverts && isFree && !r.tokens[only.to-1].possessive && !r.contains(kindCarrier, from, to) {
			return only
		}
		return subject{}
	}
	for i := from + 1; r.german && i < to; i++ {
		if r.isPronoun(i) && !r.isA(i, kindDeterminer) && !r.tokens[i].capital && r.tokens[i-1].word {
			return r.pronounAt(i)
		}
	}
	return subject{}
}

// labelInFront returns the voice of initials or of a name and a colon in front of a quotation, as
// in minutes: `AS: "Yes."`; nil for none.
func (r *script) labelInFront(at int) *voice {
	name := at - fullName
	if name < 0 || !r.tokens[at-1].is(":") || r.mentionOf[name] == nil || !r.tokens[name].upper &&
		!r.beginsSentence(name) || !r.isMinutes() {
		return nil
	}
	return &voice{name: r.mentionOf[name].name, of: r.mentionOf[name], where: r.spanOf(name, name+1), proof: Quotation}
}

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

// hasOtherSentence reports whether a further sentence between two quotations has a subject that is
// not the person: "…", said X. Her brother nods. "…"
func (r *script) hasOtherSentence(from, to int, p *person) bool {
	if from >= to || !r.tokens[from].capital || !r.tokens[from-fullName].is(stopMarks) {
		from = r.stopAfter(from, to) + 1
	}
	for from < to {
		end := r.stopAfter(from, to)
		s := r.sentenceSubject(from, end, false)
		isOwn := s.of != nil && s.of == p || s.of == nil && r.isPronoun(from) || r.isSubjectless(from, end) ||
			r.german && r.isIndirect(tokenRange{from, end})
		if end-from >= fewestQuoted && !isOwn {
			return true
		}
		from = end + 1
	}
	return false
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
