package speaker

import "strings"

// phraseWords is the number of words of a noun phrase in front of a name: "l'élu écologiste X".
const phraseWords = 3

// markRoles marks the nouns in front of a full name that begins with a known first name, which are roles: "Verteidigerin X", "la bioquímica X". In front
// of a last name, or after an article, the same noun is a role too.
func (r *Reading) markRoles() {
	roles := map[string]bool{}
	for i := range r.tokens[:max(0, len(r.tokens)-1)] { // "Lachmanns Verteidiger"
		t := &r.tokens[i]
		isGenitive := r.german && t.capital && strings.HasSuffix(t.lower, "s") && !r.isRole(t.lower) && !r.isFunctionWord(t.lower) && !isFirstName(*t)
		t.possessive = t.possessive || isGenitive && r.tokens[i+1].capital && r.words[kindRole][r.tokens[i+1].lower]
	}
	for i := range r.tokens {
		if i+1 < len(r.tokens) && r.blockOf[i] == r.blockOf[i+1] && (r.german && r.isGermanRole(i) || !r.german && r.isNounWithName(i)) {
			roles[r.tokens[i].lower] = true
		}
	}
	for i := range r.tokens[:max(0, len(r.tokens)-1)] {
		t := r.tokens[i]
		isBefore := r.german && r.isNameWord(t) && r.isNameWord(r.tokens[i+1])
		isAfter := !r.german && !t.capital && r.isAfterDeterminer(r.tokens, i)
		if roles[t.lower] && (isBefore || isAfter) {
			r.tokens[i].role = true
		}
	}
}

// isGermanRole reports whether a noun is in front of a full name.
func (r *Reading) isGermanRole(at int) bool {
	t := r.tokens[at]
	isNoun := t.word && t.capital && !t.upper && r.isNameWord(t) && !r.isFunctionWord(t.lower) && !isFirstName(t)
	isFeminine := strings.HasSuffix(t.lower, "in") && at+fullName < len(r.tokens) && r.isNameWord(r.tokens[at+1]) && r.isNameWord(r.tokens[at+fullName])
	return isNoun && (isFeminine || r.beginsFullName(at+1))
}

// isNounWithName reports whether a noun with an article is in front of a full name.
func (r *Reading) isNounWithName(at int) bool {
	t := r.tokens[at]
	isNoun := t.word && !t.capital && !r.isFunctionWord(t.lower) && !r.words[kindOrganization][t.lower] && !r.words[kindCarrier][t.lower]
	return isNoun && at > 0 && (r.words[kindDeterminer][r.tokens[at-1].lower] || r.words[kindPossessive][r.tokens[at-1].lower]) && r.beginsFullName(at+1)
}

// beginsFullName reports whether a known first name and a further word of a name are at a token.
func (r *Reading) beginsFullName(at int) bool {
	return at+1 < len(r.tokens) && r.tokens[at].capital && isFirstName(r.tokens[at]) && r.runLength(r.tokens[at:at+fullName]) == fullName
}

// isFirstName reports whether a word is a first name of any language, alone or with a hyphen.
func isFirstName(t token) bool {
	first, _, _ := strings.Cut(t.lower, "-")
	return isGivenName(first)
}

// subjectOfEpithet returns the last person whom the text names, if an epithet with a definite article begins a clause and fits no role of the text: "La
// funcionaria añadió". The person's gender has to be known.
func (r *Reading) subjectOfEpithet(from, to int) subject {
	at := to - fullName
	if at < from || !r.words[kindEpithet][r.tokens[to-1].lower] || r.people.byRole(r.tokens[to-1].lower) != nil {
		return subject{}
	}
	sex := articleGenders[r.tokens[at].lower]
	if r.tokens[at].lower == "l'" || r.tokens[at].lower == "l" {
		sex = r.roleGender(r.tokens[to-1].lower)
	}
	if sex == anyGender || !r.beginsSentence(at) {
		return subject{}
	}
	p := r.lastMentioned(at, sex)
	if p == nil || p.gender != sex {
		return subject{}
	}
	return r.pronounOf(at, sex)
}

