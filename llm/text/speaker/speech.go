package speaker

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
		added := by.as(Report)
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

// interruptedVoice returns the voice of the quotation that a clause interrupts, or of the only
// speaker of the paragraph so far.
func (r *Reading) interruptedVoice(n int) *voice {
	q := r.quotes[n]
	if n == 0 || r.blockOf[r.quotes[n-1].from] != r.blockOf[q.from] {
		return nil
	}
	before := r.quotes[n-1]
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

// attributeHeaded attributes the quotations below a heading that names their speaker: "Quotes
// attributable to the Minister for Transport, X".
func (r *Reading) attributeHeaded() {
	for i := range r.blocks {
		by := r.headingSpeaker(r.blocks[i])
		if by == nil {
			continue
		}
		r.setVoice(r.blocks[i].from, r.blocks[i].to, silentVoice)
		for k := i + 1; k < len(r.blocks) && r.quoteOf[r.blocks[k].from] > 0; k++ {
			for at := r.blocks[k].from; at < r.blocks[k].to; at++ {
				if r.voices[at] == noVoice || r.voices[at] == unknownVoice {
					r.voices[at] = by
				}
			}
		}
	}
}
