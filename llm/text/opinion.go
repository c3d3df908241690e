package text

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Care is a phrase that somebody minds: something they like to read of, or something they worry about.
type Care struct {
	Phrase string
	Worry  bool

	stems  []string
	stakes []mention // what the phrase has at stake, with the sign that is welcome
}

// Cares reads a list of phrases: "fair pay, secure jobs and training".
func Cares(list string, worry bool) []Care {
	var cares []Care
	for _, phrase := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","), func(r rune) bool { return strings.ContainsRune(",;\n•.", r) }) {
		cares = AppendCare(cares, phrase, worry)
	}
	return cares
}

// AppendCare adds a phrase, unless it has nothing but stop words.
func AppendCare(cares []Care, phrase string, worry bool) []Care {
	phrase = strings.TrimSpace(phrase)
	stems := Stems(phrase, "en")
	if len(stems) == 0 {
		return cares
	}
	return append(cares, Care{Phrase: phrase, Worry: worry, stems: stems, stakes: atStake(phrase, worry)})
}

// atStake lists what a phrase has at stake. A word that only names a concept gives way to one that says how much of it: "affordable rents" are
// low prices.
func atStake(phrase string, worry bool) []mention {
	all := concepts().mentions(tokens(phrase, "en"))
	said := map[string]bool{}
	for _, m := range all {
		said[m.concept] = said[m.concept] || math.Abs(m.sign) > named
	}
	var stakes []mention
	for _, m := range all {
		if m.told || said[m.concept] && math.Abs(m.sign) <= named {
			continue
		}
		if m.sign = math.Copysign(1, m.sign); worry {
			m.sign = -m.sign
		}
		stakes = append(stakes, m)
	}
	return stakes
}

// Spoken reports whether a text speaks of a care in words of its own.
func (c Care) Spoken(text string) bool { return share(c.stems, Stems(text, "en")) >= leastCover }

// Point is a clause that touches a care, and how much it pleases: from -1 to 1.
type Point struct {
	Span
	About string
	Value float64
}

// Opinion is what somebody makes of a text, told from the text alone and the same each time.
type Opinion struct {
	Score    float64  // from -1 to 1
	Likes    []Point  // what pleases most first, each clause once
	Dislikes []Point  // what displeases most first
	Missing  []string // the cares that the text says nothing of
	torn     bool     // some clause is good for one care and bad for another
}

// What a clause that speaks of a care is worth: most of it is whether a liked thing or a worry comes or goes, the rest how it feels. A clause
// of no care counts by its feeling alone, and little.
const (
	touchShare  = 0.8
	aside       = 0.1
	leastCover  = 0.5  // of a phrase's stems, for a clause to speak of it
	likeness    = 0.7  // of a care that is spoken of by other words than its own
	indifferent = 0.15 // opinions up to here are neither good nor bad
)

// Study is a text that opinions are made of: what is told of it does not depend on who reads.
type Study struct{ clauses []clause }

type clause struct {
	Span
	words    []token
	stems    []string
	mentions []mention
	taken    map[string]float64
	feeling  float64
}

// NewStudy prepares a text for any number of opinions.
func NewStudy(text string) *Study {
	s := &Study{}
	for _, span := range clauses(text) {
		words := tokens(span.Text, "en")
		var stems []string
		for _, word := range words {
			if !word.stop {
				stems = append(stems, word.stem)
			}
		}
		s.clauses = append(s.clauses, clause{span, words, stems, concepts().mentions(words), concepts().taken(words), Sentiment(span.Text)})
	}
	return s
}

