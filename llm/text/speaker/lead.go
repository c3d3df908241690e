package speaker

// following returns the subject of the clause after a quotation. A sentence of its own is no such
// clause.
func (r *Reading) following(q *quotation, end int) (subject, bool) {
	from := q.to
	for from < end && r.tokens[from].is(",;–—-") {
		from++
	}
	if from+1 < end && r.isA(from, kindReflexive) { // "s'indigne X"
		from++
	}
	if from >= end || !r.tokens[from].word {
		return subject{}, false
	}
	if r.isToldOrQuotes(from, end) && r.nameAt(from, end) > 0 {
		return subject{}, true
	}
	verb := r.match(kindVerb, from, end) > 0
	if s, ok := r.unlistedVerb(q, from, end); ok {
		return s, true
	}
	inverted := verb || r.isA(from, kindAuxiliary) && !r.isPronoun(from) || r.isA(from, kindAdverb)
	return r.clauseSpeaker(from, end, inverted)
}

// shortClause is the number of words of "X said." after a quotation that ends with a full stop.
const shortClause = 4

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

// skipObject returns the position after the pronouns between a verb and its subject.
func (r *page) skipObject(at, end int) int {
	for at < end && (r.isA(at, kindReflexive) || r.isA(at, kindHim, kindHer) && !r.isPronoun(at)) {
		at++
	}
	return at
}

// hasUnreadClause reports whether a clause without a known verb follows a quotation: “…,” it began.
func (r *layout) hasUnreadClause(q *quotation) bool {
	if !q.closed || q.to+1 >= len(r.tokens) || r.blockOf[q.to] != r.blockOf[q.from] {
		return false
	}
	inside := q.to-2 > q.from && r.tokens[q.to-2].is(",")
	return inside && r.tokens[q.to].word && !r.inverts || r.inverts && r.tokens[q.to].is(",") && r.tokens[q.to+1].word
}

// isPersonAt reports whether a person is named at a token.
func (r *cast) isPersonAt(at int) bool {
	of := r.mentionOf[at]
	return of != nil && (of.known || of.gender != anyGender)
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

// runningVoice returns the speaker of a quotation whose clause has no subject: the speaker of the
// words in front of it in the paragraph, else of the quotation that ends the paragraph above, else
// the only person whom the paragraph names.
func (r *Reading) runningVoice(n, at int) *voice {
	b := r.blocks[r.blockOf[at]]
	if found := r.interruptedVoice(n); found != nil {
		return found
	}
	if at > b.from {
		return r.voiceInFront(at, b)
	}
	above := r.blockOf[at] - 1
	if above < 0 || r.blocks[above].kind != prose {
		return unknownVoice
	}
	if n > 0 && r.blockOf[r.quotes[n-1].from] == above {
		before := r.quotes[n-1]
		if before.by != nil && before.by != unknownVoice && !r.namesOther(before.to, at, before.by.of) {
			return before.by
		}
	}
	return r.quotedSubject(r.onlyPerson(r.blocks[above].from, r.blocks[above].to))
}

// voiceInFront returns the voice of the words in front of a quotation in its paragraph: of their
// subject, or of the only person whom they name outside a turn and the first person.
func (r *Reading) voiceInFront(at int, b block) *voice {
	if found := r.leadVoice(at, b); found != nil {
		return found
	}
	first := max(b.from, at-mentionLife)
	s := r.onlyPerson(first, at)
	if s.of == nil {
		s = r.onlyPerson(r.sentenceStart(at-1), at)
	}
	if r.turnPerson(at) != nil || r.isFirstPerson(first, at) {
		return unknownVoice
	}
	return r.quotedSubject(s)
}

// quotedSubject returns the voice of a person whom a quotation may have; the unknown one without a
// person.
func (r *page) quotedSubject(s subject) *voice {
	if s.of == nil {
		return unknownVoice
	}
	return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: Quotation}
}

// leadVoice returns the voice of the subject of the sentence in front of a quotation: 'X laughed.
// "…"'.
func (r *Reading) leadVoice(at int, b block) *voice { return r.leadVoiceWithin(at, b, longestLead) }

// longestLead is the number of sentences in front of a quotation in which their subject is looked
// for.
const longestLead = 2

func (r *Reading) leadVoiceWithin(at int, b block, sentences int) *voice {
	from := at
	if from == b.from || r.quoteOf[from-1] > 0 {
		return nil
	}
	for from--; from > b.from && (r.quoteOf[from-1] > 0 || !r.isStop(from-1)); from-- {
		if r.voices[from-1] == silentVoice {
			break
		}
	}
	s := r.sentenceSubject(from, at, true)
	if s.name == "" && r.drops && r.isFirstPerson(from, at) {
		s = r.onlyPerson(from, at)
	}
	if s.name == "" && sentences == longestLead {
		s, _ = r.reportSubject(from, at)
	}
	if s.of == nil || r.asksWhether(from, at) {
		return nil
	}
	return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: Quotation}
}