// epithetSubject returns the person of a role that nobody in the text has, in front of a position, with a definite article: the only person of the
// paragraph so far, whom the sentence in front names and whose gender fits: "Jean Roux ferme. … Le boulanger assure que …".
func (r *Reading) epithetSubject(role string, end int) subject {
	at := end - len(strings.Fields(role)) - 1
	hasComplement := end < len(r.tokens) && r.words[kindPreposition][r.tokens[end].lower]
	if at < 0 || end > len(r.tokens) || role == unnamedRole || hasComplement || len(r.people.roles[role]) > 0 || r.isMinutes() {
		return subject{}
	}
	sex := articleGenders[r.tokens[at].lower]
	if r.tokens[at].lower == "l'" || r.tokens[at].lower == "l" {
		sex = r.roleGender(role)
	}
	b := r.blocks[r.blockOf[at]]
	only := r.onlyPerson(b.from, at)
	if sex == anyGender || only.of == nil || only.of.gender != sex || only.of == r.turnPerson(at) {
		return subject{}
	}
	from := r.quotingStart(at)
	if from > b.from {
		from = r.quotingStart(from - 1)
	}
	if r.onlyPerson(from, at).of != only.of {
		return subject{}
	}
	return only
}

// isAge reports whether a word is somebody's age: "die 38-Jährige".
func (r *Reading) isAge(word string) bool {
	return r.german && (strings.HasSuffix(word, "-jährige") || strings.HasSuffix(word, "-jähriger")) || strings.HasSuffix(word, "agénaire")
}

// isEpithet reports whether a noun with a definite article ends a clause, and no role that the text shows is in front of it: "sagt die gelernte Schreinerin".
func (r *Reading) isEpithet(at, to int) bool {
	ends := at+1 == to || !r.tokens[at+1].word
	isNoun := r.tokens[at].word && r.tokens[at].capital == r.german && !r.isFunctionWord(r.tokens[at].lower)
	return ends && isNoun && (articleGenders[r.articleOf(at)] != anyGender || r.isElided(at)) && r.people.byRole(r.tokens[at].lower) == nil
}

// articleGenders are the genders of the definite articles of a subject.
var articleGenders = map[string]gender{"die": female, "la": female, "der": male, "le": male, "el": male}

// isElided reports whether the article of a noun shows no gender: "l'investisseuse".
func (r *Reading) isElided(at int) bool {
	return at > 0 && r.tokens[at-1].lower == "l" && r.inverts && !r.german
}

// articleOf returns the article of a noun, in front of at most one adjective.
func (r *Reading) articleOf(at int) string {
	for i := at - 1; i >= max(0, at-fullName); i-- {
		if word := r.tokens[i].lower; articleGenders[word] != anyGender {
			return word
		}
	}
	return ""
}

// personOfEpithet returns the person of an age or another epithet in the clause of a quotation: the only one whom the sentence in front of the quotation
// names, with the gender of the article.
func (r *Reading) personOfEpithet(at int) subject {
	sex := articleGenders[r.articleOf(at)]
	if r.isAge(r.tokens[at].lower) {
		return r.pronounOf(at, sex)
	}
	n := r.quoteOf[max(0, at-1)]
	for i := at - 1; n == 0 && i >= max(0, at-roleReach); i-- {
		n = r.quoteOf[i]
	}
	if n == 0 {
		return subject{}
	}
	start := r.quotes[n-1].from
	b := r.blocks[r.blockOf[start]]
	from := start
	for from > b.from && (from == start || !r.isStop(from-1) && r.quoteOf[from-1] == 0) {
		from--
	}
	if s := r.onlyPerson(from, start); s.of != nil && (s.of.gender == sex || r.isElided(at)) {
		return s
	}
	return subject{}
}

// phraseName returns the position of the full name that ends a noun phrase with an article: "l'élu écologiste X"; 0 without one.
func (r *Reading) phraseName(at, to int) int {
	if r.german || !r.words[kindDeterminer][r.tokens[at].lower] && !r.words[kindPossessive][r.tokens[at].lower] {
		return 0
	}
	for i := at + 1; i <= min(at+phraseWords+1, to-fullName); i++ {
		switch t := r.tokens[i]; {
		case i > at+1 && r.beginsFullName(i):
			return i
		case t.is(",") && i > at+1:
			if n := r.runLength(r.tokens[i+1 : to]); r.beginsFullName(i+1) || countWords(r.tokens[i+1:i+1+n]) >= fullName && (i+1+n == to || r.tokens[i+1+n].is(",.")) {
				return i + 1
			}
			return 0
		case !t.word || t.capital || r.isFunctionWord(t.lower):
			return 0
		}
	}
	return 0
}
