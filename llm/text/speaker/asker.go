package speaker

import (
	"slices"

	"rostrum/llm/text"
)

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

// authorAsker returns the author in the metadata, unless the headline names the author, who then
// answers.
func (r *cast) authorAsker() *voice {
	name := r.onlyName(tokenize([]rune(r.source.Author), 0), []rune(r.source.Author))
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

// beginsTalk reports whether "Mit X sprach sie" is at a token, whose subject is the person who
// answers.
func (r *page) beginsTalk(at, to int) bool {
	end := at + 1 + r.nameAt(at+1, to)
	return end > at+1 && end+1 < to && r.tokens[end].lower == "sprach" && r.isPronoun(end+1)
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

// isPlainQuestion reports whether a paragraph is a question without a label, and no rule shows the
// speaker of its words.
func (r *Reading) isPlainQuestion(b block) bool {
	if !r.endsAsQuestion(b) || slices.ContainsFunc(r.turns,
		func(t turn) bool { return r.blocks[t.block].from == b.from }) {
		return false
	}
	return true
}

// attributeQuestions attributes the questions without labels, which are emphasized or end with a
// question mark, in front of labelled answers.
func (r *Reading) attributeQuestions() {
	asker := r.introduced(kindInterviewer)
	if asker == nil || len(r.turns) < transcriptTurns {
		return
	}
	for _, t := range r.turns {
		if t.block == 0 {
			continue
		}
		b := r.blocks[t.block-1]
		if isPlain := r.isPlainQuestion(b); b.kind == prose && (isPlain || r.isSetApart(b)) {
			if isPlain {
				clear(r.voices[b.from:b.to])
			}
			r.attributeNested(b.from, b.to)
			r.setVoice(b.from, b.to, asker)
		}
	}
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

// quotedShare is the share of the answers that end with a quotation if all answers are quoted.
const quotedShare = 0.6

// quotesAnswers reports whether the answers of an interview are in quotation marks.
func (r *Reading) quotesAnswers(asked []exchangePart) bool {
	answers, quoted := 0, 0
	for i, part := range asked {
		if part != isAnswer {
			continue
		}
		answers++
		if b := r.blocks[i]; r.quoteOf[b.to-1] > 0 && (r.quoteOf[b.from] > 0 || r.voices[b.to-1] == unknownVoice) {
			quoted++
		}
	}
	return answers >= fewestQuestions && float64(quoted) >= quotedShare*float64(answers)
}

// attributeQuotedAnswer attributes the quotations of an answer of which nothing else shows the
// speaker.
func (r *Reading) attributeQuotedAnswer(b block, by *voice) {
	for i := b.from; i < b.to; i++ {
		if r.quoteOf[i] > 0 && r.voices[i] == unknownVoice && !r.repeated[i] {
			r.voices[i] = by
		}
	}
}
