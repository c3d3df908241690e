package speaker

import "strings"

// introducedReach is the number of marks and determiners between a name and its role: "Dana
// Whitlock, the chief executive".
const introducedReach = 3

// isHeldBy reports whether every mention of a role in the text may mean the person: it introduces
// the person, or has a determiner and no complement. "Hansa Bank's chief executive", "the chief
// executive of Hansa Bank" and "the former chief executive" mean somebody else.
func (r *cast) isHeldBy(role []token, p *person) bool {
	name := joinTokens(role)
	for i := 0; i+len(role) <= len(r.tokens); i++ {
		end := i + len(role)
		if !r.tokens[i].word || r.tokens[i].lower != role[0].lower || joinTokens(r.tokens[i:end]) != name ||
			r.introduces(i, end, p) {
			continue
		}
		hasComplement := end < len(r.tokens) && r.isA(end, kindPreposition)
		hasDeterminer := i > 0 && r.isA(i-1, kindDeterminer) && !r.isA(i-1, kindUnnamed)
		if hasComplement || !hasDeterminer {
			return false
		}
	}
	return true
}

// introduces reports whether a role is an apposition of a person's name: in front of it, or behind
// it.
func (r *cast) introduces(from, to int, p *person) bool {
	next := to
	for next < len(r.tokens) && r.tokens[next].is(",") {
		next++
	}
	if next < len(r.tokens) && r.mentionOf[next] == p {
		return true
	}
	at := from - 1
	for at > max(0, from-1-introducedReach) && (r.tokens[at].is(",(–—") || r.isA(at, kindDeterminer)) {
		at--
	}
	parts := strings.Fields(strings.ToLower(p.name))
	return at >= 0 && at < from-1 && r.tokens[at].lower == parts[len(parts)-1]
}
