package persona

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/model"
)

// care is a phrase that a persona minds: something it likes to read of, or something it worries about.
type care struct {
	phrase string
	stems  []string
	worry  bool
}

// point is a clause that touches a care, and how much it pleases: from -1 to 1.
type point struct {
	sentence text.Span
	about    string
	value    float64
}

// opinion is what a persona makes of a text, told from the text alone and the same each time.
type opinion struct {
	score    float64  // from -1 to 1
	likes    []point  // what pleases most first, each clause once
	dislikes []point  // what displeases most first
	missing  []string // the cares that the text says nothing of
	torn     bool     // some clause is good for one care and bad for another
}

// What a sentence that speaks of a care is worth: most of it is whether a liked thing or a worry comes or goes, the rest how it feels. A
// sentence of no care counts by its feeling alone, and little.
const (
	touchShare  = 0.65
	aside       = 0.15
	leastCover  = 0.5  // of a phrase's stems, for a sentence to speak of it
	indifferent = 0.15 // opinions up to here are neither good nor bad
)

// turners make a worry a relief and a joy a loss: "no delays", "cuts jobs".
var turners = setOf(`no not never without less fewer avoid avoids avoided prevent prevents prevented reduce reduces reduced cut cuts cutting
	lower lowers lowered end ends ended stop stops stopped lose loses lost drop drops dropped fall falls fell eliminate eliminates shrink
	shrinks remove removes removed scrap scraps scrapped cancel cancels cancelled halve halves halved lack lacks`)

// caresOf lists what a persona minds; one that says nothing of it minds what its description is about. What it learned counts as a worry, so
// that it looks out for it.
func caresOf(p *model.Persona, learned []*model.PersonaRefinement) []care {
	cares := slices.Concat(split(p.Interests, false), split(p.Concerns, true))
	if len(cares) == 0 {
		for _, phrase := range text.Keyphrases(p.Description, 5) {
			cares = appendCare(cares, phrase.Text, false)
		}
	}
	for _, one := range learned {
		for _, phrase := range text.Keyphrases(one.Instruction, 3) {
			cares = appendCare(cares, phrase.Text, true)
		}
	}
	return cares
}

func split(list string, worry bool) []care {
	var cares []care
	for _, phrase := range strings.FieldsFunc(strings.ReplaceAll(list, " and ", ","), func(r rune) bool { return strings.ContainsRune(",;\n•.", r) }) {
		cares = appendCare(cares, phrase, worry)
	}
	return cares
}

func appendCare(cares []care, phrase string, worry bool) []care {
	phrase = strings.TrimSpace(phrase)
	if stems := text.Stems(phrase, "en"); len(stems) > 0 {
		return append(cares, care{phrase, stems, worry})
	}
	return cares
}

// opine reads a text with a persona's eyes.
func opine(cares []care, material string) opinion {
	var o opinion
	total, weight := 0.0, 0.0
	met := map[string]bool{}
	for _, sentence := range clauses(material) {
		feeling := text.Sentiment(sentence.Text)
		found := touch(cares, sentence, feeling)
		if asks(sentence.Text) { // and claims nothing
			for _, p := range found {
				met[p.about] = true
			}
			continue
		}
		if len(found) == 0 {
			total, weight = total+aside*feeling, weight+aside*math.Abs(feeling)
			continue
		}
		for _, p := range found {
			met[p.about] = true
			total, weight = total+p.value, weight+math.Abs(p.value)
		}
		o.torn = o.torn || slices.ContainsFunc(found, func(p point) bool { return p.value*found[0].value < 0 })
		if felt := strongest(found); felt.value < 0 {
			o.dislikes = append(o.dislikes, felt)
		} else {
			o.likes = append(o.likes, felt)
		}
	}
	if weight > 0 {
		o.score = total / max(weight, 1)
	}
	slices.SortStableFunc(o.likes, func(a, b point) int { return cmp.Compare(b.value, a.value) })
	slices.SortStableFunc(o.dislikes, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	for _, c := range cares {
		if !met[c.phrase] && !slices.Contains(o.missing, c.phrase) {
			o.missing = append(o.missing, c.phrase)
		}
	}
	return o
}

// strongest is what a clause does most of all, and of two that are as strong the bad one: it is quoted for one side only.
func strongest(found []point) point {
	return slices.MaxFunc(found, func(a, b point) int {
		return cmp.Or(cmp.Compare(math.Abs(a.value), math.Abs(b.value)), cmp.Compare(b.value, a.value))
	})
}

// asks reports a question.
func asks(sentence string) bool {
	return strings.HasSuffix(strings.TrimRight(sentence, "\"'”’»)*_ "), "?") || strings.HasSuffix(sentence, "？")
}

// turn begins a clause that may say the contrary of the one before.
var turn = regexp.MustCompile(`[,;:–—]\s+(?:but|however|yet|while|although|though|whereas)\b|;\s`)

// clauses cuts sentences where they turn, since each side is good or bad by itself.
func clauses(material string) []text.Span {
	var out []text.Span
	for _, sentence := range prose(material) {
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
func part(whole text.Span, from, to int) text.Span {
	said := strings.TrimLeft(whole.Text[from:to], " \t\n")
	start := whole.Start + utf8.RuneCountInString(whole.Text[:to]) - utf8.RuneCountInString(said)
	said = strings.TrimRight(said, " \t\n")
	return text.Span{Text: said, Start: start, End: start + utf8.RuneCountInString(said)}
}

// touch lists the cares that a sentence speaks of.
func touch(cares []care, sentence text.Span, feeling float64) []point {
	stems := text.Stems(sentence.Text, "en")
	var found []point
	for _, c := range cares {
		cover := covered(c.stems, stems)
		if cover < leastCover || cover < 1 && outdone(c, cares, stems) {
			continue
		}
		side := 1.0
		if c.worry != c.turned(sentence.Text) {
			side = -1
		}
		found = append(found, point{sentence, c.phrase, cover * (touchShare*side + (1-touchShare)*feeling)})
	}
	return found
}

// reach is how many words from what it turns a turner may stand.
const reach = 4

// turned reports a turner beside the care's words, other than one that is among them: the worry of "lost nets" is not turned by "lost".
func (c care) turned(clause string) bool {
	var turns, places []int
	for i, word := range text.Words(clause) {
		stem := text.Stems(word.Text, "en")
		switch own := len(stem) > 0 && slices.Contains(c.stems, stem[0]); {
		case own:
			places = append(places, i)
		case turners[strings.ToLower(word.Text)]:
			turns = append(turns, i)
		}
	}
	return slices.ContainsFunc(turns, func(turn int) bool {
		return slices.ContainsFunc(places, func(place int) bool { return max(turn-place, place-turn) <= reach })
	})
}

// outdone reports a care of which a clause has only words that it needs for another one: "air pollution" does not speak of "clean air".
func outdone(c care, cares []care, stems []string) bool {
	return slices.ContainsFunc(cares, func(other care) bool {
		shares := slices.ContainsFunc(c.stems, func(stem string) bool {
			return slices.Contains(stems, stem) && slices.Contains(other.stems, stem)
		})
		return shares && covered(other.stems, stems) == 1
	})
}

// covered is the share of the wanted stems that are there.
func covered(wanted, there []string) float64 {
	n := 0
	for _, stem := range wanted {
		if slices.Contains(there, stem) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// verdict is the opinion in a word.
func (o opinion) verdict() string {
	switch {
	case o.score > indifferent:
		return "positive"
	case o.score < -indifferent:
		return "negative"
	case len(o.likes) > 0 && len(o.dislikes) > 0 || o.torn:
		return "mixed"
	}
	return "neutral"
}
