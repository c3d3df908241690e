package text

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// impliedWeight is the weight of a care derived from a role, relative to an explicit one.
const impliedWeight = 0.6

// readRole parses a line of the list of roles.
func (l *conceptLexicon) readRole(stem *wordStemmer, head, words string) {
	if sign := map[string]float64{"<": 1, "!": -1}[head]; sign != 0 {
		for word := range strings.FieldsSeq(words) {
			l.wishes[stemEntry(stem, word)] = sign
		}
		return
	}
	who, stakes, _ := strings.Cut(words, ">")
	for word := range strings.FieldsSeq(who) {
		word, told := strings.CutPrefix(word, "*")
		word, bare := strings.CutPrefix(word, "=")
		key := stemEntry(stem, word)
		l.rolesByWord[key] = append(l.rolesByWord[key], roleWord{head, told, bare})
	}
	l.roles[head] = map[string]float64{}
	for concept := range strings.FieldsSeq(stakes) {
		concept, loses := strings.CutPrefix(concept, "-")
		l.roles[head][concept] = 1
		if loses {
			l.roles[head][concept] = -1
		}
	}
}

// roleWord is a role that a word indicates.
type roleWord struct {
	role     string
	textOnly bool // applies to texts only
	bare     bool // not after a preposition
}

// rolesIn returns the distinct roles that the words of a text indicate.
func (l *conceptLexicon) rolesIn(words []wordToken) []string {
	var out []string
	for i := 0; i < len(words); {
		people, width := findEntry(l.rolesByWord, words, i)
		for _, p := range people {
			if !slices.Contains(out, p.role) {
				out = append(out, p.role)
			}
		}
		i += width
	}
	return out
}

// workPrepositions precede the place or subject of a person's work, not the person's role.
var workPrepositions = wordSet("in at of for from to by with about against on near next over")

// rolesOfDescription returns the roles in a description of a person: the last of several consecutive nouns is the role; nouns after a
// preposition count only if there is no other.
func (l *conceptLexicon) rolesOfDescription(words []wordToken) []string {
	var out []string
	for i := 0; i < len(words); {
		people, width := findEntry(l.rolesByWord, words, i)
		next := i + width
		behind := slices.ContainsFunc(words[max(0, i-2):i], func(t wordToken) bool { return workPrepositions[strings.ToLower(t.Text)] })
		compound := false
		if next < len(words) && !words[next].afterBreak {
			heads, _ := findEntry(l.rolesByWord, words, next)
			compound = slices.ContainsFunc(heads, func(p roleWord) bool { return !p.textOnly })
		}
		for _, p := range people {
			if !p.textOnly && !(behind && (p.bare || len(out) > 0)) && !compound && !slices.Contains(out, p.role) {
				out = append(out, p.role)
			}
		}
		i = next
	}
	return out
}

// anyRoleGains reports whether one of the roles gains by a concept.
func (l *conceptLexicon) anyRoleGains(roles []string, concept string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return l.roles[role][concept] > 0 })
}

// stakesOfRoles returns the sum of the roles' gains and losses per concept, from -1 to 1; opposite stakes cancel out.
func (l *conceptLexicon) stakesOfRoles(roles []string) map[string]float64 {
	sum := map[string]float64{}
	for _, role := range roles {
		for concept, sign := range l.roles[role] {
			sum[concept] += sign
		}
	}
	for concept, sign := range sum {
		sum[concept] = max(-1, min(1, sign))
	}
	maps.DeleteFunc(sum, func(_ string, sign float64) bool { return sign == 0 })
	return sum
}

// objectReach is the maximum number of words between a feeling and its object: "a blow to the tenants".
const objectReach = 3

// attitude is the feeling of others toward something, good (1) or bad (-1), and whether they gain or lose by a concept.
type attitude struct{ feeling, side float64 }

// forSide returns the value of the attitude for a reader who gains or loses by the same concept.
func (h attitude) forSide(side float64) float64 {
	if h.side*side < 0 {
		return -contrary * h.feeling
	}
	return h.feeling
}

// attitudesIn returns per concept the attitude of the people in a clause; nil if nobody shows a feeling.
func (l *conceptLexicon) attitudesIn(words []wordToken) map[string]attitude {
	feeling, first, last := 0.0, -1, 0
	for i := range words {
		take, width := findEntry(l.attitudes, words, i)
		before := words[max(0, i-negationSpan):i]
		denied := func(t wordToken) bool { return t.direction == denying }
		switch {
		case take == 0 || slices.ContainsFunc(before, func(t wordToken) bool { return t.stem == "after" || t.stem == "despit" }):
			continue
		case slices.ContainsFunc(before, denied), slices.ContainsFunc(words[i+width:min(len(words), i+width+2)], denied):
			take = -take
		}
		feeling, last = feeling+take, i+width
		if first < 0 {
			first = i
		}
	}
	if feeling == 0 {
		return nil
	}
	stakes := l.stakesOfRoles(l.rolesIn(words[:first]))
	if len(stakes) == 0 {
		stakes = l.stakesOfRoles(l.rolesIn(words[first:min(len(words), last+objectReach)]))
	}
	taken := map[string]attitude{}
	for concept, side := range stakes {
		taken[concept] = attitude{math.Copysign(1, feeling), side}
	}
	return taken
}

// Told adds the cares that a description of a person implies: wishes, and the stakes of the person's role.
func Told(cares []Care, description string) []Care {
	known := map[string]bool{}
	cares = addWishes(cares, description)
	for _, care := range cares {
		for _, at := range care.stakes {
			known[at.concept] = true
		}
	}
	weight := 1.0
	if len(cares) > 0 {
		weight = impliedWeight
	}
	stakes := loadLexicon().stakesOfRoles(loadLexicon().rolesOfDescription(tokenize(description, "en")))
	for _, concept := range slices.Sorted(maps.Keys(stakes)) {
		if sign := stakes[concept]; !known[concept] {
			cares = append(cares, Care{
				Phrase: strings.ReplaceAll(concept, "-", " "), Worry: sign < 0, implied: true, weight: weight, stakes: []conceptMention{{concept: concept, sign: sign, share: 1}},
			})
		}
	}
	return cares
}

// addWishes adds the words after a word of wishing, up to the end of the clause, if they have a concept.
func addWishes(cares []Care, description string) []Care {
	words := tokenize(description, "en")
	runes := []rune(description)
	for i := 0; i < len(words); i++ {
		sign, width := findEntry(loadLexicon().wishes, words, i)
		from := i + width
		for from < len(words) && (workPrepositions[words[from].stem] || words[from].stem == "that") {
			from++
		}
		if sign == 0 || from >= len(words) {
			continue
		}
		to := from + 1
		for to < len(words) && !words[to].afterBreak {
			to++
		}
		phrase := string(runes[words[from].Start:words[to-1].End])
		if care, ok := newCare(phrase, sign < 0); ok && len(care.stakes) > 0 {
			cares = append(cares, care)
			i = to - 1
		}
	}
	return cares
}
