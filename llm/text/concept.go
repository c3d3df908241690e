package text

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
)

//go:embed concept.txt
var conceptList string

// stake is a concept that a word stands for, or for the contrary of (sign -1), with the word's share in it: a word of several concepts is less
// sure to mean each.
type stake struct {
	concept string
	sign    float64
	share   float64
	told    bool // in a text alone: whoever cares for the word does not care for the concept
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

// lexicon is the list of concepts: by stem, and by two stems for an entry with a hyphen.
type lexicon struct {
	stakes map[string][]stake
	turns  map[string]int
	takes  map[string]float64  // how people take something
	voices map[string][]string // who speaks, and what they have at stake
}

var concepts = sync.OnceValue(func() *lexicon {
	l := &lexicon{stakes: map[string][]stake{}, turns: map[string]int{}, takes: map[string]float64{}, voices: map[string][]string{}}
	stem := newStemmer("en")
	for line := range strings.Lines(conceptList) {
		if head, words, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			l.read(stem, head, words)
		}
	}
	for key, list := range l.stakes {
		for i := range list {
			l.stakes[key][i].share = 1 / math.Sqrt(float64(len(list)))
		}
	}
	return l
})

var turnHeads = map[string]int{"^": upward, "v": downward, "x": spoiling, "~": lifting, "%": ruling, "!": denying}

// read takes a line of the list.
func (l *lexicon) read(stem *stemmer, head, words string) {
	turn, turns := turnHeads[head]
	who, stakes, _ := strings.Cut(words, ">")
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
	case strings.HasPrefix(head, "@"):
		for word := range strings.FieldsSeq(who) {
			key := entry(stem, word)
			l.voices[key] = append(l.voices[key], strings.Fields(stakes)...)
		}
	default:
		l.add(stem, head, 1, has)
		l.add(stem, head, -1, lacks)
	}
}

func (l *lexicon) add(stem *stemmer, concept string, sign float64, words string) {
	for word := range strings.FieldsSeq(words) {
		word, told := strings.CutPrefix(word, "*")
		key := entry(stem, word)
		l.stakes[key] = append(l.stakes[key], stake{concept, sign, 1, told})
	}
}

// entry is a word's stem, or the stems of a word with a hyphen.
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
	for i := range words {
		stakes, width := l.at(words, i)
		if len(stakes) == 0 {
			continue
		}
		for _, s := range stakes {
			turned, said := l.turned(words, place{i, width, s.sign > 0}, nil)
			sign := s.sign * turned
			if !said && s.sign > 0 {
				sign *= named
			}
			out = append(out, mention{s.concept, sign, s.share, s.told})
		}
	}
	return out
}

// taken tells how those who speak in a clause take what it says, by the concepts that they have at stake; nil where nobody shows a feeling.
func (l *lexicon) taken(words []token) map[string]float64 {
	feeling := 0.0
	var who []string
	for i, word := range words {
		feeling += l.takes[word.stem]
		who = append(who, l.voices[word.stem]...)
		if i+1 < len(words) {
			who = append(who, l.voices[word.stem+" "+words[i+1].stem]...)
		}
	}
	if feeling == 0 || len(who) == 0 {
		return nil
	}
	taken := map[string]float64{}
	for _, concept := range who {
		taken[concept] = math.Copysign(1, feeling)
	}
	return taken
}

// at is what stands at a place, of two words where they are an entry together.
func (l *lexicon) at(words []token, i int) (stakes []stake, width int) {
	if i+1 < len(words) {
		if pair := l.stakes[words[i].stem+" "+words[i+1].stem]; pair != nil {
			return pair, 2
		}
	}
	return l.stakes[words[i].stem], 1
}

// How many words before and behind a word turn it.
const (
	reachBefore = 5
	reachBehind = 4
)

// place is where something stands in a clause: its words, and whether it is a good thing.
type place struct {
	at, width int
	good      bool
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
		turn, distance := l.turnAt(words[i]), max(at-i, i-at-width+1)
		switch {
		case turn == plain:
		case turn == denying:
			if i < at || distance <= 2 && words[i].stem == "not" {
				sign, said = -sign, true
			}
		case distance < nearest:
			nearest, said = distance, true
			direction = l.direction(words, i, p, turn)
		}
	}
	return sign * direction, said
}

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
			if other := l.turnAt(words[i]); i != at && (other == downward || other == lifting || other == denying && i < turner) {
				return 1
			}
		}
		return -1
	case lifting:
		if l.turnAt(words[at]) == ruling {
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

func (l *lexicon) turnAt(word token) int {
	if turn := l.turns[word.stem]; turn != plain {
		return turn
	}
	if strings.HasSuffix(word.Text, "n't") || strings.HasSuffix(word.Text, "n’t") {
		return denying
	}
	return plain
}
