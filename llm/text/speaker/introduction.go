package speaker

// attributeByIntroduction attributes a quotation by the words in front of it: "X said: …". It
// returns false if the words after it may name the speaker.
func (r *Reading) attributeByIntroduction(n, start, end int) bool {
	if by := r.labelInFront(r.quotes[n].from); by != nil {
		r.quotes[n].by = by
		return true
	}
	q := &r.quotes[n]
	ends := r.endsWith(q.from, ":")
	s, said := r.introducer(start, q.from)
	switch {
	case r.continuesSpeaker(s, said, start, q.from):
		q.by = r.runningVoice(n, start)
	case said:
		q.by = r.quotationVoice(s, start, q.from)
	default:
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

// introducer returns the subject of the words in front of a quotation, and whether they introduce
// it. Nobody's are words that the subject repeats or that have a doubt.
func (r *Reading) introducer(start, quote int) (subject, bool) {
	s, said := r.introduction(start, quote)
	if r.repeatsOther(start, quote) || said && r.isUncertain(start, quote) {
		return subject{}, true
	}
	if s.name != "" || said || !r.endsWith(quote, ":") || r.isSubjectless(start, quote) {
		return s, said
	}
	if s = r.sentenceSubject(start, quote-1, false); s.name == "" {
		s = r.laterSubject(start, quote-1)
	}
	return s, s.name != ""
}

// continuesSpeaker reports whether the words in front of a quotation have no subject, so that
// whoever spoke in front of them speaks on.
func (r *Reading) continuesSpeaker(s subject, said bool, start, quote int) bool {
	if !said {
		return r.endsWith(quote, ":") && start < quote && r.isA(start, kindConjunction)
	}
	return s.name == "" && !r.repeatsOther(start, quote) && !r.isUncertain(start, quote) &&
		r.isSubjectless(start, quote)
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
		r.setVoice(begin, to, by.as(Report))
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

// introduction returns the subject of the last verb of saying in front of a quotation.
func (r *Reading) introduction(from, to int) (subject, bool) {
	if from >= to || r.followsQuotation(from) {
		return subject{}, false
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
