package speaker

// thatReach is the number of tokens after a verb in which a conjunction introduces indirect speech.
const thatReach = 8

// commaReach is the number of tokens after a German verb in which a comma introduces indirect
// speech.
const commaReach = 6

// insertedTokens is the number of tokens of an insertion in commas between a verb and its
// conjunction.
const insertedTokens = 6

// negationReach is the number of tokens in front of a verb in which a negation belongs to it.
const negationReach = 2

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
			r.repeated[i] = true
		}
	}
}

// splitClauses returns the sentences, split at the semicolons after which a verb introduces further
// reported words: "X asks for it; Y answers that …".
func (r *quoted) splitClauses() []tokenRange {
	var all []tokenRange
	for _, s := range r.sentences {
		for i := s.to - 1; i > s.from; i-- {
			if !r.tokens[i].is(";") || r.quoteOf[i] > 0 {
				continue
			}
			verb, n := r.findVerb(i+1, min(s.to, i+closingReach), i+1)
			if verb >= 0 && r.introducesReport(verb, n, s.to) {
				all = append(all, tokenRange{i + 1, s.to})
				s.to = i + 1
			}
		}
		all = append(all, s)
	}
	return all
}

// isOpen reports whether no word of a sentence has a voice except its dateline.
func (r *Reading) isOpen(s tokenRange) bool {
	return true
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

// addedReport returns the subject of a sentence whose participle after a comma introduces indirect
// speech, and the position of the reported words: "X rejected the claim, saying the grant was
// another one".
func (r *script) addedReport(from, to int) (subject, int) {
	for i := from + 1; i+1 < to; i++ {
		if !r.tokens[i-1].is(",") || !r.isA(i, kindAdding) {
			continue
		}
		return r.sentenceSubject(from, i-1, true), i + 1
	}
	return subject{}, from
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

// colonReport returns the subject of a sentence with reported words after a colon, which are in the
// subjunctive in German, and a clause in French and Spanish: "X sieht das anders: Die Halle sei
// alt."
func (r *script) colonReport(from, to int) (subject, int) {
	for i := from; r.inverts && i < to; i++ {
		if !r.tokens[i].is(":") {
			continue
		}
		after := tokenRange{i + 1, min(to, i+1+closingReach)}
		if r.german && r.hasSubjunctive(after) || !r.german && r.wordsIn(after.from, after.to) >= fewestReported {
			return r.sentenceSubject(from, i, true), i + 1
		}
	}
	return subject{}, from
}

// closingAdverbial is the number of words of an adverbial after the pronoun that ends a sentence:
// "…, erzählt er am Telefon".
const closingAdverbial = 5

// closingSubject returns the subject after a verb that ends a sentence: "…, said X". No more than
// an adverbial may follow a pronoun.
func (r *script) closingSubject(from, to int) subject {
	if from+1 < to && r.isPronoun(from) && r.tokens[from+1].word {
		isShort := r.wordsIn(from+1, to) <= closingAdverbial && r.onlyVerb(from+1, to) &&
			r.onlyPerson(from+1, to).of == nil && !r.hasComma(from, to)
		first := r.tokens[from+1].lower
		if !isShort || !r.words[kindPreposition][first] && !r.words[kindAdverb][first] {
			return subject{}
		}
	}
	return r.subjectAfter(from, to)
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

// reporter returns the subject of a verb that introduces indirect speech; start is in front of its
// auxiliaries.
func (r *script) reporter(from, start, verb, after, to int) subject {
	found := r.subjectBefore(from, start)
	switch {
	case found.name != "":
		return found
	case start > from && r.isA(start-1, kindConjunction):
		return r.sentenceSubject(from, start, true)
	case r.inverts && r.followsAdverbial(after-1) && !r.isObject(from, verb) &&
		(r.isPronoun(after) || !r.beginsSubject(from, start)):
		return r.subjectAfter(after, to)
	}
	return r.relativeSubject(from, start)
}

// skipConjunctions returns the position after the conjunctions at the start of a sentence.
func (r *page) skipConjunctions(from, to int) int {
	for from < to && r.isA(from, kindConjunction) {
		from++
	}
	return from
}

// beginsSubject reports whether a noun with an article, which may be the subject, is in front of a
// verb: "Die Staatsanwaltschaft wirft X vor, …".
func (r *page) beginsSubject(from, verb int) bool {
	return from+1 < verb && r.isA(from, kindDeterminer) && !r.isA(from, kindPreposition) && !r.hasComma(from, verb)
}

// endsSubjectless reports whether no more than a short adverbial follows the verb of a clause
// without a subject: "…, explica entre risas."
func (r *quoted) endsSubjectless(at, to int) bool {
	if at >= to || !r.tokens[at].word {
		return true
	}
	word := r.tokens[at].lower
	return r.wordsIn(at, to) <= closingWords &&
		(r.words[kindPreposition][word] || r.words[kindAdverb][word]) && r.onlyVerb(at, to)
}

// isNegated reports whether a clause does not assert that the words of a verb were spoken: "X never
// claimed that …", "if X claimed that …".
func (r *page) isNegated(from, at, end int) bool {
	if r.isA(from, kindConditional) && !r.hasComma(from, at) {
		return true
	}
	return r.contains(kindNegation, max(from, at-negationReach), at) || end < len(r.tokens) && r.isA(end, kindNegation)
}

func (r *page) hasComma(from, to int) bool {
	for i := from; i < to; i++ {
		if r.tokens[i].is(",") {
			return true
		}
	}
	return false
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

// skipInsertion returns the position after words between commas, with the commas at most so many
// tokens: ", sin embargo,", ", tío de la concejala,"; the position itself without them.
func (r *page) skipInsertion(at, to, most int) int {
	for i := at + 1; at < to && r.tokens[at].is(",") && i < min(to, at+most); i++ {
		if r.tokens[i].is(",") {
			return i + 1
		}
	}
	return at
}

// introducesReport reports whether a verb introduces indirect speech.
func (r *quoted) introducesReport(at, n, to int) bool {
	next := r.skipInsertion(at+n, to, insertedTokens)
	if next >= to {
		return false
	}
	word := joinTokens(r.tokens[at : at+n])
	if r.thatFollows(next, to) || r.subjunctiveFollows(next, to) || r.introducesInfinitive(at, n, to) ||
		r.words[kindDemand][word] && r.isA(next, kindDeterminer) || r.tokens[next].is(":") {
		return true
	}
	switch {
	case !r.words[kindOpenVerb][word]:
		return false
	case r.german:
		return r.tokens[next].is(",")
	}
	return r.tokens[next].word && (!r.isA(next, kindPreposition) || r.match(kindAdverb, next, to) > 1)
}

// thatFollows reports whether a conjunction of indirect speech is near a position.
func (r *page) thatFollows(at, to int) bool {
	for i := at; i < min(to, at+thatReach); i++ {
		if r.match(kindThat, i, to) > 0 {
			return true
		}
		if !r.german && r.tokens[i].is(",") {
			return false
		}
	}
	return false
}

// subjunctiveFollows reports whether a comma and a German clause in the subjunctive are near a
// position.
func (r *quoted) subjunctiveFollows(at, to int) bool {
	comma := at
	for r.german && comma < min(to-1, at+commaReach) && r.tokens[comma].word {
		comma++
	}
	return r.german && r.tokens[comma].is(",") && r.hasSubjunctive(tokenRange{comma + 1, min(to, comma+1+closingReach)})
}
