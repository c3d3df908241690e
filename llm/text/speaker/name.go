package speaker

import (
	"slices"
	"strings"

	"rostrum/llm/text"
)

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

// isNameWord reports whether a word can be part of a name.
func (r *page) isNameWord(t token) bool {
	if first, _, ok := strings.Cut(t.lower, "'"); ok && r.words[kindFirstPerson][first] {
		return false
	}
	return t.word && t.capital && !t.role && !strings.Contains(t.lower, "-in-") && // "Beekeeper-in-residence"
		!r.words[kindNotName][t.lower] && !r.words[kindTitle][t.lower] && !r.isRole(t.lower)
}

// isSurname reports whether a word after a first name is a last name, although it is a role too:
// "Anna Porter".
func (r *page) isSurname(first, t token) bool {
	return t.capital && r.isRole(t.lower) && !r.german && isGivenName(first.lower)
}

// findSurnames finds the German last names that end like a role: "Ludwig Stadlbauer".
func (r *page) findSurnames() {
	r.surnames = map[string]bool{}
	for i := 1; r.german && i < len(r.tokens); i++ {
		t := r.tokens[i]
		if t.capital && !r.words[kindRole][t.lower] && isFirstName(r.tokens[i-1]) && r.tokens[i-1].capital {
			r.surnames[t.lower] = true
		}
	}
}

// isRole reports whether a word is a role; German roles may be compounds.
func (r *page) isRole(word string) bool {
	if r.words[kindRole][word] || !r.german || r.surnames[word] {
		return r.words[kindRole][word]
	}
	for at := range word { // a German compound
		if len(word)-at >= shortestRole && r.words[kindRole][word[at:]] {
			return true
		}
	}
	return false
}

// runLength returns the number of tokens of a name at the start of the tokens; 0 without one.
func (r *page) runLength(tokens []token) int {
	if len(tokens) == 0 || !r.beginsName(tokens) {
		return 0
	}
	words, end := 0, 0
	for i := 0; i < len(tokens) && words < longestRun; i++ {
		t := tokens[i]
		switch {
		case r.isNameWord(t) || words == 1 && r.isSurname(tokens[i-1], t):
			words++
			end = i + 1
		case !r.joinsName(tokens, i, words):
			return end
		}
		if t.possessive {
			return end
		}
	}
	return end
}

// joinsName reports whether a token joins the words of a name: "de" after a first name, or the full
// stop of an initial.
func (r *page) joinsName(tokens []token, i, words int) bool {
	if words == 1 && tokens[i].word && joiners[tokens[i].lower] {
		return isGivenName(tokens[i-1].lower)
	}
	return i > 0 && i+1 < len(tokens) && isInitialAt(tokens, i-1) && r.isNameWord(tokens[i+1])
}

// beginsName reports whether the first token may begin a name: it is no function word and no noun in
// front of a name.
func (r *page) beginsName(tokens []token) bool {
	return r.isNameWord(tokens[0]) && (!r.isFunctionWord(tokens[0].lower) || isInitialAt(tokens, 0)) &&
		!r.isBeforeName(tokens)
}

// longestAgency is the number of letters of an abbreviation in front of a name.
const longestAgency = 5

// isBeforeName reports whether an organization or an abbreviation is in front of a full name that
// begins with a known first name: "a déclaré à l'AGP Sylvain Roux".
func (r *page) isBeforeName(tokens []token) bool {
	if len(tokens) <= fullName || !isFirstName(tokens[1]) || !r.isNameWord(tokens[1]) ||
		!r.isNameWord(tokens[fullName]) || isFirstName(tokens[0]) {
		return false
	}
	isAgency := tokens[0].upper && !tokens[1].upper && tokens[0].end-tokens[0].start <= longestAgency &&
		tokens[0].end-tokens[0].start > 1
	return isAgency || r.words[kindOrganization][tokens[0].lower]
}

