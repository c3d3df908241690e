package speaker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostInitials is the number of letters of initials that stand for a name.
const mostInitials = 4

// registerInitials adds the initials in brackets after names, by which minutes name people: "Janet
// Ellory (JE)".
func (r *cast) registerInitials() {
	for i := 1; i < len(r.tokens); i++ {
		t := r.tokens[i]
		letters := r.runes[t.start:t.end]
		if !r.isInBrackets(i) || len(letters) < fullName || len(letters) > mostInitials ||
			slices.ContainsFunc(letters, unicode.IsLower) {
			continue
		}
		p := r.people.byInitials(r.tokens[i : i+1])
		if p == nil && r.hasAttendance {
			p = r.namedInFront(i - 1)
		}
		if p != nil && !slices.Contains(r.people.lasts[t.lower], p) {
			// beside a person with this last name they mean nobody
			r.people.lasts[t.lower] = append(r.people.lasts[t.lower], p)
		}
	}
}

// namedInFront returns the person whose full name ends in front of a bracket: "Thorsten Quast (QU,
// site)"; nil for none.
func (r *cast) namedInFront(bracket int) *person {
	for i := bracket - 1; r.tokens[bracket].is("(") && i >= max(0, bracket-longestRun); i-- {
		if r.mentionOf[i] != nil && r.nameEnd(i) == bracket {
			return r.mentionOf[i]
		}
	}
	return nil
}

// byInitials returns the only person whose name has the initials; nil for none and several.
func (g *registry) byInitials(initials []token) *person {
	var letters strings.Builder
	for _, t := range initials {
		if t.word {
			letters.WriteString(t.lower)
		}
	}
	if all := g.initials[letters.String()]; len(all) == 1 {
		return all[0]
	}
	return nil
}

// initialsOf returns the first letters of the words of a name.
func initialsOf(name string) string {
	var letters strings.Builder
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == ' ' || r == '-' }) {
		letter, _ := utf8.DecodeRuneInString(part)
		letters.WriteRune(letter)
	}
	return letters.String()
}
