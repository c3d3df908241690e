package speaker

import (
	"strings"

	"rostrum/llm/text"
)

// mayAnswer reports whether a token names somebody in full, and no place and no writer.
func (r *cast) mayAnswer(i int, b block) bool {
	of := r.mentionOf[i]
	isPlace := i > b.from && of != nil && !of.known && r.isA(i-1, kindPreposition)
	return of != nil && r.people.counts[of] > 0 && r.quoteOf[i] == 0 && !isPlace && !r.isWriter(i, b)
}

// titleVoice returns the voice of the person whom the title names.
func (r *cast) titleVoice(name string) *voice {
	return &voice{name: r.people.addPerson(name).name, where: text.Span{Text: name, Start: -1, End: -1}, proof: Interview}
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
			return r.titleVoice(name)
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

// findIntroduced returns the person whom the opening of the text introduces with a phrase, such as
// "interview with".
func (r *cast) findIntroduced(kind string) *voice {
	title := r.heading
	for i := range title {
		if n := r.words.matchLength(kind, title[i:]); n > 0 {
			if name := r.firstName(title[i+n:], []rune(r.source.Title)); name != "" {
				return r.titleVoice(name)
			}
		}
	}
	for _, b := range r.blocks {
		for i := b.from; i < b.to; i++ {
			n := r.introductionLength(kind, i, b)
			// "with our editor", "with her at the fair"
			if n == 0 || i+n < b.to && r.isA(i+n, kindFirstPerson, kindHer, kindHim) {
				continue
			}
			if found := r.nameVoice(i+n, min(b.to, i+n+nameReach), Interview); found != nil {
				return found
			}
		}
	}
	if kind == kindInterviewer {
		return r.meetingAsker()
	}
	return nil
}

// introductionLength returns the number of tokens of a phrase at a token that introduces the person
// who asks or the one who answers; 0 without one.
func (r *cast) introductionLength(kind string, i int, b block) int {
	talk := r.match(kindInterview, i, b.to)
	followsPronoun := i > b.from && r.isPronoun(i-1)
	if kind == kindInterview {
		if followsPronoun || talk > 0 && r.followsAnswerer(i) {
			return 0
		}
		return talk
	}
	n := r.match(kind, i, b.to)
	if followsPronoun { // "she talks to X"
		n = max(n, talk)
	}
	if r.beginsTalk(i, b.to) {
		n = 1
	}
	if other := r.match(kindTalk, i, b.to); other > 0 && r.talksToOther(i+other) {
		n = other
	}
	if talk > 0 && r.followsAnswerer(i) {
		n = talk
	}
	return n
}

// talksToOther reports whether the full name at a position is not the person of the headline, who
// has then talked to the asker: "X talked to Y".
func (r *cast) talksToOther(at int) bool {
	answerer := r.headlinePerson()
	return answerer != nil && at < len(r.tokens) && r.mentionOf[at] != nil && r.mentionOf[at] != answerer.of
}

// addressee returns the person whom a question addresses with a title or by the first name: "Frau
// Vogt, …".
func (r *cast) addressee(asked []exchangePart) *voice {
	for i, part := range asked {
		if part != isQuestion {
			continue
		}
		if p := r.addressedIn(r.blocks[i]); p != nil {
			return r.voiceOf(p, Interview)
		}
	}
	return nil
}

// addressedIn returns the person whose first name, or whose name with a title, begins a question in
// front of a comma.
func (r *cast) addressedIn(b block) *person {
	at := b.from
	for at < b.to && !r.tokens[at].word {
		at++
	}
	if at+2 < b.to && r.tokens[at].capital && r.tokens[at+1].is(",") { // "Tomás, …"
		first := r.tokens[at].lower
		if p := r.people.byPart(first, anyGender); p != nil && p.known &&
			strings.HasPrefix(strings.ToLower(p.name), first+" ") {
			return p
		}
	}
	for at < b.to && (r.isA(at, kindTitle) || r.tokens[at].is(".")) {
		at++
	}
	if n := r.nameAt(at, b.to); n > 0 && at+n < b.to && r.tokens[at+n].is(",") {
		return r.mentionOf[at]
	}
	return nil
}

// authorAsker returns the author in the metadata, unless the headline names the author, who then
// answers.
func (r *cast) authorAsker() *voice {
	name := r.onlyName(tokenize([]rune(r.source.Author)), []rune(r.source.Author))
	if answerer := r.headlinePerson(); name == "" || answerer != nil && SameName(answerer.name, name) {
		return nil
	}
	p := r.people.addPerson(name)
	return &voice{name: p.name, of: p, where: text.Span{Text: name, Start: -1, End: -1}, proof: Interview}
}

// writerAtEnd returns the person of a by-line that ends a block: "A talk about rivers. By X".
func (r *cast) writerAtEnd(b block) *voice {
	for i := b.from; i < b.to; i++ {
		n := r.match(kindByLine, i, b.to)
		if n == 0 || i > b.from && r.tokens[i-1].word || !r.tokens[i].capital {
			continue
		}
		at := i + n + trimmedMarks(r.tokens[i+n:b.to])
		end := at + r.nameAt(at, b.to)
		if r.wordsIn(at, end) >= fullName && r.wordsIn(end, b.to) == 0 {
			return r.nameVoice(at, end, Interview)
		}
	}
	return nil
}

// meetingAsker returns the person of whom the opening of an interview reports a meeting with
// somebody whom it has named: "X met her at the harbour"; nil without one.
func (r *cast) meetingAsker() *voice {
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		for i := b.from; i < b.to; i++ {
			if r.mentionOf[i] == nil || r.quoteOf[i] > 0 {
				continue
			}
			end := r.nameEnd(i)
			if r.wordsIn(i, min(end, b.to)) >= fullName && r.match(kindMeeting, min(end, b.to), b.to) > 0 {
				return r.nameVoice(i, end, Interview)
			}
		}
	}
	return nil
}

// followsAnswerer reports whether a definite article is in front of a position, and the text has
// named one person so far, who answers: "X tunes pianos. The conversation with Y takes place …".
func (r *cast) followsAnswerer(at int) bool {
	if at == 0 || !r.isA(at-1, kindDeterminer) || r.isA(at-1, kindUnnamed, kindPossessive) {
		return false
	}
	return r.onlyPerson(max(0, at-mentionLife), at).of != nil
}
