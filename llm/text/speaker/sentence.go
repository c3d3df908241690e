package speaker

import "strings"

// isFirstPerson reports whether a range has a word in the first person outside quotations.
func (r *quoted) isFirstPerson(from, to int) bool {
	for i := from; i < to; i++ {
		word, _, _ := strings.Cut(r.tokens[i].lower, "'")
		if r.quoteOf[i] == 0 && (r.words[kindFirstPerson][word] || r.drops && isPreterite(r.tokens[i])) {
			return true
		}
	}
	return false
}

// quotingStart returns the first token of the sentence in front of a position, in its block, with
// the quotations in that sentence.
func (r *quoted) quotingStart(at int) int {
	for at > r.blocks[r.blockOf[min(at, len(r.tokens)-1)]].from && (r.quoteOf[at-1] > 0 || !r.isStop(at-1)) {
		at--
	}
	return at
}

// rivalVerb is the number of tokens in which the verb of saying of such a pronoun ends.
const rivalVerb = 5

// pronounInFront returns the pronoun of a gender that is the subject of a verb of saying in the
// sentence in front of that of a pronoun, which then means the same person and not an object: "She
// asked X. “…,” she said."; -1 without one.
func (r *quoted) pronounInFront(at int, sex gender) int {
	end := r.quotingStart(at)
	if end == r.blocks[r.blockOf[at]].from {
		return -1
	}
	from := r.quotingStart(end - 1)
	isSame := r.isA(from, kindShe) && sex == female || r.isA(from, kindHe) && sex == male
	if verb, _ := r.findVerb(from, min(end, from+rivalVerb), from); !isSame || verb < 0 || r.isA(from, kindDeterminer) {
		return -1
	}
	return from
}

// beginsWithArticle reports whether a definite article at a token begins a sentence.
func (r *quoted) beginsWithArticle(at int) bool {
	return (r.tokens[at].lower == "the" || articleGenders[r.tokens[at].lower] != anyGender) && r.beginsSentence(at)
}

// beginsSentence reports whether a token is the first one of a sentence.
func (r *quoted) beginsSentence(at int) bool {
	return at == 0 || r.blockOf[at-1] != r.blockOf[at] || r.quoteOf[at-1] > 0 || r.isStop(at-1)
}

// beginsUnnamed reports whether the sentence of a name begins with somebody without a name: "A
// driver remembers the promises of X."
func (r *quoted) beginsUnnamed(at int, sex gender) bool {
	from := at
	for from > max(0, at-mentionLife) && r.blockOf[from-1] == r.blockOf[at] &&
		(r.quoteOf[from-1] > 0 || !r.isStop(from-1)) {
		from--
	}
	return from < at && r.introducesUnnamed(r.tokens[from], sex) && !r.isObjectPhrase(from) && !r.isAfterVerb(at)
}

// isBreakBetween reports whether a sentence ends between two tokens.
func (r *quoted) isBreakBetween(from, to int) bool {
	if r.blockOf[from] != r.blockOf[to] {
		return true
	}
	for i := from; i < to; i++ {
		if r.quoteOf[i] == 0 && r.isStop(i) {
			return true
		}
	}
	return false
}

// headRole returns the role at the start of a sentence that a colon follows, and the position after
// the colon: "Présidente de séance : Mme X".
func (r *quoted) headRole(at int) (role string, end int) {
	n := r.roleLength(r.tokens[at:])
	role = joinTokens(r.tokens[at : at+n])
	// "Secretario-Interventor"
	if part, _, joined := strings.Cut(r.tokens[at].lower, "-"); n == 0 && joined && r.words[kindRole][part] {
		n, role = 1, part
	}
	first := at
	for first > 0 && r.tokens[first-1].is("*_-–•") { // "**Présidence :**", "- Presidenta: X"
		first--
	}
	if n == 0 || !r.tokens[at].capital || !r.beginsSentence(first) && !r.beginsLine(first) && !r.beginsLine(at) {
		return "", 0
	}
	for i := at + n; i < min(len(r.tokens), at+n+headWords); i++ {
		if r.tokens[i].is(":") {
			return role, i + 1
		}
	}
	return "", 0
}

// findToldVerb returns the first verb of saying in a passive, whose subject hears the words: "we
// were told"; -1 without one.
func (r *quoted) findToldVerb(from, to int) (at, length int) {
	for i := from + 1; i < to; i++ {
		if n := r.match(kindVerb, i, to); n > 0 && r.isPassive(i) && r.quoteOf[i] == 0 {
			return i, n
		}
	}
	return -1, 0
}

// asksWhether reports whether a sentence has an indirect question, so that the words after it may
// be the answer of somebody else.
func (r *quoted) asksWhether(from, to int) bool {
	verb, n := r.findVerb(from, to, from)
	return verb >= 0 && r.contains(kindWhether, verb+n, to)
}

