package speaker

// anonymousLetter is the position of the signature of a letter that somebody without a name, or
// several people, signed.
const anonymousLetter = -1

// signer returns the person who signs a letter: the name that begins the closing line's rest or a
// line below it. Anonymous is true if there are such lines and none begins with a name, or if two
// people sign.
func (r *cast) signer(from, closing, end int) (found *voice, anonymous bool) {
	for i := closing; i < end; i++ {
		b := r.blocks[i]
		start := max(b.from, from)
		for start < b.to && (!r.tokens[start].word || r.isA(start, kindTitle)) {
			start++
		}
		if start == b.to {
			continue
		}
		anonymous = true
		n := r.untilBreak(start, r.nameAt(start, b.to))
		if r.wordsIn(start, start+n) < fullName || r.hasOrganization(r.tokens[start:start+n]) {
			continue
		}
		at := start + n
		if at+1 < b.to && r.isA(at, kindConjunction) && r.nameAt(at+1, b.to) > 0 {
			return nil, true
		}
		return r.nameVoice(start, at, FirstPerson), false
	}
	return nil, anonymous
}

// trimmedMarks returns the number of dashes and marks of emphasis in front of the tokens.
func trimmedMarks(tokens []token) int {
	n := 0
	for n < len(tokens) && tokens[n].is("*_–—->•") {
		n++
	}
	return n
}

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

// namesPerson reports whether a name in a range can be that of a person.
func (r *page) namesPerson(from, to int, name string) bool {
	for i := from; i < to; i++ {
		if n := r.nameAt(i, to); n > 0 {
			if SameName(r.textOf(i, i+n), name) {
				return true
			}
			i += n - 1
		}
	}
	return false
}
