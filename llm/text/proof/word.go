package proof

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

var (
	//go:embed operator.txt
	operatorText string
	//go:embed lexeme.txt
	lexemeText string
)

// kind is what a word does to the claim around it, for example "not" or "may".
type kind string

// word is a word of a sentence with all that the checks of a claim need.
type word struct {
	lower, key string
	content    bool // it must be in the evidence
	isName     bool
	isGiven    bool // it needs no proof
	isSelf     bool // the speaker: "we", or the speaker's name in a statement
	kinds      []kind
	number     *amount
	prep       string // the preposition before its phrase
	clause     int    // changes at each punctuation mark
	part       int    // changes at words such as "but"
	sentence   int
	past, will bool
	passive    bool
}

func (w *word) is(k kind) bool { return slices.Contains(w.kinds, k) }

// phrase is a word or several with their kinds.
type phrase struct {
	words []string
	kinds []kind
}

// lexicon has the phrases of a language by their first word, longest first, and the kinds of keys; see keyOf.
type lexicon struct {
	phrases map[string][]phrase
	stems   map[string][]kind
}

// stemmedKinds are the kinds whose words have more forms than the file lists.
var stemmedKinds = []kind{"want", "deny", "say", "frame", "org", "plain"}

var lexicons = sync.OnceValue(func() map[string]lexicon {
	found := map[string]lexicon{}
	for line := range strings.Lines(operatorText) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		language, of, named := strings.Cut(name, " ")
		if !ok || !named || strings.HasPrefix(line, "#") {
			continue
		}
		if found[language].phrases == nil {
			found[language] = lexicon{map[string][]phrase{}, map[string][]kind{}}
		}
		for _, entry := range strings.Split(list, "|") {
			found[language].add(language, kind(of), strings.Fields(normalize(entry, language)))
		}
	}
	for _, known := range found {
		for first := range known.phrases {
			slices.SortStableFunc(known.phrases[first], func(a, b phrase) int { return len(b.words) - len(a.words) })
		}
	}
	return found
})

func (l lexicon) add(language string, of kind, words []string) {
	if slices.Contains(stemmedKinds, of) && len(words) == 1 {
		key := keyOf(words[0], language)
		l.stems[key] = append(l.stems[key], of)
		return
	}
	list := l.phrases[words[0]]
	if at := slices.IndexFunc(list, func(p phrase) bool { return slices.Equal(p.words, words) }); at >= 0 {
		list[at].kinds = append(list[at].kinds, of)
		return
	}
	l.phrases[words[0]] = append(list, phrase{words, []kind{of}})
}

// lexemes has, by language, a common key of words that count as one, and of their stems.
var lexemes = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for line := range strings.Lines(lexemeText) {
		language, list, _ := strings.Cut(line, " ")
		words := strings.Fields(list)
		if language == "#" || len(words) == 0 {
			continue
		}
		if all[language] == nil {
			all[language] = map[string]string{}
		}
		for _, w := range words {
			all[language][w] = "=" + words[0]
			if stem := stemOf(w, language); all[language][stem] == "" {
				all[language][stem] = "=" + words[0]
			}
		}
	}
	return all
})

func stemOf(lower, language string) string {
	if stems := text.Stems(lower, language); len(stems) > 0 {
		return strings.Join(stems, " ")
	}
	return lower
}

// keyOf returns what two words have in common that count as one.
func keyOf(lower, language string) string {
	if key, ok := lexemes()[language][lower]; ok {
		return key
	}
	stem := stemOf(lower, language)
	if key, ok := lexemes()[language][stem]; ok {
		return key
	}
	if language == "fr" || language == "es" {
		return unaccented.Replace(stem) // "espère" is of "espérer"
	}
	return stem
}

var unaccented = strings.NewReplacer("é", "e", "è", "e", "ê", "e", "á", "a", "í", "i", "ó", "o", "ú", "u")

var (
	elision     = regexp.MustCompile(`(?i)\b(l|d|j|m|t|s|n|c|qu|jusqu|lorsqu|puisqu)['’]`)
	contraction = strings.NewReplacer("won't", "will not", "can't", "can not", "cannot", "can not", "n't", " not",
		"'ll", " will", "'re", " are", "'ve", " have", "’", "'")
	// future and conditional match verbs of French and Spanish that have no word of their own for it.
	future = map[string]*regexp.Regexp{
		"fr": regexp.MustCompile(`..(?:er|ir|dr|tr|vr|ur|rr)(?:ai|as|a|ons|ez|ont)$`),
		"es": regexp.MustCompile(`..(?:ar|er|ir|dr|br|rr)(?:é|ás|á|emos|éis|án)$`),
	}
	conditional = map[string]*regexp.Regexp{
		"fr": regexp.MustCompile(`..(?:er|ir|dr|vr|rr|ur)(?:ais|ait|ions|iez|aient)$`),
		"es": regexp.MustCompile(`..(?:ar|ir|dr|br|rr)(?:ía|ías|íamos|ían)$`),
	}
)

// normalize writes contractions and elisions as whole words: "won't" is "will not".
func normalize(said, language string) string {
	said = strings.ReplaceAll(said, "’", "'")
	if language == "en" {
		return contraction.Replace(said)
	}
	if language == "fr" {
		return elision.ReplaceAllStringFunc(said, func(short string) string {
			return strings.TrimRight(short, "'’") + "e "
		})
	}
	return said
}

