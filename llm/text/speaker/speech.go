package speaker

// attributeSpeech gives the quotations, and then the turns, their speakers.
func (r *Reading) attributeSpeech() {
	for n := range r.quotes {
		r.attributeQuotation(n)
	}
	for n := len(r.quotes) - 1; n > 0; n-- { // the verb may follow the last paragraph
		if before := &r.quotes[n-1]; r.quotes[n].continues && (before.by == nil || before.by == unknownVoice) {
			before.by = r.quotes[n].by
		}
	}
	for _, q := range r.quotes {
		if q.by != nil {
			for i := q.from; i < q.to; i++ {
				r.voices[i] = q.by
			}
		}
	}
	r.attributeTurns()
}

// attributeQuotation finds the speaker of a quotation: in the clause after it, in the clause in front of it, or in the quotation that it
// continues.
func (r *Reading) attributeQuotation(n int) {
	q := &r.quotes[n]
	b := r.blocks[r.blockOf[q.from]]
	if !r.isStatement(*q) && !q.continues || r.opensTurn(q.from) {
		return
	}
	start, end := r.clauseStart(n, b), r.clauseEnd(n, b)
	if q.continues {
		q.by = r.quotes[n-1].by
	}
	if s, said := r.introduction(start, q.from); said {
		q.by = r.quotationVoice(s, start, q.from)
		r.setVoice(start, q.from, clauseVoice)
		if s.name != "" || r.endsWith(q.from, ":") {
			r.setVoice(q.to, end, clauseVoice)
			return
		}
	}
	if q.closed {
		if s, said := r.following(q, end); said {
			q.by = r.quotationVoice(s, q.to, end)
			r.setVoice(q.to, end, clauseVoice)
			return
		}
	}
	if s := r.insertedSubject(q); s.name != "" {
		q.by = r.quotationVoice(s, q.from, q.to)
	}
	if q.by != nil && q.by != unknownVoice {
		return
	}
	if q.by = r.interruptedVoice(n); q.by == nil {
		q.by = r.signatureBelow(q, b)
	}
	if q.by == nil {
		q.by = unknownVoice
	}
}

// quotationVoice returns the voice of a clause's subject; nil for the first person, whose voice is that of the turn or of the author.
func (r *Reading) quotationVoice(s subject, from, to int) *voice {
	if s.name != "" {
		return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: Quotation}
	}
	for i := from; i+1 < to; i++ {
		if r.words[kindFirstPerson][r.tokens[i].lower] && (r.words[kindVerb][r.tokens[i+1].lower] || i > from && r.words[kindVerb][r.tokens[i-1].lower]) {
			return nil
		}
	}
	return unknownVoice
}

// insertedSubject returns the subject of a clause inside a quotation: « Je comprends, dit-elle, … ».
func (r *Reading) insertedSubject(q *quotation) subject {
	for i := q.from; i+1 < q.to; i++ {
		if !r.tokens[i].is(",?!") {
			continue
		}
		verb := i + 1
		for verb < q.to && r.words[kindAuxiliary][r.tokens[verb].lower] {
			verb++
		}
		n := r.words.matchLength(kindVerb, r.tokens[verb:q.to])
		if n == 0 || verb+n >= q.to {
			continue
		}
		after := verb + n
		for after < q.to && r.tokens[after].lower == "t" {
			after++
		}
		if after < q.to && (r.isPronoun(after) || r.runLength(r.tokens[after:q.to]) > 0) {
			return r.subjectAfter(after, q.to)
		}
	}
	return subject{}
}

// opensTurn reports whether a token is the first one of a labelled turn.
func (r *Reading) opensTurn(at int) bool {
	for _, t := range r.turns {
		if t.end == at {
			return true
		}
	}
	return false
}

func (r *Reading) endsWith(at int, marks string) bool { return at > 0 && r.tokens[at-1].is(marks) }

