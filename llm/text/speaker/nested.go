package speaker

import (
	"slices"
	"sort"
)

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

// findToldVerb returns the first verb of saying in a passive, whose subject hears the words: "we
// were told"; -1 without one.
func (r *quoted) findToldVerb(from, to int) (at, length int) {
	for i := from + 1; i < to; i++ {
		if n := r.match(kindVerb, i, to); n > 0 && r.isPassive(i) && r.quoteOf[i] == 0 {
			return i, n
		}
	}
	return -1, 0
}

// findNestedVerb returns the first verb of saying in a range, also one of several people or a
// passive one: "they have said", "we were told"; -1 without one.
func (r *page) findNestedVerb(from, to int) (at, length int) {
	for i := from; i < to; i++ {
		if n := r.match(kindVerb, i, to); n > 0 && (i == from || !r.isNoun(i)) {
			return i, n
		}
	}
	return -1, 0
}

// nestedVoice returns the voice of the subject of a verb in a turn or a text of somebody else.
func (r *script) nestedVoice(from, verb int) *voice {
	s := r.subjectBefore(from, r.skipAuxiliaries(from, verb))
	if s.name == "" || r.hasDoubt(from, verb+1) {
		return unknownVoice
	}
	return &voice{name: s.name, of: s.of, where: r.spanOf(s.from, s.to), proof: Report}
}

// relativeSubject returns the person to whom a relative pronoun in front of a verb refers: "X, who
// said".
func (r *script) relativeSubject(from, to int) subject {
	if to-fullName <= from || !r.isA(to-1, kindRelative) || !r.tokens[to-fullName].is(",") {
		return subject{}
	}
	return r.adjacentSubject(from, to-fullName)
}

// isOwnVerb reports whether a verb of saying has the first person for its subject, or a person who
// is addressed.
func (r *page) isOwnVerb(from, at, end, to int) bool {
	own := func(t token) bool { return r.words[kindFirstSubject][t.lower] }
	start := at
	for start > max(from, at-thatReach) && !r.tokens[start-1].is(",;") {
		start--
	}
	return slices.ContainsFunc(r.tokens[start:at], own) || end < to && own(r.tokens[end])
}