// readWords returns the words of a text with the kinds and phrases that they are in.
func readWords(said, language string) []word {
	said = normalize(said, language)
	runes, spans := []rune(said), text.Words(said)
	quantities := readAmounts(said)
	var words []word
	clause, sentence := 0, 0
	ends := sentenceEnds(said)
	for i, span := range spans {
		if i > 0 && strings.ContainsAny(string(runes[spans[i-1].End:span.Start]), clauseEnds) {
			clause++
		}
		for sentence < len(ends)-1 && span.Start >= ends[sentence] {
			sentence++
			clause++
		}
		number, isRest := quantities.at(span)
		if isRest {
			continue // a further word of the number before
		}
		first, _ := utf8.DecodeRuneInString(span.Text)
		w := word{lower: strings.ToLower(span.Text), clause: clause, sentence: sentence, number: number}
		starts := len(words) == 0 || words[len(words)-1].sentence != sentence
		w.isName = unicode.IsUpper(first) && !starts
		w.key = keyOf(w.lower, language)
		w.content = number == nil && !isStop(span.Text, language)
		words = append(words, w)
	}
	markKinds(words, language)
	markParts(words)
	markPhrases(words)
	markTense(words, language)
	return words
}

func sentenceEnds(said string) (ends []int) {
	for _, s := range text.Sentences(said) {
		ends = append(ends, s.End)
	}
	return ends
}

func isStop(said, language string) bool {
	tokens := text.Tokens(said, language)
	return len(tokens) == 1 && tokens[0].Stop
}

// markKinds sets the kinds of words by the lexicon of the language, longest phrases first.
func markKinds(words []word, language string) {
	known := lexicons()[language]
	for i := 0; i < len(words); {
		w := &words[i]
		if w.isMonth(words, i) {
			w.kinds, w.content, w.key = []kind{"time"}, true, "month-"+w.lower
			i++
			continue
		}
		w.kinds = append(w.kinds, known.stems[keyOf(w.lower, language)]...)
		if pattern := conditional[language]; pattern != nil && pattern.MatchString(w.lower) {
			w.kinds = append(w.kinds, "may")
		}
		length := 1
		for _, p := range known.phrases[w.lower] {
			if matchesPhrase(words[i:], p.words) {
				w.kinds, length = append(w.kinds, p.kinds...), len(p.words)
				break
			}
		}
		for j := range words[i : i+length] {
			if length > 1 || w.isGrammar() {
				words[i+j].content = words[i+j].content && w.is("may") && length == 1 && conditional[language] != nil &&
					conditional[language].MatchString(w.lower)
			}
		}
		i += length
	}
	for i := range words {
		words[i].keepAmountKinds(words, i)
		if words[i].lower == "would" && isReported(words[:i]) {
			words[i].kinds = []kind{"will"}
		}
	}
}

// isReported reports whether words end in what somebody said: "Okafor said it" before "would".
func isReported(words []word) bool {
	for i := len(words) - 1; i >= 0 && words[i].sentence == words[len(words)-1].sentence; i-- {
		if (words[i].is("say") || words[i].is("frame")) && (words[i].is("past") || strings.HasSuffix(words[i].lower, "ed")) {
			return true
		}
	}
	return false
}

// isGrammar reports whether a word only shapes a claim, so that a text need not have it.
func (w *word) isGrammar() bool {
	return slices.ContainsFunc(w.kinds, func(k kind) bool {
		return !slices.Contains(stemmedKinds, k) && k != "past" && k != "time"
	}) && !slices.ContainsFunc(w.kinds, func(k kind) bool { return slices.Contains(stemmedKinds[:4], k) })
}

// isMonth reports whether "May" is the month.
func (w *word) isMonth(words []word, i int) bool {
	if w.lower != "may" || !w.isName && i > 0 {
		return false
	}
	next := i+1 < len(words) && words[i+1].number != nil
	return next || i > 0 && (words[i-1].number != nil || slices.Contains(strings.Fields(
		"in by since until till from to before after of during next last this every early late mid"), words[i-1].lower))
}

// keepAmountKinds drops the kinds that only count before a number: "about 40", not "about prices".
func (w *word) keepAmountKinds(words []word, i int) {
	isAmount := false
	for _, next := range words[i:min(len(words), i+5)] {
		if next.number != nil {
			isAmount = true
			break
		}
		if next.content {
			break
		}
	}
	w.kinds = slices.DeleteFunc(w.kinds, func(k kind) bool {
		switch k {
		case "about", "upto", "least":
			return !isAmount
		case "some", "more", "less", "few":
			return isAmount
		}
		return false
	})
}

func matchesPhrase(words []word, wanted []string) bool {
	if len(words) < len(wanted) {
		return false
	}
	for i, one := range wanted {
		if words[i].lower != one {
			return false
		}
	}
	return true
}

// markParts numbers the parts of sentences between words such as "but".
func markParts(words []word) {
	part := 0
	for i := range words {
		if i > 0 && (words[i].is("but") || words[i].sentence != words[i-1].sentence) {
			part++
		}
		words[i].part = part
	}
}

// markPhrases sets the preposition of each word's phrase: of "plant" in "from the new plant" it is
// "from".
func markPhrases(words []word) {
	for i := range words {
		if strings.HasSuffix(words[i].lower, "'s") {
			words[i].prep = "of"
			continue
		}
		for j := i - 1; j >= 0 && words[j].clause == words[i].clause; j-- {
			if words[j].is("by") || words[j].is("prep") {
				words[i].prep = words[j].lower
				break
			}
			if len(words[j].kinds) > 0 || words[j].content && !words[j].isName || isPronoun(words[j].lower) {
				break
			}
		}
	}
}

// isPronoun reports whether a word stands for a whole phrase and so ends the one before.
func isPronoun(lower string) bool {
	return pronouns[lower]
}

// pronouns stand for a whole phrase, and joining words begin another one.
var pronouns = wordSet(`it they he she who which that es sie er il ils elle qui que ello quien und and et y or`)