// isFunctionWord reports whether a word with a capital letter is at the start of a sentence, and
// does not begin a name.
func (r *page) isFunctionWord(word string) bool {
	for _, kind := range []string{kindCommon, kindDeterminer, kindPreposition, kindAccording, kindAfter, kindVerb,
		kindAuxiliary, kindModal, kindConditional, kindAdverb, kindConjunction, kindFirstPerson, kindSubordinate} {
		if r.words[kind][word] {
			return true
		}
	}
	return false
}

func (r *page) isAfterDeterminer(tokens []token, at int) bool {
	return at > 0 && tokens[at-1].word && r.words[kindDeterminer][tokens[at-1].lower]
}

func (r *page) hasOrganization(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return r.words[kindOrganization][t.lower] })
}

// isCapitalPhrase reports whether words in capital letters have a preposition that joins no name,
// as those of a heading.
func (r *page) isCapitalPhrase(run []token) bool {
	return r.inCapitals(run) && slices.ContainsFunc(run,
		func(t token) bool { return r.words[kindPreposition][t.lower] && !joiners[t.lower] })
}

// followsOrganization reports whether a name is an organization's by the noun in front of it:
// "l'association X".
func (r *page) followsOrganization(at int) bool {
	return at > 0 && !r.tokens[at-1].capital && r.isA(at-1, kindOrganization) && !isFirstName(r.tokens[at])
}

// officeAt returns the roles of the office whose name ends with a token.
func (r *page) officeAt(i int) []string {
	for words := 1; words <= min(longestOffice, i+1); words++ {
		if roles := officeRoles[joinTokens(r.tokens[i+1-words:i+1])]; roles != nil {
			return roles
		}
	}
	return nil
}

// beginsLine reports whether a token is the first one of a line, or the end of the text.
func (r *page) beginsLine(at int) bool {
	return at == 0 || at >= len(r.tokens) || slices.Contains(r.runes[r.tokens[at-1].end:r.tokens[at].start], '\n')
}

// beforeTitle returns the token in front of a role, before its title: "la Sra. Alcaldesa".
func (r *page) beforeTitle(at int) int {
	for at--; at > 0 && (r.isA(at, kindTitle) || r.tokens[at].is(".") && r.isA(at-1, kindTitle)); {
		at--
	}
	return at
}

// isWriter reports whether a name in a block is behind the word of a by-line: "« La glace se
// souvient », par X".
func (r *page) isWriter(at int, b block) bool {
	return at > b.from+1 && r.tokens[at-fullName].is(",") && r.match(kindByLine, at-1, b.to) == 1
}

// onlyName returns the only full name of a line of its own.
func (r *page) onlyName(tokens []token, runes []rune) string {
	found := ""
	for i := 0; i < len(tokens); i++ {
		n := r.runLength(tokens[i:])
		if n >= fullName && !r.hasOrganization(tokens[i:i+n]) {
			if found != "" {
				return ""
			}
			found = string(runes[tokens[i].start:tokens[i+n-1].end])
		}
		i += max(n-1, 0)
	}
	return found
}

func (r *page) firstName(tokens []token, runes []rune) string {
	for i := range tokens[:min(len(tokens), nameReach)] {
		if n := r.runLength(tokens[i:]); n >= fullName && !r.hasOrganization(tokens[i:i+n]) {
			return string(runes[tokens[i].start:tokens[i+n-1].end])
		}
	}
	return ""
}

// isInBrackets reports whether a token is the first or the last part of a note in brackets: "(JE)",
// "(JE, chair)", "(chair, JE)".
func (r *page) isInBrackets(at int) bool {
	if r.tokens[at-1].is("(") {
		return true
	}
	return r.tokens[at-1].is(",") && at+1 < len(r.tokens) && r.tokens[at+1].is("),–")
}

func (r *page) hasTitle(tokens []token, at int) bool { return r.titleBefore(tokens, at) != "" }

// titleBefore returns the title in front of a name.
func (r *page) titleBefore(tokens []token, at int) string {
	if at > 0 && tokens[at-1].is(".") {
		at--
	}
	if at > 0 && r.words[kindTitle][tokens[at-1].lower] &&
		(tokens[at-1].capital || len(tokens[at-1].lower) > 2 || tokens[at-1].lower == "ª") {
		return tokens[at-1].lower
	}
	return ""
}

