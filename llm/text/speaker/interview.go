package speaker

import (
	"slices"
	"strings"

	"rostrum/llm/text"
)

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

// findIntroduced returns the person whom the opening of the text introduces with a phrase, such as
// "interview with".
func (r *cast) findIntroduced(kind string) *voice {
	title := r.heading
	for i := range title {
		if n := r.words.matchLength(kind, title[i:]); n > 0 {
			if name := r.firstName(title[i+n:], []rune(r.source.Title)); name != "" {
				return &voice{name: r.people.addPerson(name).name, where: text.Span{Text: name, Start: -1, End: -1},
					proof: Interview}
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

func (r *page) firstName(tokens []token, runes []rune) string {
	for i := range tokens[:min(len(tokens), nameReach)] {
		if n := r.runLength(tokens[i:]); n >= fullName && !r.hasOrganization(tokens[i:i+n]) {
			return string(runes[tokens[i].start:tokens[i+n-1].end])
		}
	}
	return ""
}

// The limits of interviews without labels.
const (
	fewestQuestions = 2 // paragraphs that are questions
	fewestTurns     = 3 // questions of an interview whose other paragraphs alternate with them
	headlineBlocks  = 2
)

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

// findQuestions returns the parts of an interview without labels; nil in other texts.
func (r *quoted) findQuestions() []exchangePart {
	for _, find := range []func() ([]exchangePart, bool){r.emphasizedQuestions, r.dashedQuestions, r.plainQuestions} {
		if parts, ok := find(); ok {
			return parts
		}
	}
	return nil
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

// hasQuestionList reports whether the title or the first lines announce the questions of readers.
func (r *layout) hasQuestionList() bool {
	end := r.blocks[min(headlineBlocks, len(r.blocks))-1].to
	return r.words.contains(kindQuestionList, r.heading) || r.words.contains(kindQuestionList, r.tokens[:end])
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

// isQuotedHeadline reports whether a block is a quotation as a whole, as the headline of an
// interview is.
func (r *page) isQuotedHeadline(b block) bool {
	words := trimMarks(r.tokens[b.from:b.to])
	return len(words) > 0 && words[0].is(anyQuote) && words[len(words)-1].is(anyQuote)
}

// isItalic reports whether a block is in italics, and other text follows it.
func (r *page) isItalic(b block) bool {
	written := strings.TrimSpace(string(r.runes[b.start:b.end]))
	for _, mark := range []string{"*", "_"} {
		if len(written) > 2 && strings.HasPrefix(written, mark) && strings.HasSuffix(written, mark) &&
			!strings.HasPrefix(written, mark+mark) {
			return b.to < len(r.tokens)
		}
	}
	return false
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

// alternates reports whether every second block from the first question to the last may be a
// question, and no other one is.
func (r *layout) alternates(parts []exchangePart, first, last int) bool {
	if (last-first)%2 != 0 {
		return false
	}
	for i := first; i <= min(last+1, len(parts)-1); i++ {
		if r.blocks[i].kind != prose || (i-first)%2 == 1 && parts[i] == isQuestion {
			return false
		}
	}
	return true
}
