package speaker

import "rostrum/llm/text"

// reportsThird reports whether the subject of a sentence is somebody else, whose thought, request
// or proposal it reports: "She found that we had no rule".
func (r *cast) reportsThird(from, to int) bool {
	at := r.skipToSubject(from, to)
	if at >= to || r.quoteOf[at] > 0 || !r.isPronoun(at) && !r.isPersonAt(at) {
		return false
	}
	for i := at + 1; i < to && r.quoteOf[i] == 0 && !r.isA(i, kindFirstSubject); i++ {
		if r.match(kindAct, i, to) > 0 || i > at+1 && i <= at+nestedReach && r.isA(i, kindThat) {
			return true
		}
	}
	return false
}

// addressingAuthor returns the only person who has a line in front of a salutation.
func (r *cast) addressingAuthor() (*voice, int) {
	at := r.salutation()
	var found *voice
	for i := range max(at, 0) {
		if r.blocks[i].kind != nameLine {
			continue
		}
		if found != nil {
			return nil, 0
		}
		found = r.nameVoice(r.blocks[i].from, r.blocks[i].to, FirstPerson)
	}
	return found, at
}

// signedIn returns the person of "remarks by X" in a line. The line is part of the text if it has a
// block, else the title.
func (r *cast) signedIn(tokens []token, runes []rune, of *block) *voice {
	for i := range tokens {
		n := max(r.words.matchLength(kindSigned, tokens[i:]), r.speechLength(tokens[i:]))
		if n == 0 {
			continue
		}
		for k := i + n; k < min(len(tokens), i+n+nameReach); k++ {
			run := r.runLength(tokens[k:])
			// the place or the firm of a person: "letter by the president of Río Claro"
			isOf := k > i+n && r.words[kindPreposition][tokens[k-1].lower]
			isOffice := run >= fullName && !isFirstName(tokens[k]) && r.namesHolder(tokens[k+run:])
			if run < fullName || isOf || isOffice || r.hasOrganization(tokens[k:k+run]) || tokens[k+run-1].possessive {
				k += max(run-1, 0)
				continue
			}
			isClean, isAbout := r.leadsTo(tokens[:i], tokens[k+run:])
			if isAbout {
				return nil
			}
			span := text.Span{Text: string(runes[tokens[k].start:tokens[k+run-1].end]), Start: tokens[k].start,
				End: tokens[k+run-1].end}
			if of == nil {
				span.Start, span.End = -1, -1
			}
			return &voice{name: r.people.addPerson(span.Text).name, where: span, proof: FirstPerson, direct: isClean,
				declared: isClean}
		}
	}
	return nil
}

// leadsTo reports whether the words in front of "remarks by X" leave a text X's own, and whether
// they or those after the name show that the text is about the remarks: "reaction to the remarks by
// X", "remarks by X: a parody". Other words, as in "minister attacks remarks by X", make neither
// sure.
func (r *page) leadsTo(before, after []token) (isClean, isAbout bool) {
	isSetOff := len(after) > 0 && after[0].is(separators)
	if r.words.contains(kindReaction, before) || isSetOff &&
		r.words.contains(kindReaction, after[:min(len(after), nameReach/2)]) {
		return false, true
	}
	before = before[lastSeparator(before)+1:]
	isClean = true
	for i := 0; i < len(before); i++ {
		n := r.words.matchLength(kindEdition, before[i:])
		isArticle := r.words[kindDeterminer][before[i].lower]
		switch {
		case n > 0:
			i += n - 1
		case i == 0 && isArticle:
		case r.words[kindPreposition][before[i].lower] && !r.words.contains(kindEdition, before[:i]):
			return false, true
		default:
			isClean = isClean && (!before[i].word || isArticle || r.words[kindPreposition][before[i].lower])
		}
	}
	return isClean, false
}

// speechLength returns the number of tokens of a speech up to the preposition of its speaker:
// "Statement to the Chamber by"; 0 without one.
func (r *page) speechLength(tokens []token) int {
	if len(tokens) == 0 || !r.words[kindSpeech][tokens[0].lower] {
		return 0
	}
	for i, t := range tokens[:min(len(tokens), nameReach)] {
		// "Rede des …"
		if r.words[kindByLine][t.lower] || r.german && i == 1 && r.words[kindPreposition][t.lower] &&
			r.words[kindDeterminer][t.lower] {
			return i + 1
		}
	}
	return 0
}
