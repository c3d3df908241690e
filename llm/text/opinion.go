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

	stems   []string
	stakes  []mention // what the phrase has at stake, with the sign that is welcome
	weight  float64
	implied bool // it is told from a role, and not missed where a text says nothing of it
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
	if care, ok := newCare(phrase, worry); ok {
		cares = append(cares, care)
	}
	return cares
}

func newCare(phrase string, worry bool) (care Care, ok bool) {
	phrase = strings.TrimSpace(phrase)
	stems := Stems(phrase, "en")
	return Care{Phrase: phrase, Worry: worry, stems: stems, stakes: atStake(phrase, worry), weight: 1}, len(stems) > 0
}

// atStake lists what a phrase has at stake. A word that only names a concept gives way to one that says how much of it: "affordable rents" are
// low prices.
func atStake(phrase string, worry bool) []mention {
	var stakes []mention
	for _, m := range concepts().mentions(concepts().clause(phrase)) {
		if m.told {
			continue
		}
		if m.sign = math.Copysign(1, m.sign); worry {
			m.sign = -m.sign
		}
		stakes = append(stakes, m)
	}
	return stakes
}

// Harm reports a phrase that names the lack of something, or its contrary: who names it does not tell that they like it.
func Harm(phrase string) bool {
	return slices.ContainsFunc(atStake(phrase, false), func(m mention) bool { return m.sign < 0 })
}

// Spoken reports whether a text speaks of a care in words of its own.
func (c Care) Spoken(text string) bool { return share(c.stems, Stems(text, "en")) >= leastCover }

// Point is a clause that touches a care, and how much it pleases: from -1 to 1.
type Point struct {
	Span
	About string
	Value float64
	Heard bool // others who mind the same say so, rather than that it comes or goes
	other bool // those say so who gain by what is minded: it counts, and is no reason to give
}

// Opinion is what somebody makes of a text, told from the text alone and the same each time.
type Opinion struct {
	Score    float64  // from -1 to 1
	Likes    []Point  // what pleases most first, each clause once; what others say last
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
	leadShare   = 0.5  // what the first clause counts more than those behind, since a text begins with what happens; it falls to nothing
	leadClauses = 3    // within so many clauses
	contrary    = 0.6  // of what is good for those who gain by what somebody loses by
)

// Study is a text that opinions are made of: what is told of it does not depend on who reads.
type Study struct {
	title   []clause // it is read and counts, and cannot be quoted: it does not stand in the text
	clauses []clause
}

type clause struct {
	Span
	words    []token
	stems    []string
	mentions []mention
	taken    map[string]heard
	feeling  float64
}

// NewStudy prepares a text, which may have a title, for any number of opinions.
func NewStudy(title, text string) *Study {
	s := &Study{clauses: studied(text)}
	if title = strings.TrimSpace(title); !strings.HasPrefix(strings.TrimSpace(text), title) {
		s.title = studied(title)
	}
	s.amend()
	return s
}

func studied(text string) []clause {
	var out []clause
	for _, span := range clauses(text) {
		words := concepts().clause(span.Text)
		var stems []string
		for _, word := range words {
			if !word.stop {
				stems = append(stems, word.stem)
			}
		}
		out = append(out, clause{span, words, stems, concepts().mentions(words), concepts().taken(words), Sentiment(span.Text)})
	}
	return out
}

// amend takes harm for mended that a text tells of as the cause of what it begins with: of a recall, a ban or a penalty.
func (s *Study) amend() {
	lead := slices.Concat(s.title, s.clauses[:min(len(s.clauses), leadClauses-1)])
	mended := func(c clause) bool { return concepts().mendedFrom(c.words) < len(c.words) }
	if !slices.ContainsFunc(lead, mended) {
		return
	}
	for _, c := range s.clauses {
		if !concepts().past(c.words) {
			continue
		}
		for i, m := range c.mentions {
			if m.sign < 0 && concepts().harms[m.concept] {
				c.mentions[i].sign = named
			}
		}
	}
}

