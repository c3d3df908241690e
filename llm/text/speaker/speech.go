package speaker

import "sort"

// attributeSpeech attributes the quotations, and then the turns.
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
				if r.voices[i] != clauseVoice {
					r.voices[i] = q.by
				}
			}
		}
	}
	r.attributeHeaded()
	r.attributeDialogues()
	r.attributeTurns()
}

// attributeQuotation finds the speaker of a quotation: in the clause after it, in the clause in
// front of it, or in the quotation that it continues.
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
	switch {
	case r.attributeByParagraph(n), r.attributeByIntroduction(n, start, end), r.attributeByFollowing(n, end),
		r.attributeByInsertion(n), q.by != nil && q.by != unknownVoice:
	case !r.hasUnreadClause(q):
		q.by = r.voiceAround(n, b, start)
	case r.isSubjectless(q.to, end):
		q.by = r.runningVoice(n, q.from)
	default:
		q.by = unknownVoice
	}
}

// voiceAround returns the voice of a quotation without a clause, which the text around it shows.
func (r *Reading) voiceAround(n int, b block, start int) *voice {
	q := &r.quotes[n]
	for _, find := range []func() *voice{
		func() *voice { return r.interruptedVoice(n) },
		func() *voice { return r.signatureBelow(q, b) },
		func() *voice { return r.leadOf(q, b, start) },
		func() *voice { return r.voiceAbove(n, b) },
		func() *voice { return r.headedVoice(q, b) },
	} {
		if found := find(); found != nil {
			return found
		}
	}
	return unknownVoice
}

// leadOf returns the voice of the sentence in front of a quotation that begins a sentence.
func (r *Reading) leadOf(q *quotation, b block, start int) *voice {
	if start != q.from {
		return nil
	}
	return r.leadVoice(q.from, b)
}

// voiceAbove returns the voice of the quotation in the paragraph above, for a paragraph that is one
// quotation.
func (r *quoted) voiceAbove(n int, b block) *voice {
	q := r.quotes[n]
	if n == 0 || q.from != b.from || q.to != b.to {
		return nil
	}
	before := r.quotes[n-1]
	above := r.blockOf[before.from]
	if above+1 != r.blockOf[q.from] || before.by == nil || before.by.of == nil ||
		r.clauseEnd(n-1, r.blocks[above]) != r.blocks[above].to {
		return nil
	}
	return before.by.weakened()
}

// headedVoice returns the voice of the name in the heading of a paragraph that begins with the
// quotation, if the heading calls it a statement.
func (r *cast) headedVoice(q *quotation, b block) *voice {
	at := r.blockOf[q.from] - 1
	if q.from != b.from || at < 0 || r.blocks[at].kind == prose {
		return nil
	}
	above := r.blocks[at]
	found := r.signedIn(r.tokens[above.from:above.to], r.runes, &above)
	if found == nil {
		return nil
	}
	p := r.people.addPerson(found.name)
	p.known = true
	return &voice{name: p.name, of: p, where: found.where, proof: Quotation}
}

// attributeByFollowing attributes a quotation by the words after it: "…", said X.
func (r *Reading) attributeByFollowing(n, end int) bool {
	q := &r.quotes[n]
	if !q.closed {
		return false
	}
	s, said := r.following(q, end)
	if !said {
		return false
	}
	if start := r.clauseStart(n, r.blocks[r.blockOf[q.from]]); r.hasDoubt(start, q.from) || r.isUncertain(q.to, end) {
		q.by = unknownVoice
		return true
	}
	if q.by = r.quotationVoice(s, q.to, end); s.name == "" &&
		(r.isSubjectless(q.to, end) || r.renames(q.to, end) && q.from == r.blocks[r.blockOf[q.from]].from) {
		q.by = r.runningVoice(n, q.from)
	}
	r.setVoice(q.to, end, clauseVoice)
	r.attributeAddition(q.by, q.to, end)
	return true
}

