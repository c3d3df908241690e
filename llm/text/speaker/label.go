package speaker

import (
	"slices"
	"strings"
	"unicode"
)

// labelKind is the kind of a turn's label.
type labelKind int

const (
	nameLabel     labelKind = iota // a name of several words
	wordLabel                      // one word, which must be a known name or be repeated
	functionLabel                  // "Operator", "Analyst, Bank X"
	questionLabel
	answerLabel
	phraseLabel  // a phrase that must be repeated, such as the name of a newspaper
	initialLabel // the initials of a name
	unnamedLabel // somebody whom the text does not name
)

// label is the start of a transcript's turn, by offsets into its tokens.
type label struct {
	kind     labelKind
	from, to int // of the name
	end      int // after the colon
	hasRole  bool
	dashed   bool   // a dash instead of a colon
	dotted   bool   // a full stop instead of a colon
	role     string // of the name in brackets
}

// turn is a labelled part of a text.
type turn struct {
	label
	block int
	by    *voice
}

// The limits of a label, and the number of turns that make a transcript.
const (
	labelTokens     = 18
	labelNameWords  = 4
	transcriptTurns = 3
)

// splitLabel returns the number of tokens of the label of a line; 0 without one.
func (r *page) splitLabel(line string) int {
	found, ok := r.parseLabel(tokenize([]rune(line)), nil)
	if !ok {
		return 0
	}
	return found.end
}

// parseLabel parses the label at the start of a line: a name, a role or a letter, and a colon.
func (r *page) parseLabel(tokens []token, known *registry) (label, bool) {
	from := skipTimestamp(tokens)
	if n := r.words.matchLength(kindSalutation, tokens[from:]); n > 0 && tokens[len(tokens)-1].is(":") &&
		r.runLength(tokens[from+n:]) > 0 {
		return label{}, false // the address of a letter
	}
	if found, ok := r.parseDashLabel(tokens, from); ok {
		return found, true
	}
	if l, ok := r.parseLetter(tokens, from, known); ok {
		return l, true
	}
	if l, ok := r.parseDotLabel(tokens, from); ok {
		return l, true
	}
	colon := r.labelColon(tokens, from)
	if colon == from {
		return label{}, false
	}
	out := r.labelName(tokens, from, colon)
	if out.end < len(tokens) && (tokens[out.end].is("/+@") || unicode.IsDigit([]rune(tokens[out.end].lower)[0])) &&
		countWords(tokens[out.end:]) < 5 {
		return label{}, false
	}
	return r.classifyLabel(tokens, out, colon, known)
}

// labelColon returns the position of the colon that ends a label; the start of the label without
// one.
func (r *page) labelColon(tokens []token, from int) int {
	for colon := from; colon < min(len(tokens), from+labelTokens+1); colon++ {
		if tokens[colon].is(":") && !isTime(tokens, colon) {
			return colon
		}
		isShort := tokens[colon].is(".") && colon > from &&
			(r.words[kindTitle][tokens[colon-1].lower] || tokens[colon-1].end-tokens[colon-1].start == 1)
		if tokens[colon].is(".!?;"+anyQuote) && !isShort {
			return from
		}
	}
	return from
}

// labelName returns the label whose name is between a position and a colon.
func (r *page) labelName(tokens []token, from, colon int) label {
	out := label{from: r.skipEmphasizedTitles(tokens[:colon], from), end: colon + 1}
	for out.end < len(tokens) && tokens[out.end].is("*_") {
		out.end++
	}
	out.to, out.hasRole = out.from, out.from > from
	for out.to < colon && !tokens[out.to].is(",(–—-*_[/|") {
		out.to++
	}
	for out.to > from+1 && tokens[out.to-1].word && r.words[kindTitle][tokens[out.to-1].lower] { // "X KC:"
		out.to--
	}
	return out
}

// parseLetter parses "Q.", "A." and "QUESTION." at the start of a line.
func (r *page) parseLetter(tokens []token, from int, known *registry) (label, bool) {
	if from+1 >= len(tokens) || !tokens[from+1].is(".") || !tokens[from].capital {
		return label{}, false
	}
	if !r.words[kindQuestion][tokens[from].lower] && !r.words[kindAnswer][tokens[from].lower] {
		return label{}, false
	}
	if n := r.runLength(tokens[from+2:]); n > 0 && from+2+n < len(tokens) && tokens[from+2+n].is(":") {
		return label{}, false // an initial
	}
	return r.classifyLabel(tokens, label{from: from, to: from + 1, end: from + 2}, from+1, known)
}

