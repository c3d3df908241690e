package speaker

import (
	"slices"
	"strings"
	"unicode"
)

// lastMentioned returns the last person whom the text names in front of a token and whose gender
// fits. It returns nil if two people of the same sentence fit equally.
func (r *cast) lastMentioned(at int, sex gender) *person {
	if r.followsUnnamed(at, sex) {
		return nil
	}
	var found *person
	last := -1
	for i := at - 1; i >= max(0, at-mentionLife); i-- {
		if found == nil && r.hidesPerson(i, sex) {
			return nil
		}
		of := r.mentionOf[i]
		if of == nil || !of.fits(sex) || r.quoteOf[i] > 0 {
			continue
		}
		if found == nil {
			found, last = of, i
			continue
		}
		switch isCertain := of.gender == sex; {
		case r.isBreakBetween(i, last):
			if r.isRival(i, last, sex) {
				return nil
			}
			return found
		case of == found:
		case isCertain == (found.gender == sex):
			return nil
		case isCertain:
			found, last = of, i
		}
	}
	return found
}

// hidesPerson reports whether a token may mean somebody whom the text does not name, in front of a
// pronoun: a role, a doubtful name, or a name in a sentence about somebody else.
func (r *cast) hidesPerson(at int, sex gender) bool {
	of := r.mentionOf[at]
	isAmong := of != nil && of.fits(sex) && r.quoteOf[at] == 0 && r.beginsUnnamed(at, sex)
	return isAmong || r.isUnnamed(at, sex) || r.isDoubtful(at)
}

// fits reports whether a pronoun with a gender may mean a person.
func (p *person) fits(sex gender) bool { return p.known && !p.writes && p.mayBe(sex) }

// mayBe reports whether nothing shows that a person is of another gender.
func (p *person) mayBe(sex gender) bool { return p.gender == sex || p.gender == anyGender }

// isRival reports whether a person of the pronoun's gender is so near to a later one, whose gender
// nothing shows, that the pronoun may mean either.
func (r *cast) isRival(at, last int, sex gender) bool {
	return r.mentionOf[last].gender != sex && r.mentionOf[at].gender == sex && last-at < rivalReach &&
		r.blockOf[at] == r.blockOf[last] && !r.beginsSentence(last)
}

// isDoubtful reports whether a name outside quotations, which is no place or object, may be a
// person's.
func (r *cast) isDoubtful(at int) bool {
	of := r.mentionOf[at]
	if of == nil || of.known || r.people.counts[of] == 0 || r.quoteOf[at] > 0 || r.tokens[r.nameEnd(at)-1].possessive ||
		r.blocks[r.blockOf[at]].kind != prose {
		return false
	}
	return at == 0 || !r.isA(at-1, kindPreposition) && !r.tokens[at-1].is("(")
}

// longestArticle is the number of letters of an article that introduces somebody without a name.
const longestArticle = 7

// isUnnamed reports whether a token is the role of somebody without a name, to whom a pronoun may
// refer: "his neighbour", or "The neighbour" as a subject.
func (r *cast) isUnnamed(at int, sex gender) bool {
	role := r.tokens[at].lower
	if at == 0 || r.quoteOf[at] > 0 || !r.isRole(role) && !r.words[kindRelation][role] ||
		r.blocks[r.blockOf[at]].kind != prose {
		return false
	}
	start := at - 1
	// "The new neighbour"
	if start > 0 && !r.isA(start, kindDeterminer) && r.beginsSentence(start-1) {
		start--
	}
	if !r.isA(start, kindPossessive, kindUnnamed) && !r.beginsWithArticle(start) || r.namesNear(start, at) ||
		r.refersBack(start, at, sex) {
		return false
	}
	is := r.roleGender(role)
	return (is == sex || is == anyGender) && r.people.byRole(role) == nil
}

// refersBack reports whether a role with an article means the only person named before.
func (r *cast) refersBack(article, role int, sex gender) bool {
	return articleGenders[r.tokens[article].lower] == sex && !r.isA(role, kindBeside) && r.followsOnly(article, sex)
}

// namesNear reports whether somebody is named near a role whose noun phrase starts at a position.
func (r *cast) namesNear(start, role int) bool {
	first := max(0, role-roleReach)
	if r.beginsSentence(start) {
		first = start
	}
	return slices.ContainsFunc(r.mentionOf[first:min(role+roleReach, len(r.tokens))],
		func(of *person) bool { return of != nil })
}

// followsOnly reports whether the sentence in front of a position names one person of a gender, and
// the paragraph nobody else so far: "X has examined it. The expert …".
func (r *cast) followsOnly(at int, sex gender) bool {
	b := r.blocks[r.blockOf[at]]
	if at == b.from || at-b.from > mentionLife {
		return false
	}
	only := r.onlyPerson(b.from, at).of
	return only != nil && only.gender == sex && only == r.onlyPerson(r.quotingStart(at-1), at).of
}

