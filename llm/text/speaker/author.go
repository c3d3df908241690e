package speaker

import (
	"slices"
	"strings"

	"rostrum/llm/text"
)

// The parts of a text in which its author and the people of an interview are looked for.
const (
	openingBlocks = 8
	endingBlocks  = 8
	ownShare      = 0.25 // share of sentences in the first person that makes a text its author's
	fewSentences  = 5    // of a text in which one sentence in the first person suffices
	nameReach     = 10   // tokens between "remarks by" and the name
	nestedReach   = 4    // tokens between a subject and its conjunction: "she found out that"
)

// attributeAuthor attributes the text in the first person to its author: the speaker of remarks,
// the signer of a letter, or the writer of a by-line.
func (r *Reading) attributeAuthor() {
	defer r.attributeReports()
	author, from, to := r.textAuthor()
	if author == nil {
		return
	}
	// of a sentence that is not in the first person: in a text that is not called the author's remarks, it may be somebody else's
	weak := *author
	weak.direct = author.direct && author.declared
	isOwn := r.isAuthors(author, from, to)
	if author.declared {
		from, to = r.speechBlocks(from, to)
	}
	for _, s := range r.sentences {
		b := r.blockOf[s.from]
		if b < from || b >= to || r.blocks[b].kind != prose {
			continue
		}
		others := r.reportsOthers(s.from, s.to)
		if others {
			r.attributeReport(s)
		}
		r.attributeNested(s.from, s.to)
		switch {
		case others:
		case r.reportsThird(s.from, s.to):
			r.setVoice(s.from, s.to, unknownVoice)
		case r.isFirstPerson(s.from, s.to):
			r.setOuterVoice(s.from, s.to, author)
		case isOwn:
			r.setOuterVoice(s.from, s.to, &weak)
		}
	}
}

// textAuthor returns the author of a text in the first person, and the blocks that the author
// speaks; nil for a text of several people, or of somebody else.
func (r *Reading) textAuthor() (author *voice, from, to int) {
	if len(r.turns) >= transcriptTurns || len(r.blocks) == 0 || r.hasQuestionList() || r.isMinutes() {
		return nil, 0, 0
	}
	author, from, to = r.findAuthor()
	if author == nil || r.isReported(author) || r.isAddressee(author) || r.hasQuestions && !author.declared {
		return nil, 0, 0
	}
	written := strings.TrimSpace(r.source.Author)
	if strings.HasPrefix(strings.ToLower(written), strings.ToLower(author.name)+" ") {
		author.name = written // "Ignacio Beltrán" of "Ignacio Beltrán de Heredia"
	}
	author.direct = author.direct && !r.hasQuestions
	return author, from, to
}

// isAuthors reports whether a text is its author's as a whole: by a signature, by a salutation, or
// by the share of the first person.
func (r *Reading) isAuthors(author *voice, from, to int) bool {
	own, all := r.countFirstPerson(from, to)
	if to < len(r.blocks) && (own > 0 || r.salutation() >= 0) || r.isAddressed(author, from) {
		return true
	}
	isSigned := from == 0 || r.blocks[from-1].kind != byLine
	return own > 0 && float64(own) >= ownShare*float64(all) && (own > 1 || all <= fewSentences && isSigned)
}

// Author returns the author whom a text names, for a text without an author in its metadata: in a
// by-line or as the interviewer, in the head of a message, by "remarks by", or in a signature. It
// returns "" if there is none.
func (r *Reading) Author() string {
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		if b.kind != byLine {
			continue
		}
		if found := r.nameVoice(b.from, b.to, FirstPerson); found != nil {
			return found.name
		}
	}
	if found := r.introduced(kindInterviewer); found != nil {
		return found.name
	}
	if found, _, _ := r.findAuthor(); found != nil {
		return found.name
	}
	return ""
}

// speechBlocks returns the blocks of a speech from its salutation to its thanks or the applause,
// without the notes around it, such as "Check against delivery".
func (r *quoted) speechBlocks(from, to int) (first, end int) {
	if at := r.salutation(); at > from {
		from = at
	}
	for i := to - 1; i > max(from, to-endingBlocks); i-- {
		b := r.blocks[i]
		switch {
		case r.match(kindThanks, r.sentenceStart(b.to-1), b.to) > 0:
			return from, i + 1
		case r.isBracketed(b) && !r.isFirstPerson(b.to, r.blocks[to-1].to): // "(Applause)"
			return from, i
		}
	}
	return from, to
}

// reportsOthers reports whether a sentence of a text in the first person reports the words of
// somebody else: by a verb of saying without "I" or "we" as its subject, or "according to".
func (r *quoted) reportsOthers(from, to int) bool {
	verb, n := r.findVerb(from, to, from)
	if verb < 0 {
		return r.contains(kindAccording, from, to)
	}
	end := min(verb+n+1, to)
	return !slices.ContainsFunc(r.tokens[from:end],
		func(t token) bool { return r.words[kindFirstSubject][t.lower] || r.drops && isPreterite(t) })
}

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

// isAddressed reports whether a text with a named speaker has a salutation.
func (r *quoted) isAddressed(author *voice, from int) bool {
	return author != nil && author.where.Start >= 0 && from > 0 && r.blocks[from-1].kind != byLine &&
		r.salutation() >= 0
}

