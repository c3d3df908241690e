package speaker

import (
	"slices"
	"strings"
)

// unreadTokens is the maximum number of tokens of a label that no rule reads.
const unreadTokens = 10

// hasUnreadLabel reports whether a paragraph begins with a few words and a colon, or a dash if the
// text has such labels, which may be the label of somebody else.
func (r *cast) hasUnreadLabel(b block, isDashed bool) bool {
	from := b.from + skipTimestamp(r.tokens[b.from:b.to])
	if from >= b.to {
		return false
	}
	if n := r.roleAt(from+1, b.to); n > 0 && r.isA(from, kindUnnamed) && r.endsWith(min(from+n+2, b.to), ".") {
		return true // "Un député. C'est faux !"
	}
	isDashed = isDashed || r.isA(from, kindTitle) || r.mentionOf[from] != nil
	reach := unreadTokens
	if slices.ContainsFunc(r.tokens[from:min(b.to, from+fullName+1)], func(t token) bool { return t.is("*_") }) {
		reach = labelTokens // "El señor **PRESIDENTE DE LA AGENCIA …**:"
	}
	for i := from; i < min(b.to-1, from+reach); i++ {
		if t := r.tokens[i]; t.is(":") || isDashed && r.isLabelDash(i) {
			return i > from
		}
		if r.tokens[i].is(stopMarks+";,") && !r.isA(i-1, kindTitle) || r.isA(i, kindFirstSubject) {
			return false
		}
	}
	return false
}

// isDirect reports whether a clause proves its subject directly: it has one verb of saying, whose
// subject is the person's full or last name beside it, and nobody else is named in it.
func (r *cast) isDirect(s subject, from, to int) bool {
	if r.isIntroducedRole(s, from, to) {
		return true
	}
	if s.of == nil || !r.showsPerson(s.of) || s.from < from || s.to > to || s.from >= s.to || !r.isOwnName(s) {
		return false
	}
	verb, n := r.directVerb(from, to)
	if verb < 0 || !r.onlyVerb(verb+n, to) || r.namesOther(from, to, s.of) || r.hasDoubt(from, to) {
		return false
	}
	if s.from < verb {
		return r.isFreeSubject(s, from) && r.isApposition(s.to, verb)
	}
	return r.isInverted(verb+n, s.from) && !r.isJoined(s.to, to)
}

// isIntroducedRole reports whether a clause is no more than a verb of saying and a role that the
// text introduces for one person and that nobody else has: "said the chief executive". The role has
// several words or is the abbreviation of an office that a firm has once, such as "CEO".
func (r *cast) isIntroducedRole(s subject, from, to int) bool {
	verb, n := r.findVerb(from, to, from)
	at := verb + n + 1
	if s.of == nil || verb < 0 || at >= to || !r.isA(at-1, kindDeterminer) || r.isA(at-1, kindUnnamed) {
		return false
	}
	length := r.roleAt(at, to)
	isWhole := at+length >= to || !r.tokens[at+length].word
	role := r.tokens[at : at+length]
	isOffice := length >= fullName || length == 1 && r.words[kindOffice][role[0].lower]
	return isOffice && isWhole && r.people.byRole(joinTokens(role)) == s.of && r.isHeldBy(role, s.of) &&
		r.onlyVerb(at, to) && !r.hasDoubt(from, to)
}

// isOwnName reports whether a subject is written with the person's full or last name, and not in
// the genitive.
func (r *cast) isOwnName(s subject) bool {
	if r.isPronoun(s.from) || r.tokens[s.to-1].possessive {
		return false
	}
	return r.wordsIn(s.from, s.to) >= fullName ||
		r.people.byPart(r.tokens[s.from].lower, r.titleGender(r.tokens, s.from)) == s.of
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

// signer returns the person who signs a letter: the name that begins the closing line's rest or a
// line below it. Anonymous is true if there are such lines and none begins with a name, or if two
// people sign.
func (r *cast) signer(from, closing, end int) (found *voice, anonymous bool) {
	for i := closing; i < end; i++ {
		b := r.blocks[i]
		start := max(b.from, from)
		for start < b.to && (!r.tokens[start].word || r.isA(start, kindTitle)) {
			start++
		}
		if start == b.to {
			continue
		}
		anonymous = true
		n := r.untilBreak(start, r.nameAt(start, b.to))
		if r.wordsIn(start, start+n) < fullName || r.hasOrganization(r.tokens[start:start+n]) {
			continue
		}
		at := start + n
		if at+1 < b.to && r.isA(at, kindConjunction) && r.nameAt(at+1, b.to) > 0 {
			return nil, true
		}
		return r.nameVoice(start, at, FirstPerson), false
	}
	return nil, anonymous
}

// isSpeakerLabel reports whether a label names a speaker, and not the topic of a line.
func (r *cast) isSpeakerLabel(t turn, counts map[string]int, labels int) bool {
	written := strings.ToLower(r.textOf(t.from, t.to))
	isTranscript, isRepeated := labels >= transcriptTurns, counts[written] > 1
	switch {
	case r.isHeadline(t, counts[written]):
		return false
	case t.dashed && t.kind != initialLabel:
		return isTranscript && (t.hasRole || r.isWrittenName(t.label))
	case t.dotted:
		return isTranscript
	}
	switch t.kind {
	case questionLabel, answerLabel:
		return labels > 1
	case phraseLabel, initialLabel:
		return isRepeated && isTranscript
	case wordLabel:
		return isRepeated || r.people.hasPart(written)
	case nameLabel:
		return t.hasRole || isRepeated || r.isPersonLabel(t, written)
	}
	return true
}

// isPersonLabel reports whether the name of a label is shown to be a person's: by a first name, by
// another mention, or by no sign of another meaning.
func (r *cast) isPersonLabel(t turn, written string) bool {
	return isGivenName(r.tokens[t.from].lower) || r.people.counts[r.people.people[written]] > 1 ||
		!r.german && !r.hasOrganization(r.tokens[t.from:t.to]) && !r.hasLowerCase(t)
}

// hasLastNames reports whether a label has two last names, of which only the first is in the
// person's name: somebody else may have it too.
func (r *cast) hasLastNames(l label, p *person) bool {
	return p != nil && l.to-l.from == fullName && r.people.twoLast &&
		strings.HasSuffix(strings.ToLower(p.name), " "+r.tokens[l.from].lower)
}

// headingSpeaker returns the voice of the name that ends such a heading; nil for other blocks.
func (r *cast) headingSpeaker(b block) *voice {
	at := b.from + trimmedMarks(r.tokens[b.from:b.to])
	n := r.match(kindAttributable, at, b.to)
	end := b.to
	for end > at && r.tokens[end-1].is("*_:") {
		end--
	}
	for from := end - fullName; n > 0 && from >= max(at+n, end-longestRun); from-- {
		if isFirstName(r.tokens[from]) && r.nameAt(from, end) == end-from {
			return r.nameVoice(from, end, Quotation)
		}
	}
	return nil
}