// rivalReach is the number of tokens in front of a mention in which a person of the pronoun's
// gender makes it doubtful.
const rivalReach = 60

// followsUnnamed reports whether the sentence in front of the one of a pronoun is about somebody
// whom it does not name: "Another mother nods. “…,” she said."
func (r *cast) followsUnnamed(at int, sex gender) bool {
	b := r.blocks[r.blockOf[at]]
	end, first := at, max(b.from, at-mentionLife)
	for end > first && (r.quoteOf[end-1] > 0 || !r.isStop(end-1)) {
		end--
	}
	for end > first && r.quoteOf[end-1] > 0 {
		end--
	}
	from := end - 1
	for from > first && r.quoteOf[from-1] == 0 && !r.isStop(from-1) {
		from--
	}
	if from < first || from >= end {
		return false
	}
	from = r.skipPhrase(from, end)
	word := r.tokens[from]
	if from+1 >= end || !r.introducesUnnamed(word, sex) {
		return false
	}
	for _, of := range r.mentionOf[from:end] {
		if of != nil {
			return false
		}
	}
	return true
}

// isAfterVerb reports whether a name is directly after a verb of saying, whose subject it is: "A
// strike would cost millions, says X."
func (r *page) isAfterVerb(at int) bool {
	for at > 0 && (r.isA(at-1, kindTitle) || r.isRole(r.tokens[at-1].lower)) {
		at--
	}
	return at > 0 && r.isA(at-1, kindVerb)
}

// isObjectPhrase reports whether a sentence begins with an article, a noun and a pronoun that makes
// the noun an object: "Un chiffre que conteste X."
func (r *page) isObjectPhrase(from int) bool {
	return from+fullName < len(r.tokens) && slices.Contains([]string{"que", "qu", "qu'"}, r.tokens[from+fullName].lower)
}

// articleGender is the gender of the articles that introduce somebody without a name.
var articleGender = map[string]gender{"un": male, "otro": male, "ein": male, "una": female, "otra": female,
	"une": female, "eine": female}

// introducesUnnamed reports whether a word is an article of somebody without a name to whom a
// pronoun with a gender may refer.
func (r *page) introducesUnnamed(word token, sex gender) bool {
	of := articleGender[word.lower]
	return r.words[kindUnnamed][word.lower] && word.end-word.start <= longestArticle && (of == anyGender || of == sex)
}

// mentionAt adds a mention of somebody who is proven to be a person.
func (r *cast) mentionAt(at int, p *person) {
	if p != nil {
		p.known = true
		r.setMention(at, p)
	}
}

func (r *cast) setMention(at int, p *person) {
	r.mentionOf[at] = p
	if p.first < 0 {
		p.first = at
	}
}

// SameName reports whether two names can be of one person, without regard to case and titles: they
// are equal, or one is the last name of the other.
func SameName(a, b string) bool {
	first, second := nameParts(a), nameParts(b)
	if len(first) == 0 || len(second) == 0 {
		return false
	}
	if len(first) > len(second) {
		first, second = second, first
	}
	if len(first) == 1 {
		return first[0] == second[len(second)-1]
	}
	return slices.Equal(first, second[len(second)-len(first):]) || first[0] == second[0] &&
		first[len(first)-1] == second[len(second)-1]
}

// Means reports whether the speaker of a statement is the person with a name. A last name alone
// does not mean a person whose first name is of another gender than the title in the text: "Mr
// Whitlock" is not Dana Whitlock.
func (r *Reading) Means(said Statement, name string) bool {
	if !SameName(said.Speaker, name) {
		return false
	}
	parts := nameParts(name)
	p := r.people.people[strings.ToLower(said.Speaker)]
	if p == nil || len(nameParts(said.Speaker)) > 1 || len(parts) < fullName {
		return true
	}
	sex := r.nameGender(parts[0])
	return sex == anyGender || p.gender == anyGender || sex == p.gender
}

// nameParts returns the words of a name in lower case, without titles.
func nameParts(name string) []string {
	var parts []string
	for _, t := range tokenize([]rune(name)) {
		isTitle := slices.ContainsFunc(lexicons(), func(l lexicon) bool { return l[kindTitle][t.lower] })
		if t.word && !isTitle && !unicode.IsDigit([]rune(t.lower)[0]) {
			parts = append(parts, t.lower)
		}
	}
	return parts
}

// hasPart reports whether a word is the last or the first name of a person.
func (g *registry) hasPart(word string) bool { return len(g.lasts[word])+len(g.firsts[word]) > 0 }

// People returns the names that the text proves to be people's: by a title, a first name, a role or
// a relative clause.
func (r *Reading) People() []string {
	var names []string
	for _, p := range r.people.people {
		if p.known {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return names
}
