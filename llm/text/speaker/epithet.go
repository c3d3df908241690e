package speaker

import (
	"sort"
	"strings"
)

// resolvePronoun returns the person whom a pronoun means. Nobody speaks of themselves as "he" or
// "she", so it is never the speaker of the turn.
func (r *script) resolvePronoun(at int, sex gender) *person {
	found := r.lastMentioned(at, sex)
	if found == nil || found == r.turnPerson(at) {
		return nil
	}
	if subject := r.pronounInFront(at, sex); subject >= 0 {
		return r.resolvePronoun(subject, sex)
	}
	return found
}

// turnPerson returns the speaker of the labelled turn of a token; nil outside a transcript.
func (r *script) turnPerson(at int) *person {
	i := sort.Search(len(r.turns), func(i int) bool { return r.turns[i].end > at })
	if i == 0 || len(r.turns) < transcriptTurns || r.turns[i-1].by == nil {
		return nil
	}
	return r.turns[i-1].by.of
}

// subjectOfEpithet returns the last person whom the text names, if an epithet with a definite
// article begins a clause and fits no role of the text: "La funcionaria añadió", "La jefa comunal
// indicó". The person's gender has to be known.
func (r *script) subjectOfEpithet(from, to int) subject {
	at := to - fullName
	noun := at + 1
	if at < from || !r.isA(noun, kindEpithet) && (noun == to-1 || r.isMinutes() || !r.isRole(r.tokens[noun].lower)) ||
		r.people.byRole(joinTokens(r.tokens[noun:to])) != nil {
		return subject{}
	}
	sex := articleGenders[r.tokens[at].lower]
	if sex == anyGender || !r.beginsSentence(at) {
		return subject{}
	}
	p := r.lastMentioned(at, sex)
	if p == nil || p.gender != sex {
		return subject{}
	}
	return r.pronounOf(at, sex)
}

// unnamedRole is the role of somebody whom an indefinite article introduces, which is nobody's whom
// the text has named: "said a spokeswoman".
const unnamedRole = "?"

// epithetSubject returns the person of a role that nobody in the text has, in front of a position,
// with a definite article: the only person of the paragraph so far, whom the sentence in front
// names and whose gender fits: "Jean Roux ferme. … Le boulanger assure que …".
func (r *script) epithetSubject(role string, end int) subject {
	at := end - len(strings.Fields(role)) - 1
	if role == unnamedRole || at < 0 || end > len(r.tokens) || len(r.people.roles[role]) > 0 || r.isMinutes() {
		return subject{}
	}
	again := demonstrativeGenders[r.tokens[at].lower] // refers back by itself
	if again == anyGender && end < len(r.tokens) && r.isA(end, kindPreposition) && !r.isAgeOf(end) {
		return subject{}
	}
	sex := max(again, r.articleGender(at, role))
	only := r.onlyPerson(r.blocks[r.blockOf[at]].from, at)
	if only.of == nil || only.of == r.turnPerson(at) || !only.of.means(sex, again) {
		return subject{}
	}
	return only
}

// personOfEpithet returns the person of an age or another epithet in the clause of a quotation: the
// only one whom the sentence in front of the quotation names, with the gender of the article.
func (r *script) personOfEpithet(at int) subject {
	sex := r.nounGender(at)
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
	if s := r.onlyPerson(max(b.from, start-mentionLife), start); s.of != nil && s.of.gender == sex && sex != anyGender {
		return s
	}
	return subject{}
}
