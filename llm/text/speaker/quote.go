package speaker

import "strings"

// quotation is a passage in quotation marks.
type quotation struct {
	from, to  int // tokens, with the marks
	closed    bool
	continues bool // the passage continues the quotation in front of it, which is not closed
	isOwn     bool // the speaker of the text says that the words are the speaker's: "I told them: …"
	by        *voice
}

// quoted is a text with its quotations and sentences: what the third pass makes.
type quoted struct {
	layout
	quotes        []quotation
	quoteOf       []int  // the number of each token's quotation, from 1
	repeated      []bool // the tokens in quotation marks inside a quotation
	sentences     []tokenRange
	hasSignatures bool // the names on lines of their own are below quotations, which they sign
}

// findQuotes pairs the quotation marks of each block and splits the blocks into sentences.
func findQuotes(l layout) quoted {
	r := quoted{layout: l, quoteOf: make([]int, len(l.tokens)), repeated: make([]bool, len(l.tokens))}
	for _, b := range r.blocks {
		if b.kind == tableBlock || b.kind == headingBlock {
			continue
		}
		r.pairMarks(b)
	}
	r.addOpenParagraphs()
	for n, q := range r.quotes {
		for i := q.from; i < q.to; i++ {
			r.quoteOf[i] = n + 1
		}
	}
	r.hasSignatures, r.sentences = r.findSignatures(), r.splitSentences()
	return r
}

// openParagraphs is the number of paragraphs in which the end of a quotation is looked for.
const openParagraphs = 6

// addOpenParagraphs adds the paragraphs without marks that continue a quotation which is closed at
// the end of a later paragraph.
func (r *quoted) addOpenParagraphs() {
	var all []quotation
	for n, q := range r.quotes {
		all = append(all, q)
		if q.closed {
			continue
		}
		first := r.blockOf[q.from] + 1
		last := first
		for last < min(len(r.blocks), first+openParagraphs) && r.blocks[last].kind == prose &&
			!r.endsQuotation(q, r.blocks[last]) {
			last++
		}
		isMarked := n+1 < len(r.quotes) && r.blockOf[r.quotes[n+1].from] <= last
		if last >= min(len(r.blocks), first+openParagraphs) || r.blocks[last].kind != prose || isMarked {
			continue
		}
		for k := first; k <= last; k++ {
			all = append(all, quotation{from: r.blocks[k].from, to: r.blocks[k].to, closed: k == last, continues: true})
		}
	}
	r.quotes = all
}

// pairMarks finds the quotations of a block. A mark that opens inside a quotation of the same form,
// at the start of a line, continues it. Marks of another form inside a quotation enclose words that
// its speaker repeats.
func (r *quoted) pairMarks(b block) {
	open, closing := -1, ""
	inner, innerClosing := -1, ""
	for i := b.from; i < b.to; i++ {
		mark := r.tokens[i].lower
		switch {
		case r.tokens[i].word:
		case open < 0:
			if closing = r.closingMark(i, b); closing != "" {
				open = i
			}
		case strings.Contains(closing, mark) && r.closes(i, b):
			r.addQuotation(open, i+1, true, b)
			open, inner = -1, -1
		case inner < 0:
			if innerClosing = r.innerMark(i, b); innerClosing != "" {
				inner = i
			}
		case strings.Contains(innerClosing, mark) && r.closesInner(i, b):
			for k := inner; k <= i; k++ {
				r.repeated[k] = true
			}
			inner = -1
		}
	}
	if open >= 0 {
		r.addQuotation(open, b.to, false, b)
	}
}

// closingMark returns the marks that close a quotation that the token opens; empty if it opens
// none.
func (r *page) closingMark(i int, b block) string {
	mark := r.tokens[i].lower
	if closing := closingMarks[mark]; closing != "" {
		return closing
	}
	next := i+1 < b.to && r.tokens[i+1].start == r.tokens[i].end
	isFree := i == b.from || r.tokens[i-1].end < r.tokens[i].start || !r.tokens[i-1].word
	if !next || !isFree || mark == "”" && i > b.from {
		return ""
	}
	return closingAtWord[mark]
}

// closingMarks are the marks that close a quotation, by the mark that opens it.
var closingMarks = map[string]string{"“": "”", "„": "“”", "«": "»", "\"": "\""}

// closingAtWord are those of marks that open a quotation only directly in front of a word.
var closingAtWord = map[string]string{"»": "«", "‘": "’", "”": "”"}

// innerMark returns the marks that close the words that the token opens inside a quotation, where
// an apostrophe in front of a word opens them too.
func (r *page) innerMark(i int, b block) string {
	if r.tokens[i].lower == "'" && i > b.from && r.tokens[i-1].end < r.tokens[i].start && i+1 < b.to &&
		r.tokens[i+1].start == r.tokens[i].end {
		return "'"
	}
	return r.closingMark(i, b)
}

// closesInner reports whether a mark closes such words: no letter follows a single one.
func (r *page) closesInner(i int, b block) bool {
	return !strings.Contains("'’", r.tokens[i].lower) || i+1 == b.to || !r.tokens[i+1].word ||
		r.tokens[i+1].start > r.tokens[i].end
}

// closes reports whether a mark ends a quotation and is no apostrophe.
func (r *page) closes(i int, b block) bool {
	if r.tokens[i].lower != "’" {
		return true
	}
	return !r.tokens[i-1].word && (i+1 == b.to || r.tokens[i+1].start > r.tokens[i].end || !r.tokens[i+1].word)
}

// addQuotation adds a quotation. It continues the one in front of it if that is open at the end of
// the block above.
func (r *quoted) addQuotation(from, to int, closed bool, b block) {
	if to-from == 1 { // a mark that closes a quotation of another paragraph
		return
	}
	q := quotation{from: from, to: to, closed: closed}
	if n := len(r.quotes); n > 0 && from == b.from {
		before := r.quotes[n-1]
		q.continues = !before.closed && r.blockOf[before.from]+1 == r.blockOf[from]
	}
	r.quotes = append(r.quotes, q)
}
