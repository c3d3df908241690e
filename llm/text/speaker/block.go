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
		r.words[kindNoLabel][joinTokens(tokenize([]rune(strings.TrimSpace(head)), 0))]
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

// silenceBlocks marks the tokens that are no statements: headings, tables, names on lines of their
// own, and datelines.
func (r *Reading) silenceBlocks() {
	for _, b := range r.blocks {
		if b.kind != prose {
			r.setVoice(b.from, b.to, silentVoice)
			continue
		}
		r.setVoice(b.from, b.from+r.dateline(r.tokens[b.from:b.to]), silentVoice)
	}
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

// silenceNotes marks the notes of a transcript in brackets between the sentences of a turn:
// "(Laughter.)".
func (r *Reading) silenceNotes() {
	if len(r.turns) < transcriptTurns {
		return
	}
	for i := range r.tokens {
		if end := r.parenthesisEnd(i); end > i && r.beginsSentence(i) && !r.isFirstPerson(i, end) {
			for k := i; k < end; k++ {
				r.voices[k] = silentVoice
			}
		}
	}
}

// tokenRange is a range of tokens.
type tokenRange struct{ from, to int }

// splitSentences returns the sentences of the blocks; a sentence ends with its closing quotation mark.
func (r *quoted) splitSentences() []tokenRange {
	var all []tokenRange
	for _, b := range r.blocks {
		from := b.from
		for i := b.from; i < b.to; i++ {
			if i < from || !r.isStop(i) {
				continue
			}
			end := i + 1
			for end < b.to && (r.tokens[end].is(")*_]") || r.tokens[end].is(anyQuote) && r.quoteOf[end] > 0 &&
				r.quoteOf[end] == r.quoteOf[i]) {
				end++
			}
			all = append(all, tokenRange{from, end})
			from = end
		}
		if from < b.to {
			all = append(all, tokenRange{from, b.to})
		}
	}
	return all
}