func (r *page) titleGender(tokens []token, at int) gender {
	title := r.titleBefore(tokens, at)
	switch {
	case r.words[kindFemaleTitle][title]:
		return female
	case r.words[kindMaleTitle][title]:
		return male
	}
	return anyGender
}

// nameGender returns the gender of a first name: that of the text's language, else the one on which
// all other lists agree.
func (r *page) nameGender(name string) gender {
	switch {
	case r.words[kindFemaleName][name]:
		return female
	case r.words[kindMaleName][name]:
		return male
	}
	return firstNames()[name]
}

func (r *page) roleGender(role string) gender {
	words := strings.Fields(role)
	last := words[len(words)-1]
	switch {
	case r.words[kindFemaleRole][role] || r.words[kindFemaleRole][last] || r.german &&
		(strings.HasSuffix(last, "in") || strings.HasSuffix(last, "frau")):
		return female
	case r.words[kindMaleRole][role] || r.words[kindMaleRole][last]:
		return male
	}
	return anyGender
}

// precedesName reports whether a full name follows a role, or its part of something: "the mayor X",
// "la directora de la escuela X".
func (r *page) precedesName(at int) bool {
	return r.beginsFullName(r.skipPart(at))
}

// skipPart returns the position after the part of something that a role belongs to: "de la
// escuela"; the position itself without one.
func (r *page) skipPart(from int) int {
	if from >= len(r.tokens) || !r.isA(from, kindPreposition) {
		return from
	}
	at := from + 1
	for at < len(r.tokens) && r.isA(at, kindDeterminer) {
		at++
	}
	if at == len(r.tokens) || !r.tokens[at].word || r.tokens[at].capital && !r.german {
		return from
	}
	return at + 1
}

// roleLength returns the number of tokens of a role at the start of the tokens.
func (r *page) roleLength(tokens []token) int {
	n := r.words.matchLength(kindRole, tokens)
	if n == 0 && len(tokens) > 0 && (tokens[0].role || r.isRole(tokens[0].lower)) {
		n = 1
	}
	for n > 0 && n < len(tokens) && r.isRole(tokens[n].lower) && !tokens[n].capital {
		n++
	}
	return n
}

// beforeTitles returns the token in front of a name and its titles, and whether it has titles.
func (r *page) beforeTitles(name, from int) (before int, titled bool) {
	before = max(name-1, from)
	if r.isA(before, kindDeterminer) && r.tokens[before].capital && before > from && r.hasTitle(r.tokens, before) {
		before--
		titled = true
	}
	for before > from && (r.isA(before, kindTitle) || r.tokens[before].is(".") && r.hasTitle(r.tokens, name)) {
		before--
		titled = true
	}
	return before, titled
}

// metadataAuthor returns the author that the metadata names.
func (r *page) metadataAuthor() *voice {
	tokens := tokenize([]rune(r.source.Author))
	n := r.runLength(tokens)
	if n < fullName || r.hasOrganization(tokens[:n]) {
		return nil
	}
	name := string([]rune(r.source.Author)[tokens[0].start:tokens[n-1].end])
	return &voice{name: name, where: text.Span{Text: name, Start: -1, End: -1}, proof: FirstPerson, direct: true}
}

// namesHolder reports whether tokens are a comma and a full name that begins with a known first
// name, after an office: "the Minister for Coastal Development, Aoife Brannigan".
func (r *page) namesHolder(tokens []token) bool {
	return len(tokens) > fullName && tokens[0].is(",") && isFirstName(tokens[1]) && r.runLength(tokens[1:]) >= fullName
}

// beginsTalk reports whether "Mit X sprach sie" is at a token, whose subject is the person who
// answers.
func (r *page) beginsTalk(at, to int) bool {
	end := at + 1 + r.nameAt(at+1, to)
	return end > at+1 && end+1 < to && r.tokens[end].lower == "sprach" && r.isPronoun(end+1)
}
