package speaker

import (
	"slices"
	"strings"
	"unicode"
)

// addEvidence notes the title, the first name and the role of a name.
func (r *cast) addEvidence(p *person, tokens []token, from, to int) {
	first := tokens[from].lower
	if at := strings.IndexByte(first, '-'); at > 0 {
		first = first[:at]
	}
	sex := r.titleGender(tokens, from)
	switch {
	case sex != anyGender:
	default:
		sex = r.nameGender(first)
	}
	p.known = p.known || sex != anyGender || isGivenName(first) || r.hasTitle(tokens, from) || r.hasRelative(to)
	for _, role := range append(r.rolesAfter(to), r.rolesBefore(from)...) {
		p.known = true
		if r.people.addRole(role, p); sex == anyGender {
			sex = r.roleGender(role)
		}
	}
	if p.gender == anyGender {
		p.gender = sex
	}
}

// hasRelative reports whether a relative clause or an age follows a name: "X, who", "X, 41,".
func (r *layout) hasRelative(at int) bool {
	if at+1 >= len(r.tokens) || !r.tokens[at].is(",(") || r.blockOf[at+1] != r.blockOf[at] {
		return false
	}
	next := r.tokens[at+1]
	return r.words[kindRelative][next.lower] || next.end-next.start == 2 && unicode.IsDigit(r.runes[next.start]) &&
		r.endsAge(at+2)
}

// endsAge reports whether an age ends within two words: "X, 71 ans,".
func (r *page) endsAge(at int) bool {
	return slices.ContainsFunc(r.tokens[min(at, len(r.tokens)):min(at+fullName+1, len(r.tokens))],
		func(t token) bool { return t.is(",).") })
}

// isGivenName reports whether a word is a first name of any language.
func isGivenName(word string) bool {
	_, ok := firstNames()[word]
	return ok
}

// The number of tokens in which a role is looked for.
const (
	roleReach  = 6
	roleLength = 4
)

// rolesAfter returns the roles of an apposition or of a note in brackets: "X, the chief executive
// of Y", "X (Y), chief executive", "X (chief executive, chair)".
func (r *layout) rolesAfter(at int) []string {
	end := r.parenthesisEnd(at)
	var roles []string
	for i := at + 1; i < end; i++ {
		if n := r.roleAt(i, end); n > 0 && !r.isObject(at, i) {
			roles = append(roles, joinTokens(r.tokens[i:i+n]))
			i += n - 1
		}
	}
	if len(roles) > 0 {
		return roles
	}
	if role := r.appositionRole(end); role != "" {
		return []string{role}
	}
	return nil
}

// appositionRole returns the role of an apposition that begins with the mark at a position.
func (r *layout) appositionRole(at int) string {
	isDash := at+1 < len(r.tokens) && r.tokens[at].is("-") && r.tokens[at+1].is("-")
	if at >= len(r.tokens) || !r.tokens[at].is(",(–—|") && !isDash {
		return ""
	}
	for i := at + 1; i < min(at+roleReach, len(r.tokens)); i++ {
		if r.blockOf[i] != r.blockOf[at] || r.tokens[i].is(".,;:(") || r.isA(i, kindVerb, kindConjunction) ||
			r.beginsFullName(i) {
			return ""
		}
		if n := r.roleAt(i, len(r.tokens)); n > 0 {
			// "next to X, the mayor added", "X, the mayor Y"
			if r.match(kindVerb, i+n, len(r.tokens)) > 0 || r.precedesName(i+n) {
				return ""
			}
			return joinTokens(r.tokens[i : i+n])
		}
		if r.isA(i, kindPreposition) {
			return ""
		}
	}
	return ""
}

// parenthesisEnd returns the position after a short note in parentheses; the position itself if
// none starts there.
func (r *layout) parenthesisEnd(at int) int {
	if at >= len(r.tokens) || !r.tokens[at].is("(") {
		return at
	}
	for i := at + 1; i < min(at+2*roleReach, len(r.tokens)) && r.blockOf[i] == r.blockOf[at]; i++ {
		if r.tokens[i].is(")") {
			return i + 1
		}
	}
	return at
}

// rolesBefore returns the role in front of a name: "chief executive X", "Y's chief executive, X".
func (r *layout) rolesBefore(at int) []string {
	if role := r.roleWithComma(at); role != "" {
		return []string{role}
	}
	block := r.blockOf[min(at, len(r.tokens)-1)]
	end := at
	for end > 0 && (r.tokens[end-1].is(".,") || r.isA(end-1, kindTitle)) && r.blockOf[end-1] == block {
		isStop := r.tokens[end-1].is(".") && (end < 2 || !r.isA(end-2, kindTitle))
		if isStop || r.tokens[end-1].is(",") && end < at-1 {
			return nil
		}
		end--
	}
	for n := min(roleLength, end); n > 0; n-- {
		if from := end - n; r.blockOf[from] == block && r.roleAt(from, end) == n {
			return []string{joinTokens(r.tokens[from:end])}
		}
	}
	return nil
}

// roleWithComma returns the role whose noun phrase and comma are in front of a name and its titles.
func (r *layout) roleWithComma(at int) string {
	comma := at - 1
	for comma > 1 && (r.tokens[comma].role || r.isA(comma, kindTitle)) {
		comma--
	}
	if comma <= 0 || !r.tokens[comma].is(",") || at >= len(r.tokens) || r.blockOf[comma] != r.blockOf[at] {
		return ""
	}
	return r.leadingRole(comma)
}

// leadingRole returns the role of a noun phrase that ends in front of a comma: "La portavoz de la
// oposición, X", "Der 1. Vorsitzende, X".
func (r *layout) leadingRole(comma int) string {
	for from := comma - 1; from > max(0, comma-2*roleReach) && r.blockOf[from] == r.blockOf[comma] &&
		!r.tokens[from].is(",;:()"+anyQuote) && !r.isStop(from); from-- {
		if !r.isA(from, kindDeterminer) {
			continue
		}
		start := from + 1
		n := r.roleAt(start, comma)
		if n > 0 && (start+n == comma || r.isA(start+n, kindPreposition)) {
			return joinTokens(r.tokens[start : start+n])
		}
	}
	return ""
}
