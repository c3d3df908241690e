package speaker

import "strings"

// isEpithet reports whether a noun with a definite article ends a clause, and no role that the text
// shows is in front of it: "sagt die gelernte Schreinerin".
func (r *cast) isEpithet(at, to int) bool {
	last := at
	if !r.german && at+1 < to && r.isCommonWord(at+1) { // "el técnico visitante"
		last++
	}
	ends := last+1 == to || !r.tokens[last+1].word || r.isAgeOf(last+1) ||
		demonstrativeGenders[r.articleOf(at)] != anyGender && r.isA(last+1, kindPreposition)
	isNoun := r.tokens[at].word && r.tokens[at].capital == r.german && !r.isFunctionWord(r.tokens[at].lower)
	return ends && isNoun && (r.nounGender(at) != anyGender || r.isElided(at)) &&
		r.people.byRole(r.tokens[at].lower) == nil && r.people.byRole(joinTokens(r.tokens[at:last+1])) == nil
}

// renames reports whether the clause of an English quotation names somebody again by an age, a
// party, a nationality or a past: "the 34-year-old said", "the Conservative added", "said the
// retired postman".
func (r *cast) renames(from, to int) bool {
	for i := from; !r.inverts && i+1 < to; i++ {
		if r.tokens[i].lower != "the" {
			continue
		}
		word := r.tokens[i+1].lower
		return strings.HasSuffix(word, "-year-old") || word == "retired" || word == "former" || r.isPartyWord(i+1, to)
	}
	return false
}

// isPartyWord reports whether a word with a capital letter, which is no name, is in front of a noun
// or a verb of saying: "the Conservative added".
func (r *cast) isPartyWord(at, to int) bool {
	t := r.tokens[at]
	return t.word && t.capital && !t.upper && r.mentionOf[at] == nil && r.nameAt(at, to) == 1 &&
		!r.words[kindOrganization][t.lower] && at+1 < to &&
		(r.match(kindVerb, at+1, to) > 0 || r.isA(at+1, kindEpithet) || r.isRole(r.tokens[at+1].lower))
}

// isPersonAt reports whether a person is named at a token.
func (r *cast) isPersonAt(at int) bool {
	of := r.mentionOf[at]
	return of != nil && (of.known || of.gender != anyGender)
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

// onlySubject returns the only name of a clause: "X paused and said".
func (r *cast) onlySubject(from, to int) subject {
	var found subject
	for i := from; i < to; {
		n := r.nameAt(i, to)
		if n == 0 {
			i++
			continue
		}
		if n == 1 && !r.isKnownName(i, i+n) && !r.hasTitle(r.tokens, i) { // "Conservative group leader X"
			i++
			continue
		}
		object := i > from && r.isA(i-1, kindPreposition)
		if found.name != "" || object || r.tokens[i+n-1].possessive {
			return subject{}
		}
		found = r.nameSubject(i, i+n)
		i += n
	}
	return found
}

// subjectWithPlace returns the full name that ends in front of a preposition: "X of Bank Y".
func (r *cast) subjectWithPlace(from, at int) subject {
	for at > from && r.isA(at-1, kindPreposition, kindDeterminer) {
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

func (r *cast) isKnownName(from, to int) bool {
	return r.people.byPart(r.tokens[to-1].lower, anyGender) != nil && from < to
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