// clauseStart returns the start of the words in front of a quotation: after the last sentence, quotation or label.
func (r *Reading) clauseStart(n int, b block) int {
	q := r.quotes[n]
	start := q.from
	for start > b.from && r.quoteOf[start-1] == 0 && r.voices[start-1] != silentVoice && !r.isStop(start-1) {
		start--
	}
	for start > b.from && r.quoteOf[start-1] > 0 && !r.isStatement(r.quotes[r.quoteOf[start-1]-1]) { // a quoted word within the clause
		start--
		for start > b.from && (r.quoteOf[start-1] == 0 && !r.isStop(start-1) || r.quoteOf[start-1] > 0 && r.quoteOf[start-1] == r.quoteOf[start]) {
			start--
		}
	}
	return start
}

// clauseEnd returns the end of the words after a quotation: in front of the next sentence or quotation.
func (r *Reading) clauseEnd(n int, b block) int {
	end := r.quotes[n].to
	for end < b.to && (r.quoteOf[end] == 0 || !r.isStatement(r.quotes[r.quoteOf[end]-1])) {
		if end++; r.quoteOf[end-1] == 0 && r.isStop(end-1) {
			break
		}
	}
	return end
}

// introduction returns the subject of the last verb of saying in front of a quotation.
func (r *Reading) introduction(from, to int) (subject, bool) {
	if from >= to {
		return subject{}, false
	}
	if from > 0 && r.quoteOf[from-1] > 0 && r.blockOf[from-1] == r.blockOf[from] {
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
	case r.words[kindConjunction][r.tokens[start-1].lower] || r.words[kindConjunction][r.tokens[max(from, last-1)].lower]:
		s = r.onlySubject(from, start)
	}
	return s, true
}

// followsAdverbial reports whether a verb is in front of its subject: "Am Montag sagte Karin Vogt".
func (r *Reading) followsAdverbial(verb int) bool {
	return verb+1 < len(r.tokens) && (r.isPronoun(verb+1) || r.tokens[verb+1].capital || r.words[kindDeterminer][r.tokens[verb+1].lower])
}

// onlySubject returns the only name of a clause: "X paused and said".
func (r *Reading) onlySubject(from, to int) subject {
	var found subject
	for i := from; i < to; {
		n := r.runLength(r.tokens[i:to])
		if n == 0 {
			i++
			continue
		}
		object := i > from && r.words[kindPreposition][r.tokens[i-1].lower]
		if found.name != "" || object || r.tokens[i+n-1].possessive {
			return subject{}
		}
		found = r.nameSubject(i, i+n)
		i += n
	}
	return found
}

// following returns the subject of the clause after a quotation. A sentence of its own is no such clause.
func (r *Reading) following(q *quotation, end int) (subject, bool) {
	from := q.to
	for from < end && r.tokens[from].is(",;–—-") {
		from++
	}
	if from >= end || !r.tokens[from].word {
		return subject{}, false
	}
	verb := r.words.matchLength(kindVerb, r.tokens[from:end]) > 0
	sentenceOver := r.endsWith(q.to-1, ".") && from == q.to
	if sentenceOver && r.tokens[from].capital && !r.isShortClause(from, end) {
		return subject{}, false
	}
	inverted := verb || r.words[kindAuxiliary][r.tokens[from].lower] && !r.isPronoun(from) || r.words[kindAdverb][r.tokens[from].lower]
	return r.clauseSpeaker(from, end, inverted)
}

// shortClause is the number of words of "X said." after a quotation that ends with a full stop.
const shortClause = 4

func (r *Reading) isShortClause(from, end int) bool {
	return countWords(r.tokens[from:end]) <= shortClause && (end == len(r.tokens) || r.isStop(end-1))
}

// interruptedVoice returns the voice of the quotation that a clause interrupts, or of the only speaker of the paragraph so far.
func (r *Reading) interruptedVoice(n int) *voice {
	q := r.quotes[n]
	for k := n - 1; k >= 0 && r.blockOf[r.quotes[k].from] == r.blockOf[q.from]; k-- {
		before := r.quotes[k]
		if before.by == nil || before.by == unknownVoice {
			return nil
		}
		for _, m := range r.people.mentions {
			if m.token >= before.to && m.token < q.from && m.of != before.by.of {
				return nil
			}
		}
		if at, _ := r.findVerb(before.to, q.from, before.to); at >= 0 && r.voices[at] != clauseVoice {
			return nil
		}
		return before.by
	}
	return nil
}

