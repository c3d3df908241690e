package speaker

import (
	"slices"
	"strings"
)

// officeRoles are the roles of the people who hold an office: "under the chairmanship of X", "X
// (Vorsitz)".
var officeRoles = map[string][]string{
	"chairmanship": {"chair", "chairman"}, "vorsitz": {"vorsitzende", "vorsitzender"},
	"présidence": {"président", "présidente"}, "presidencia": {"presidente", "presidenta"},
	"preside": {"presidente", "presidenta"}, "presidió": {"presidente", "presidenta"},
	"como secretaria": {"secretaria"}, "como secretario": {"secretario"},
	"in the chair": {"chair", "chairwoman", "chairman"},
	"modera":       {"moderador", "moderadora"}, "moderation": {"moderator", "moderatorin", "moderation"},
	"animation":      {"animateur", "animatrice", "animation"},
	"schriftführung": {"schriftführer", "schriftführerin"}, "secrétariat": {"secrétaire"},
	"secretaría": {"secretario", "secretaria"},
}

// The number of tokens in which an office's holder is looked for, and of words between a role and
// its colon.
const (
	holderReach = 6
	headWords   = 3

	longestOffice = 3 // words
)

// registerOffices adds the roles that the head of minutes shows by an office or by a role with a
// colon. A role with several such lines is the label of turns.
func (r *cast) registerOffices() {
	counts := map[string]int{}
	for i := range r.tokens {
		role, _ := r.headRole(i)
		counts[role]++
	}
	for i := range r.tokens {
		if roles := r.officeAt(i); roles != nil {
			r.addRoles(r.holderOf(i), roles...)
			continue
		}
		if role, end := r.headRole(i); role != "" {
			r.addRoles(r.holderAfter(end), append(strings.Split(role, "-"), role)...)
		}
		if role, at := r.roleOfHolder(i); role != "" {
			r.addRoles(r.holderAfter(at), role)
		}
	}
}

// holderOf returns the person who holds the office at a token: the one named after it, in front of
// its bracket, or in front of "in the chair".
func (r *cast) holderOf(i int) *person {
	if p := r.holderAfter(i + 1); p != nil {
		return p
	}
	if i > 1 && r.tokens[i-1].is("(,") {
		return r.personEndingAt(i - 1)
	}
	if i > fullName && r.tokens[i].lower == "chair" {
		return r.personEndingAt(i - fullName)
	}
	return nil
}

// roleOfHolder returns the role at a position that its holder follows in brackets, after its
// organization, or after a comma in a list of those who attend, and the position of the holder:
// "the Clerk (Mrs X)", "la directora de la escuela X", "Asistentes: Sra. Alcaldesa, D.ª X".
func (r *cast) roleOfHolder(at int) (role string, holder int) {
	n := r.roleLength(r.tokens[at:])
	end := at + n
	if n == 0 || at == 0 || end >= len(r.tokens) || r.isA(at-1, kindUnnamed) {
		return "", 0
	}
	before := r.beforeTitle(at)
	part := r.skipPart(end)
	switch next := r.tokens[end]; {
	case next.is("(") && r.isA(at-1, kindDeterminer):
	case next.is(",") && before < at-1 && before >= 0 && r.tokens[before].is(":"):
	case part > end && part < len(r.tokens) && r.isA(at-1, kindDeterminer) && r.mentionOf[part] != nil:
		return joinTokens(r.tokens[at:end]), part
	default:
		return "", 0
	}
	return joinTokens(r.tokens[at:end]), end + 1
}

// markAttendance marks the names of a list of those who attend as people's: "Present: X, Y".
func (r *cast) markAttendance() {
	for _, b := range r.blocks[:min(len(r.blocks), openingBlocks)] {
		tokens := r.tokens[b.from:b.to]
		at := trimmedMarks(tokens)
		if n := r.words.matchLength(kindAttendance, tokens[at:]); n == 0 || at+n >= len(tokens) ||
			!slices.ContainsFunc(tokens[at+n:min(len(tokens), at+n+headWords)],
				func(t token) bool { return t.is(":") }) {
			continue
		}
		r.hasAttendance = true
		for _, p := range r.mentionOf[b.from:b.to] {
			if p != nil {
				p.known = true
			}
		}
	}
}

func (r *cast) addRoles(p *person, roles ...string) {
	for _, role := range roles {
		if p != nil {
			p.known = true
			r.people.addRole(role, p)
		}
	}
}

// holderAfter returns the person whose full name follows a position, after titles, articles and
// prepositions, and ends a part of its sentence.
func (r *cast) holderAfter(at int) *person {
	for i := at; i < min(len(r.tokens), at+holderReach); i++ {
		t := r.tokens[i]
		switch {
		case r.mentionOf[i] != nil && r.blockOf[i] == r.blockOf[at-1]:
			end := r.nameEnd(i)
			if r.wordsIn(i, end) < fullName {
				return nil
			}
			if r.beginsLine(end) || r.tokens[end].is(",;.()") || r.isA(end, kindConjunction) {
				return r.mentionOf[i]
			}
			return nil
		case t.is(":.*_"), r.words[kindTitle][t.lower], r.words[kindDeterminer][t.lower],
			r.words[kindPreposition][t.lower], r.roleLength(r.tokens[i:]) > 0:
		case r.german && t.capital && i+1 < len(r.tokens) && r.roleLength(r.tokens[i+1:]) > 0: // "Erster Bürgermeister"
		default:
			return nil
		}
	}
	return nil
}

// personEndingAt returns the person whose full name ends at a position; nil without one.
func (r *cast) personEndingAt(at int) *person {
	for i := at - 1; i >= max(0, at-longestRun); i-- {
		if r.mentionOf[i] != nil && r.nameEnd(i) == at {
			return r.mentionOf[i]
		}
	}
	return nil
}

// registerRoles adds the mentions by a definite role that the text introduces for one person: "The
// mayor".
func (r *cast) registerRoles() {
	for i := 1; i < len(r.tokens); i++ {
		word := r.tokens[r.beforeTitle(i)].lower
		n := r.roleLength(r.tokens[i:])
		if n == 0 || r.mentionOf[i] != nil || !r.words[kindDeterminer][word] || r.words[kindUnnamed][word] ||
			r.words[kindPossessive][word] {
			continue
		}
		if p := r.people.byRole(joinTokens(r.tokens[i : i+n])); p != nil {
			r.setMention(i, p)
		}
	}
}