// onlyPerson returns the only person whom a range names outside quotations, by a name that is not a
// company's.
func (r *cast) onlyPerson(from, to int) subject {
	var found subject
	for i := from; i < to; i++ {
		of := r.mentionOf[i]
		if of == nil || !of.known || r.quoteOf[i] > 0 || of == found.of {
			continue
		}
		if found.of != nil {
			return subject{}
		}
		found = subject{name: of.name, of: of, from: i, to: r.nameEnd(i)}
	}
	return found
}

// asksWhether reports whether a sentence has an indirect question, so that the words after it may
// be the answer of somebody else.
func (r *quoted) asksWhether(from, to int) bool {
	verb, n := r.findVerb(from, to, from)
	return verb >= 0 && r.contains(kindWhether, verb+n, to)
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

// namedSubject returns the subject of the name at a token if a verb or an apposition may follow it.
func (r *cast) namedSubject(at, to int) subject {
	end := r.nameEnd(at)
	isFree := end >= to || r.tokens[end].word && !r.tokens[end].capital && !r.isA(end, kindConjunction) ||
		r.tokens[end].is(",(")
	if !isFree || r.tokens[end-1].possessive {
		return subject{}
	}
	return subject{name: r.mentionOf[at].name, of: r.mentionOf[at], from: at, to: end}
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

// skipToSubject returns the position after the words that may be in front of a subject: adverbs,
// dates, titles and roles.
func (r *cast) skipToSubject(from, to int) int {
	from = r.skipPhrase(from, to)
	for ; from < to && !r.tokens[from].is(anyQuote+","); from++ {
		if r.tokens[from].word && !r.isLead(from, to) {
			break
		}
	}
	return from
}

// isLead reports whether a word may be in front of a subject.
func (r *cast) isLead(at, to int) bool {
	t := r.tokens[at]
	if r.isA(at, kindAdverb, kindConjunction, kindNotName, kindTitle) || t.role || r.isRole(t.lower) ||
		r.isA(at, kindDeterminer) && !r.isPronoun(at) {
		return true
	}
	if at+1 >= to {
		return false
	}
	isDate := r.isA(at, kindPreposition) && r.isA(at+1, kindNotName)
	if isDate || !r.isRole(r.tokens[at+1].lower) {
		return isDate
	}
	// "my sister X", "Heritage officer X"
	return r.isA(at, kindFirstPerson) || t.capital && !r.tokens[at+1].capital && r.mentionOf[at] == nil
}

// phraseTokens is the number of tokens of such a phrase.
const phraseTokens = 9

// skipPhrase returns the position after a phrase with a preposition and a comma at the start of a
// sentence: "In the hall,".
func (r *cast) skipPhrase(from, to int) int {
	if from >= to || !r.isA(from, kindPreposition, kindSubordinate) {
		return from
	}
	for i := from; i < min(to, from+phraseTokens); i++ {
		switch {
		case r.tokens[i].is(","):
			return i + 1
		case !r.tokens[i].word || r.mentionOf[i] != nil && r.mentionOf[i].known:
			return from
		}
	}
	return from
}

// appositionReach is the number of tokens in which an apposition begins.
const appositionReach = 24

// apposition returns the person of the first apposition of a sentence: "Its chief executive, X,
// laughed".
func (r *cast) apposition(from, to int) subject {
	for i := from; i < min(to, from+appositionReach); i++ {
		if r.mentionOf[i] != nil || r.quoteOf[i] > 0 || r.match(kindVerb, i, to) > 0 {
			return subject{}
		}
		if !r.tokens[i].is(",") {
			continue
		}
		at := r.skipToSubject(i+1, to)
		if at >= to || !r.isPersonAt(at) || !r.isA(from, kindDeterminer) {
			return subject{}
		}
		end := r.nameEnd(at)
		if end < to && r.tokens[end].is(",") {
			return subject{name: r.mentionOf[at].name, of: r.mentionOf[at], from: at, to: end}
		}
		return subject{}
	}
	return subject{}
}

// namesOther reports whether a range names somebody else outside quotations.
func (r *cast) namesOther(from, to int, p *person) bool {
	for i := from; i < to; i++ {
		if r.isOther(i, p) && r.quoteOf[i] == 0 {
			return true
		}
	}
	return false
}

// isOther reports whether somebody else may be named at a token. A name behind a preposition or in
// brackets that nothing proves to be a person's is that of a place or an organization.
func (r *cast) isOther(at int, p *person) bool {
	of := r.mentionOf[at]
	// "Betriebsbedingte Kündigungen" is no name
	if of == nil || of == p || r.german && !of.known && r.beginsSentence(at) {
		return false
	}
	return of.known || at == 0 || !r.isA(at-1, kindPreposition) && !r.tokens[at-1].is("(")
}
