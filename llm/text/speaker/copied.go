package speaker

import (
	"slices"
	"unicode"
)

// copyStart returns the place from which labels are part of the copy that a block belongs to.
func (r *layout) copyStart(i, below int) int {
	if i >= below {
		return r.blocks[below].start
	}
	return r.blocks[i].start
}

// markedBlocks returns which blocks begin with ">"; none if the text has no other prose.
func (r *layout) markedBlocks() []bool {
	marked, others := make([]bool, len(r.blocks)), false
	for i, b := range r.blocks {
		marked[i] = r.isMarked(i)
		others = others || !marked[i] && b.kind == prose
	}
	if !others {
		return make([]bool, len(r.blocks))
	}
	return marked
}

func (r *layout) isMarked(i int) bool { return r.tokens[r.blocks[i].from].is(">") }

// copiedFrom returns the first block of a forwarded or an answered message without marks; the
// number of blocks without one.
func (r *layout) copiedFrom() int {
	senders := 0
	for i, b := range r.blocks {
		tokens := r.tokens[b.from:b.to]
		if n := r.words.matchLength(kindSender, trimMarks(tokens)); n > 0 {
			if senders++; senders > 1 {
				return i
			}
		}
		isHead := r.words.contains(kindForwarded, tokens) && countWords(tokens) <= headingWords
		if i+1 < len(r.blocks) && (isHead || r.announcesMessage(b) && !r.isMarked(i+1)) {
			return i
		}
	}
	return len(r.blocks)
}

// announcesMessage reports whether a line announces an earlier message: "On 3 March X wrote:".
func (r *page) announcesMessage(b block) bool {
	tokens := r.tokens[b.from:b.to]
	hasDate := slices.ContainsFunc(tokens, func(t token) bool { return unicode.IsDigit(r.runes[t.start]) })
	return hasDate && r.endsWith(b.to, ":") && r.words.contains(kindWrote, tokens) &&
		countWords(tokens) <= headingWords+fullName
}
