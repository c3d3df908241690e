package speaker

import (
	"slices"
	"strings"
)

// unreadTokens is the maximum number of tokens of a label that no rule reads.
const unreadTokens = 10

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

// attributeTurns attributes the text of each turn. In a transcript a turn continues up to the next
// label or heading; the last one only in paragraphs in the first person.
func (r *Reading) attributeTurns() {
	packed, asker := r.packsTurns(), r.writingAsker()
	for i, t := range r.turns {
		end := len(r.blocks)
		if i+1 < len(r.turns) {
			end = r.turns[i+1].block
		}
		r.attributeNested(t.end, r.blocks[t.block].to)
		r.setOuterVoice(t.end, r.blocks[t.block].to, t.by)
		isEmpty := t.end == r.blocks[t.block].to
		for b := t.block + 1; b < end; b++ {
			next := r.blocks[b]
			if r.isAside(next) && !r.contains(kindAdvertisement, next.from, next.to) {
				continue
			}
			if r.endsTurn(i, next, packed, isEmpty) {
				break
			}
			r.continueTurn(i, b, asker, isEmpty)
			isEmpty = false
		}
	}
}

// isAside reports whether a paragraph of a transcript is a note on the sitting.
func (r *page) isAside(b block) bool {
	return r.isBracketed(b) || r.match(kindProcedure, b.from, b.to) > 0
}

// endsTurn reports whether a paragraph does not belong to the turn above it.
func (r *Reading) endsTurn(i int, next block, packed, isEmpty bool) bool {
	goesOn := !packed && len(r.turns) >= transcriptTurns &&
		(i+1 < len(r.turns) || r.isFirstPerson(next.from, next.to))
	return r.isAside(next) || next.kind != prose || !isEmpty && (!goesOn || r.isSetApart(next))
}

// continueTurn attributes a paragraph of a turn: to its speaker, to the person who asks, or to
// somebody whose turns have no label.
func (r *Reading) continueTurn(i, at int, asker *voice, isEmpty bool) {
	by, b := r.turns[i].by, r.blocks[at]
	switch {
	case !isEmpty && asker != nil && asker != by && r.endsAsQuestion(b):
		r.attributeNested(b.from, b.to)
		r.setVoice(b.from, b.to, asker)
		return
	case !isEmpty && (r.repeatsLabel(i) || r.asksByDash(b)):
		r.setVoice(b.from, b.to, unknownVoice)
		return
	}
	r.attributeNested(b.from, b.to)
	isNote := at+1 == len(r.blocks) || r.tokens[b.from].is(dashMarks) // maybe a note: "–Aplausos."
	if !isEmpty && isNote && by != nil {
		by = by.weakened()
	}
	r.setOuterVoice(b.from, b.to, by)
}

// writingAsker returns the voice of the first turn, if the by-line names its speaker, who asks the
// questions without labels too; nil in other texts.
func (r *script) writingAsker() *voice {
	if len(r.turns) == 0 || r.turns[0].by == nil || r.turns[0].by.of == nil {
		return nil
	}
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		if b.kind != byLine {
			continue
		}
		if writer := r.nameVoice(b.from, b.to, Interview); writer != nil && writer.of == r.turns[0].by.of {
			return r.turns[0].by
		}
	}
	return nil
}

// asksByDash reports whether a paragraph is a question after a dash, as of somebody whose turns
// have no label.
func (r *page) asksByDash(b block) bool {
	return r.tokens[b.from].is("—") && r.tokens[b.to-1].is("?")
}

// repeatsLabel reports whether the turn after a turn is the same person's, so that the paragraphs
// between them, which have no label, are somebody else's.
func (r *script) repeatsLabel(i int) bool {
	return i+1 < len(r.turns) && r.turns[i].by.of != nil && r.turns[i].by.of == r.turns[i+1].by.of
}

