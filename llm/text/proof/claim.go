package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
)

// Faithful reports whether a statement says no more than a quote. See Fault.
func Faithful(statement, quote string, given ...string) bool {
	return Fault(statement, quote, given...) == ""
}

// Fault returns why a quote does not prove a statement, or an empty text. The statement may have no
// other content words, numbers and names, must keep words such as "not", "may", "if" and "about",
// and may not exchange who does what to whom. The given texts, for example the speaker's name, need
// no proof. Words are compared by stem: another word of the same meaning is refused, with few
// exceptions.
func Fault(statement, quote string, given ...string) string {
	if hasSentences(quote, statement) {
		return ""
	}
	language := languageOf(quote + "\n" + statement)
	if lexicons()[language].phrases == nil {
		return coarseFault(statement, quote)
	}
	for _, sentence := range text.Sentences(statement) {
		c := newClaim(sentence.Text, quote, language, given)
		if fault := firstFault(c.newWord, c.newAmount, c.changedKind, c.changedTense, c.changedRole); fault != "" {
			return fault
		}
	}
	return ""
}

// coarseFault is Fault in a language without a list of operators: stems, figures and negations are
// compared.
func coarseFault(statement, quote string) string {
	switch {
	case !Supported(statement, quote):
		return "it has words or figures that are not in the quote"
	case Contradicts(statement, quote):
		return "it contradicts the quote"
	}
	return ""
}

// fewStops is the number of words of a language's grammar that show the language of a short text.
const fewStops = 3

// languageOf returns the language of a text. A short one has the language with most words of its
// grammar, because short texts are often taken for a related language.
func languageOf(said string) string {
	found := text.Language(said)
	best, most := found, fewStops-1
	for _, language := range slices.Sorted(maps.Keys(lexicons())) {
		known := 0
		for _, token := range text.Tokens(said, language) {
			if _, ok := lexicons()[language].phrases[strings.ToLower(token.Text)]; ok || token.Stop {
				known++
			}
		}
		if known > most || known == most && language == found {
			best, most = language, known
		}
	}
	return cmp.Or(best, "en")
}

// hasSentences reports whether all sentences of a statement are whole sentences of the quote.
func hasSentences(quote, statement string) bool {
	bare := func(s string) string {
		return strings.ToLower(strings.Trim(strings.Join(strings.Fields(s), " "), ".!?\"'“”„«»‘’ "))
	}
	known := map[string]bool{bare(quote): true}
	for _, s := range text.Sentences(quote) {
		known[bare(s.Text)] = true
	}
	if known[bare(statement)] {
		return true
	}
	all := text.Sentences(statement)
	return len(all) > 0 && !slices.ContainsFunc(all, func(s text.Span) bool { return !known[bare(s.Text)] })
}

// claim is a sentence and the quote that has to prove it.
type claim struct {
	said, quoted []word
	language     string
	matches      [][]int // of each word of the sentence, its places in the quote
}

func newClaim(sentence, quote, language string, given []string) *claim {
	c := &claim{said: readWords(sentence, language), quoted: readWords(quote, language), language: language}
	self := map[string]bool{}
	for _, w := range text.Words(normalize(strings.Join(given, " "), language)) {
		self[bareName(w.Text)] = true
	}
	for i := range c.said {
		w := &c.said[i]
		w.isSelf = w.is("self") || w.is("org") || w.content && self[bareName(w.lower)]
	}
	for i := range c.quoted {
		w := &c.quoted[i]
		w.isSelf = w.is("self") || w.content && self[bareName(w.lower)]
	}
	c.matches = make([][]int, len(c.said))
	for i := range c.said {
		for j := range c.quoted {
			if c.said[i].same(&c.quoted[j], language) {
				c.matches[i] = append(c.matches[i], j)
			}
		}
	}
	c.dropFrames()
	return c
}

// bareName returns a word of a name in lower case without the ending of a possessive.
func bareName(said string) string { return strings.TrimSuffix(strings.ToLower(said), "'s") }

