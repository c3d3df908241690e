package speaker

// laterSubject returns the person after the verb of a clause that ends in front of a quotation and
// names nobody else: "Weniger zufrieden war sie mit dem Anfang: …", "zeigte sich die Intendantin
// kampfeslustig: …".
func (r *script) laterSubject(from, to int) subject {
	if only := r.onlyPerson(from, to); only.of != nil {
		before := max(from, only.from-1)
		if r.inverts && before > from && r.tokens[before].word && !r.isA(before, kindPreposition, kindConjunction) && !r.tokens[only.to-1].possessive && !r.contains(kindCarrier, from, to) {
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

// attributeByIntroduction attributes a quotation by the words in front of it: "X said: …". It
// returns false if the words after it may name the speaker.
func (r *Reading) attributeByIntroduction(n, start, end int) bool {
	if by := r.labelInFront(r.quotes[n].from); by != nil {
		r.quotes[n].by = by
		return true
	}
	q := &r.quotes[n]
	ends := r.endsWith(q.from, ":")
	s, said := r.introduction(start, q.from)
	switch {
	case r.repeatsOther(start, q.from), said && r.isUncertain(start, q.from):
		s, said = subject{}, true
	case s.name == "" && ends && !said && !r.isSubjectless(start, q.from):
		if s = r.sentenceSubject(start, q.from-1, false); s.name == "" {
			s = r.laterSubject(start, q.from-1)
		}
		said = said || s.name != ""
	}
	switch {
	case said && s.name == "" && !r.repeatsOther(start, q.from) && !r.isUncertain(start, q.from) &&
		r.isSubjectless(start, q.from), !said && ends && start < q.from && r.isA(start, kindConjunction):
		q.by = r.runningVoice(n, start)
		said = true
	case said:
		q.by = r.quotationVoice(s, start, q.from)
	}
	if !said {
		return false
	}
	if q.by == nil {
		q.isOwn = true
		return true
	}
	r.attributeLead(q.by, start, q.from)
	r.setVoice(start, q.from, clauseVoice)
	if s.name == "" && !ends {
		return false
	}
	r.setVoice(q.to, end, clauseVoice)
	return true
}

// fewestReported is the number of words between a conjunction and a quotation that are a report of
// their own.
const fewestReported = 4

// attributeLead attributes the reported words in front of a quoted part of a report: "X said that
// the hall was old and that it “had to go”".
func (r *Reading) attributeLead(by *voice, from, to int) {
	verb, n := r.findVerb(from, to, from)
	if by == nil || by.of == nil || verb < 0 || !r.introducesReport(verb, n, to) || r.tokens[to-1].is(":") {
		return
	}
	if s := r.subjectBefore(from, r.skipAuxiliaries(from, verb)); s.of != nil && s.of != by.of {
		return
	}
	begin := verb + n
	if r.wordsIn(begin, to) >= fewestReported {
		r.setVoice(begin, to, &voice{name: by.name, of: by.of, where: by.where, proof: Report})
	}
}

// attributeByParagraph attributes a quotation at the start of a paragraph by the last sentence of
// the paragraph above, if that ends with a colon.
func (r *Reading) attributeByParagraph(n int) bool {
	q := &r.quotes[n]
	at := r.blockOf[q.from]
	if at == 0 || q.from != r.blocks[at].from || r.blocks[at-1].kind != prose || !r.tokens[q.from-1].is(":") {
		return false
	}
	start := q.from
	for start > r.blocks[at-1].from && r.quoteOf[start-1] == 0 && r.voices[start-1] != silentVoice &&
		!r.isStop(start-1) {
		start--
	}
	return r.attributeByIntroduction(n, start, q.to)
}

// repeatsOther reports whether the subject of a clause in front of a quotation hears the quoted
// words, or repeats those of somebody else: "X was asked: …", "X quoted her father: …", "X held up
// a sign: …".
func (r *quoted) repeatsOther(from, to int) bool {
	return r.isToldOrQuotes(from, to) || r.onlyVerb(from, to) && r.contains(kindCarrier, from, to) ||
		r.hasCarrier(from, to)
}

// isToldOrQuotes reports whether the last verb of a clause is a passive one or one of quoting: "X
// was asked", "X quoted her father".
func (r *quoted) isToldOrQuotes(from, to int) bool {
	for i := to - 1; i >= from; i-- {
		isTold := i > from && r.isPassive(i) && r.match(kindVerb, i, to) > 0
		if isTold || r.match(kindQuoting, i, to) > 0 {
			return r.onlyVerb(i+1, to)
		}
	}
	return false
}

// introduction returns the subject of the last verb of saying in front of a quotation.
func (r *Reading) introduction(from, to int) (subject, bool) {
	if from >= to {
		return subject{}, false
	}
	if from > 0 && r.quoteOf[from-1] > 0 && r.blockOf[from-1] == r.blockOf[from] &&
		!(r.tokens[from].capital && r.tokens[max(from-2, 0)].is(".")) {
		return subject{}, false // the clause of the quotation in front of it
	}
	if s, ok := r.sourceOf(from, to); ok {
		return s, true
	}
	last, length := -1, 0
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+1) {
		last, length = at, n
	}
	if last < 0 {
		return subject{}, false
	}
	start := r.skipAuxiliaries(from, last)
	s := r.subjectBefore(from, start)
	switch {
	case s.name != "":
	case !r.hasWords(from, start) || r.inverts && r.followsAdverbial(last):
		s = r.subjectAfter(last+length, to)
	case r.isA(start-1, kindConjunction) || r.isA(max(from, last-1), kindConjunction):
		s = r.onlySubject(from, start)
	}
	return s, true
}

// followsAdverbial reports whether a verb is in front of its subject: "Am Montag sagte Karin Vogt".
func (r *page) followsAdverbial(verb int) bool {
	return verb+1 < len(r.tokens) && (r.isPronoun(verb+1) || r.tokens[verb+1].capital || r.isA(verb+1, kindDeterminer))
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
