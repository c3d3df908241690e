package speaker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The number of letters of initials that are written as one word.
const (
	shortestMonogram = 2
	longestMonogram  = 3
)

// isMonogram reports whether a label is the initials of a name in one word: "DN".
func (r *Reading) isMonogram(name []token) bool {
	if len(name) != 1 || !name[0].upper || !name[0].capital || r.people == nil {
		return false
	}
	length := name[0].end - name[0].start
	return length >= shortestMonogram && length <= longestMonogram && len(r.people.initials[name[0].lower]) > 0
}

// parseDashLabel parses a label with a dash instead of a colon: initials, or a name in capital letters.
func (r *Reading) parseDashLabel(tokens []token, from int) (label, bool) {
	to := from
	for to < min(len(tokens), from+labelTokens) && (tokens[to].word || tokens[to].is(".") || tokens[to].is("-‑") && isTight(tokens, to)) {
		to++
	}
	dash := to
	for dash < len(tokens) && tokens[dash].is("*_") {
		dash++
	}
	if to == from || dash+1 >= len(tokens) || !tokens[dash].is(dashMarks) || isTight(tokens, dash) {
		return label{}, false
	}
	out := label{from: from, to: to, end: dash + 1}
	if isInitials(tokens[from:to]) {
		out.kind = initialLabel
		return out, true
	}
	return label{}, false
}

// isTight reports whether a mark has no space on its left side.
func isTight(tokens []token, at int) bool {
	return at > 0 && tokens[at-1].end == tokens[at].start && !tokens[at-1].is("*_")
}

// labelledPerson returns the only person whom the name of a label fits, and whether it fits several: "Pryce", "U. Wenzel", "Mme Perrault".
func (r *Reading) labelledPerson(l label) (found *person, shared bool) {
	name := r.tokens[l.from:l.to]
	last := name[len(name)-1].lower
	initial := len(name) > 1 && name[0].end-name[0].start == 1
	if len(name) > 1 && !initial {
		return nil, false
	}
	all := r.people.lasts[last]
	if len(all) == 0 && !initial {
		all = r.people.firsts[last]
	}
	sex, fits := r.titleGender(r.tokens, l.from), 0
	for _, p := range all {
		full := strings.Fields(strings.ToLower(p.name))
		first, _ := utf8.DecodeRuneInString(full[0])
		switch {
		case len(full) < fullName || isAbbreviated(full[0]):
		case initial && string(first) != name[0].lower:
		case sex != anyGender && p.gender != anyGender && p.gender != sex:
		default:
			found, fits = p, fits+1
		}
	}
	if fits > 1 {
		return nil, true
	}
	if found == nil && !initial {
		found = r.people.byPart(last, sex)
	}
	return found, false
}

// isAbbreviated reports whether every word of a name is an initial.
func isAbbreviated(name string) bool {
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if utf8.RuneCountInString(part) > 1 {
			return false
		}
	}
	return true
}

// packsTurns reports whether labelled turns are lines without an empty line between them, as in minutes. A line without a label is then the
// clerk's, and continues no turn.
func (r *Reading) packsTurns() bool {
	packed := 0
	for i, t := range r.turns[:max(0, len(r.turns)-1)] {
		b := r.blocks[t.block]
		if r.turns[i+1].block == t.block+1 && t.end < b.to && strings.Count(string(r.runes[b.start:r.blocks[t.block+1].start]), "\n") == strings.Count(strings.TrimSpace(string(r.runes[b.start:b.end])), "\n")+1 {
			packed++
		}
	}
	return packed > 1
}
