package speaker

import "slices"

// attributeMinutes attributes the sentences of minutes that report a statement without a
// conjunction: "X proposes to close the hall." In other texts such a sentence may report an act.
func (r *Reading) attributeMinutes() {
	if !r.isMinutes() {
		return
	}
	r.attributeInitials()
	for _, s := range r.sentences {
		if r.blocks[r.blockOf[s.from]].kind != prose || r.hasDoubt(s.from, s.to) {
			continue
		}
		found := r.actSubject(s.from, s.to)
		if found.of == nil {
			found = r.plainSubject(s)
		}
		if found.of != nil {
			r.setVoice(s.from, s.to, r.voiceBy(found, Report))
		}
	}
}

// attributeInitials attributes the lines that begin with declared initials and a colon: "KL: The
// interface is late."
func (r *Reading) attributeInitials() {
	for _, b := range r.blocks {
		if b.to-b.from < fewestQuoted || !r.tokens[b.from].upper || !r.tokens[b.from+1].is(":") {
			continue
		}
		p := r.people.byInitials(r.tokens[b.from : b.from+1])
		if p == nil || !slices.Contains(r.people.lasts[r.tokens[b.from].lower], p) {
			continue
		}
		by := &voice{name: p.name, of: p, where: r.spanOf(b.from, b.from+1), proof: Label}
		for i := b.from + fullName; i < b.to; i++ {
			if r.voices[i] == noVoice || r.voices[i] == silentVoice {
				r.voices[i] = by
			}
		}
		r.voices[b.from], r.voices[b.from+1] = silentVoice, silentVoice
	}
}

// skipSilent returns the first token of a range that is no label or heading.
func (r *Reading) skipSilent(s tokenRange) int {
	for s.from < s.to && r.voices[s.from] == silentVoice {
		s.from++
	}
	return s.from
}

// plainSubject returns the person who is the subject of a sentence without a verb of minutes: "X
// thinks little of it." It returns none for a passive, for plans, for the order of the meeting, and
// for a sentence that may have the words of somebody else.
func (r *Reading) plainSubject(s tokenRange) subject {
	from := r.skipSilent(s)
	for _, kind := range []string{kindThat, kindHearsay, kindAccording, kindOrder} {
		if r.contains(kind, from, s.to) {
			return subject{}
		}
	}
	found := r.sentenceSubject(from, s.to, true)
	if found.of == nil || found.to < s.to && r.isA(found.to, kindPassive, kindModal) {
		return subject{}
	}
	return found
}

// actSubject returns the person whose name, role or pronoun stands in front of a verb of minutes.
func (r *Reading) actSubject(from, to int) subject {
	from = r.skipSilent(tokenRange{from, to})
	if r.drops && r.match(kindAct, from, to) > 0 {
		return r.subjectAbove(from)
	}
	for i := from + 1; i < to && r.quoteOf[i] == 0 && !r.tokens[i].is(";:"); i++ {
		n := max(r.match(kindAct, i, to), r.prefixLength(kindAct, i, to))
		if r.match(kindQuoting, i, to) > 0 {
			return subject{}
		}
		if n == 0 || r.isPassive(i) || r.isNoun(i) || r.isNegated(from, i, i+n) {
			continue
		}
		start := r.skipAuxiliaries(from, i)
		if found := r.subjectBefore(from, start); found.of != nil {
			return found
		}
		return r.sentenceSubject(from, start, true)
	}
	return subject{}
}
