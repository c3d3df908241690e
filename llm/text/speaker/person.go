package speaker

import (
	"slices"
	"strings"
)

// gender is the grammatical gender of a person's pronoun.
type gender int

const (
	anyGender gender = iota
	female
	male
)

// person is somebody whom the text names.
type person struct {
	name   string // the fullest form in the text
	gender gender
	writes bool // a by-line names the person, whom no pronoun means
	known  bool // the text proves that the name is a person's
	first  int  // the token of the first mention; -1 without one
}

// joiners are the words in lower case inside names.
var joiners = map[string]bool{
	"de": true, "von": true, "van": true, "der": true, "den": true, "la": true, "del": true, "al": true, "bin": true,
	"du": true, "di": true, "le": true, "ten": true, "ter": true, "da": true,
	"d": true, "dos": true, "el": true, "zu": true, "mc": true, "ibn": true, "y": true,
}

// The number of words of a name.
const (
	longestRun   = 5
	shortestRole = 4 // bytes of a role at the end of a compound
	fullName     = 2
	mentionLife  = 160 // tokens after which a pronoun does not refer to a mention

	mostNamesakes    = 50
	mostRoles        = 400
	shortestCompound = 6 // letters of the end of a compound role

	severalPeople = 2 // with a role that does not tell who is meant
)

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

// cast is a text with the people whom it names: what the fourth pass makes. Later passes add names
// that only they can tell.
type cast struct {
	quoted
	people        *registry
	mentionOf     []*person       // the person whom the text names at each token
	firms         map[string]bool // the first words of the names of organizations
	talkedTo      map[string]bool // the names after words for a talk
	withArticle   map[string]bool // the words after an article
	hasAttendance bool            // the text begins with a list of those who attend
}

// findPeople collects the names of two words and more, and the evidence that they are people's.
func findPeople(q quoted) cast {
	r := cast{quoted: q, people: newRegistry(q.drops), mentionOf: make([]*person, len(q.tokens))}
	r.tokens = slices.Clone(q.tokens)
	r.markRoles()
	r.registerFullNames()
	r.markAttendance()
	r.registerInitials()
	r.registerLastNames()
	r.registerOffices()
	r.registerRoles()
	r.findTalkedTo()
	r.findWithArticle()
	return r
}

// registerFullNames adds the names of two words and more.
func (r *cast) registerFullNames() {
	r.findFirms()
	for i := 0; i < len(r.tokens); {
		n := r.runLength(r.tokens[i:])
		if n == 0 {
			i++
			continue
		}
		n = r.untilBreak(i, n)
		run := r.tokens[i : i+n]
		if countWords(run) >= fullName && !r.isOrganization(i, i+n) && !r.isCapitalPhrase(run) &&
			(isFirstName(run[0]) || !r.isAfterDeterminer(r.tokens, i)) {
			name := r.textOf(i, i+n)
			r.mergeLastNames(strings.ToLower(name), i)
			p := r.people.addPerson(strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s"))
			r.addEvidence(p, r.tokens, i, i+n)
			r.people.counts[p]++
			r.setMention(i, p)
		}
		i += n
	}
}

// mergeLastNames adds a name at a token as another form of a person's name if one form has the two
// last names, and the other the first name and the first of them: "Sr. Teruel Pons" and "Gonzalo
// Teruel". Their genders must not differ.
func (r *cast) mergeLastNames(key string, at int) {
	p := r.people.byLastNames(key)
	if p == nil || r.people.people[key] != nil || r.people.sameAs(key) != nil {
		return
	}
	sex := r.titleGender(r.tokens, at)
	isGiven := isFirstName(r.tokens[at])
	if isGiven {
		sex = r.nameGender(r.tokens[at].lower)
	}
	if sex != anyGender && p.gender != anyGender && sex != p.gender {
		return
	}
	if r.people.people[key] = p; isGiven {
		p.name, p.gender = r.textOf(at, at+fullName), sex
	}
}

// untilBreak returns the number of tokens up to a line end.
func (r *layout) untilBreak(from, n int) int {
	for i := from + 1; i < from+n; i++ {
		if r.blockOf[i] != r.blockOf[from] {
			return i - from
		}
	}
	return n
}

func (r *page) isAfterDeterminer(tokens []token, at int) bool {
	return at > 0 && tokens[at-1].word && r.words[kindDeterminer][tokens[at-1].lower]
}

// registerLastNames adds the mentions by one name, with or without a title.
func (r *cast) registerLastNames() {
	inside := 0 // the end of a full name
	for i, t := range r.tokens {
		if p := r.mentionOf[i]; p != nil {
			inside = i + len(strings.Fields(p.name))
		}
		if i < inside || !r.isNameWord(t) {
			continue
		}
		sex := r.titleGender(r.tokens, i)
		p := r.people.byPart(t.lower, sex)
		if p == nil && (r.hasTitle(r.tokens, i) || isFirstName(t) && r.isRelative(i)) {
			p = r.people.addPerson(string(r.runes[t.start:t.end]))
			p.gender = r.nameGender(t.lower)
		}
		if p == nil {
			continue
		}
		if sex != anyGender {
			p.gender, p.known = sex, true
		}
		if r.hasTitle(r.tokens, i) || r.isRelative(i) {
			r.addEvidence(p, r.tokens, i, i+1)
			p.known = true
		}
		r.setMention(i, p)
	}
}

// isRelative reports whether a first name follows a role with a possessive: "my sister, X".
func (r *page) isRelative(at int) bool {
	if at > 1 && r.tokens[at-1].is(",") {
		at--
	}
	if at < fullName || !r.isRole(r.tokens[at-1].lower) {
		return false
	}
	word := r.tokens[at-fullName].lower
	return r.words[kindPossessive][word] || r.words[kindFirstPerson][word]
}
