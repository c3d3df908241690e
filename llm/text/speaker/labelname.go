package speaker

import (
	"slices"
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
func (r *page) isMonogram(name []token, known *registry) bool {
	if len(name) != 1 || !name[0].upper || !name[0].capital || known == nil {
		return false
	}
	length := name[0].end - name[0].start
	return length >= shortestMonogram && length <= longestMonogram && len(known.initials[name[0].lower]) > 0
}

// parseDashLabel parses a label with a dash instead of a colon: initials, a name in capital letters
// with a title and a role, or a bold one.
func (r *page) parseDashLabel(tokens []token, from int) (label, bool) {
	start := from
	for start < len(tokens) && (r.words[kindTitle][tokens[start].lower] || start > from && tokens[start].is(".")) {
		start++
	}
	to, dash := nameBeforeDash(tokens, start)
	if to == start || dash+1 >= len(tokens) || !tokens[dash].is(dashMarks) || isTight(tokens, dash) {
		return label{}, false
	}
	name := tokens[start:to]
	out := label{from: start, to: to, end: dash + 1, dashed: true, hasRole: start > from || dash > to,
		kind: initialLabel}
	if isInitials(name) {
		return out, true
	}
	out.kind = nameLabel
	isBold := from > 0 && tokens[from-1].is("*_") && tokens[to].is("*_") // "**X** – …"
	return out, (r.inCapitals(name) || isBold) && r.runLength(name) == len(name)
}

// nameBeforeDash returns the end of the words of a name, and the position behind the marks and the
// words in capital letters that may follow it.
func nameBeforeDash(tokens []token, start int) (to, dash int) {
	most := min(len(tokens), start+labelTokens)
	for to = start; to < most && (tokens[to].word || tokens[to].is(".") || tokens[to].is("-‑") && isTight(tokens, to)); {
		to++
	}
	for dash = to; dash < most && (tokens[dash].is("*_,") || to > start && tokens[dash].upper); {
		dash++
	}
	return to, dash
}

// parseDotLabel parses a label with a title and a full stop instead of a colon: "Mme Aubry,
// rapporteure. – …", "SEÑOR PRESIDENTE.- …". Without a dash it needs a name.
func (r *page) parseDotLabel(tokens []token, from int) (label, bool) {
	at := r.skipTitles(tokens, from)
	n := r.runLength(tokens[at:])
	if !r.hasTitleIn(tokens[from:at]) || countWords(tokens[at:at+n]) > labelNameWords {
		return label{}, false
	}
	out := label{kind: nameLabel, from: at, to: at + n, hasRole: at > from+1, dotted: true}
	end := r.labelStop(tokens, at+n, from+labelTokens)
	if end+1 >= len(tokens) || !tokens[end].is(".") || isInitials(tokens[from:end+1]) || // "M. A."
		n == 0 && !tokens[end+1].is(dashMarks) || !r.isLabelRest(tokens, from, at+n, end) {
		return label{}, false
	}
	if n == 0 {
		out.kind, out.from, out.to = functionLabel, from, at
		if inner := r.nameInBrackets(tokens, at, end); inner > 0 {
			out.kind, out.from, out.to, out.role = nameLabel, at+1, at+1+inner, joinTokens(tokens[at-1:at])
		}
	}
	for out.end = end + 1; out.end < len(tokens) && tokens[out.end].is(dashMarks+"*_"); out.end++ {
	}
	return out, out.end < len(tokens)
}

// labelStop returns the position of the mark behind the role or the note that follows a name.
func (r *page) labelStop(tokens []token, end, most int) int {
	if end >= len(tokens) || !tokens[end].is(",(") {
		return end
	}
	for end < min(len(tokens), most) && !tokens[end].is(".:;!?"+anyQuote) && !r.words[kindVerb][tokens[end].lower] {
		end++
	}
	return end
}

// isLabelRest reports whether the tokens between a name and a full stop may be part of a label: a
// role, a note in brackets, or words in bold like the name.
func (r *page) isLabelRest(tokens []token, from, rest, end int) bool {
	// "**Mme X, hydrologue.** …"
	isBold := from > 0 && tokens[from-1].is("*_") && tokens[end+1].is("*_")
	return isBold || end == rest || r.hasRoleIn(tokens[rest:min(end, rest+roleReach-1)]) ||
		tokens[rest].is("(") && tokens[end-1].is(")")
}

// skipTitles returns the position after the titles, articles and roles at the start of a label.
func (r *page) skipTitles(tokens []token, at int) int {
	for from := at; at < len(tokens); {
		n := r.roleLength(tokens[at:])
		isTitle := r.words[kindTitle][tokens[at].lower] || r.words[kindDeterminer][tokens[at].lower]
		if n == 0 && !isTitle && !(at > from && tokens[at].is(".") && r.words[kindTitle][tokens[at-1].lower] &&
			!tokens[min(at+1, len(tokens)-1)].is(dashMarks)) {
			break
		}
		at += max(1, n)
	}
	return at
}

// nameInBrackets returns the number of tokens of a name in brackets between two positions; 0
// without one.
func (r *page) nameInBrackets(tokens []token, open, end int) int {
	if open >= end || !tokens[open].is("(") || !tokens[end-1].is(")") {
		return 0
	}
	if n := r.runLength(tokens[open+1 : end-1]); open+1+n == end-1 {
		return n
	}
	return 0
}

// roleOf returns the role of a label without titles and articles.
func (r *page) roleOf(name []token) string {
	for i := range name {
		if n := r.roleLength(name[i:]); n > 0 {
			return joinTokens(name[i : i+n])
		}
	}
	return joinTokens(name)
}

func (r *page) hasRoleIn(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		return r.isRole(t.lower) || r.words[kindFemaleRole][t.lower] || r.words[kindMaleRole][t.lower]
	})
}