// salutation returns the block that begins with a salutation; -1 without one.
func (r *quoted) salutation() int {
	for i, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		tokens := trimMarks(r.tokens[b.from:b.to])
		n := r.words.matchLength(kindSalutation, tokens)
		if n == 0 || r.quoteOf[b.from] > 0 {
			continue
		}
		if last := tokens[len(tokens)-1]; n == len(tokens) || tokens[n].is(",:!") || len(tokens) <= 2*headingWords &&
			(last.is(",:!") || last.word) {
			return i
		}
	}
	return -1
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

// isReported reports whether the text quotes the author, so that somebody else writes it.
func (r *quoted) isReported(author *voice) bool {
	return slices.ContainsFunc(r.quotes, func(q quotation) bool {
		return q.by != nil && q.by.name != "" && SameName(q.by.name, author.name)
	})
}

// countFirstPerson returns the sentences in the first person, and all, among those without a voice.
func (r *Reading) countFirstPerson(from, to int) (own, all int) {
	for _, s := range r.sentences {
		b := r.blockOf[s.from]
		if b < from || b >= to || r.blocks[b].kind != prose {
			continue
		}
		all++
		if r.isFirstPerson(s.from, s.to) {
			own++
		}
	}
	return own, all
}

// findAuthor returns the author of the first person, and the blocks that the author speaks.
func (r *Reading) findAuthor() (author *voice, from, to int) {
	from, to = 0, len(r.blocks)
	if author = r.signedIn(r.heading, []rune(r.source.Title), nil); author != nil {
		return author, from, to
	}
	for i, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		isLine := i < headlineBlocks && !r.tokens[b.to-1].is(stopMarks)
		short := b.to-b.from <= 2*headingWords && (b.kind != prose || isLine || r.endsWith(b.to, ":"))
		if author = r.signedIn(r.tokens[b.from:b.to], r.runes, &b); short && author != nil {
			return author, i + 1, to
		}
	}
	if found, at := r.addressingAuthor(); found != nil {
		return found, at, to
	}
	if author, to = r.signature(); author != nil || to == anonymousLetter {
		return author, from, max(to, 0)
	}
	to = len(r.blocks)
	for i, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		if b.kind == byLine {
			if author = r.nameVoice(b.from, b.to, FirstPerson); author != nil {
				return author, i + 1, to
			}
		}
	}
	return r.metadataAuthor(), from, to
}

// metadataAuthor returns the author that the metadata names.
func (r *page) metadataAuthor() *voice {
	tokens := tokenize([]rune(r.source.Author), 0)
	n := r.runLength(tokens)
	if n < fullName || r.hasOrganization(tokens[:n]) {
		return nil
	}
	name := string([]rune(r.source.Author)[tokens[0].start:tokens[n-1].end])
	return &voice{name: name, where: text.Span{Text: name, Start: -1, End: -1}, proof: FirstPerson, direct: true}
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

// namesHolder reports whether tokens are a comma and a full name that begins with a known first
// name, after an office: "the Minister for Coastal Development, Aoife Brannigan".
func (r *page) namesHolder(tokens []token) bool {
	return len(tokens) > fullName && tokens[0].is(",") && isFirstName(tokens[1]) && r.runLength(tokens[1:]) >= fullName
}

// separators are the marks between the parts of a title.
const separators = ":,.|–—-("

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

// lastSeparator returns the position of the last mark between the parts of a title; -1 without one.
func lastSeparator(tokens []token) int {
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].is(separators) {
			return i
		}
	}
	return -1
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

// signature returns the signer of a letter, and the block in which the signature starts.
func (r *Reading) signature() (*voice, int) {
	for i := max(1, len(r.blocks)-endingBlocks); i < len(r.blocks); i++ {
		b := r.blocks[i]
		tokens := trimMarks(r.tokens[b.from:b.to])
		n := r.words.matchLength(kindClosing, tokens)
		isClosing := n > 0 && (n == len(tokens) || tokens[n].is(",.:") || r.runLength(tokens[n:]) > 1) &&
			len(tokens) <= headingWords
		switch {
		case isClosing:
			end := min(i+3, len(r.blocks))
			found, anonymous := r.signer(b.from+trimmedMarks(r.tokens[b.from:b.to])+n, i, end)
			if anonymous {
				return nil, anonymousLetter
			}
			if found != nil {
				for k := i; k < end; k++ {
					r.setVoice(r.blocks[k].from, r.blocks[k].to, silentVoice)
				}
				return found, i
			}
		case b.kind == nameLine && r.onlyNamesFollow(i) && r.blocks[i-1].kind == prose &&
			r.quoteOf[r.blocks[i-1].from] == 0:
			return r.nameVoice(b.from, b.to, FirstPerson), i
		}
	}
	return nil, len(r.blocks)
}

// onlyNamesFollow reports whether a line is the last one except for lines of its role.
func (r *layout) onlyNamesFollow(at int) bool {
	for _, b := range r.blocks[at+1:] {
		if b.kind == prose || b.kind == tableBlock {
			return false
		}
	}
	return len(r.blocks)-at <= 3
}
