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

// findFirms finds the first words of the names of organizations: "Tarn Outdoor Group".
func (r *cast) findFirms() {
	r.firms = map[string]bool{}
	for i := 0; i < len(r.tokens); i++ {
		n := r.runLength(r.tokens[i:])
		if run := r.tokens[i : i+n]; n > 1 && r.hasOrganization(run[1:]) && !isFirstName(run[0]) {
			r.firms[run[0].lower] = true
		}
		i += max(0, n-1)
	}
}

// isOrganization reports whether a name is an organization's: by a word of it, by the noun in front
// of it, or because it begins like the name of one.
func (r *cast) isOrganization(from, to int) bool {
	return r.hasOrganization(r.tokens[from:to]) || r.followsOrganization(from) || r.firms[r.tokens[from].lower]
}

// isOutlet reports whether a name is that of a newspaper or a broadcaster which asks: no word of it
// is a first name, and the text mentions it after words for a talk: "X talked to Green Week".
func (r *cast) isOutlet(name []token) bool {
	return len(name) >= fullName && !slices.ContainsFunc(name, isFirstName) && r.talkedTo[joinTokens(name)]
}

// findTalkedTo collects the names after words for a talk.
func (r *cast) findTalkedTo() {
	r.talkedTo = map[string]bool{}
	for i := range r.tokens {
		n := max(r.words.matchLength(kindTalk, r.tokens[i:]), r.words.matchLength(kindInterview, r.tokens[i:]))
		for at := i + n; n > 0 && at <= min(i+n+1, len(r.tokens)-1); at++ {
			if run := r.runLength(r.tokens[at:]); run > 0 {
				r.talkedTo[joinTokens(r.tokens[at:at+run])] = true
				break
			}
		}
	}
}
