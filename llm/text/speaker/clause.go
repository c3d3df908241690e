package speaker

import "slices"

// subject is the subject of a verb of saying.
type subject struct {
	name     string
	of       *person
	from, to int // tokens
}

// clauseSpeaker returns the subject of the verb of saying in a clause. Its second
// result reports whether the clause has a verb of saying or a source at all.
func (r *Reading) clauseSpeaker(from, to int) (subject, bool) {
	if s, ok := r.sourceOf(from, to); ok {
		return s, true
	}
	said := false
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+1) {
		said = true
		start := r.skipAuxiliaries(from, at)
		if s := r.subjectBefore(from, start); s.name != "" {
			return s, true
		}
		if !r.hasWords(from, start) {
			return r.subjectAround(start, at, at+n, to), true
		}
	}
	return subject{}, said
}

// sourceOf returns the subject of "according to X" at the start or the end of a clause.
func (r *Reading) sourceOf(from, to int) (subject, bool) {
	if n := r.match(kindOwnView, from, to); n > 0 {
		s := r.subjectAbove(from)
		return s, s.name != ""
	}
	if s := r.eyesOf(from, to); s.of != nil {
		return s, true
	}
	for i := from; i < to; i++ {
		if i > from && r.isA(i, kindAfter) {
			return r.adjacentSubject(from, i), true
		}
		if s, ok := r.accordingTo(i, from, to); ok {
			return s, true
		}
	}
	return subject{}, false
}

// accordingTo returns the subject of "according to" at a token of a clause.
func (r *Reading) accordingTo(i, from, to int) (subject, bool) {
	n := r.match(kindAccording, i, to)
	isOblique := r.isOblique(i+n, to)
	if n == 0 || i > from && r.tokens[i-1].word && !isOblique {
		return subject{}, false
	}
	word := joinTokens(r.tokens[i : i+n])
	if word == "pour" && isOblique && i+n+1 < to && r.tokens[i+n+1].word { // "pour lui dire"
		return subject{}, false
	}
	s := r.subjectAfter(i+n, to)
	if s.name == "" && i == from {
		s = r.saidAbove(i+n, from, to)
	}
	if s.name == "" && i+n < to {
		s = r.obliqueAt(i + n)
	}
	return s, s.name != "" || !slices.Contains([]string{"so", "wie", "pour"}, word)
}

// saidAbove returns the subject of the sentence above for a source without one: "Según ha relatado,
// …".
func (r *Reading) saidAbove(at, from, to int) subject {
	if !r.drops || !r.saysFirst(at, to) {
		return subject{}
	}
	return r.subjectAbove(from)
}

// isAgency reports whether a word is an abbreviation in capital letters.
func isAgency(t token) bool { return t.upper && t.end-t.start > 1 }

// isUncertain reports whether the clause of a quotation has a doubt, or a source as well as a verb
// of saying, so that somebody hears the words from somebody else: "according to X, the mayor said:
// …".
func (r *Reading) isUncertain(from, to int) bool {
	return r.hasDoubt(from, to) || r.isRelayed(from, to)
}

// isRelayed reports whether a clause has a source and, after it, a verb of saying.
func (r *Reading) isRelayed(from, to int) bool {
	if _, ok := r.sourceOf(from, to); !ok {
		return false
	}
	for i := from; i < to; i++ {
		if n := r.match(kindAccording, i, to); n > 0 && (i == from || !r.tokens[i-1].word) {
			verb, length := r.findVerb(i+n, to, i+n)
			return verb > i+n && !(verb+length < to && r.tokens[verb+length].is(",")) &&
				(r.introducesReport(verb, length, to) || r.quotesIn(from, to))
		}
	}
	return false
}