// attributeAddition attributes the words after a conjunction that a further verb of the clause of a
// quotation introduces: "…," she said, adding that …
func (r *Reading) attributeAddition(by *voice, from, to int) {
	if by == nil || by.of == nil {
		return
	}
	verb, n := r.findVerb(from, to, from)
	if verb < 0 {
		return
	}
	for i := verb + n; i+1 < to; i++ {
		isVerb := r.isA(i, kindAdding) || r.match(kindVerb, i, to) > 0
		if !isVerb || r.match(kindThat, i+1, to) == 0 {
			continue
		}
		if r.isA(i, kindDenial) || r.isNegated(from, i, i+1) { // the person denies the words
			return
		}
		added := &voice{name: by.name, of: by.of, where: by.where, proof: Report}
		for k := i + 1; k < to; k++ {
			r.voices[k] = added
		}
		return
	}
}

// attributeByInsertion attributes a quotation by a clause inside it.
func (r *Reading) attributeByInsertion(n int) bool {
	q := &r.quotes[n]
	at, end, s := r.insertedClause(q)
	if at < 0 {
		return false
	}
	by := r.quotationVoice(s, at, end)
	if s.name == "" && r.isSubjectless(at, end) {
		by = r.runningVoice(n, q.from)
	}
	if by == nil || by == unknownVoice {
		return false
	}
	q.by = by
	r.setVoice(at, end, clauseVoice)
	return true
}

// attributeDialogues attributes the paragraphs that begin with a dash and have a clause with a verb
// of saying: "—No lo sé —dijo Ana—. Nadie lo sabe."
func (r *Reading) attributeDialogues() {
	if !r.inverts {
		return
	}
	for _, b := range r.blocks {
		if b.kind != prose || !r.tokens[b.from].is("–—") || b.to-b.from < fewestQuoted {
			continue
		}
		at, end, s := r.insertedClause(&quotation{from: b.from + 1, to: b.to})
		if at < 0 {
			continue
		}
		r.setVoice(at, end, clauseVoice)
		if s.name == "" && r.isSubjectless(at, end) {
			s = r.subjectAbove(b.from)
			if above := r.blockOf[b.from] - 1; s.name == "" && above >= 0 {
				s = r.onlyPerson(r.blocks[above].from, r.blocks[above].to)
			}
		}
		if s.name != "" {
			r.setVoice(b.from, b.to, r.quotationVoice(s, at, end))
		}
	}
}

// quotationVoice returns the voice of a clause's subject; nil for the first person, whose voice is
// that of the turn or of the author.
func (r *cast) quotationVoice(s subject, from, to int) *voice {
	if s.name != "" {
		return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: Quotation,
			direct: r.isDirect(s, from, to)}
	}
	if at, n := r.findVerb(from, to, from); at >= 0 {
		isLast := r.quoteOf[min(to, len(r.tokens)-1)] == 0 || r.onlyVerb(at+n, to)
		if isLast && (at > from && r.isA(at-1, kindFirstSubject) || at+n < to && r.isA(at+n, kindFirstSubject)) {
			return nil
		}
	}
	return unknownVoice
}

// onlyVerb reports whether no verb of saying follows in a range.
func (r *quoted) onlyVerb(from, to int) bool {
	at, _ := r.findVerb(from, to, from)
	return at < 0
}

// insertedClause returns a clause inside a quotation and its subject: « Je comprends, dit-elle, …
// »; -1 without one.
func (r *script) insertedClause(q *quotation) (from, to int, of subject) {
	for i := q.from; i+1 < q.to; i++ {
		if !r.tokens[i].is(",?!–—") {
			continue
		}
		verb := i + 1
		for verb < q.to && r.isA(verb, kindAuxiliary) {
			verb++
		}
		after := verb + r.match(kindVerb, verb, q.to)
		if after == verb || after >= q.to {
			continue
		}
		for after < q.to && r.tokens[after].lower == "t" {
			after++
		}
		dashed := r.tokens[i].is("–—")
		end := r.insertionEnd(after, q.to, dashed)
		if after < q.to && (r.isPronoun(after) || r.nameAt(after, q.to) > 0) {
			return i + 1, end, r.subjectAfter(after, q.to)
		}
		if dashed && r.inverts {
			return i + 1, end, r.subjectAfter(after, end)
		}
	}
	return -1, 0, subject{}
}

// insertionEnd returns the end of a clause inside a quotation: the next mark, or the next dash.
func (r *layout) insertionEnd(at, to int, dashed bool) int {
	for at < to && (r.tokens[at].word || r.tokens[at].is(".") && !r.isStop(at) || dashed && !r.tokens[at].is("–—")) {
		at++
	}
	return at
}

