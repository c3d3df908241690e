package speaker

import "slices"

// isAddressee reports whether the text addresses a person in its opening, who is then not its
// author: "Dear Ms Vogt,".
func (r *quoted) isAddressee(author *voice) bool {
	salutation := r.salutation()
	for i, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		tokens := r.tokens[b.from:b.to]
		isShort := len(tokens) <= headingWords && tokens[len(tokens)-1].is(",!")
		if (i == salutation || isShort) && r.namesPerson(b.from, min(b.to, b.from+nameReach), author.name) {
			return true
		}
	}
	return false
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

// isReported reports whether the text quotes the author, so that somebody else writes it.
func (r *quoted) isReported(author *voice) bool {
	return slices.ContainsFunc(r.quotes, func(q quotation) bool {
		return q.by != nil && q.by.name != "" && SameName(q.by.name, author.name)
	})
}

// trimmedMarks returns the number of dashes and marks of emphasis in front of the tokens.
func trimmedMarks(tokens []token) int {
	n := 0
	for n < len(tokens) && tokens[n].is("*_–—->•") {
		n++
	}
	return n
}
