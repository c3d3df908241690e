package speaker

import "rostrum/llm/text"

// labelledAnswerer returns the person who answers labelled questions; the answer is kept.
func (r *script) labelledAnswerer() *voice {
	found, ok := r.introductions[kindAnswer]
	if !ok {
		found = r.interviewee(len(r.blocks))
		r.introductions[kindAnswer] = found
	}
	return found
}

// interviewee returns the person who answers: the one whom the text introduces, whom the questions
// address, or the only one in the headline or in the paragraphs in front of the first question.
func (r *script) interviewee(first int) *voice {
	var asker *person
	if found := r.asker(); found != nil {
		asker = found.of
	}
	if found := r.introduced(kindInterview); found != nil {
		return found
	}
	if found := r.headlinePerson(); found != nil {
		return found
	}
	var found *person
	for _, b := range r.blocks[:max(0, min(first, len(r.blocks)))] {
		if b.kind == byLine || asker == nil && r.contains(kindInterviewer, b.from, b.to) ||
			first == len(r.blocks) && r.followsTurn(b) {
			continue
		}
		for i := b.from; i < b.to; i++ {
			of := r.mentionOf[i]
			switch {
			case of == found, of == asker, !r.mayAnswer(i, b):
			case found != nil && found.known == of.known:
				return nil
			case found == nil, of.known:
				found = of
			}
		}
	}
	return r.voiceOf(found, Interview)
}

// followsTurn reports whether a block is part of the turns or below them.
func (r *script) followsTurn(b block) bool {
	return len(r.turns) > 0 && b.start >= r.blocks[r.turns[0].block].start
}

// mayAnswer reports whether a token names somebody in full, and no place and no writer.
func (r *cast) mayAnswer(i int, b block) bool {
	of := r.mentionOf[i]
	isPlace := i > b.from && of != nil && !of.known && r.isA(i-1, kindPreposition)
	return of != nil && r.people.counts[of] > 0 && r.quoteOf[i] == 0 && !isPlace && !r.isWriter(i, b)
}

// headlinePerson returns the only person whom the title and the first lines name outside
// quotations.
func (r *cast) headlinePerson() *voice {
	var found *person
	for k, b := range r.blocks[:min(headlineBlocks, len(r.blocks))] {
		if b.kind == prose && !r.isHeadlineBlock(k, b) || b.kind == byLine {
			break
		}
		for i := b.from; i < b.to; i++ {
			of := r.mentionOf[i]
			if of == nil || of == found || r.isWriter(i, b) || SameName(of.name, r.source.Author) ||
				!isGivenName(r.tokens[i].lower) {
				continue
			}
			if found != nil {
				return nil
			}
			found = of
		}
	}
	if found == nil {
		if name := r.onlyName(r.heading, []rune(r.source.Title)); name != "" {
			return &voice{name: r.people.addPerson(name).name, where: text.Span{Text: name, Start: -1, End: -1},
				proof: Interview}
		}
	}
	return r.voiceOf(found, Interview)
}

// isHeadlineBlock reports whether a block is the first line, or the line with a name below
// "INTERVIEW", and does not end like a sentence.
func (r *cast) isHeadlineBlock(at int, b block) bool {
	isFirst := at == 0 || r.blocks[0].to-r.blocks[0].from <= fullName &&
		r.mentionOf[b.from+trimmedMarks(r.tokens[b.from:b.to])] != nil
	return isFirst && !r.tokens[b.to-1].is(".!?:") && r.wordsIn(b.from, b.to) <= headingWords
}

// isWriter reports whether a name in a block is behind the word of a by-line: "« La glace se
// souvient », par X".
func (r *page) isWriter(at int, b block) bool {
	return at > b.from+1 && r.tokens[at-fullName].is(",") && r.match(kindByLine, at-1, b.to) == 1
}

// onlyName returns the only full name of a line of its own.
func (r *page) onlyName(tokens []token, runes []rune) string {
	found := ""
	for i := 0; i < len(tokens); i++ {
		n := r.runLength(tokens[i:])
		if n >= fullName && !r.hasOrganization(tokens[i:i+n]) {
			if found != "" {
				return ""
			}
			found = string(runes[tokens[i].start:tokens[i+n-1].end])
		}
		i += max(n-1, 0)
	}
	return found
}

// voiceOf returns the voice of a person whom the text names.
func (r *layout) voiceOf(p *person, proof Proof) *voice {
	if p == nil || p.first < 0 {
		return nil
	}
	p.known = true
	return &voice{name: p.name, of: p, where: r.spanOf(p.first, r.nameEnd(p.first)), proof: proof}
}
