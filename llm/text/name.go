package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names returns the mentions of apparent names in a text whose language is detected, see NamesIn.
func Names(text string) []Span { return NamesIn(text, Language(text)) }

// NamesIn returns the mentions of apparent names in a text: runs of capitalized words with their
// joining words ("Bank of England"). A single word at the start of a sentence is a name only if the
// text also has it inside a sentence. German, which capitalizes every noun, yields runs of two
// words or more; scripts without capitals yield nothing.
func NamesIn(text, language string) []Span {
	german := language == "de"
	joins := joints
	if german {
		joins = germanJoints
	}
	runes := []rune(text)
	var names []Span
	var doubtful []Span
	inside := map[string]bool{}
	for _, sentence := range Sentences(text) {
		for i, run := range capitalRuns(sentence, runes, joins) {
			span := Span{string(runes[run[0].Start:run[len(run)-1].End]), run[0].Start, run[len(run)-1].End}
			switch {
			case len(run) == 1 && (german || utf8.RuneCountInString(span.Text) < 2):
			case len(run) == 1 && i == 0 && span.Start == firstWord(sentence, runes):
				doubtful = append(doubtful, span)
			default:
				names = append(names, span)
				inside[span.Text] = true
			}
		}
	}
	for _, span := range doubtful {
		if inside[span.Text] {
			names = append(names, span)
		}
	}
	slices.SortFunc(names, func(a, b Span) int { return a.Start - b.Start })
	return names
}

// Words that join the words of a name; German names are joined by articles too.
var (
	joints       = wordSet("of de del della di da do dos das du des van von der den zu la le el y e al bin ibn")
	germanJoints = wordSet("von van zu de")
)

// capitalRuns splits a sentence into runs of capitalized words, without leading stop words.
func capitalRuns(sentence Span, runes []rune, joins map[string]bool) [][]Span {
	var all [][]Span
	var run, held []Span // held are joining words that belong to the run if a capital follows
	take := func() {
		if len(run) > 0 {
			all = append(all, run)
		}
		run, held = nil, nil
	}
	last := sentence.Start
	for _, word := range Words(sentence.Text) {
		word.Start, word.End = word.Start+sentence.Start, word.End+sentence.Start
		if hasBreak(string(runes[last:word.Start])) {
			take()
		}
		last = word.End
		first, _ := utf8.DecodeRuneInString(word.Text)
		switch {
		case unicode.IsUpper(first) && !(len(run) == 0 && IsCommonWord(word.Text)):
			run = append(append(run, held...), word)
			held = nil
		case len(run) > 0 && joins[word.Text] && len(held) < 2:
			held = append(held, word)
		case len(run) > 0 && len(held) == 0 && unicode.IsNumber(first):
			run = append(run, word)
		default:
			take()
		}
	}
	take()
	return all
}

// IsCommonWord reports whether the word is a stop word of any language, such as an article, which
// has a capital only because of its position.
func IsCommonWord(word string) bool {
	word = strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	for _, list := range stopWords() {
		if list[word] {
			return true
		}
	}
	return false
}

func firstWord(sentence Span, runes []rune) int {
	for at := sentence.Start; at < sentence.End; at++ {
		if unicode.IsLetter(runes[at]) || unicode.IsNumber(runes[at]) {
			return at
		}
	}
	return sentence.End
}