// same reports whether two words count as one: the same number, or words with a common stem.
func (w *word) same(other *word, language string) bool {
	if w.number != nil || other.number != nil {
		return w.number != nil && other.number != nil && w.number.equals(other.number)
	}
	return w.key == other.key || w.content && other.content && derives(w.key, other.key, language)
}

// The length of stems that may belong to one word, and the greatest difference of their lengths.
const (
	leastStem    = 4
	leastCommon  = 5
	mostEnding   = 5
	commonShare  = 0.75
	leastGermans = 4
)

// derives reports whether two stems belong to one family, such as "decid" and "decis". A part of a
// German compound counts too: "Werk" for "Stahlwerk".
func derives(a, b, language string) bool {
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	short, long := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if short < leastStem || a[0] == '=' || b[0] == '=' {
		return false
	}
	if rest, ok := strings.CutPrefix(b, a); ok {
		return utf8.RuneCountInString(rest) <= mostEnding && rest != "less" && rest != "los"
	}
	if language == "de" && short >= leastGermans {
		if lead, ok := strings.CutSuffix(b, a); ok {
			return !slices.Contains([]string{"un", "in", "im", "miss", "ent", "ver", "nicht", "anti"}, lead)
		}
	}
	common := 0
	for first, other := []rune(a), []rune(b); common < short && first[common] == other[common]; {
		common++
	}
	return (common >= leastCommon || common == leastStem && long == leastStem+1) &&
		float64(common) > commonShare*float64(long)
}

// newWord returns a fault for a content word or name that the quote does not have.
func (c *claim) newWord() string {
	for i := range c.said {
		w := &c.said[i]
		if w.content && !w.isSelf && !w.isGiven && !w.is("frame") && !w.is("say") && len(c.matches[i]) == 0 {
			return fmt.Sprintf("“%s” is not in the quote", w.lower)
		}
	}
	return ""
}

// newAmount returns a fault for a number that the quote does not have, or has of something else.
func (c *claim) newAmount() string {
	for i := range c.said {
		w := &c.said[i]
		if w.number == nil || w.isGiven {
			continue
		}
		if len(c.matches[i]) == 0 {
			return fmt.Sprintf("the quote does not have the number %s so", w.number.value)
		}
		if c.movesAmount(i) {
			return fmt.Sprintf("the quote does not have “%s %s”", w.prep, w.number.value)
		}
		unit := nextContent(c.said, i)
		if unit < 0 {
			continue
		}
		ofOther, ofThis := false, false
		for _, at := range c.matches[unit] {
			before := numberBefore(c.quoted, at)
			ofOther = ofOther || before >= 0 && !slices.Contains(c.matches[i], before)
			ofThis = ofThis || before < 0 || slices.Contains(c.matches[i], before)
		}
		if ofOther && !ofThis {
			return fmt.Sprintf("the quote has another number of “%s”", c.said[unit].lower)
		}
	}
	return ""
}

// directions are prepositions that make a number a difference, a result or a beginning.
var directions = wordSet("by to from um auf von")

// movesAmount reports whether a number has another direction than in the quote: "by 6" for "to 6".
func (c *claim) movesAmount(at int) bool {
	prep := c.said[at].prep
	return directions[prep] && !slices.ContainsFunc(c.matches[at], func(j int) bool {
		return c.quoted[j].prep == prep || !directions[c.quoted[j].prep]
	})
}

// nextContent returns the place of the content word after a number, or -1.
func nextContent(words []word, at int) int {
	for i := at + 1; i < len(words) && words[i].clause == words[at].clause && words[i].number == nil; i++ {
		if words[i].content {
			return i
		}
		if len(words[i].kinds) > 0 && !words[i].is("prep") {
			break
		}
	}
	return -1
}

// numberBefore returns the place of the number that directly counts a word, or -1.
func numberBefore(words []word, at int) int {
	for i := at - 1; i >= max(0, at-3) && words[i].clause == words[at].clause; i-- {
		if words[i].number != nil {
			return i
		}
		if words[i].content && i < at-1 {
			break
		}
	}
	return -1
}
