package speaker

import "sort"

// insertedTokens is the number of tokens of an insertion in commas between a verb and its
// conjunction.
const insertedTokens = 6

// closingReach is the number of tokens at the end of a sentence in which a clause names the
// speaker: "…, said X".
const closingReach = 60

// closingWords is the number of tokens after a verb that follows its subject at the end of a
// sentence: "…, X said on Tuesday".
const closingWords = 3

// attributeReports attributes sentences in indirect speech.
func (r *Reading) attributeReports() {
	for _, s := range r.splitClauses() {
		r.attributeReport(s)
	}
	r.attributeMinutes()
	r.attributeIndirect()
}

// attributeReport attributes a sentence in indirect speech without a voice.
func (r *Reading) attributeReport(s tokenRange) {
	if r.blocks[r.blockOf[s.from]].kind != prose {
		return
	}
	found, begin := r.reportSubject(s.from, s.to)
	if found.name == "" {
		return
	}
	r.setVoice(s.from, begin, clauseVoice)
	said := voice{name: found.name, of: found.of, where: r.spanOf(found.from, found.to), proof: Report}
	after := said // the words after a semicolon may be somebody else's
	said.direct = r.isDirect(found, s.from, s.to)
	end := begin
	for end < s.to && !r.tokens[end].is(";") {
		end++
	}
	r.setVoice(begin, end, &said)
	r.setVoice(end, s.to, &after)
	if begin > s.from && r.isA(begin-1, kindDenial) { // the words alone are what the person denies
		if next, _ := r.findVerb(begin, end, begin); next >= 0 {
			end = next
		}
		for i := begin; i < end; i++ {
			r.repeated[i] = r.repeated[i] || r.voices[i] == &said
		}
	}
}

// reportSubject returns the speaker of a sentence in indirect speech, and where the reported words
// begin: "X said that …", "…, said X", "according to X".
func (r *Reading) reportSubject(from, to int) (found subject, begin int) {
	for from < to && r.voices[from] == silentVoice {
		from++
	}
	if from == to || r.contains(kindHearsay, from, to) || r.isRelayed(from, to) {
		return subject{}, from
	}
	if s, ok := r.sourceOf(from, to); ok {
		return s, from
	}
	for _, find := range []func(from, to int) (subject, int){
		r.introducedReport, r.colonReport, r.addedReport, r.insertedReport,
	} {
		if s, begin := find(from, to); s.name != "" {
			return s, begin
		}
	}
	return r.closingReport(from, to), from
}

// closingReport returns the subject of the clause that ends a sentence: "…, said X".
func (r *Reading) closingReport(from, to int) subject {
	for comma := to - 1; comma > max(from, to-closingReach); comma-- {
		if !r.tokens[comma].is(",") {
			continue
		}
		verb, length := r.findVerb(comma+1, to, comma+1)
		if verb < 0 {
			continue
		}
		if start := r.skipAuxiliaries(comma+1, verb); start > comma+1 {
			if to-(verb+length) <= closingWords {
				return r.subjectBefore(comma+1, start)
			}
			break
		}
		s := r.closingSubject(verb+length, to)
		if s.name == "" && r.endsSubjectless(verb+length, to) && r.isSubjectless(verb, to) {
			s = r.subjectAbove(from)
		}
		return s
	}
	return subject{}
}

// insertedReport returns the subject of a clause between commas: "No order had been signed, she
// insisted, and none would be."
func (r *Reading) insertedReport(from, to int) (subject, int) {
	depends := r.isA(from, kindConditional, kindSubordinate)
	for i := from + 1; i < to; i++ {
		end := i + 1
		for end < to && end <= i+insertedTokens && r.tokens[end].word {
			end++
		}
		if !r.tokens[i].is(",") || end >= to-1 || !r.tokens[end].is(",;") {
			continue
		}
		verb, n := r.findVerb(i+1, end, i+1)
		if verb < 0 {
			continue
		}
		if depends && !(r.drops && verb == i+1 && verb+n == end) {
			return subject{}, from
		}
		return r.insertedSubject(i+1, verb, verb+n, end, from), from
	}
	return subject{}, from
}

// insertedSubject returns the subject of a clause between commas with a verb of saying.
func (r *Reading) insertedSubject(start, verb, after, end, sentence int) subject {
	if at := r.skipAuxiliaries(start, verb); at > start {
		if r.endsSubjectless(after, end) { // "he said", "he said by phone"
			return r.subjectBefore(start, at)
		}
		return subject{}
	}
	if s := r.subjectAfter(after, end); s.name != "" || !r.isSubjectless(verb, end) {
		return s
	}
	return r.subjectAbove(sentence)
}

// introducedReport returns the subject of the first verb that introduces indirect speech, and the
// position after the verb.
func (r *Reading) introducedReport(from, to int) (found subject, begin int) {
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+1) {
		if !r.introducesReport(at, n, to) {
			continue
		}
		if r.isNegated(from, at, at+n) || r.isPossible(from, at) {
			return subject{}, from
		}
		start := r.skipAuxiliaries(from, at)
		if r.drops && !r.hasWords(r.skipConjunctions(from, start), start) &&
			r.isA(min(r.skipInsertion(at+n, to, insertedTokens), to-1), kindThat) {
			return r.subjectAbove(from), at + n
		}
		found = r.reporter(from, start, at, at+n, to)
		if found.name == "" && r.match(kindFloor, from, to) > 0 {
			found = r.onlyPerson(from, start)
		}
		return found, at + n
	}
	return subject{}, from
}

// subjectAbove returns the subject of the sentence in front of a sentence without a subject, in the
// same paragraph, or whoever speaks there.
func (r *Reading) subjectAbove(from int) subject {
	found := r.leadVoice(from, r.blocks[r.blockOf[from]])
	if found == nil {
		first := r.blocks[r.blockOf[from]].from
		if from > first && r.isPronoun(r.sentenceStart(from-1)) { // of somebody whom the text does not name
			return subject{}
		}
		if s := r.onlyPerson(first, from); s.of != nil || from == first {
			return s
		}
		return r.onlyPerson(r.sentenceStart(from-1), from)
	}
	if found.where.Start < 0 {
		return subject{}
	}
	first, last := r.tokensIn(found.where.Start, found.where.End)
	return subject{name: found.name, of: found.of, from: first, to: last}
}

// lastSpoken returns the voice of the last quoted or reported words of a range, and whether any
// words have a speaker; nil if that is nobody with a name.
func (r *Reading) lastSpoken(from, to int) (found *voice, spoken bool) {
	for i := to - 1; i >= from; i-- {
		if v := r.voices[i]; v != noVoice && v != clauseVoice && v != silentVoice {
			if v.of == nil || v.proof != Quotation && v.proof != Report {
				return nil, true
			}
			return v, true
		}
	}
	return nil, false
}

// attributeNested attributes the words that the speaker of a turn or of a text reports from
// somebody else to that person: "X told me that …".
func (r *Reading) attributeNested(from, to int) {
	all := r.sentences
	first := sort.Search(len(all), func(i int) bool { return all[i].to > from })
	for _, s := range all[first:] {
		if s.from >= to {
			break
		}
		start := max(s.from, from)
		for at, n := r.findNestedVerb(start, s.to); at >= 0; at, n = r.findNestedVerb(at+n, s.to) {
			isTold := at > start && r.isPassive(at)
			if r.quoteOf[at] > 0 || !r.introducesReport(at, n, s.to) || !isTold && r.isOwnVerb(start, at, at+n, s.to) {
				continue
			}
			r.setVoice(at+n, s.to, r.nestedVoice(start, at))
			break
		}
	}
}