// Opinion reads the text with the eyes of who has these cares.
func (s *Study) Opinion(cares []Care) Opinion {
	var o Opinion
	total, weight := 0.0, 0.0
	met := map[string]bool{}
	for i, c := range slices.Concat(s.title, s.clauses) {
		found := c.touch(cares)
		lead := 1 / math.Sqrt(float64(max(1, len(found)))) // a clause that touches much does not drown the others
		lead *= 1 + leadShare*max(0, 1-float64(max(0, i-len(s.title)))/leadClauses)
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
			total, weight = total+lead*p.Value, weight+lead*math.Abs(p.Value)
		}
		o.torn = o.torn || slices.ContainsFunc(found, func(p Point) bool { return p.Value*found[0].Value < 0 })
		found = slices.DeleteFunc(found, func(p Point) bool { return p.other })
		if len(found) == 0 || i < len(s.title) {
			continue
		}
		if felt := strongest(found); felt.Value < 0 {
			o.Dislikes = append(o.Dislikes, felt)
		} else {
			o.Likes = append(o.Likes, felt)
		}
	}
	if weight > 0 {
		o.Score = total / max(weight, 1)
	}
	slices.SortStableFunc(o.Likes, firmest)
	slices.SortStableFunc(o.Dislikes, firmest)
	for _, c := range cares {
		if !c.implied && !met[c.Phrase] && !slices.Contains(o.Missing, c.Phrase) {
			o.Missing = append(o.Missing, c.Phrase)
		}
	}
	return o
}

// firmest orders points of one side: what the text tells of before what others make of it, and the stronger one first.
func firmest(a, b Point) int {
	if a.Heard != b.Heard {
		return map[bool]int{true: 1, false: -1}[a.Heard]
	}
	return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
}

// strongest is what a clause does most of all, and of two that are as strong the bad one: it is quoted for one side only. What it tells of itself
// goes before what others make of it.
func strongest(found []Point) Point {
	if told := slices.DeleteFunc(slices.Clone(found), func(p Point) bool { return p.Heard }); len(told) > 0 {
		found = told
	}
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
		p := Point{Span: c.Span, About: care.Phrase}
		if cover < 1 {
			if meant, ok := c.meaning(care); ok {
				value, cover, p = meant.Value, max(cover, likeness), meant
			}
		}
		if p.Value = care.weight * cover * (touchShare*value + (1-touchShare)*c.feeling); cover > 0 {
			found = append(found, p)
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
		if sign, _ := concepts().turned(c.words, place{i, 1, !care.Worry, ""}, care.stems); sign < 0 {
			value = -1
		}
	}
	if care.Worry {
		value = -value
	}
	return value, cover
}

// meaning finds a care by what it has at stake: how those take the clause who have the same at stake, else whether there is more of it. Where
// the clause tells of that itself and they agree, it is what happens and not what others say.
func (c clause) meaning(care Care) (p Point, found bool) {
	p = Point{Span: c.Span, About: care.Phrase}
	sum, weight := 0.0, 0.0
	for _, at := range care.stakes {
		if h, ok := c.taken[at.concept]; ok {
			p.Value, p.Heard, p.other = h.by(at.sign), !c.tells(at, h.by(at.sign)), h.side*at.sign < 0
			return p, true
		}
		for _, m := range c.mentions {
			if m.concept == at.concept {
				sum += at.sign * m.sign * at.share * m.share
				weight += at.share * m.share
			}
		}
	}
	if weight == 0 {
		return p, false
	}
	p.Value = sum / weight
	return p, true
}

// tells reports whether the clause itself says of what is at stake that it comes or goes, as the value has it.
func (c clause) tells(at mention, value float64) bool {
	return slices.ContainsFunc(c.mentions, func(m mention) bool { return m.concept == at.concept && at.sign*m.sign*value > 0 })
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
