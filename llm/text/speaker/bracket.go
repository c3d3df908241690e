package speaker

import "strings"

// nameLineTurns returns the turns whose speakers are on lines of their own, with a role and without
// a colon. In a text with labelled turns they are turns only if names are repeated.
func (r *quoted) nameLineTurns(counts map[string]int, labelled int) []turn {
	var found []turn
	repeated := false
	for i, b := range r.blocks[:max(0, len(r.blocks)-1)] {
		if b.kind != nameLine || r.blocks[i+1].kind != prose {
			continue
		}
		l := label{from: b.from, to: b.from, end: b.to}
		for l.from < b.to && !r.tokens[l.from].word {
			l.from++
		}
		l.to = l.from + max(1, r.nameAt(l.from, b.to))
		if r.isA(l.from, kindLabel) {
			l.kind = functionLabel
		}
		written := strings.ToLower(r.textOf(l.from, l.to))
		counts[written]++
		repeated = repeated || counts[written] > 1
		found = append(found, turn{label: l, block: i})
	}
	if len(found) < transcriptTurns || labelled > 0 && !repeated || r.hasSignatures {
		return nil
	}
	return found
}

// bracketTurns returns the turns whose speakers are in square brackets, on lines of their own or in
// front of their words.
func (r *layout) bracketTurns() []turn {
	var found []turn
	named := 0
	for i := range r.blocks {
		l, ok := r.bracketLabel(i)
		if !ok {
			continue
		}
		if l.kind == nameLabel {
			named++
		}
		found = append(found, turn{label: l, block: i})
	}
	if named < transcriptTurns {
		return nil
	}
	return found
}

// bracketLabel returns the label in square brackets at the start of a block. In front of words it
// is a name or a function, and no note such as "[laughs]".
func (r *layout) bracketLabel(at int) (label, bool) {
	b := r.blocks[at]
	last := b.from
	for last < min(b.to-1, b.from+labelTokens) && !r.tokens[last].is("]") {
		last++
	}
	isBlock := last == b.to-1
	if !r.tokens[b.from].is("[") || !r.tokens[last].is("]") || last-b.from < fullName ||
		isBlock && !r.precedesProse(at) {
		return label{}, false
	}
	l := label{kind: unnamedLabel, from: b.from + 1, to: last, end: last + 1}
	all := r.tokens[l.from:last]
	if r.words[kindLabel][joinTokens(all)] || r.words.contains(kindUnnamed, all) || r.isRoleLabel(all, false) {
		l.kind = functionLabel
		return l, true
	}
	name := r.skipTitles(r.tokens[:last], l.from)
	n := r.nameAt(name, last)
	if r.wordsIn(name, name+n) >= fullName && (name+n == last || r.tokens[name+n].is(",(–—")) {
		l.kind, l.from, l.to = nameLabel, name, name+n
		return l, true
	}
	return l, isBlock || r.beginsLine(last+1)
}

// precedesProse reports whether a paragraph follows a block.
func (r *layout) precedesProse(at int) bool {
	return at+1 < len(r.blocks) && r.blocks[at+1].kind == prose
}

// isHeadline reports whether a label is the name in front of a quotation that is the headline of an
// interview.
func (r *quoted) isHeadline(t turn, count int) bool {
	b := r.blocks[t.block]
	if t.block >= headlineBlocks || t.end >= len(r.tokens) || r.quoteOf[t.end] == 0 {
		return false
	}
	return t.block == 0 && count == 1 || r.tokens[b.to-1].is(anyQuote) && r.quoteOf[b.to-2] == r.quoteOf[t.end]
}

// voiceOf returns the voice of a person whom the text names.
func (r *layout) voiceOf(p *person, proof Proof) *voice {
	if p == nil || p.first < 0 {
		return nil
	}
	p.known = true
	return &voice{name: p.name, of: p, where: r.spanOf(p.first, r.nameEnd(p.first)), proof: proof}
}

// alternates reports whether every second block from the first question to the last may be a
// question, and no other one is.
func (r *layout) alternates(parts []exchangePart, first, last int) bool {
	if (last-first)%2 != 0 {
		return false
	}
	for i := first; i <= min(last+1, len(parts)-1); i++ {
		if r.blocks[i].kind != prose || (i-first)%2 == 1 && parts[i] == isQuestion {
			return false
		}
	}
	return true
}