func (r *page) hasTitleIn(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return r.words[kindTitle][t.lower] })
}

// inCapitals reports whether every word of a name is written in capital letters.
func (r *page) inCapitals(name []token) bool {
	for _, t := range name {
		if t.word && !(t.upper && t.capital) {
			return false
		}
	}
	return countWords(name) > 0
}

// isInitialAt reports whether a token is a letter with a full stop.
func isInitialAt(tokens []token, at int) bool {
	return at+1 < len(tokens) && tokens[at].end-tokens[at].start == 1 && tokens[at+1].is(".")
}

// trimTime returns tokens without a time at their end: "X 00:12", "X (1:02:10)".
func trimTime(tokens []token) []token {
	n, hasTime := len(tokens), false
	for n > 1 && (tokens[n-1].is(":()[]") || tokens[n-1].word && unicode.IsDigit([]rune(tokens[n-1].lower)[0])) {
		n--
		hasTime = hasTime || isTime(tokens, n)
	}
	if hasTime {
		return tokens[:n]
	}
	return tokens
}

// isTight reports whether a mark has no space on its left side.
func isTight(tokens []token, at int) bool {
	return at > 0 && tokens[at-1].end == tokens[at].start && !tokens[at-1].is("*_")
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

// isInitials reports whether a label is the initials of a name: "A. G.".
func isInitials(name []token) bool {
	words := 0
	for _, t := range name {
		if t.word && (!t.capital || t.end-t.start != 1) || !t.word && !t.is(".-‑") {
			return false
		}
		if t.word {
			words++
		}
	}
	return words > 1
}

// bracketName returns the position of the name that is alone in brackets in front of a colon, after
// titles and roles: "CHAIR (Senator X):"; 0 without one.
func (r *page) bracketName(tokens []token, open, colon int) int {
	for open < colon && tokens[open].is("*_") {
		open++
	}
	if open+1 >= colon || !tokens[open].is("(") || !tokens[colon-1].is(")") {
		return 0
	}
	at := r.skipTitles(tokens[:colon-1], open+1)
	if n := r.runLength(tokens[at : colon-1]); n > 0 && (at+n == colon-1 || n >= fullName && tokens[at+n].is(",")) {
		return at
	}
	return 0
}

// isRoleLabel reports whether a label is a role with its article and title: "La señora presidenta",
// "An analyst". With a name it may have a complement.
func (r *page) isRoleLabel(name []token, hasName bool) bool {
	at := 0
	for at < len(name) && (r.words[kindDeterminer][name[at].lower] || r.drops && at == 1 && name[at].lower == "c" ||
		r.words[kindTitle][name[at].lower] || r.words[kindUnnamed][name[at].lower] || at > 0 && name[at].is(".")) {
		at++
	}
	n := r.roleLength(name[at:])
	return n > 0 && (at+n == len(name) || hasName && r.words[kindPreposition][name[at+n].lower] ||
		r.words.contains(kindUnnamed, name[at+n:]) && len(name) <= at+n+roleLength)
}

// leadLength returns the number of tokens of articles, titles and roles at the start of a label.
func (r *page) leadLength(name []token) int {
	n := 0
	// "EL C. X", a citizen
	if r.drops && len(name) > fullName+1 && r.words[kindDeterminer][name[0].lower] && name[1].lower == "c" &&
		name[2].is(".") {
		n = fullName + 1
	}
	for n+1 < len(name) && r.words[kindDeterminer][name[n].lower] &&
		(r.words[kindTitle][name[n+1].lower] || n == 0 && r.roleLength(name[1:]) > 0) {
		n++
	}
	n += r.roleLength(name[n:])
	for n < len(name) && (r.words[kindTitle][name[n].lower] || name[n].is(".")) {
		n++
	}
	if n == len(name) {
		return 0
	}
	return n
}

// skipEmphasizedTitles returns the position after titles in front of an emphasized name: "La señora
// **LLOP**:"; the given one without them.
func (r *page) skipEmphasizedTitles(tokens []token, from int) int {
	end := from
	for at := from; at < len(tokens) && (r.words[kindDeterminer][tokens[at].lower] ||
		r.words[kindTitle][tokens[at].lower] || tokens[at].is("*_")); at++ {
		if tokens[at].is("*_") {
			end = at + 1
		}
	}
	return end
}