// opensTurn reports whether a token is the first one of a labelled turn.
func (r *script) opensTurn(at int) bool {
	i := sort.Search(len(r.turns), func(i int) bool { return r.turns[i].end >= at })
	return i < len(r.turns) && r.turns[i].end == at
}

func (r *page) endsWith(at int, marks string) bool { return at > 0 && r.tokens[at-1].is(marks) }

// clauseStart returns the start of the words in front of a quotation: after the last sentence,
// quotation or label.
func (r *Reading) clauseStart(n int, b block) int {
	q := r.quotes[n]
	start := q.from
	for start > b.from && r.quoteOf[start-1] == 0 && r.voices[start-1] != silentVoice && !r.isStop(start-1) {
		start--
	}
	return start
}

// clauseEnd returns the end of the words after a quotation: in front of the next sentence or
// quotation.
func (r *quoted) clauseEnd(n int, b block) int {
	end := r.quotes[n].to
	if r.quotes[n].closed && r.beginsAnother(end, b) {
		return end
	}
	for end < b.to && (r.quoteOf[end] == 0 || !r.isStatement(r.quotes[r.quoteOf[end]-1])) {
		if end++; r.quoteOf[end-1] == 0 && r.isStop(end-1) {
			break
		}
	}
	return end
}

// beginsAnother reports whether a sentence of its own, and no clause of the quotation, is behind a
// closed quotation.
func (r *quoted) beginsAnother(at int, b block) bool {
	if at >= b.to || !r.tokens[at].capital || !r.tokens[at-2].is(stopMarks) || !r.tokens[at-1].is(anyQuote) {
		return false
	}
	next := at
	for next < b.to && (r.quoteOf[next] > 0 || !r.isStop(next)) {
		next++
	}
	isLong := r.wordsIn(at, next) > shortClause && r.tokens[at-2].is(".")
	return isLong || r.onlyVerb(at, next) || r.isA(at, kindFirstSubject)
}

// interruptedVoice returns the voice of the quotation that a clause interrupts, or of the only
// speaker of the paragraph so far.
func (r *Reading) interruptedVoice(n int) *voice {
	q := r.quotes[n]
	for k := n - 1; k >= 0 && r.blockOf[r.quotes[k].from] == r.blockOf[q.from]; k-- {
		before := r.quotes[k]
		if before.by == nil || before.by == unknownVoice {
			return nil
		}
		if r.namesOther(before.to, q.from, before.by.of) || r.hasOtherSentence(before.to, q.from, before.by.of) {
			return nil
		}
		if at, _ := r.findVerb(before.to, q.from, before.to); at >= 0 && r.voices[at] != clauseVoice {
			return nil
		}
		if r.hasSentenceBetween(before.to, q.from) {
			return before.by.weakened()
		}
		return before.by
	}
	return nil
}

// hasSentenceBetween reports whether a sentence follows the clause of a quotation, in front of the
// next one.
func (r *layout) hasSentenceBetween(from, to int) bool {
	for i := from; i < to-1; i++ {
		if r.isStop(i) {
			return true
		}
	}
	return false
}

// signatureBelow returns the voice of the name on the line below a quotation that is a paragraph of
// its own.
func (r *cast) signatureBelow(q *quotation, b block) *voice {
	next := r.blockOf[q.from] + 1
	if q.from != b.from || q.to < b.to || next >= len(r.blocks) || r.blocks[next].kind != nameLine ||
		!r.tokens[r.blocks[next].from].is("–—-") && !r.hasSignatures {
		return nil
	}
	return r.nameVoice(r.blocks[next].from, r.blocks[next].to, Quotation)
}

// nameVoice returns the voice of the first full name in a range; nil without one.
func (r *cast) nameVoice(from, to int, proof Proof) *voice {
	for i := from; i < to; i++ {
		n := r.nameAt(i, to)
		isOffice := n >= fullName && !isFirstName(r.tokens[i]) && r.namesHolder(r.tokens[i+n:to])
		if n > 0 && r.wordsIn(i, i+n) >= fullName && !isOffice && !r.hasOrganization(r.tokens[i:i+n]) {
			p := r.people.addPerson(r.textOf(i, i+n))
			p.known = true
			return &voice{name: p.name, of: p, where: r.spanOf(i, i+n), proof: proof, direct: proof == FirstPerson}
		}
		i += max(n-1, 0)
	}
	return nil
}
