package speaker

import "slices"

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

// interviewVoice returns the voice of a question or an answer: the person whom the text introduces.
func (r *script) interviewVoice(l label) *voice {
	var found *voice
	if l.kind == questionLabel {
		found = r.asker()
	} else if found = r.introduced(kindInterview); found == nil {
		found = r.labelledAnswerer()
	}
	if found == nil {
		return unknownVoice
	}
	return found
}

// introduced returns the person whom the opening of the text introduces with a phrase; the answer
// is kept.
func (r *script) introduced(kind string) *voice {
	found, ok := r.introductions[kind]
	if !ok {
		found = r.findIntroduced(kind)
		r.introductions[kind] = found
	}
	return found
}

// answererOf returns the person who answers questions without labels; nil for those of readers.
func (r *script) answererOf(asked []exchangePart) *voice {
	if found := r.addressee(asked); found != nil {
		return found
	}
	first := slices.Index(asked, isQuestion)
	if r.tokens[r.blocks[first].from].is("–—") || !r.isQuestionList(asked) {
		return r.interviewee(first)
	}
	return nil
}

// lateQuestions is the number of questions after which a label is that of somebody who joins the
// interview.
const lateQuestions = 4

// joinsLate reports whether the only label of an interview follows several questions.
func (r *script) joinsLate(asked []exchangePart) bool {
	if len(r.turns) != 1 {
		return false
	}
	questions := 0
	for _, part := range asked[:min(len(asked), r.turns[0].block)] {
		if part == isQuestion {
			questions++
		}
	}
	return questions >= lateQuestions
}

// isQuestionList reports whether questions are those of readers, and not of an interview: they
// speak of themselves, or address nobody.
func (r *script) isQuestionList(asked []exchangePart) bool {
	addressed := r.introduced(kindInterview) != nil || r.introduced(kindInterviewer) != nil
	for i, part := range asked {
		b := r.blocks[i]
		for k := b.from; part == isQuestion && k < b.to; k++ {
			if r.isA(k, kindFirstSubject) && r.quoteOf[k] == 0 && !addressed {
				return true
			}
			addressed = addressed || r.isA(k, kindSecondPerson)
		}
	}
	return !addressed || r.hasQuestionList()
}

// asker returns the person who asks the questions of an interview: the one whom the text introduces
// as such, or the writer whom the opening names; nil without one.
func (r *script) asker() *voice {
	if found := r.introduced(kindInterviewer); found != nil {
		return found
	}
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		if found := r.writerAtEnd(b); found != nil {
			return found
		}
	}
	return r.authorAsker()
}

// markWriters marks the people whom by-lines name.
func (r *script) markWriters() {
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		if found := r.writerAtEnd(b); found != nil && r.people.counts[found.of] == 1 {
			found.of.writes = true
		}
	}
	if found := r.introduced(kindInterviewer); found != nil && found.of != nil {
		found.of.writes = true
	}
}

// labelledVoices returns the voices of emphasized questions and of answers if only a few of them
// have labels; ok is false if the labels are those of a transcript.
func (r *script) labelledVoices() (asker, answerer *voice, ok bool) {
	if r.labelsFirstExchange() {
		return r.turns[0].by, r.turns[1].by, true
	}
	for _, t := range r.turns {
		of := &answerer
		if r.isSetApart(r.blocks[t.block]) {
			of = &asker
		}
		*of = t.by
	}
	return asker, answerer, len(r.turns) < transcriptTurns
}

// labelsFirstExchange reports whether the only labels are those of two people in neighbouring
// paragraphs: of the first question and the first answer.
func (r *script) labelsFirstExchange() bool {
	if len(r.turns) != 2 {
		return false
	}
	first, second := r.turns[0], r.turns[1]
	return first.by.of != nil && second.by.of != nil && first.by.of != second.by.of && first.block+1 == second.block
}
