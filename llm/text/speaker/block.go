package speaker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blockKind is the kind of a block of lines.
type blockKind int

const (
	prose blockKind = iota
	headingBlock
	tableBlock
	byLine
	nameLine // a name, with a role or without, on a line of its own
)

// block is a paragraph or a line with a purpose of its own.
type block struct {
	start, end int // runes
	from, to   int // tokens
	kind       blockKind
	lastLine   int // the start of the last line, in runes
}

// The limits of a heading.
const (
	headingWords  = 14
	shortLine     = 60  // runes of a line that is not wrapped
	longLine      = 120 // runes that a wrapped line does not have
	wrappedLength = 40  // runes from which a line may be wrapped
)

// layout is a text in blocks: what the second pass makes.
type layout struct {
	page
	blocks    []block
	blockOf   []int // the block of each token
	longLines bool  // lines are paragraphs
}

// splitBlocks splits a text into blocks and classifies them.
func splitBlocks(p page) layout {
	r := layout{page: p, blockOf: make([]int, len(p.tokens))}
	for line := range strings.Lines(string(r.runes)) {
		r.longLines = r.longLines || utf8.RuneCountInString(line) > longLine
	}
	at, gap := 0, true
	for line := range strings.Lines(string(r.runes)) {
		length := len([]rune(line))
		start, end := at, at+length
		at = end
		if strings.TrimSpace(line) == "" {
			gap = true
			continue
		}
		if n := len(r.blocks); n > 0 && !gap && r.continues(r.blocks[n-1], line) {
			r.blocks[n-1].end, r.blocks[n-1].lastLine = end, start
		} else {
			r.blocks = append(r.blocks, block{start: start, end: end, lastLine: start})
		}
		gap = false
	}
	for i := range r.blocks {
		b := &r.blocks[i]
		b.from, b.to = r.tokensIn(b.start, b.end)
		for t := b.from; t < b.to; t++ {
			r.blockOf[t] = i
		}
	}
	for i := range r.blocks {
		r.blocks[i].kind = r.classify(i)
	}
	return r
}

// continues reports whether a line belongs to the block above it: the block's last line was
// wrapped.
func (r *layout) continues(above block, line string) bool {
	last := strings.TrimSpace(string(r.runes[above.lastLine:above.end]))
	line = strings.TrimSpace(line)
	first := []rune(line)[0]
	end := []rune(last)[len([]rune(last))-1]
	switch {
	case strings.ContainsRune("#|>*•—", first), strings.ContainsRune("#|", []rune(last)[0]), r.splitLabel(line) > 0,
		r.isHeadLine(line):
		return false
	case unicode.IsLower(first):
		return true
	case r.longLines:
		return false
	case strings.ContainsRune(".!?…:”»\"“*", end):
		return false
	case len([]rune(last)) < shortLine && !strings.HasSuffix(last, ","):
		return false
	}
	return len([]rune(last)) >= wrappedLength
}

// isHeadLine reports whether a line begins with the head of a note, such as "Date:".
func (r *page) isHeadLine(line string) bool {
	head, _, found := strings.Cut(line, ":")
	return found && len(strings.Fields(head)) <= labelNameWords &&
		r.words[kindNoLabel][joinTokens(tokenize([]rune(strings.TrimSpace(head))))]
}

// classify returns the kind of a block by its marks and its length.
func (r *layout) classify(i int) blockKind {
	b := r.blocks[i]
	content := strings.TrimSpace(string(r.runes[b.start:b.end]))
	tokens := r.tokens[b.from:b.to]
	switch {
	case strings.HasPrefix(content, "|"), strings.Count(content, "\t") > 1, strings.Count(content, " | ") > 1:
		return tableBlock
	case strings.HasPrefix(content, "#"), strings.Trim(content, "-=*_ ") == "":
		return headingBlock
	case r.isByLine(tokens):
		return byLine
	case r.isNameLine(b):
		return nameLine
	case strings.HasPrefix(content, "[") && strings.HasSuffix(content, "]"), strings.HasPrefix(content, "(") &&
		strings.HasSuffix(content, ")"):
		return headingBlock
	case len(r.blocks) > 1 && isHeading(content, tokens):
		return headingBlock
	}
	return prose
}

// isHeading reports whether a line is short and does not end like a sentence.
func isHeading(content string, tokens []token) bool {
	content = strings.TrimRight(content, "*_ ")
	end := []rune(content)
	if len(end) == 0 || strings.ContainsRune(".!?…;,:", end[len(end)-1]) || tokens[0].is(anyQuote) {
		return false
	}
	words := countWords(tokens)
	closed := strings.ContainsRune("”»“\"", end[len(end)-1])
	return words <= headingWords && !closed && !slices.ContainsFunc(tokens,
		func(t token) bool { return t.is(anyQuote) }) || words <= 5 && !closed
}