// repeatsOther reports whether the subject of a clause in front of a quotation hears the quoted
// words, or repeats those of somebody else: "X was asked: …", "X quoted her father: …", "X held up
// a sign: …".
func (r *quoted) repeatsOther(from, to int) bool {
	return r.isToldOrQuotes(from, to) || r.onlyVerb(from, to) && r.contains(kindCarrier, from, to) ||
		r.hasCarrier(from, to)
}

// isToldOrQuotes reports whether the last verb of a clause is a passive one or one of quoting: "X
// was asked", "X quoted her father".
func (r *quoted) isToldOrQuotes(from, to int) bool {
	for i := to - 1; i >= from; i-- {
		isTold := i > from && r.isPassive(i) && r.match(kindVerb, i, to) > 0
		if isTold || r.match(kindQuoting, i, to) > 0 {
			return r.onlyVerb(i+1, to)
		}
	}
	return false
}

// followsQuotation reports whether words are the clause of the quotation in front of them.
func (r *quoted) followsQuotation(at int) bool {
	return at > 0 && r.quoteOf[at-1] > 0 && r.blockOf[at-1] == r.blockOf[at] &&
		!(r.tokens[at].capital && r.tokens[max(at-2, 0)].is("."))
}

// isIndirect reports whether a sentence has a verb in the subjunctive of indirect speech, and
// nothing that may explain it otherwise.
func (r *quoted) isIndirect(s tokenRange) bool {
	if verb, _ := r.findToldVerb(s.from, s.to); verb >= 0 {
		return false
	}
	// an authority's or a firm's words
	if verb, n := r.findVerb(s.from, s.to, s.from); verb >= 0 && r.introducesReport(verb, n, s.to) {
		return false
	}
	for i := s.from; i < s.to; i++ {
		if r.quoteOf[i] == 0 && r.isA(i, kindFirstPerson, kindImpersonal) {
			return false
		}
	}
	return r.hasSubjunctive(s)
}

// hasSubjunctive reports whether a range has a verb in the subjunctive of indirect speech, and is
// no hearsay and no condition.
func (r *quoted) hasSubjunctive(s tokenRange) bool {
	found := false
	for i := s.from; i < s.to; i++ {
		switch {
		case r.quoteOf[i] > 0:
		case r.match(kindHearsay, i, s.to) > 0:
			return false
		case !r.german && (r.isA(i, kindTold) || r.inverts && !r.drops && isConditional(r.tokens[i])):
			found = true
		case r.isA(i, kindSubjunctive) && (i == s.from || !r.tokens[i].capital):
			found = true
		}
	}
	return found && !r.isA(s.from, kindConditional, kindModal)
}

// hasDoubt reports whether a clause does not assert that its subject spoke: it has a condition, a
// negation, a possibility or hearsay.
func (r *quoted) hasDoubt(from, to int) bool {
	if r.contains(kindHearsay, from, to) {
		return true
	}
	if to-1 > from && r.tokens[to-1].is(":") && r.isA(to-fullName, kindModal) {
		return true
	}
	if r.isA(from, kindSubordinate) { // "Asked whether she had a plan, X said"
		for i := from; i < to && i < from+appositionTokens; i++ {
			if r.tokens[i].is(",") {
				from = i + 1
				break
			}
		}
	}
	verbs := 0
	for at, n := r.findVerb(from, to, from); at >= 0; at, n = r.findVerb(from, to, at+n) {
		if verbs++; verbs > mostVerbs || r.isNegated(from, at, at+n) || r.isPossible(from, at) {
			return true
		}
	}
	return false
}

// quotesIn reports whether a range has words in quotation marks, or ends in front of them.
func (r *quoted) quotesIn(from, to int) bool {
	for i := from; i < min(to+1, len(r.tokens)); i++ {
		if r.quoteOf[i] > 0 {
			return true
		}
	}
	return false
}

// splitSentences returns the sentences of the blocks; a sentence ends with its closing quotation mark.
func (r *quoted) splitSentences() []tokenRange {
	var all []tokenRange
	for _, b := range r.blocks {
		from := b.from
		for i := b.from; i < b.to; i++ {
			if i < from || !r.isStop(i) {
				continue
			}
			end := i + 1
			for end < b.to && (r.tokens[end].is(")*_]") || r.tokens[end].is(anyQuote) && r.quoteOf[end] > 0 &&
				r.quoteOf[end] == r.quoteOf[i]) {
				end++
			}
			all = append(all, tokenRange{from, end})
			from = end
		}
		if from < b.to {
			all = append(all, tokenRange{from, b.to})
		}
	}
	return all
}

// mostVerbs is the maximum number of verbs of saying in a clause whose speaker is clear.
const mostVerbs = 8
