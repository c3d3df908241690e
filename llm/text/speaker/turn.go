package speaker

import (
	"slices"
	"sort"
	"strings"
)

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
	goesOn := !packed && len(r.turns) >= transcriptTurns && (i+1 < len(r.turns) || r.isFirstPerson(next.from, next.to))
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

// isLabelDash reports whether a dash that may end a label is at a token, or behind its full stop.
func (r *page) isLabelDash(at int) bool {
	return r.tokens[at].is(dashMarks) && !isTight(r.tokens, at) ||
		r.tokens[at].is(".") && r.tokens[at+1].is(dashMarks) && !isTight(r.tokens, at+1)
}

// repeatsAt reports whether a token of a turn or a speech is in a quotation, which does not begin
// the turn.
func (r *script) repeatsAt(at int) bool {
	n := r.quoteOf[at]
	return n > 0 && r.isStatement(r.quotes[n-1]) && !r.opensTurn(r.quotes[n-1].from)
}

// isRepeated reports whether a passage is no more than words in quotation marks that the speaker
// repeats from somebody else: those inside a quotation, or those inside a turn, an answer or a
// speech.
func (r *script) isRepeated(v *voice, first, last int) bool {
	for i := first; i < last; i++ {
		n := r.quoteOf[i]
		isQuoted := n > 0 && r.quotes[n-1].by == nil && !r.quotes[n-1].isOwn && !r.opensTurn(r.quotes[n-1].from) &&
			v.proof != Quotation && v.proof != Report
		if r.tokens[i].word && !r.repeated[i] && !isQuoted {
			return false
		}
	}
	return true
}

// opensTurn reports whether a token is the first one of a labelled turn.
func (r *script) opensTurn(at int) bool {
	i := sort.Search(len(r.turns), func(i int) bool { return r.turns[i].end >= at })
	return i < len(r.turns) && r.turns[i].end == at
}

// headBlocks is the number of blocks at the start of a text of which one is called minutes.
const headBlocks = 5

// isMinutes reports whether a heading at the start of the text calls it minutes: it begins or ends
// with such a word, or has a phrase of several words. A text with a list of those who attend and
// without turns is minutes too.
func (r *script) isMinutes() bool {
	isHead := func(tokens []token) bool {
		tokens = trimMarks(tokens)
		for i := range tokens {
			if n := r.words.matchLength(kindMinutes, tokens[i:]); n > 0 && (i == 0 || i+n == len(tokens) || n > 1) {
				return true
			}
		}
		return false
	}
	for _, b := range r.blocks[:min(len(r.blocks), headBlocks)] {
		if b.to-b.from <= 2*headingWords && isHead(r.tokens[b.from:b.to]) {
			return true
		}
	}
	return isHead(r.heading) || r.hasAttendance && len(r.turns) < transcriptTurns
}

// packsTurns reports whether labelled turns are lines without an empty line between them, as in
// minutes. A line without a label is then the clerk's, and continues no turn.
func (r *script) packsTurns() bool {
	packed := 0
	for i, t := range r.turns[:max(0, len(r.turns)-1)] {
		b := r.blocks[t.block]
		if r.turns[i+1].block == t.block+1 && t.end < b.to &&
			strings.Count(string(r.runes[b.start:r.blocks[t.block+1].start]),
				"\n") == strings.Count(strings.TrimSpace(string(r.runes[b.start:b.end])), "\n")+1 {
			packed++
		}
	}
	return packed > 1
}

// findTurns finds the labelled turns and their speakers.
func findTurns(c cast) script {
	r := script{cast: c, introductions: map[string]*voice{}}
	r.blocks = slices.Clone(c.blocks)
	r.markWriters()
	counts := map[string]int{}
	var found []turn
	for i, b := range r.blocks {
		if b.kind == tableBlock || strings.HasPrefix(strings.TrimSpace(string(r.runes[b.start:b.end])), "#") ||
			r.isBracketed(b) {
			continue
		}
		if l, ok := r.parseLabel(r.tokens[b.from:b.to], r.people); ok {
			l.from, l.to, l.end = l.from+b.from, l.to+b.from, l.end+b.from
			found = append(found, turn{label: l, block: i})
			counts[strings.ToLower(r.textOf(l.from, l.to))]++
		}
	}
	for _, t := range found {
		if r.isSpeakerLabel(t, counts, len(found)) {
			r.turns = append(r.turns, t)
		}
	}
	r.turns = append(r.turns, r.nameLineTurns(counts, len(r.turns))...)
	r.turns = append(r.turns, r.capitalLineTurns()...)
	r.turns = append(r.turns, r.bracketTurns()...)
	slices.SortStableFunc(r.turns, func(a, b turn) int { return a.from - b.from })
	r.turns = slices.CompactFunc(r.turns, func(a, b turn) bool { return a.block == b.block })
	r.addUnreadTurns()
	for _, t := range r.turns {
		if t.end < r.blocks[t.block].to {
			r.blocks[t.block].kind = prose
		}
	}
	for i := range r.turns {
		r.turns[i].by = r.labelVoice(r.turns[i].label)
	}
	return r
}

// labelVoice returns the voice of a label; that of a function or a newspaper names nobody.
func (r *script) labelVoice(l label) *voice {
	name := r.tokens[l.from:l.to]
	p, isNamed := (*person)(nil), false
	switch l.kind {
	case questionLabel, answerLabel:
		return r.interviewVoice(l)
	case initialLabel:
		if p = r.people.byInitials(name); p != nil && r.isOutlet(tokenize([]rune(p.name))) {
			p = nil
		}
		isNamed = true
	case functionLabel:
		if !r.words.contains(kindUnnamed, name) {
			p = r.people.byRole(r.roleOf(name))
		}
	case nameLabel, wordLabel:
		p = r.namedPerson(l)
		isNamed = (l.kind == nameLabel || p != nil && strings.Contains(p.name, " ")) && !r.hasLastNames(l, p)
	}
	if p == nil {
		return unknownVoice
	}
	p.known = true
	return &voice{name: p.name, of: p, where: r.spanOf(l.from, l.to), proof: Label, direct: isNamed}
}

// namedPerson returns the person of a label with a name, whom the label may introduce; nil for a
// name of several people or of a newspaper.
func (r *script) namedPerson(l label) *person {
	p, shared := r.labelledPerson(l)
	written := r.textOf(l.from, l.to)
	isOutlet := l.kind == wordLabel && (r.hasOrganization(r.tokens[l.from:l.to]) || r.hasArticle(written) ||
		r.isOnlyCapitals(l))
	if shared || p == nil && isOutlet || l.kind == nameLabel && !l.hasRole && r.isOutlet(r.tokens[l.from:l.to]) {
		return nil
	}
	if p == nil {
		p = r.people.addPerson(written)
	}
	if l.role != "" {
		r.people.addRole(l.role, p)
	}
	return p
}

// isOnlyCapitals reports whether a label is in capital letters, as a newspaper's, and the names of
// other labels are not.
func (r *script) isOnlyCapitals(l label) bool {
	return r.inCapitals(r.tokens[l.from:l.to]) && slices.ContainsFunc(r.turns, func(t turn) bool {
		return (t.kind == nameLabel || t.kind == wordLabel) && !r.inCapitals(r.tokens[t.from:t.to])
	})
}
