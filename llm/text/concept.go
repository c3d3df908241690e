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

// conceptStake is a concept that a word stands for, or the contrary of one (sign -1), with the word's weight: a word with several concepts has
// a lower weight for each.
type conceptStake struct {
	concept   string
	sign      float64
	share     float64
	textOnly  bool // applies to texts only, not to cares
	roleBound bool // ignored next to a role that does not gain by the concept
}

// The directions in which a word modifies the words around it.
const (
	plain = iota
	upward
	downward
	spoiling
	lifting
	ruling
	denying
)

// conceptLexicon holds the lists of concepts and roles by stem, or by several stems for entries with hyphens.
type conceptLexicon struct {
	stakes      map[string][]conceptStake
	turns       map[string]int
	attitudes   map[string]float64            // attitudes of people toward something
	rolesByWord map[string][]roleWord         // roles named by a word
	roles       map[string]map[string]float64 // concepts by which a role gains (1) or loses (-1)
	remedies    map[string]bool               // words for remedies and punishment of harm
	harms       map[string]bool               // concepts that can be harmed
	pastMarkers map[string]bool               // words for the past
	wishes      map[string]float64            // words before something wished for (1) or unwanted (-1)
}

var loadLexicon = sync.OnceValue(func() *conceptLexicon {
	l := &conceptLexicon{
		stakes: map[string][]conceptStake{}, turns: map[string]int{}, attitudes: map[string]float64{},
		rolesByWord: map[string][]roleWord{}, roles: map[string]map[string]float64{}, wishes: map[string]float64{},
		remedies: map[string]bool{}, harms: map[string]bool{}, pastMarkers: map[string]bool{},
	}
	stem := newStemmer("en")
	for _, list := range []struct {
		lines string
		read  func(stem *wordStemmer, head, words string)
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

var directionHeads = map[string]int{"^": upward, "v": downward, "x": spoiling, "~": lifting, "%": ruling, "!": denying, "0": plain}

// readConcept parses a line of the list of concepts.
func (l *conceptLexicon) readConcept(stem *wordStemmer, head, words string) {
	turn, turns := directionHeads[head]
	has, lacks, _ := strings.Cut(words, "|")
	switch {
	case turns:
		for word := range strings.FieldsSeq(words) {
			l.turns[stemEntry(stem, word)] = turn
		}
	case head == "+", head == "-":
		for word := range strings.FieldsSeq(words) {
			l.attitudes[stemEntry(stem, word)] = map[string]float64{"+": 1, "-": -1}[head]
		}
	case head == "<":
		for word := range strings.FieldsSeq(words) {
			l.pastMarkers[stemEntry(stem, word)] = true
		}
	case head == "=":
		words, harmed, _ := strings.Cut(words, ">")
		for word := range strings.FieldsSeq(words) {
			l.remedies[stemEntry(stem, word)] = true
		}
		for concept := range strings.FieldsSeq(harmed) {
			l.harms[concept] = true
		}
	default:
		l.addConcept(stem, head, 1, has)
		l.addConcept(stem, head, -1, lacks)
	}
}

func (l *conceptLexicon) addConcept(stem *wordStemmer, concept string, sign float64, words string) {
	for word := range strings.FieldsSeq(words) {
		word, told := strings.CutPrefix(word, "*")
		word, shy := strings.CutPrefix(word, "?")
		key := stemEntry(stem, word)
		if !slices.ContainsFunc(l.stakes[key], func(s conceptStake) bool { return s.concept == concept }) {
			l.stakes[key] = append(l.stakes[key], conceptStake{concept, sign, 1, told, shy})
		}
	}
}

// stemEntry returns a word's stem, or the stems of a word with hyphens.
func stemEntry(stem *wordStemmer, word string) string {
	parts := strings.Split(word, "-")
	for i, part := range parts {
		parts[i], _ = stem.stemOf(part)
	}
	return strings.Join(parts, " ")
}

// conceptMention is a mention of a concept in a clause.
type conceptMention struct {
	concept string
	sign    float64 // more (1) or less (-1) of it; near 0 if undetermined
	share   float64
	told    bool
}

// namedSign is the sign of a concept that is only named, without more or less of it.
const namedSign = 0.35

// findMentions returns the concepts in a clause with the signs that the surrounding words give them.
func (l *conceptLexicon) findMentions(words []wordToken) []conceptMention {
	var out []conceptMention
	present, mended := l.rolesIn(words), l.findRemedy(words)
	for i, width := 0, 1; i < len(words); i += width {
		var stakes []conceptStake
		stakes, width = findEntry(l.stakes, words, i)
		for _, s := range stakes {
			if s.roleBound && len(present) > 0 && !l.anyRoleGains(present, s.concept) {
				continue
			}
			turned, said := l.directionAt(words, wordRange{i, width, s.sign > 0, s.concept}, nil)
			sign := s.sign * turned
			switch {
			case s.sign < 0 && l.harms[s.concept] && i >= mended:
				sign = 1
			case !said && s.sign > 0:
				sign *= namedSign
			}
			out = append(out, conceptMention{s.concept, sign, s.share, s.textOnly})
		}
	}
	return dropWeakMentions(out)
}

// dropWeakMentions removes mentions that only name a concept if another mention has a direction.
func dropWeakMentions(all []conceptMention) []conceptMention {
	said := map[string]bool{}
	for _, m := range all {
		said[m.concept] = said[m.concept] || math.Abs(m.sign) > namedSign
	}
	return slices.DeleteFunc(all, func(m conceptMention) bool { return said[m.concept] && math.Abs(m.sign) <= namedSign })
}

// findRemedy returns the index of the first word about remedied or punished harm, or the number of words without one.
func (l *conceptLexicon) findRemedy(words []wordToken) int {
	for i := range words {
		mends, width := findEntry(l.remedies, words, i)
		near := words[max(0, i-negationSpan):min(len(words), i+width+negationSpan)]
		undone := func(t wordToken) bool {
			return t.direction == denying || t.direction == lifting || t.direction == downward
		}
		if mends && (words[i+width-1].direction == downward || !slices.ContainsFunc(near, undone)) {
			return min(i+width, len(words)-1)
		}
	}
	return len(words)
}

// isPast reports whether the words refer to the past.
func (l *conceptLexicon) isPast(words []wordToken) bool {
	return slices.ContainsFunc(words, func(t wordToken) bool { return l.pastMarkers[t.stem] })
}

// maxEntryWords is the maximum number of words of an entry.
const maxEntryWords = 3

// findEntry returns the longest entry of a list at a position, and its number of words; 0 words if there is none.
func findEntry[V any](list map[string]V, words []wordToken, at int) (found V, width int) {
	for width = min(maxEntryWords, len(words)-at); width > 0; width-- {
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

// The number of words before and after a word that can modify it.
const (
	reachBefore = 5
	reachBehind = 6
)

// wordRange is a range of words in a clause, with its polarity and its concept, if any.
type wordRange struct {
	at, width int
	good      bool
	concept   string
}

// directionAt returns whether there is more (1) or less (-1) of the words at a range, and whether any word determines it: the nearest word
// with a direction, inverted by each negation. Words beyond punctuation are ignored, and words with the excepted stems.
func (l *conceptLexicon) directionAt(words []wordToken, p wordRange, except []string) (sign float64, said bool) {
	at, width := p.at, p.width
	first, last := modifierRange(words, at, width)
	sign = 1.0
	direction, nearest := 1.0, len(words)
	for i := first; i < last; i++ {
		if i >= at && i < at+width || slices.Contains(except, words[i].stem) {
			continue
		}
		turn, distance := words[i].direction, max(at-i, i-at-width+1)
		switch {
		case turn == plain, turn != denying && l.modifiesOther(words, i, p):
		case turn == denying:
			if i < at || negates[words[i].stem] && !l.modifiesOther(words, i, p) {
				sign, said = -sign, true
			}
		case turn == ruling && i < at && words[i+1].stem == "on", distance <= nearest:
			if nearest, said = distance, true; turn == ruling && i < at {
				nearest = 0 // a rising tax on fuel does not mean more fuel
			}
			direction = l.applyDirection(words, i, p, turn)
		}
	}
	return sign * direction, said
}

// modifiesOther reports whether a word with a direction modifies something else: a word of the same concept, or a word that precedes it.
func (l *conceptLexicon) modifiesOther(words []wordToken, turner int, p wordRange) bool {
	same := func(s conceptStake) bool { return s.concept == p.concept }
	if own, _ := findEntry(l.stakes, words, turner); p.concept != "" && slices.ContainsFunc(own, same) {
		return true
	}
	if turner > p.at && l.isPrepositional(words, p.at) {
		return true
	}
	from, to := turner+1, p.at
	if turner > p.at {
		from, to = p.at+p.width, max(p.at+p.width, turner-words[turner].width+1)
	}
	between := words[from:to]
	if len(between) == 0 || turner > p.at && governed[between[0].stem] || slices.ContainsFunc(between, func(t wordToken) bool { return joining[t.stem] }) {
		return false
	}
	return slices.ContainsFunc(between, func(t wordToken) bool {
		return len(l.stakes[t.stem]) > 0 && !slices.ContainsFunc(l.stakes[t.stem], same)
	})
}

// isPrepositional reports whether a preposition attaches the word to a preceding noun: the forest in "a motorway through the forest".
func (l *conceptLexicon) isPrepositional(words []wordToken, at int) bool {
	for i := at - 1; i > max(0, at-1-objectReach); i-- {
		if governed[words[i].stem] {
			return slices.ContainsFunc(words[max(0, i-objectReach):i], func(t wordToken) bool { return len(l.stakes[t.stem]) > 0 })
		}
	}
	return false
}

var (
	joining  = wordSet("and or nor")
	governed = wordSet("of for on to in at from against with by through") // prepositions that continue a noun phrase: "the tax on fuel"
	negates  = wordSet("not never longer")                                // negations that also negate preceding words
)

// applyDirection returns the effect of a word's direction on the words at a range. A rule reduces its object unless the rule itself is lifted.
func (l *conceptLexicon) applyDirection(words []wordToken, turner int, p wordRange, turn int) float64 {
	at := p.at
	switch turn {
	case downward:
		return -1
	case spoiling:
		if p.good {
			return -1
		}
	case ruling:
		first, last := modifierRange(words, turner, 1)
		for i := first; i < last; i++ {
			if other := words[i].direction; i != at && (other == downward || other == lifting || other == denying && i < turner) {
				return 1
			}
		}
		return -1
	case lifting:
		if words[at].direction == ruling {
			return -1
		}
	}
	return 1
}

// modifierRange returns the words that can modify a range: a number of words on both sides, up to punctuation.
func modifierRange(words []wordToken, at, width int) (first, last int) {
	first, last = at, at+width
	for first > max(0, at-reachBefore) && !words[first].afterBreak {
		first--
	}
	for last < min(len(words), at+width+reachBehind) && !words[last].afterBreak {
		last++
	}
	return first, last
}

// parseClause returns the words of a clause with their directions; the last word of a multi-word entry has it.
func (l *conceptLexicon) parseClause(text string) []wordToken {
	words := tokenize(text, "en")
	for i := 0; i < len(words); {
		turn, width := findEntry(l.turns, words, i)
		if word := words[i].Text; turn == plain && width == 1 && (strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")) {
			turn = denying
		}
		if first, _ := utf8.DecodeRuneInString(words[i].Text); i > 0 && unicode.IsUpper(first) {
			turn = plain // part of a name
		}
		i += width
		words[i-1].direction, words[i-1].width = turn, width
	}
	return words
}