func countWords(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if t.word {
			n++
		}
	}
	return n
}

// isByLine reports whether a line is "By" and a name.
func (r *page) isByLine(tokens []token) bool {
	tokens = trimMarks(tokens)
	n := r.words.matchLength(kindByLine, tokens)
	if n == 0 || len(tokens) > headingWords || r.ends(tokens) {
		return false
	}
	for n < len(tokens) && !tokens[n].word {
		n++
	}
	return r.runLength(tokens[n:]) > 1
}

// isNameLine reports whether a line is a name of several words, alone or with a role.
func (r *page) isNameLine(b block) bool {
	tokens := trimMarks(r.tokens[b.from:b.to])
	if len(tokens) == 0 || len(tokens) > headingWords || r.ends(tokens) {
		return false
	}
	n := r.words.matchLength(kindTitle, tokens)
	if n > 0 && n < len(tokens) && tokens[n].is(".") {
		n++
	}
	if len(tokens) == 1 && r.words[kindLabel][tokens[0].lower] {
		return true
	}
	run := r.runLength(tokens[n:])
	if run < fullName || isUpperWord(r.runes[tokens[n].start:tokens[n+run-1].end]) ||
		r.hasOrganization(tokens[n:n+run]) {
		return false
	}
	rest := tokens[n+run:]
	return len(rest) == 0 || !rest[0].word && (r.words.contains(kindRole, rest) || r.isAffiliation(rest[1:]))
}

// isAffiliation reports whether the tokens after a name are the name of an organization.
func (r *page) isAffiliation(tokens []token) bool {
	for _, t := range tokens {
		if !t.capital && !t.is("&-–—.()") && !joiners[t.lower] && !r.words[kindPreposition][t.lower] ||
			r.words[kindNotName][t.lower] {
			return false
		}
	}
	return len(tokens) > 0 && len(tokens) <= 2*labelNameWords
}

func (r *page) ends(tokens []token) bool {
	return len(tokens) == 0 || tokens[len(tokens)-1].is(".!?:;")
}

