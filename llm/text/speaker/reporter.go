package speaker

// insertedClause returns a clause inside a quotation and its subject: « Je comprends, dit-elle, …
// »; -1 without one.
func (r *script) insertedClause(q *quotation) (from, to int, of subject) {
	for i := q.from; i+1 < q.to; i++ {
		if !r.tokens[i].is(",?!–—") {
			continue
		}
		verb := i + 1
		for verb < q.to && r.isA(verb, kindAuxiliary) {
			verb++
		}
		after := verb + r.match(kindVerb, verb, q.to)
		if after == verb || after >= q.to {
			continue
		}
		for after < q.to && r.tokens[after].lower == "t" {
			after++
		}
		dashed := r.tokens[i].is("–—")
		end := r.insertionEnd(after, q.to, dashed)
		if after < q.to && (r.isPronoun(after) || r.nameAt(after, q.to) > 0) {
			return i + 1, end, r.subjectAfter(after, q.to)
		}
		if dashed && r.inverts {
			return i + 1, end, r.subjectAfter(after, end)
		}
	}
	return -1, 0, subject{}
}

// addedReport returns the subject of a sentence whose participle after a comma introduces indirect
// speech, and the position of the reported words: "X rejected the claim, saying the grant was
// another one".
func (r *script) addedReport(from, to int) (subject, int) {
	for i := from + 1; i+1 < to; i++ {
		if !r.tokens[i-1].is(",") || !r.isA(i, kindAdding) {
			continue
		}
		return r.sentenceSubject(from, i-1, true), i + 1
	}
	return subject{}, from
}

// colonReport returns the subject of a sentence with reported words after a colon, which are in the
// subjunctive in German, and a clause in French and Spanish: "X sieht das anders: Die Halle sei
// alt."
func (r *script) colonReport(from, to int) (subject, int) {
	for i := from; r.inverts && i < to; i++ {
		if !r.tokens[i].is(":") {
			continue
		}
		after := tokenRange{i + 1, min(to, i+1+closingReach)}
		if r.german && r.hasSubjunctive(after) || !r.german && r.wordsIn(after.from, after.to) >= fewestReported {
			return r.sentenceSubject(from, i, true), i + 1
		}
	}
	return subject{}, from
}

// closingAdverbial is the number of words of an adverbial after the pronoun that ends a sentence:
// "…, erzählt er am Telefon".
const closingAdverbial = 5

// closingSubject returns the subject after a verb that ends a sentence: "…, said X". No more than
// an adverbial may follow a pronoun.
func (r *script) closingSubject(from, to int) subject {
	if from+1 < to && r.isPronoun(from) && r.tokens[from+1].word {
		isShort := r.wordsIn(from+1, to) <= closingAdverbial && r.onlyVerb(from+1, to) &&
			r.onlyPerson(from+1, to).of == nil && !r.hasComma(from, to)
		first := r.tokens[from+1].lower
		if !isShort || !r.words[kindPreposition][first] && !r.words[kindAdverb][first] {
			return subject{}
		}
	}
	return r.subjectAfter(from, to)
}

// reporter returns the subject of a verb that introduces indirect speech; start is in front of its
// auxiliaries.
func (r *script) reporter(from, start, verb, after, to int) subject {
	found := r.subjectBefore(from, start)
	switch {
	case found.name != "":
		return found
	case start > from && r.isA(start-1, kindConjunction):
		return r.sentenceSubject(from, start, true)
	case r.inverts && r.followsAdverbial(after-1) && !r.isObject(from, verb) &&
		(r.isPronoun(after) || !r.beginsSubject(from, start)):
		return r.subjectAfter(after, to)
	}
	return r.relativeSubject(from, start)
}

// nestedVoice returns the voice of the subject of a verb in a turn or a text of somebody else.
func (r *script) nestedVoice(from, verb int) *voice {
	s := r.subjectBefore(from, r.skipAuxiliaries(from, verb))
	if s.name == "" || r.hasDoubt(from, verb+1) {
		return unknownVoice
	}
	return r.voiceBy(s, Report)
}

// relativeSubject returns the person to whom a relative pronoun in front of a verb refers: "X, who
// said".
func (r *script) relativeSubject(from, to int) subject {
	if to-fullName <= from || !r.isA(to-1, kindRelative) || !r.tokens[to-fullName].is(",") {
		return subject{}
	}
	return r.adjacentSubject(from, to-fullName)
}
