package speaker

import "strings"

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
	// of a sentence that is not in the first person: in a text that is not called the author's
	// remarks, it may be somebody else's
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
// returns "" if there is none. A name in capitals alone is none, because it may be an organization's
// in a heading.
func (r *Reading) Author() string {
	name := r.namedAuthor()
	if strings.ToUpper(name) == name && strings.ToLower(name) != name {
		return ""
	}
	return name
}

func (r *Reading) namedAuthor() string {
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

// anonymousLetter is the position of the signature of a letter that somebody without a name, or
// several people, signed.
const anonymousLetter = -1

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

// separators are the marks between the parts of a title.
const separators = ":,.|–—-("

// lastSeparator returns the position of the last mark between the parts of a title; -1 without one.
func lastSeparator(tokens []token) int {
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].is(separators) {
			return i
		}
	}
	return -1
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
