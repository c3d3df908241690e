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
				r.voices[k] = found.as(Report)
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

// spokenBefore returns the voice of a sentence that is spoken or reported; of another sentence it
// returns that of its subject, if a pronoun of the subject's gender begins the next one.
func (r *Reading) spokenBefore(s tokenRange, next int) *voice {
	if found, spoken := r.lastSpoken(s.from, s.to); spoken {
		return found
	}
	if found, said := r.clauseSpeaker(s.from, s.to); said && found.of != nil &&
		!r.namesOther(s.from, s.to, found.of) {
		return r.voiceBy(found, Report)
	}
	found := r.sentenceSubject(s.from, s.to, true)
	if found.of == nil && r.isPronoun(next) {
		found = r.onlyPerson(s.from, s.to)
	}
	if found.of == nil || r.isPronoun(next) && ((found.of.gender == female) != r.isA(next, kindShe) ||
		found.of.gender == anyGender) {
		return nil
	}
	return r.voiceBy(found, Report)
}

// shortestConditional is the number of letters of a French verb in the conditional.
const shortestConditional = 5

// isConditional reports whether a word has the ending of the French conditional: "serait",
// "fermeraient".
func isConditional(t token) bool {
	return !t.capital && t.end-t.start >= shortestConditional &&
		(strings.HasSuffix(t.lower, "rait") || strings.HasSuffix(t.lower, "raient"))
}
