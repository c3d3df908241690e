package text

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Care is an interest or a concern of a persona.
type Care struct {
	Phrase string
	Worry  bool

	stems   []string
	stakes  []conceptMention // the phrase's concepts, with the welcome sign
	weight  float64
	implied bool // derived from a role; not reported as missing
}

// Cares parses a list of phrases: "fair pay, secure jobs and training".
func Cares(list string, worry bool) []Care {
	var cares []Care
	for _, phrase := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","), func(r rune) bool { return strings.ContainsRune(",;\n•.", r) }) {
		cares = AppendCare(cares, phrase, worry)
	}
	return cares
}

// AppendCare adds a phrase unless it has only stop words.
func AppendCare(cares []Care, phrase string, worry bool) []Care {
	if care, ok := newCare(phrase, worry); ok {
		cares = append(cares, care)
	}
	return cares
}

func newCare(phrase string, worry bool) (care Care, ok bool) {
	phrase = strings.TrimSpace(phrase)
	stems := Stems(phrase, "en")
	return Care{Phrase: phrase, Worry: worry, stems: stems, stakes: phraseStakes(phrase, worry), weight: 1}, len(stems) > 0
}

// phraseStakes returns the concepts of a phrase. A word that names a concept yields to a word that gives its direction: "affordable rents" are
// low prices.
func phraseStakes(phrase string, worry bool) []conceptMention {
	var stakes []conceptMention
	for _, m := range loadLexicon().findMentions(loadLexicon().parseClause(phrase)) {
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

// Harm reports whether a phrase names the lack or the contrary of something. Such a phrase does not express approval.
func Harm(phrase string) bool {
	return slices.ContainsFunc(phraseStakes(phrase, false), func(m conceptMention) bool { return m.sign < 0 })
}

// Spoken reports whether a text mentions a care in the care's own words.
func (c Care) Spoken(text string) bool { return stemShare(c.stems, Stems(text, "en")) >= leastCover }

// Point is a clause that concerns a care, with its value from -1 to 1.
type Point struct {
	Span
	About string
	Value float64
	Heard bool // other people with the same care state it
	other bool // people who gain by the care state it: counted, but not quoted as a reason
}

// Opinion is a reader's opinion of a text. It is deterministic.
type Opinion struct {
	Score    float64  // from -1 to 1
	Likes    []Point  // most positive first, each clause once; statements of others last
	Dislikes []Point  // most negative first
	Missing  []string // cares that the text does not mention
	torn     bool     // a clause is good for one care and bad for another
}

// Weights of a clause about a care: most of it is whether the care improves or worsens, the rest is sentiment. A clause about no care counts
// by its sentiment with a low weight.
const (
	touchShare    = 0.8
	feelingWeight = 0.1
	leastCover    = 0.5  // minimum share of a phrase's stems in a clause about it
	likeness      = 0.7  // weight of a care mentioned in other words than its own
	indifferent   = 0.15 // opinions up to this value are neutral
	leadShare     = 0.5  // additional weight of the first clause, falling to 0, because texts begin with the main fact
	leadClauses   = 3    // number of clauses with additional weight
	contrary      = 0.6  // weight of gains of the opposite side
)

// Study is a text prepared for opinions; its content does not depend on the reader.
type Study struct {
	title   []studiedClause // counted but not quoted, as it is not part of the text
	clauses []studiedClause
}

type studiedClause struct {
	Span
	words    []wordToken
	stems    []string
	mentions []conceptMention
	taken    map[string]attitude
	feeling  float64
}

// NewStudy prepares a text with an optional title for any number of opinions.
func NewStudy(title, text string) *Study {
	s := &Study{clauses: studyClauses(text)}
	if title = strings.TrimSpace(title); !strings.HasPrefix(strings.TrimSpace(text), title) {
		s.title = studyClauses(title)
	}
	s.discountRemedies()
	return s
}

func studyClauses(text string) []studiedClause {
	var out []studiedClause
	for _, span := range splitClauses(text) {
		words := loadLexicon().parseClause(span.Text)
		var stems []string
		for _, word := range words {
			if !word.stop {
				stems = append(stems, word.stem)
			}
		}
		out = append(out, studiedClause{span, words, stems, loadLexicon().findMentions(words), loadLexicon().attitudesIn(words), Sentiment(span.Text)})
	}
	return out
}

// discountRemedies marks harm as remedied if the text states it as the cause of its first statement: of a recall, a ban or a penalty.
func (s *Study) discountRemedies() {
	lead := slices.Concat(s.title, s.clauses[:min(len(s.clauses), leadClauses-1)])
	mended := func(c studiedClause) bool { return loadLexicon().findRemedy(c.words) < len(c.words) }
	if !slices.ContainsFunc(lead, mended) {
		return
	}
	for _, c := range s.clauses {
		if !loadLexicon().isPast(c.words) {
			continue
		}
		for i, m := range c.mentions {
			if m.sign < 0 && loadLexicon().harms[m.concept] {
				c.mentions[i].sign = namedSign
			}
		}
	}
}

// Opinion returns the opinion of a reader with these cares.
func (s *Study) Opinion(cares []Care) Opinion {
	var o Opinion
	total, weight := 0.0, 0.0
	met := map[string]bool{}
	for i, c := range slices.Concat(s.title, s.clauses) {
		found := c.matchCares(cares)
		lead := 1 / math.Sqrt(float64(max(1, len(found)))) // limits the weight of a clause with many cares
		lead *= 1 + leadShare*max(0, 1-float64(max(0, i-len(s.title)))/leadClauses)
		if Asks(c.Text) { // a question asserts nothing
			for _, p := range found {
				met[p.About] = true
			}
			continue
		}
		if len(found) == 0 {
			total, weight = total+feelingWeight*c.feeling, weight+feelingWeight*math.Abs(c.feeling)
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
		if felt := strongestPoint(found); felt.Value < 0 {
			o.Dislikes = append(o.Dislikes, felt)
		} else {
			o.Likes = append(o.Likes, felt)
		}
	}
	if weight > 0 {
		o.Score = total / max(weight, 1)
	}
	slices.SortStableFunc(o.Likes, comparePoints)
	slices.SortStableFunc(o.Dislikes, comparePoints)
	for _, c := range cares {
		if !c.implied && !met[c.Phrase] && !slices.Contains(o.Missing, c.Phrase) {
			o.Missing = append(o.Missing, c.Phrase)
		}
	}
	return o
}

// comparePoints orders points of one side: the text's own statements before statements of others, then by strength.
func comparePoints(a, b Point) int {
	if a.Heard != b.Heard {
		return map[bool]int{true: 1, false: -1}[a.Heard]
	}
	return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
}

// strongestPoint returns the strongest point of a clause, the negative one of two equal ones, so that a clause is quoted for one side only.
// The text's own statements precede those of others.
func strongestPoint(found []Point) Point {
	if told := slices.DeleteFunc(slices.Clone(found), func(p Point) bool { return p.Heard }); len(told) > 0 {
		found = told
	}
	return slices.MaxFunc(found, func(a, b Point) int {
		return cmp.Or(cmp.Compare(math.Abs(a.Value), math.Abs(b.Value)), cmp.Compare(b.Value, a.Value))
	})
}

// Verdict returns the opinion as a word: positive, negative, mixed or neutral.
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

// matchCares returns the cares that a clause concerns: by their own words, else by words with the same concept.
func (c studiedClause) matchCares(cares []Care) []Point {
	var found []Point
	for _, care := range cares {
		value, cover := c.matchWording(care, cares)
		p := Point{Span: c.Span, About: care.Phrase}
		if cover < 1 {
			if meant, ok := c.matchMeaning(care); ok {
				value, cover, p = meant.Value, max(cover, likeness), meant
			}
		}
		if p.Value = care.weight * cover * (touchShare*value + (1-touchShare)*c.feeling); cover > 0 {
			found = append(found, p)
		}
	}
	return found
}

// matchWording finds a care by its own words and returns whether it improves (1) or worsens (-1).
func (c studiedClause) matchWording(care Care, cares []Care) (value, cover float64) {
	cover = stemShare(care.stems, c.stems)
	if cover < leastCover || cover < 1 && c.isCoveredByOther(care, cares) {
		return 0, 0
	}
	value = 1
	for i, word := range c.words {
		if !slices.Contains(care.stems, word.stem) {
			continue
		}
		if sign, _ := loadLexicon().directionAt(c.words, wordRange{i, 1, !care.Worry, ""}, care.stems); sign < 0 {
			value = -1
		}
	}
	if care.Worry {
		value = -value
	}
	return value, cover
}

// matchMeaning finds a care by its concepts: by the attitude of people with the same stake, else by the concept's direction. If both agree and
// the clause states the direction, it is a statement of the text itself.
func (c studiedClause) matchMeaning(care Care) (p Point, found bool) {
	p = Point{Span: c.Span, About: care.Phrase}
	sum, weight := 0.0, 0.0
	for _, at := range care.stakes {
		if h, ok := c.taken[at.concept]; ok {
			p.Value, p.Heard, p.other = h.forSide(at.sign), !c.statesChange(at, h.forSide(at.sign)), h.side*at.sign < 0
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

// statesChange reports whether the clause itself states that the concept changes in the direction of the value.
func (c studiedClause) statesChange(at conceptMention, value float64) bool {
	return slices.ContainsFunc(c.mentions, func(m conceptMention) bool { return m.concept == at.concept && at.sign*m.sign*value > 0 })
}

// isCoveredByOther reports whether the clause has only words of the care that another care needs: "air pollution" does not mention "clean
// air".
func (c studiedClause) isCoveredByOther(care Care, cares []Care) bool {
	return slices.ContainsFunc(cares, func(other Care) bool {
		shares := slices.ContainsFunc(care.stems, func(stem string) bool {
			return slices.Contains(c.stems, stem) && slices.Contains(other.stems, stem)
		})
		return shares && stemShare(other.stems, c.stems) == 1
	})
}

// stemShare returns the share of the wanted stems that are present, 0 to 1.
func stemShare(wanted, there []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(there, stem) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(wanted)))
}

// clauseBoundary matches the start of a clause that may contradict the preceding one.
var clauseBoundary = regexp.MustCompile(`[,;:–—]\s+(?:but|however|yet|while|although|though|whereas)\b|;\s`)

// splitClauses splits sentences at contrasts, since each side has its own polarity.
func splitClauses(text string) []Span {
	var out []Span
	for _, sentence := range Prose(text) {
		start := 0
		for _, at := range clauseBoundary.FindAllStringIndex(sentence.Text, -1) {
			out = append(out, trimmedPart(sentence, start, at[0]+1))
			start = at[0] + 1
		}
		out = append(out, trimmedPart(sentence, start, len(sentence.Text)))
	}
	return out
}

// trimmedPart returns the text between two byte positions of a span, without surrounding space.
func trimmedPart(whole Span, from, to int) Span {
	said := strings.TrimLeft(whole.Text[from:to], " \t\n")
	start := whole.Start + utf8.RuneCountInString(whole.Text[:to]) - utf8.RuneCountInString(said)
	said = strings.TrimRight(said, " \t\n")
	return Span{said, start, start + utf8.RuneCountInString(said)}
}