// trimMarks returns tokens without leading and trailing dashes and emphasis.
func trimMarks(tokens []token) []token {
	for len(tokens) > 0 && tokens[0].is("*_–—->•") {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].is("*_") {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// datelineTokens is the maximum number of tokens of a dateline.
const datelineTokens = 14

// dateline returns the number of tokens of a place and a date in front of a dash; 0 without them.
func (r *page) dateline(tokens []token) int {
	hasDate := false
	for i, t := range tokens[:min(len(tokens), datelineTokens)] {
		isNumber := t.word && unicode.IsDigit(r.runes[t.start])
		switch {
		case i > 0 && t.is("–—-") && i+1 < len(tokens):
			if isTight(tokens, i) && t.is("-") || !hasDate && !isUpperWord(r.runes[tokens[0].start:tokens[0].end]) {
				return 0
			}
			if tokens[i+1].is("-") {
				return i + 2
			}
			return i + 1
		case isNumber:
			hasDate = true
		case t.is(anyQuote + "?!:"), t.word && !t.capital && !r.words.has(t.lower, kindPreposition, kindNotName):
			return 0
		}
	}
	return 0
}

func isUpperWord(word []rune) bool {
	return len(word) > 2 && !slices.ContainsFunc(word, unicode.IsLower)
}

// tokenRange is a range of tokens.
type tokenRange struct{ from, to int }

// isStop reports whether the token at i ends a sentence.
func (r *layout) isStop(i int) bool {
	t := r.tokens[i]
	if !t.is(stopMarks) || t.lower != "." {
		return t.is(stopMarks)
	}
	if i == 0 || !r.tokens[i-1].word || r.tokens[i-1].end != t.start || i+1 == len(r.tokens) ||
		r.blockOf[i+1] != r.blockOf[i] {
		return true
	}
	next := r.tokens[i+1]
	isInside := next.word && !next.capital && unicode.IsLetter(r.runes[next.start])
	return !isInside && !r.isAbbreviation(r.tokens[i-1], unicode.IsDigit(r.runes[next.start]))
}

// sentenceStart returns the first token of the sentence of a token, in its block.
func (r *layout) sentenceStart(at int) int {
	for at > r.blocks[r.blockOf[at]].from && !r.isStop(at-1) {
		at--
	}
	return at
}

// insertionEnd returns the end of a clause inside a quotation: the next mark, or the next dash.
func (r *layout) insertionEnd(at, to int, dashed bool) int {
	for at < to && (r.tokens[at].word || r.tokens[at].is(".") && !r.isStop(at) || dashed && !r.tokens[at].is("–—")) {
		at++
	}
	return at
}

// hasSentenceBetween reports whether a sentence follows the clause of a quotation, in front of the
// next one.
func (r *layout) hasSentenceBetween(from, to int) bool {
	for i := from; i < to-1; i++ {
		if r.isStop(i) {
			return true
		}
	}
	return false
}

// endsQuotation reports whether a block ends with a mark that closes a quotation.
func (r *layout) endsQuotation(q quotation, b block) bool {
	closing := r.closingMark(q.from, r.blocks[r.blockOf[q.from]])
	return closing != "" && strings.Contains(closing, r.tokens[b.to-1].lower)
}

// The number of words of a quotation that is a statement of its own.
const fewestQuoted = 4

// isStatement reports whether a quotation is a statement and not a quoted word.
func (r *layout) isStatement(q quotation) bool {
	words := r.wordsIn(q.from, q.to)
	last := r.tokens[max(q.from, q.to-2)]
	if words > 1 && q.from > 0 && r.blockOf[q.from-1] == r.blockOf[q.from] &&
		(r.tokens[q.from-1].is(":") || r.isA(q.from-1, kindVerb)) {
		return true
	}
	opens := q.from == 0 || r.blockOf[q.from-1] != r.blockOf[q.from] || r.isStop(q.from-1)
	return words >= fewestQuoted || words > 0 && (last.is(".!?…,") || opens && q.to < len(r.tokens) &&
		r.tokens[q.to].is(","))
}

// untilBreak returns the number of tokens up to a line end.
func (r *layout) untilBreak(from, n int) int {
	for i := from + 1; i < from+n; i++ {
		if r.blockOf[i] != r.blockOf[from] {
			return i - from
		}
	}
	return n
}

// hasUnreadClause reports whether a clause without a known verb follows a quotation: “…,” it began.
func (r *layout) hasUnreadClause(q *quotation) bool {
	if !q.closed || q.to+1 >= len(r.tokens) || r.blockOf[q.to] != r.blockOf[q.from] {
		return false
	}
	inside := q.to-2 > q.from && r.tokens[q.to-2].is(",")
	return inside && r.tokens[q.to].word && !r.inverts || r.inverts && r.tokens[q.to].is(",") && r.tokens[q.to+1].word
}

// hasQuestionList reports whether the title or the first lines announce the questions of readers.
func (r *layout) hasQuestionList() bool {
	end := r.blocks[min(headlineBlocks, len(r.blocks))-1].to
	return r.words.contains(kindQuestionList, r.heading) || r.words.contains(kindQuestionList, r.tokens[:end])
}

// isQuotedHeadline reports whether a block is a quotation as a whole, as the headline of an
// interview is.
func (r *page) isQuotedHeadline(b block) bool {
	words := trimMarks(r.tokens[b.from:b.to])
	return len(words) > 0 && words[0].is(anyQuote) && words[len(words)-1].is(anyQuote)
}

// isItalic reports whether a block is in italics, and other text follows it.
func (r *page) isItalic(b block) bool {
	written := strings.TrimSpace(string(r.runes[b.start:b.end]))
	for _, mark := range []string{"*", "_"} {
		if len(written) > 2 && strings.HasPrefix(written, mark) && strings.HasSuffix(written, mark) &&
			!strings.HasPrefix(written, mark+mark) {
			return b.to < len(r.tokens)
		}
	}
	return false
}

// findSignatures reports whether the names on lines of their own are below quotations, which they
// sign: every line with a name is below one.
func (r *layout) findSignatures() bool {
	signed := 0
	for i := 1; i < len(r.blocks); i++ {
		if r.blocks[i].kind != nameLine {
			continue
		}
		if !r.isQuotedHeadline(r.blocks[i-1]) {
			return false
		}
		signed++
	}
	return signed >= signedQuotations
}

// stopAfter returns the position of the mark that ends the sentence at a position.
func (r *layout) stopAfter(at, to int) int {
	for at < to && !r.isStop(at) {
		at++
	}
	return at
}

// nameEnd returns the end of the name that starts at a token.
func (r *layout) nameEnd(at int) int {
	return at + max(1, r.untilBreak(at, r.nameAt(at, min(at+longestRun+2, len(r.tokens)))))
}

// onlyNamesFollow reports whether a line is the last one except for lines of its role.
func (r *layout) onlyNamesFollow(at int) bool {
	for _, b := range r.blocks[at+1:] {
		if b.kind == prose || b.kind == tableBlock {
			return false
		}
	}
	return len(r.blocks)-at <= 3
}

// signedQuotations is the number of quotations with a name below each that make the names
// signatures, and no labels.
const signedQuotations = 2