// skipTimestamp returns the position after emphasis, a dash, a time in brackets and the number of a
// question.
func skipTimestamp(tokens []token) int {
	i := 0
	for i < len(tokens) && (tokens[i].is("*_>[]()–—-•") || i+1 < len(tokens) && isQuestionNumber(tokens[i]) &&
		(tokens[i+1].capital || tokens[i+1].is("*_")) || !tokens[i].is(anyQuote) &&
		unicode.IsDigit([]rune(tokens[i].lower)[0]) && isTimePart(tokens, i) || tokens[i].is(":") &&
		isTime(tokens, i)) {
		i++
	}
	return i
}

// isQuestionNumber reports whether a token is the number of a question in evidence: "Q41".
func isQuestionNumber(t token) bool {
	number, ok := strings.CutPrefix(t.lower, "q")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

func isTimePart(tokens []token, i int) bool {
	return i+1 < len(tokens) && tokens[i+1].is(":])") || i > 0 && tokens[i-1].is(":")
}

// isTime reports whether a colon is between two numbers.
func isTime(tokens []token, colon int) bool {
	digit := func(i int) bool {
		return i >= 0 && i < len(tokens) && tokens[i].word && unicode.IsDigit([]rune(tokens[i].lower)[0])
	}
	return digit(colon-1) && digit(colon+1)
}

// classifyLabel returns the kind of a label, and false for the headings of notes, such as
// "Contact:".
func (r *page) classifyLabel(tokens []token, out label, colon int, known *registry) (label, bool) {
	name, rest := tokens[out.from:out.to], tokens[out.to:colon]
	if len(name) == 0 || r.words.contains(kindVerb, rest) {
		return out, false
	}
	written := joinTokens(name)
	out.hasRole = r.words.contains(kindRole, rest) || r.words.contains(kindOrganization, rest)
	isLetter := name[0].end-name[0].start == 1 && len(name) == 1
	switch asks := r.words[kindQuestion][written]; {
	case (asks || r.words[kindAnswer][written]) && (isLetter || name[0].capital):
		if out.kind = answerLabel; asks {
			out.kind = questionLabel
		}
		return out, name[0].capital
	case r.isFunction(tokens, out, colon):
		if at := r.bracketName(tokens, out.to, colon); at > 0 {
			out.kind, out.from, out.to, out.role = nameLabel, at, at+r.runLength(tokens[at:colon-1]), r.roleOf(name)
			return out, true
		}
		out.kind = functionLabel
		return out, name[0].capital
	case isInitials(name), r.isMonogram(name, known):
		out.kind = initialLabel
		return out, true
	}
	return r.classifyName(out, name, len(rest) == 0, known)
}

// isFunction reports whether a label is a function such as "Operator", or a role.
func (r *page) isFunction(tokens []token, out label, colon int) bool {
	name, rest := tokens[out.from:out.to], tokens[out.to:colon]
	return r.words[kindLabel][joinTokens(name)] || r.isRoleLabel(name, r.bracketName(tokens, out.to, colon) > 0) &&
		(len(rest) == 0 || rest[0].is("(*_") || !r.words[kindDeterminer][name[0].lower])
}

// classifyName returns the kind of a label that is a name or a phrase. Alone is true if nothing is
// between the name and the colon.
func (r *page) classifyName(out label, name []token, alone bool, known *registry) (label, bool) {
	lead := r.leadLength(name)
	isNote := slices.ContainsFunc(name, func(t token) bool { return r.words.has(t.lower, kindNoLabel, kindVerb) })
	if isNote || lead > 0 && name[lead-1].possessive { // "TREASURER'S REPORT:"
		return out, false
	}
	words := countWords(name)
	n := r.runLength(name[lead:])
	if known != nil && known.byEnd(joinTokens(name[lead:])) != nil {
		n = len(name) - lead
	}
	if n == 0 || lead+n != len(name) || countWords(name[lead:]) > labelNameWords {
		out.kind = phraseLabel
		return out, name[0].capital && alone && len(name) <= labelNameWords && words == len(name)
	}
	out.hasRole = out.hasRole || lead > 0
	out.from += lead
	if out.kind = nameLabel; n == 1 && lead == 0 {
		out.kind = wordLabel
	}
	return out, true
}

// script is a text with its labelled turns: what the fifth pass makes.
type script struct {
	cast
	turns         []turn
	introductions map[string]*voice // by the kind of phrase, once they are looked for
}

// isBracketed reports whether a block is a note in brackets, such as "(Applause)".
func (r *page) isBracketed(b block) bool {
	return r.tokens[b.from].is("([") && r.tokens[b.to-1].is(")]")
}

// hasLowerCase reports whether the text has a word of the label in lower case too, so that it is no
// name.
func (r *page) hasLowerCase(t turn) bool {
	for i := t.from; i < t.to; i++ {
		if r.lowered[r.tokens[i].lower] && !joiners[r.tokens[i].lower] {
			return true
		}
	}
	return false
}
