package speaker

import (
	"strings"
	"unicode/utf8"
)

// hasArticle reports whether the text has a word with an article, as a newspaper's name: "The
// Ledger spoke to X".
func (r *cast) hasArticle(word string) bool {
	return r.withArticle[strings.ToLower(word)]
}

func (r *cast) findWithArticle() {
	r.withArticle = map[string]bool{}
	for i := range r.tokens {
		if r.isAfterDeterminer(r.tokens, i) {
			r.withArticle[r.tokens[i].lower] = true
		}
	}
}

// isWrittenName reports whether the text has the name of a label elsewhere, or more of it.
func (r *cast) isWrittenName(l label) bool {
	if l.to-l.from == 1 {
		return r.people.hasPart(r.tokens[l.from].lower)
	}
	p := r.people.people[strings.ToLower(r.textOf(l.from, l.to))]
	return p != nil && (r.people.counts[p] > 1 || !isUpperWord([]rune(p.name)))
}

// capitalLineTurns returns the turns whose speakers are on lines of their own in capital letters.
// In such a transcript a line in capital letters that is no name begins the turn of somebody
// without a name.
func (r *cast) capitalLineTurns() []turn {
	var found []turn
	named := 0
	for i, b := range r.blocks[:max(0, len(r.blocks)-1)] {
		tokens := trimTime(r.tokens[b.from:b.to])
		end := b.from + len(tokens)
		if b.kind != headingBlock || r.blocks[i+1].kind != prose || !r.inCapitals(tokens) ||
			countWords(tokens) > 2*labelNameWords {
			continue
		}
		l := label{kind: unnamedLabel, from: b.from, to: b.to, end: b.to}
		at := b.from
		for at < end-1 && (r.isA(at, kindTitle) || r.tokens[at].is(".")) {
			at++
		}
		if n := r.nameAt(at, end); n > 0 && (at+n == end || r.tokens[at+n].is(",")) {
			if name := (label{kind: nameLabel, from: at, to: at + n, end: b.to}); r.isWrittenName(name) {
				l = name
				named++
			}
		}
		found = append(found, turn{label: l, block: i})
	}
	if named < transcriptTurns {
		return nil
	}
	return found
}

// labelledPerson returns the only person whom the name of a label fits, and whether it fits
// several: "Pryce", "U. Wenzel", "Mme Perrault".
func (r *cast) labelledPerson(l label) (found *person, shared bool) {
	name := r.tokens[l.from:l.to]
	last := name[len(name)-1].lower
	initial := len(name) > 1 && name[0].end-name[0].start == 1
	if len(name) > 1 && !initial {
		return r.people.byEnd(joinTokens(name)), false
	}
	all := r.people.lasts[last]
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
