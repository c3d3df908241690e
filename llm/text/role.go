package text

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// impliedWeight is what a care counts that is told from a role, beside those that are said.
const impliedWeight = 0.6

// readRole takes a line of the list of roles.
func (l *lexicon) readRole(stem *stemmer, head, words string) {
	if sign := map[string]float64{"<": 1, "!": -1}[head]; sign != 0 {
		for word := range strings.FieldsSeq(words) {
			l.wishes[entry(stem, word)] = sign
		}
		return
	}
	who, stakes, _ := strings.Cut(words, ">")
	for word := range strings.FieldsSeq(who) {
		word, told := strings.CutPrefix(word, "*")
		word, bare := strings.CutPrefix(word, "=")
		key := entry(stem, word)
		l.who[key] = append(l.who[key], person{head, told, bare})
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

// person is a role that a word tells of.
type person struct {
	role string
	told bool // in a text alone
	bare bool // not behind a preposition
}

// rolesIn lists the roles that the words of a text tell of, each once.
func (l *lexicon) rolesIn(words []token) []string {
	var out []string
	for i := 0; i < len(words); {
		people, width := find(l.who, words, i)
		for _, p := range people {
			if !slices.Contains(out, p.role) {
				out = append(out, p.role)
			}
		}
		i += width
	}
	return out
}

// about are the words that lead to where somebody works or what they deal with, rather than to what they are.
var about = set("in at of for from to by with about against on near next over")

// described lists the roles that a description of somebody tells of: of several nouns in a row the last one says what they are, and what stands
// behind a preposition counts only while nothing else is told.
func (l *lexicon) described(words []token) []string {
	var out []string
	for i := 0; i < len(words); {
		people, width := find(l.who, words, i)
		next := i + width
		behind := slices.ContainsFunc(words[max(0, i-2):i], func(t token) bool { return about[strings.ToLower(t.Text)] })
		compound := false
		if next < len(words) && !words[next].apart {
			heads, _ := find(l.who, words, next)
			compound = slices.ContainsFunc(heads, func(p person) bool { return !p.told })
		}
		for _, p := range people {
			if !p.told && !(behind && (p.bare || len(out) > 0)) && !compound && !slices.Contains(out, p.role) {
				out = append(out, p.role)
			}
		}
		i = next
	}
	return out
}

// gains reports that one of the roles gains by a concept.
func (l *lexicon) gains(roles []string, concept string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return l.roles[role][concept] > 0 })
}

// atStakeOf sums what roles gain and lose by, from -1 to 1 for each concept; what one gains and another loses is nobody's.
func (l *lexicon) atStakeOf(roles []string) map[string]float64 {
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

// objectReach is how many words behind a feeling those may stand whom it meets: "a blow to the tenants".
const objectReach = 3

// heard is how others take something, good (1) or bad (-1), and whether they gain or lose by a concept.
type heard struct{ feeling, side float64 }

// by is what that makes of it for somebody who gains or loses by the same concept.
func (h heard) by(side float64) float64 {
	if h.side*side < 0 {
		return -contrary * h.feeling
	}
	return h.feeling
}

// taken tells by concept how those take what a clause says who speak in it or are met by it; nil where nobody shows a feeling.
func (l *lexicon) taken(words []token) map[string]heard {
	feeling, first, last := 0.0, -1, 0
	for i := range words {
		take, width := find(l.takes, words, i)
		before := words[max(0, i-negationSpan):i]
		denied := func(t token) bool { return t.turn == denying }
		switch {
		case take == 0 || slices.ContainsFunc(before, func(t token) bool { return t.stem == "after" || t.stem == "despit" }):
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
	stakes := l.atStakeOf(l.rolesIn(words[:first]))
	if len(stakes) == 0 {
		stakes = l.atStakeOf(l.rolesIn(words[first:min(len(words), last+objectReach)]))
	}
	taken := map[string]heard{}
	for concept, side := range stakes {
		taken[concept] = heard{math.Copysign(1, feeling), side}
	}
	return taken
}

// Told adds to somebody's cares what a description of them tells: what it says that they wish for or away, and what people of their role
// have at stake.
func Told(cares []Care, description string) []Care {
	known := map[string]bool{}
	cares = wished(cares, description)
	for _, care := range cares {
		for _, at := range care.stakes {
			known[at.concept] = true
		}
	}
	weight := 1.0
	if len(cares) > 0 {
		weight = impliedWeight
	}
	stakes := concepts().atStakeOf(concepts().described(tokens(description, "en")))
	for _, concept := range slices.Sorted(maps.Keys(stakes)) {
		if sign := stakes[concept]; !known[concept] {
			cares = append(cares, Care{
				Phrase: strings.ReplaceAll(concept, "-", " "), Worry: sign < 0, implied: true, weight: weight, stakes: []mention{{concept: concept, sign: sign, share: 1}},
			})
		}
	}
	return cares
}

// wished adds what stands behind a word of wishing, up to the end of its clause, where it has anything at stake.
func wished(cares []Care, description string) []Care {
	words := tokens(description, "en")
	runes := []rune(description)
	for i := 0; i < len(words); i++ {
		sign, width := find(concepts().wishes, words, i)
		from := i + width
		for from < len(words) && (about[words[from].stem] || words[from].stem == "that") {
			from++
		}
		if sign == 0 || from >= len(words) {
			continue
		}
		to := from + 1
		for to < len(words) && !words[to].apart {
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
