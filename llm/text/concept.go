package text

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	//go:embed concept.txt
	conceptList string
	//go:embed role.txt
	roleList string
)

// stake is a concept that a word stands for, or for the contrary of (sign -1), with the word's share in it: a word of several concepts is less
// sure to mean each.
type stake struct {
	concept string
	sign    float64
	share   float64
	told    bool // in a text alone: whoever cares for the word does not care for the concept
	shy     bool // not beside a role that does not gain by the concept
}

// The directions in which a word turns what stands near it.
const (
	plain = iota
	upward
	downward
	spoiling
	lifting
	ruling
	denying
)

// lexicon is the lists of concepts and roles: by stem, and by several stems for an entry with hyphens.
type lexicon struct {
	stakes map[string][]stake
	turns  map[string]int
	takes  map[string]float64            // how people take something
	who    map[string][]person           // the roles that a word tells of
	roles  map[string]map[string]float64 // the concepts that a role gains (1) or loses (-1) by
	mends  map[string]bool               // what mends or punishes harm
	harms  map[string]bool               // the concepts that can be harmed
	bygone map[string]bool               // what tells of the past
	wishes map[string]float64            // what stands before a thing that somebody wishes for (1) or away (-1)
}

var concepts = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		stakes: map[string][]stake{}, turns: map[string]int{}, takes: map[string]float64{},
		who: map[string][]person{}, roles: map[string]map[string]float64{}, wishes: map[string]float64{},
		mends: map[string]bool{}, harms: map[string]bool{}, bygone: map[string]bool{},
	}
	stem := newStemmer("en")
	for _, list := range []struct {
		lines string
		read  func(stem *stemmer, head, words string)
	}{{conceptList, l.readConcept}, {roleList, l.readRole}} {
		for line := range strings.Lines(list.lines) {
			if head, words, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
				list.read(stem, head, words)
			}
		}
	}
	for key, list := range l.stakes {
		for i := range list {
			l.stakes[key][i].share = 1 / math.Sqrt(float64(len(list)))
		}
	}
	return l
})

var turnHeads = map[string]int{"^": upward, "v": downward, "x": spoiling, "~": lifting, "%": ruling, "!": denying, "0": plain}

// readConcept takes a line of the list of concepts.
func (l *lexicon) readConcept(stem *stemmer, head, words string) {
	turn, turns := turnHeads[head]
	has, lacks, _ := strings.Cut(words, "|")
	switch {
	case turns:
		for word := range strings.FieldsSeq(words) {
			l.turns[entry(stem, word)] = turn
		}
	case head == "+", head == "-":
		for word := range strings.FieldsSeq(words) {
			l.takes[entry(stem, word)] = map[string]float64{"+": 1, "-": -1}[head]
		}
	case head == "<":
		for word := range strings.FieldsSeq(words) {
			l.bygone[entry(stem, word)] = true
		}
	case head == "=":
		words, harmed, _ := strings.Cut(words, ">")
		for word := range strings.FieldsSeq(words) {
			l.mends[entry(stem, word)] = true
		}
		for concept := range strings.FieldsSeq(harmed) {
			l.harms[concept] = true
		}
	default:
		l.add(stem, head, 1, has)
		l.add(stem, head, -1, lacks)
	}
}

func (l *lexicon) add(stem *stemmer, concept string, sign float64, words string) {
	for word := range strings.FieldsSeq(words) {
		word, told := strings.CutPrefix(word, "*")
		word, shy := strings.CutPrefix(word, "?")
		key := entry(stem, word)
		if !slices.ContainsFunc(l.stakes[key], func(s stake) bool { return s.concept == concept }) {
			l.stakes[key] = append(l.stakes[key], stake{concept, sign, 1, told, shy})
		}
	}
}

// entry is a word's stem, or the stems of a word with hyphens.
func entry(stem *stemmer, word string) string {
	parts := strings.Split(word, "-")
	for i, part := range parts {
		parts[i], _ = stem.of(part)
	}
	return strings.Join(parts, " ")
}

// mention is a place of a clause that speaks of a concept.
type mention struct {
	concept string
	sign    float64 // whether there is more of it or less; nearer to 0 where nothing says which
	share   float64
	told    bool
}

// named is the sign of what is only named: nothing says that there is more or less of it.
const named = 0.35

// mentions lists the concepts that a clause speaks of, each with the sign that the words around it give.
func (l *lexicon) mentions(words []token) []mention {
	var out []mention
	present, mended := l.rolesIn(words), l.mendedFrom(words)
	for i, width := 0, 1; i < len(words); i += width {
		var stakes []stake
		stakes, width = find(l.stakes, words, i)
		for _, s := range stakes {
			if s.shy && len(present) > 0 && !l.gains(present, s.concept) {
				continue
			}
			turned, said := l.turned(words, place{i, width, s.sign > 0, s.concept}, nil)
			sign := s.sign * turned
			switch {
			case s.sign < 0 && l.harms[s.concept] && i >= mended:
				sign = 1
			case !said && s.sign > 0:
				sign *= named
			}
			out = append(out, mention{s.concept, sign, s.share, s.told})
		}
	}
	return outspoken(out)
}

// outspoken leaves out where a concept is only named that is said elsewhere to be more or less.
func outspoken(all []mention) []mention {
	said := map[string]bool{}
	for _, m := range all {
		said[m.concept] = said[m.concept] || math.Abs(m.sign) > named
	}
	return slices.DeleteFunc(all, func(m mention) bool { return said[m.concept] && math.Abs(m.sign) <= named })
}

