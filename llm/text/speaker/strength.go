package speaker

import "slices"

// The limits of the words between a name and its verb of saying.
const (
	appositionTokens = 20 // after the name
	invertedTokens   = 12 // after the verb
)

// isStrong reports whether a voice proves the speaker of a passage strongly: its words are the
// voice's own, and not repeated from somebody else.
func (r *Reading) isStrong(v *voice, first, last int) bool {
	if v == nil || !v.direct {
		return false
	}
	isQuoted := v.proof == Quotation || v.proof == Report
	if !isQuoted && (r.isEmbedded(first) || r.isRelayedIn(first, last)) {
		return false
	}
	for i := first; i < last; i++ {
		isSpoken := r.tokens[i].word && r.voices[i] != silentVoice && r.voices[i] != clauseVoice
		if isSpoken && !r.isOwnWord(i, v, isQuoted) {
			return false
		}
	}
	return true
}

// isOwnWord reports whether a word is a voice's own, and neither repeated nor quoted by somebody
// else.
func (r *Reading) isOwnWord(at int, v *voice, isQuoted bool) bool {
	if !sameVoice(r.voices[at], v) || r.repeated[at] {
		return false
	}
	outer := r.outer[at]
	if !isQuoted {
		return !r.repeatsAt(at)
	}
	return outer == nil || outer == v || outer.name == ""
}

// isEmbedded reports whether a passage of a turn or a speech begins after a colon or a conjunction
// that may introduce words of somebody else, which no rule reads: "They wrote on the wall: WE
// STAY".
func (r *Reading) isEmbedded(first int) bool {
	at := first
	if at > 0 && !r.isA(at, kindThat) {
		at--
	}
	introduces := r.match(kindThat, at, first+1) > 0 || r.tokens[at].is(":") || r.german && r.tokens[at].is(",")
	if !introduces || r.voices[at] == silentVoice {
		return false
	}
	start := at
	for start > r.blocks[r.blockOf[at]].from && !r.isStop(start-1) && r.voices[start-1] != silentVoice {
		start--
	}
	switch {
	case start == at:
		return false
	case r.contains(kindCarrier, start, at): // "I heard that …"
		return true
	case r.tokens[at].is(",") && !r.contains(kindVerb, start, at):
		return false
	}
	return !slices.ContainsFunc(r.tokens[start:at], func(t token) bool { return r.words[kindFirstSubject][t.lower] })
}
