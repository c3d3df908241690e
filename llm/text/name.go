package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names lists what a text seems to call by name, each mention: runs of words that begin with capitals, with what joins them ("Bank of
// England"). One word at a sentence's start is a name only where the text also has it inside a sentence. German, which writes every noun so,
// gives runs of two words and more; scripts without capitals give nothing. A word before a name at a sentence's start stays with it.
func Names(text string) []Span {
	german := Language(text) == "de"
	joins := joints
	if german {
		joins = germanJoints
	}
	runes := []rune(text)
	var names []Span
	var doubtful []Span
	inside := map[string]bool{}
	for _, sentence := range Sentences(text) {
		for i, run := range capitals(sentence, runes, joins) {
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

// What joins the words of a name; German nouns are joined by its articles as well.
var (
	joints       = set("of de del della di da do dos das du des van von der den zu la le el y e al bin ibn")
	germanJoints = set("von van zu de")
)

// capitals cuts a sentence into runs of words with capitals, without stop words at a run's start.
func capitals(sentence Span, runes []rune, joins map[string]bool) [][]Span {
	var all [][]Span
	var run, held []Span // held are joints that belong to the run if a capital follows
	take := func() {
		if len(run) > 0 {
			all = append(all, run)
		}
		run, held = nil, nil
	}
	last := sentence.Start
	for _, word := range Words(sentence.Text) {
		word.Start, word.End = word.Start+sentence.Start, word.End+sentence.Start
		if breaks(runes[last:word.Start]) {
			take()
		}
		last = word.End
		first, _ := utf8.DecodeRuneInString(word.Text)
		switch {
		case unicode.IsUpper(first) && !(len(run) == 0 && common(word.Text)):
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

// common reports a stop word of any language that is written with a capital for its place.
func common(word string) bool {
	word = strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	for _, list := range stops() {
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