// mendedFrom is from which word on a clause tells of harm that is mended or punished; past its end where it tells of none.
func (l *lexicon) mendedFrom(words []token) int {
	for i := range words {
		mends, width := find(l.mends, words, i)
		near := words[max(0, i-negationSpan):min(len(words), i+width+negationSpan)]
		undone := func(t token) bool { return t.turn == denying || t.turn == lifting || t.turn == downward }
		if mends && (words[i+width-1].turn == downward || !slices.ContainsFunc(near, undone)) {
			return min(i+width, len(words)-1)
		}
	}
	return len(words)
}

// past reports words that tell of what came before.
func (l *lexicon) past(words []token) bool {
	return slices.ContainsFunc(words, func(t token) bool { return l.bygone[t.stem] })
}

// longestEntry is how many words an entry has at most.
const longestEntry = 3

// find is what a list has for the words at a place, the longest entry of several, and how many words it has.
func find[V any](list map[string]V, words []token, at int) (found V, width int) {
	for width = min(longestEntry, len(words)-at); width > 0; width-- {
		key := words[at].stem
		for _, word := range words[at+1 : at+width] {
			key += " " + word.stem
		}
		if v, ok := list[key]; ok {
			return v, width
		}
	}
	return found, 1
}

// How many words before and behind a word turn it.
const (
	reachBefore = 5
	reachBehind = 6
)

// place is where something stands in a clause: its words, whether it is a good thing, and the concept that it stands for, if any.
type place struct {
	at, width int
	good      bool
	concept   string
}

// turned is whether there is more (1) or less (-1) of what stands at a place, and whether any word says so: the nearest word with a direction,
// turned by each denial. Words behind punctuation do not count, nor those whose stems are excepted.
func (l *lexicon) turned(words []token, p place, except []string) (sign float64, said bool) {
	at, width := p.at, p.width
	first, last := reach(words, at, width)
	sign = 1.0
	direction, nearest := 1.0, len(words)
	for i := first; i < last; i++ {
		if i >= at && i < at+width || slices.Contains(except, words[i].stem) {
			continue
		}
		turn, distance := words[i].turn, max(at-i, i-at-width+1)
		switch {
		case turn == plain, turn != denying && l.elsewhere(words, i, p):
		case turn == denying:
			if i < at || negates[words[i].stem] && !l.elsewhere(words, i, p) {
				sign, said = -sign, true
			}
		case turn == ruling && i < at && words[i+1].stem == "on", distance <= nearest:
			if nearest, said = distance, true; turn == ruling && i < at {
				nearest = 0 // a tax on fuel that rises is no more fuel
			}
			direction = l.direction(words, i, p, turn)
		}
	}
	return sign * direction, said
}

// elsewhere reports a word with a direction that is about something else: a word of the same concept, or one before which another thing stands.
func (l *lexicon) elsewhere(words []token, turner int, p place) bool {
	same := func(s stake) bool { return s.concept == p.concept }
	if own, _ := find(l.stakes, words, turner); p.concept != "" && slices.ContainsFunc(own, same) {
		return true
	}
	if turner > p.at && l.belongs(words, p.at) {
		return true
	}
	from, to := turner+1, p.at
	if turner > p.at {
		from, to = p.at+p.width, max(p.at+p.width, turner-words[turner].width+1)
	}
	between := words[from:to]
	if len(between) == 0 || turner > p.at && governed[between[0].stem] || slices.ContainsFunc(between, func(t token) bool { return joining[t.stem] }) {
		return false
	}
	return slices.ContainsFunc(between, func(t token) bool { return len(l.stakes[t.stem]) > 0 && !slices.ContainsFunc(l.stakes[t.stem], same) })
}

// belongs reports a word that a preposition ties to another thing before it: the forest of "a motorway through the forest".
func (l *lexicon) belongs(words []token, at int) bool {
	for i := at - 1; i > max(0, at-1-objectReach); i-- {
		if governed[words[i].stem] {
			return slices.ContainsFunc(words[max(0, i-objectReach):i], func(t token) bool { return len(l.stakes[t.stem]) > 0 })
		}
	}
	return false
}

var (
	joining  = set("and or nor")
	governed = set("of for on to in at from against with by through") // what begins the rest of a noun: "the tax on fuel"
	negates  = set("not never longer")                                // what denies also what stands before it
)

// direction is what a word with a direction makes of what stands at a place. A rule makes less of it, unless the rule itself goes.
func (l *lexicon) direction(words []token, turner int, p place, turn int) float64 {
	at := p.at
	switch turn {
	case downward:
		return -1
	case spoiling:
		if p.good {
			return -1
		}
	case ruling:
		first, last := reach(words, turner, 1)
		for i := first; i < last; i++ {
			if other := words[i].turn; i != at && (other == downward || other == lifting || other == denying && i < turner) {
				return 1
			}
		}
		return -1
	case lifting:
		if words[at].turn == ruling {
			return -1
		}
	}
	return 1
}

// reach is which words turn what stands at a place: some before and some behind it, up to punctuation.
func reach(words []token, at, width int) (first, last int) {
	first, last = at, at+width
	for first > max(0, at-reachBefore) && !words[first].apart {
		first--
	}
	for last < min(len(words), at+width+reachBehind) && !words[last].apart {
		last++
	}
	return first, last
}

// clause are the words of a clause with the directions that they have; of an entry of several words the last one has it.
func (l *lexicon) clause(text string) []token {
	words := tokens(text, "en")
	for i := 0; i < len(words); {
		turn, width := find(l.turns, words, i)
		if word := words[i].Text; turn == plain && width == 1 && (strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")) {
			turn = denying
		}
		if first, _ := utf8.DecodeRuneInString(words[i].Text); i > 0 && unicode.IsUpper(first) {
			turn = plain // it is part of a name
		}
		i += width
		words[i-1].turn, words[i-1].width = turn, width
	}
	return words
}
