package speaker

import "slices"

// attributeAnswers attributes the questions and the answers of an interview without labels.
func (r *Reading) attributeAnswers() {
	asker, answerer, ok := r.labelledVoices()
	// whose first person is nobody's if it does not show who answers
	if _, isInterview := r.emphasizedQuestions(); isInterview {
		r.hasQuestions = true
	}
	if !ok {
		r.attributeQuestions()
		return
	}
	asked := r.findQuestions()
	if asked == nil {
		return
	}
	r.hasQuestions = true
	if answerer == nil || r.joinsLate(asked) {
		answerer = r.answererOf(asked)
	}
	if asker == nil {
		asker = r.asker()
	}
	if asker == nil {
		asker = unknownVoice
	}
	quoted := r.quotesAnswers(asked)
	for i, part := range asked {
		b := &r.blocks[i]
		switch {
		case part == isQuestion:
			b.kind = prose
			r.attributeNested(b.from, b.to)
			r.setVoice(b.from, b.to, asker)
		case part == isAnswer && quoted:
			r.attributeQuotedAnswer(*b, answerer)
		case part == isAnswer:
			r.attributeNested(b.from, b.to)
			r.setVoice(b.from, b.to, answerer)
		}
	}
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

// quotedShare is the share of the answers that end with a quotation if all answers are quoted.
const quotedShare = 0.6