// Opinion reads the text with the eyes of who has these cares.
func (s *Study) Opinion(cares []Care) Opinion {
	var o Opinion
	total, weight := 0.0, 0.0
	met := map[string]bool{}
	for _, c := range s.clauses {
		found := c.touch(cares)
		if Asks(c.Text) { // and claims nothing
			for _, p := range found {
				met[p.About] = true
			}
			continue
		}
		if len(found) == 0 {
			total, weight = total+aside*c.feeling, weight+aside*math.Abs(c.feeling)
			continue
		}
		for _, p := range found {
			met[p.About] = true
			total, weight = total+p.Value, weight+math.Abs(p.Value)
		}
		o.torn = o.torn || slices.ContainsFunc(found, func(p Point) bool { return p.Value*found[0].Value < 0 })
		if felt := strongest(found); felt.Value < 0 {
			o.Dislikes = append(o.Dislikes, felt)
		} else {
			o.Likes = append(o.Likes, felt)
		}
	}
	if weight > 0 {
		o.Score = total / max(weight, 1)
	}
	slices.SortStableFunc(o.Likes, func(a, b Point) int { return cmp.Compare(b.Value, a.Value) })
	slices.SortStableFunc(o.Dislikes, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
	for _, c := range cares {
		if !met[c.Phrase] && !slices.Contains(o.Missing, c.Phrase) {
			o.Missing = append(o.Missing, c.Phrase)
		}
	}
	return o
}

// strongest is what a clause does most of all, and of two that are as strong the bad one: it is quoted for one side only.
func strongest(found []Point) Point {
	return slices.MaxFunc(found, func(a, b Point) int {
		return cmp.Or(cmp.Compare(math.Abs(a.Value), math.Abs(b.Value)), cmp.Compare(b.Value, a.Value))
	})
}

// Verdict is the opinion in a word: positive, negative, mixed or neutral.
func (o Opinion) Verdict() string {
	switch {
	case o.Score > indifferent:
		return "positive"
	case o.Score < -indifferent:
		return "negative"
	case len(o.Likes) > 0 && len(o.Dislikes) > 0 || o.torn:
		return "mixed"
	}
	return "neutral"
}

// touch lists the cares that a clause speaks of: by their own words, else by others that stand for the same.
func (c clause) touch(cares []Care) []Point {
	var found []Point
	for _, care := range cares {
		value, cover := c.wording(care, cares)
		if cover < 1 {
			if meant, ok := c.meaning(care); ok {
				value, cover = meant, max(cover, likeness)
			}
		}
		if cover > 0 {
			found = append(found, Point{c.Span, care.Phrase, cover * (touchShare*value + (1-touchShare)*c.feeling)})
		}
	}
	return found
}

// wording finds a care by its own words, and whether it comes (1) or goes (-1) as the care would have it.
func (c clause) wording(care Care, cares []Care) (value, cover float64) {
	cover = share(care.stems, c.stems)
	if cover < leastCover || cover < 1 && c.outdone(care, cares) {
		return 0, 0
	}
	value = 1
	for i, word := range c.words {
		if !slices.Contains(care.stems, word.stem) {
			continue
		}
		if sign, _ := concepts().turned(c.words, place{i, 1, !care.Worry}, care.stems); sign < 0 {
			value = -1
		}
	}
	if care.Worry {
		value = -value
	}
	return value, cover
}

// meaning finds a care by what it has at stake: how those take the clause who have the same at stake, else whether there is more of it.
func (c clause) meaning(care Care) (value float64, found bool) {
	sum, weight := 0.0, 0.0
	for _, at := range care.stakes {
		if feeling := c.taken[at.concept]; feeling != 0 {
			return feeling, true
		}
		for _, m := range c.mentions {
			if m.concept == at.concept {
				sum += at.sign * m.sign * at.share * m.share
				weight += at.share * m.share
			}
		}
	}
	if weight == 0 {
		return 0, false
	}
	return sum / weight, true
}

// outdone reports a care of which a clause has only words that it needs for another one: "air pollution" does not speak of "clean air".
func (c clause) outdone(care Care, cares []Care) bool {
	return slices.ContainsFunc(cares, func(other Care) bool {
		shares := slices.ContainsFunc(care.stems, func(stem string) bool {
			return slices.Contains(c.stems, stem) && slices.Contains(other.stems, stem)
		})
		return shares && share(other.stems, c.stems) == 1
	})
}

// share is how many of the wanted stems are there, 0 to 1.
func share(wanted, there []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(there, stem) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(wanted)))
}

// turn begins a clause that may say the contrary of the one before.
var turn = regexp.MustCompile(`[,;:–—]\s+(?:but|however|yet|while|although|though|whereas)\b|;\s`)

// clauses cuts sentences where they turn, since each side is good or bad by itself.
func clauses(text string) []Span {
	var out []Span
	for _, sentence := range Prose(text) {
		start := 0
		for _, at := range turn.FindAllStringIndex(sentence.Text, -1) {
			out = append(out, part(sentence, start, at[0]+1))
			start = at[0] + 1
		}
		out = append(out, part(sentence, start, len(sentence.Text)))
	}
	return out
}

// part is the text between two byte positions of a span, without the space around it.
func part(whole Span, from, to int) Span {
	said := strings.TrimLeft(whole.Text[from:to], " \t\n")
	start := whole.Start + utf8.RuneCountInString(whole.Text[:to]) - utf8.RuneCountInString(said)
	said = strings.TrimRight(said, " \t\n")
	return Span{said, start, start + utf8.RuneCountInString(said)}
}