// signatureBelow returns the voice of the name on the line below a quotation that is a paragraph of its own.
func (r *Reading) signatureBelow(q *quotation, b block) *voice {
	next := r.blockOf[q.from] + 1
	if q.from != b.from || q.to < b.to || next >= len(r.blocks) || r.blocks[next].kind != nameLine || !r.tokens[r.blocks[next].from].is("–—-") {
		return nil
	}
	return r.nameVoice(r.blocks[next].from, r.blocks[next].to, Quotation)
}

// nameVoice returns the voice of the first full name in a range; nil without one.
func (r *Reading) nameVoice(from, to int, proof Proof) *voice {
	for i := from; i < to; i++ {
		n := r.runLength(r.tokens[i:to])
		if n > 0 && countWords(r.tokens[i:i+n]) >= fullName && !r.hasOrganization(r.tokens[i:i+n]) {
			p := r.people.add(r.textOf(i, i+n))
			p.known = true
			return &voice{name: p.name, of: p, where: r.spanOf(i, i+n), proof: proof}
		}
		i += max(n-1, 0)
	}
	return nil
}

// thatReach is the number of tokens after a verb in which a conjunction introduces indirect speech.
const thatReach = 8

// attributeReports gives sentences in indirect speech their speaker.
func (r *Reading) attributeReports() {
	for _, s := range r.sentences() {
		if r.blocks[r.blockOf[s.from]].kind != prose || !r.isOpen(s) {
			continue
		}
		if found := r.reportSubject(s.from, s.to); found.name != "" {
			r.setVoice(s.from, s.to, &voice{name: found.name, of: found.of, where: r.spanOf(found.from, found.to), proof: Report})
		}
	}
}

// isOpen reports whether no word of a sentence has a voice except its dateline.
func (r *Reading) isOpen(s tokenRange) bool {
	for i := s.from; i < s.to; i++ {
		if r.tokens[i].word && r.voices[i] != noVoice && r.voices[i] != silentVoice {
			return false
		}
	}
	return true
}

// reportSubject returns the speaker of a sentence in indirect speech: "X said that …", "…, said X", "according to X".
func (r *Reading) reportSubject(from, to int) subject {
	for from < to && r.voices[from] == silentVoice {
		from++
	}
	if s, ok := r.sourceOf(from, to); ok {
		return s
	}
	at, n := r.findVerb(from, to, from)
	if at < 0 {
		return subject{}
	}
	if r.introducesReport(at, n, to) {
		if s := r.subjectBefore(from, r.skipAuxiliaries(from, at)); s.name != "" {
			return s
		}
	}
	for comma := to - 1; comma > from; comma-- {
		if !r.tokens[comma].is(",") {
			continue
		}
		verb, length := r.findVerb(comma+1, to, comma+1)
		if verb < 0 {
			continue
		}
		start := r.skipAuxiliaries(comma+1, verb)
		if start == comma+1 {
			return r.subjectAfter(verb+length, to)
		}
		if to-(verb+length) <= 1 {
			return r.subjectBefore(comma+1, start)
		}
		return subject{}
	}
	return subject{}
}

// introducesReport reports whether a verb introduces indirect speech.
func (r *Reading) introducesReport(at, n, to int) bool {
	next := at + n
	if next >= to {
		return false
	}
	for i := next; i < min(to, next+thatReach); i++ {
		if r.words[kindThat][r.tokens[i].lower] {
			return true
		}
	}
	if !r.words[kindOpenVerb][joinTokens(r.tokens[at:next])] && !r.tokens[next].is(":") {
		return false
	}
	return r.tokens[next].is(":") || r.german && r.tokens[next].is(",") || !r.german && r.tokens[next].word && !r.words[kindPreposition][r.tokens[next].lower]
}
