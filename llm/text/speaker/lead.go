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
	if s, ok := r.unlistedVerb(q, from, end); ok {
		return s, true
	}
	return r.clauseSpeaker(from, end)
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
	return r.voiceBy(s, Quotation)
}