// isFirstPerson reports whether a range has a word in the first person outside quotations.
func (r *quoted) isFirstPerson(from, to int) bool {
	for i := from; i < to; i++ {
		word, _, _ := strings.Cut(r.tokens[i].lower, "'")
		if r.quoteOf[i] == 0 && (r.words[kindFirstPerson][word] || r.drops && isPreterite(r.tokens[i])) {
			return true
		}
	}
	return false
}

// shortestPreterite is the number of letters of a Spanish verb, which "té" and "sé" do not have.
const shortestPreterite = 4

// isPreterite reports whether a Spanish word has the ending of the first person of the past tense:
// "hablé".
func isPreterite(t token) bool {
	return !isFirstName(t) && t.end-t.start >= shortestPreterite && strings.HasSuffix(t.lower, "é") &&
		!notPreterites[t.lower]
}

// notPreterites are the other Spanish words with this ending.
var notPreterites = map[string]bool{"café": true, "comité": true, "bebé": true, "porqué": true, "olé": true,
	"puré": true, "chalé": true, "consomé": true}

// isSetApart reports whether a paragraph is in italics or bold, as the questions of an interview
// whose answers have labels.
func (r *page) isSetApart(b block) bool {
	return r.tokens[b.from].is("*_") && r.tokens[b.to-1].is("*_")
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

// addUnreadTurns adds the turns of a transcript whose labels name nobody that the rules can find:
// "Resident 2 (from the gallery): …". The turns above them end there.
func (r *script) addUnreadTurns() {
	if len(r.turns) < transcriptTurns {
		return
	}
	isDashed := slices.ContainsFunc(r.turns, func(t turn) bool { return t.dashed || t.dotted })
	isTurn := map[int]bool{}
	for _, t := range r.turns {
		isTurn[t.block] = true
	}
	for i := r.turns[0].block; i < len(r.blocks); i++ {
		if b := r.blocks[i]; b.kind == prose && !isTurn[i] && !r.isBracketed(b) && r.hasUnreadLabel(b, isDashed) {
			r.turns = append(r.turns, turn{label: label{kind: unnamedLabel, from: b.from, to: b.from + 1, end: b.from},
				block: i})
		}
	}
	slices.SortStableFunc(r.turns, func(a, b turn) int { return a.block - b.block })
}

// hasUnreadLabel reports whether a paragraph begins with a few words and a colon, or a dash if the
// text has such labels, which may be the label of somebody else.
func (r *cast) hasUnreadLabel(b block, isDashed bool) bool {
	from := b.from + skipTimestamp(r.tokens[b.from:b.to])
	if from >= b.to {
		return false
	}
	if n := r.roleAt(from+1, b.to); n > 0 && r.isA(from, kindUnnamed) && r.endsWith(min(from+n+2, b.to), ".") {
		return true // "Un député. C'est faux !"
	}
	isDashed = isDashed || r.isA(from, kindTitle) || r.mentionOf[from] != nil
	reach := unreadTokens
	if slices.ContainsFunc(r.tokens[from:min(b.to, from+fullName+1)], func(t token) bool { return t.is("*_") }) {
		reach = labelTokens // "El señor **PRESIDENTE DE LA AGENCIA …**:"
	}
	for i := from; i < min(b.to-1, from+reach); i++ {
		if t := r.tokens[i]; t.is(":") || isDashed && r.isLabelDash(i) {
			return i > from
		}
		if r.tokens[i].is(stopMarks+";,") && !r.isA(i-1, kindTitle) || r.isA(i, kindFirstSubject) {
			return false
		}
	}
	return false
}

// isLabelDash reports whether a dash that may end a label is at a token, or behind its full stop.
func (r *page) isLabelDash(at int) bool {
	return r.tokens[at].is(dashMarks) && !isTight(r.tokens, at) ||
		r.tokens[at].is(".") && r.tokens[at+1].is(dashMarks) && !isTight(r.tokens, at+1)
}
