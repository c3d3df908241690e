package speaker

import "strings"

// attributeIndirect attributes the German sentences in the subjunctive of indirect speech to the
// speaker of the sentence in front of them, and in minutes the English and French ones whose tense
// is that of indirect speech: "Die Halle sei alt.", "The hall would close."
func (r *Reading) attributeIndirect() {
	if !r.german && !r.isMinutes() {
		return
	}
	all := r.sentences
	for i, s := range all {
		if i == 0 || r.blockOf[all[i-1].from] != r.blockOf[s.from] || r.blocks[r.blockOf[s.from]].kind != prose ||
			!r.isOpenAround(s) || !r.isIndirect(s) {
			continue
		}
		if found := r.spokenBefore(all[i-1], s.from); found != nil && !r.namesOther(s.from, s.to, found.of) {
			for k := s.from; k < s.to; k++ {
				r.voices[k] = &voice{name: found.name, of: found.of, where: found.where, proof: Report}
			}
		}
	}
}

// isOpenAround reports whether no word of a sentence has a voice, except quoted words of which
// nothing shows the speaker: "Die Halle habe „ausgedient“."
func (r *Reading) isOpenAround(s tokenRange) bool {
	for i := s.from; i < s.to; i++ {
		if r.tokens[i].word && r.voices[i] != noVoice && !(r.voices[i] == unknownVoice && r.quoteOf[i] > 0) {
			return false
		}
	}
	return r.quoteOf[s.from] == 0
}

// isIndirect reports whether a sentence has a verb in the subjunctive of indirect speech, and
// nothing that may explain it otherwise.
func (r *quoted) isIndirect(s tokenRange) bool {
	if verb, _ := r.findToldVerb(s.from, s.to); verb >= 0 {
		return false
	}
	// an authority's or a firm's words
	if verb, n := r.findVerb(s.from, s.to, s.from); verb >= 0 && r.introducesReport(verb, n, s.to) {
		return false
	}
	for i := s.from; i < s.to; i++ {
		if r.quoteOf[i] == 0 && (r.isA(i, kindFirstPerson, kindImpersonal)) {
			return false
		}
	}
	return r.hasSubjunctive(s)
}

// hasSubjunctive reports whether a range has a verb in the subjunctive of indirect speech, and is
// no hearsay and no condition.
func (r *quoted) hasSubjunctive(s tokenRange) bool {
	found := false
	for i := s.from; i < s.to; i++ {
		switch {
		case r.quoteOf[i] > 0:
		case r.match(kindHearsay, i, s.to) > 0:
			return false
		case !r.german && (r.isA(i, kindTold) || r.inverts && !r.drops && isConditional(r.tokens[i])):
			found = true
		case r.isA(i, kindSubjunctive) && (i == s.from || !r.tokens[i].capital):
			found = true
		}
	}
	return found && !r.isA(s.from, kindConditional, kindModal)
}

// spokenBefore returns the voice of a sentence that is spoken or reported; of another sentence it
// returns that of its subject, if a pronoun of the subject's gender begins the next one.
func (r *Reading) spokenBefore(s tokenRange, next int) *voice {
	if found, spoken := r.lastSpoken(s.from, s.to); spoken {
		return found
	}
	if found, said := r.clauseSpeaker(s.from, s.to, false); said && found.of != nil &&
		!r.namesOther(s.from, s.to, found.of) {
		return &voice{name: found.name, of: found.of, where: r.spanOf(found.from, found.to), proof: Report}
	}
	found := r.sentenceSubject(s.from, s.to, true)
	if found.of == nil && r.isPronoun(next) {
		found = r.onlyPerson(s.from, s.to)
	}
	if found.of == nil || r.isPronoun(next) && ((found.of.gender == female) != r.isA(next, kindShe) ||
		found.of.gender == anyGender) {
		return nil
	}
	return &voice{name: found.name, of: found.of, where: r.spanOf(found.from, found.to), proof: Report}
}

// shortestConditional is the number of letters of a French verb in the conditional.
const shortestConditional = 5

// isConditional reports whether a word has the ending of the French conditional: "serait",
// "fermeraient".
func isConditional(t token) bool {
	return !t.capital && t.end-t.start >= shortestConditional &&
		(strings.HasSuffix(t.lower, "rait") || strings.HasSuffix(t.lower, "raient"))
}
