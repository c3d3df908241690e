package speaker

import "strings"

// The limits of interviews without labels.
const (
	fewestQuestions = 2 // paragraphs that are questions
	fewestTurns     = 3 // questions of an interview whose other paragraphs alternate with them
	headlineBlocks  = 2
)

// findQuestions returns the parts of an interview without labels; nil in other texts.
func (r *quoted) findQuestions() []exchangePart {
	for _, find := range []func() ([]exchangePart, bool){r.emphasizedQuestions, r.dashedQuestions, r.plainQuestions} {
		if parts, ok := find(); ok {
			return parts
		}
	}
	return nil
}

// exchangePart is the part of a block in an interview.
type exchangePart int

const (
	noPart exchangePart = iota
	isQuestion
	isAnswer
)

// endsAsQuestion reports whether a block ends with a question mark that is not quoted.
func (r *quoted) endsAsQuestion(b block) bool {
	last := trimMarks(r.tokens[b.from:b.to])
	return len(last) > 0 && last[len(last)-1].is("?") && r.quoteOf[b.to-1] == 0
}

// isEmphasized reports whether a block is bold, or a heading that asks a question.
func (r *quoted) isEmphasized(b block) bool {
	written := strings.TrimSpace(string(r.runes[b.start:b.end]))
	bold := len(written) > 4 && (strings.HasPrefix(written, "**") && strings.HasSuffix(written, "**") ||
		strings.HasPrefix(written, "__") && strings.HasSuffix(written, "__"))
	return bold || strings.HasPrefix(written, "#") && r.endsAsQuestion(b)
}

// emphasizedQuestions returns the parts of an interview whose questions are bold or headings, or in
// italics.
func (r *quoted) emphasizedQuestions() ([]exchangePart, bool) {
	if parts, ok := r.questionsLike(r.isEmphasized); ok {
		return parts, true
	}
	return r.questionsLike(r.isItalic)
}

// questionsLike returns the parts of an interview whose questions have a form.
func (r *quoted) questionsLike(has func(block) bool) ([]exchangePart, bool) {
	parts, questions, last := make([]exchangePart, len(r.blocks)), 0, -1
	for i, b := range r.blocks {
		if has(b) && !(last < 0 && r.isQuotedHeadline(b)) && (last >= 0 || r.endsAsQuestion(b) || r.isEmphasized(b) &&
			r.wordsIn(b.from, b.to) > headingWords/2) {
			parts[i], last = isQuestion, i
			if r.endsAsQuestion(b) {
				questions++
			}
		}
	}
	if questions < fewestQuestions {
		return nil, false
	}
	r.fillAnswers(parts, last)
	return parts, true
}

// fillAnswers makes the paragraphs between questions answers. After the last question these are the
// first paragraph and those in the first person.
func (r *quoted) fillAnswers(parts []exchangePart, last int) {
	for i, begun := 0, false; i < len(parts); i++ {
		b := r.blocks[i]
		switch {
		case parts[i] == isQuestion:
			begun = true
		case !begun || b.kind != prose:
		case r.isSetApart(b):
		case i < last || parts[i-1] == isQuestion || r.isFirstPerson(b.from, b.to):
			parts[i] = isAnswer
		}
	}
}

// dashedQuestions returns the parts of an interview whose questions and answers begin with dashes
// and alternate.
func (r *quoted) dashedQuestions() ([]exchangePart, bool) {
	parts, questions, n, odd := make([]exchangePart, len(r.blocks)), 0, 0, 0
	for i, b := range r.blocks {
		if !r.tokens[b.from].is("–—") || b.kind != prose {
			continue
		}
		parts[i] = isAnswer
		if n%2 == 0 {
			parts[i] = isQuestion
		}
		if r.endsAsQuestion(b) {
			questions++
			odd += n % 2
		}
		n++
	}
	if questions < fewestQuestions || n < 2*fewestQuestions || odd > 0 && odd < questions {
		return nil, false
	}
	for i, part := range parts {
		switch {
		case odd > 0 && part == isQuestion:
			parts[i] = isAnswer
		case odd > 0 && part == isAnswer:
			parts[i] = isQuestion
		}
	}
	return parts, true
}

// plainQuestions returns the parts of an interview whose questions are paragraphs that end with a
// question mark.
func (r *quoted) plainQuestions() ([]exchangePart, bool) {
	parts, questions, first, last := make([]exchangePart, len(r.blocks)), 0, -1, -1
	for i, b := range r.blocks {
		if b.kind == prose && r.endsAsQuestion(b) {
			parts[i], last = isQuestion, i
			if questions++; first < 0 {
				first = i
			}
		}
	}
	if questions < fewestQuestions {
		return nil, false
	}
	if r.alternates(parts, first, last) && questions >= fewestTurns {
		for i := first; i <= min(last+1, len(parts)-1); i++ {
			parts[i] = isAnswer
			if (i-first)%2 == 0 {
				parts[i] = isQuestion
			}
		}
		return parts, true
	}
	for i := first + 1; i < len(parts); i++ {
		b := r.blocks[i]
		switch {
		case parts[i] == isQuestion || b.kind != prose:
		case parts[i-1] == isQuestion || r.isFirstPerson(b.from, b.to):
			parts[i] = isAnswer
		}
	}
	return parts, true
}
