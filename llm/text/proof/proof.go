package proof

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"rostrum/llm/text"
)

// leastSupport is the minimum share of a sentence's stems in its evidence.
const leastSupport = 0.6

var (
	figure = regexp.MustCompile(`\d(?:[\d.,]*\d)?`)

	negations = wordSet(`no not never none neither nor without cannot kein keine keinen nicht nie ohne ne pas jamais sans nunca ningún sin mai
		senza niet geen nooit zonder não sem`)
)

// The number of words after a negation that it inverts, up to the end of the clause.
const (
	reach      = 4
	clauseEnds = ",;:.!?—–"
)

// Supported reports whether all figures of a sentence are in the evidence, and few of its other
// words are missing.
func Supported(sentence, evidence string) bool { return shareOf(sentence, evidence) >= leastSupport }

// leastConcern is the minimum share of a point's stems in a passage that makes it in other words.
const leastConcern = 0.25

// Concerns reports whether a passage may prove a point in other words: it has words enough for a
// statement, all numbers of the point, at least a quarter of its other stems, and does not deny it.
func Concerns(passage, point string) bool {
	if strings.EqualFold(strings.TrimSpace(passage), strings.TrimSpace(point)) {
		return true
	}
	return text.Tells(passage) && !text.Asks(passage) && Related(passage, point) && hasNumbers(passage, point) &&
		!Contradicts(point, passage)
}

// hasNumbers reports whether a passage has all numbers that a point has as words, as words or
// figures.
func hasNumbers(passage, point string) bool {
	return containsAll(numbersOf(passage), writtenNumbers(point))
}

// containsAll reports whether all wanted figures are known.
func containsAll(known, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(number string) bool { return !slices.Contains(known, number) })
}

// numbersOf returns the figures of a text, and those of its numbers as words.
func numbersOf(said string) []string { return append(extractFigures(said), writtenNumbers(said)...) }

// writtenNumbers returns the figures of the numbers that a text has as words; "two hundred" is 2
// and 100.
func writtenNumbers(said string) []string {
	var found []string
	for _, word := range text.Words(said) {
		if number, ok := numberWords()[strings.ToLower(word.Text)]; ok {
			found = append(found, number)
		}
	}
	return found
}

// numberText has a number in each line, and its words in several languages. Words that have another
// meaning more often, also in another of the languages, are left out, as those for one are.
//
//go:embed number.txt
var numberText string

// numberWords returns the figures of words.
var numberWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for line := range strings.Lines(numberText) {
		fields := strings.Fields(line)
		for _, word := range fields[1:] {
			words[word] = fields[0]
		}
	}
	return words
})

// Touches reports whether a passage may make a part of a point, or contradict it: it has words
// enough for a statement and at least a quarter of the point's stems.
func Touches(passage, point string) bool {
	return text.Tells(passage) && !text.Asks(passage) && Related(passage, figure.ReplaceAllString(point, " "))
}

// Related reports whether a passage has all figures of an entry and at least a quarter of its other
// stems.
func Related(passage, entry string) bool { return shareOf(entry, passage) >= leastConcern }

// shareOf returns the share of a sentence's stems that the evidence has, without figures; 0 if it
// lacks one of its figures, and 1 for a sentence without stems.
func shareOf(sentence, evidence string) float64 {
	if !containsAll(numbersOf(evidence), extractFigures(sentence)) {
		return 0
	}
	language := text.Language(evidence)
	if language == "" {
		language = "en"
	}
	there := text.Stems(evidence, language)
	asked, found := 0, 0
	for _, stem := range text.Stems(figure.ReplaceAllString(sentence, " "), language) {
		asked++
		if slices.Contains(there, stem) {
			found++
		}
	}
	if asked == 0 {
		return 1
	}
	return float64(found) / float64(asked)
}

// extractFigures returns the figures of a text without group separators.
func extractFigures(said string) []string {
	all := figure.FindAllString(said, -1)
	for i, one := range all {
		all[i] = strings.ReplaceAll(one, ",", "")
	}
	return all
}

// Contradicts reports whether a statement negates an assertion of its quote, or asserts a negation.
func Contradicts(statement, quote string) bool {
	said := text.Words(statement)
	denies := slices.ContainsFunc(said, isNegation)
	words := text.Words(quote)
	if denies {
		return !slices.ContainsFunc(words, isNegation)
	}
	runes := []rune(quote)
	for i, word := range words {
		if !isNegation(word) {
			continue
		}
		end := word.End
		for _, denied := range words[i+1 : min(i+1+reach, len(words))] {
			if strings.ContainsAny(string(runes[end:denied.Start]), clauseEnds) {
				break
			}
			end = denied.End
			stem := text.Stems(denied.Text, "en")
			if len(stem) > 0 && slices.ContainsFunc(said,
				func(w text.Span) bool { return slices.Equal(text.Stems(w.Text, "en"), stem) }) {
				return true
			}
		}
	}
	return false
}

func isNegation(word text.Span) bool {
	lower := strings.ToLower(word.Text)
	return negations[lower] || strings.HasSuffix(lower, "n't") || strings.HasSuffix(lower, "n’t")
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
