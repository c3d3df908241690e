package executive

import (
	"regexp"
	"slices"
	"strings"

	"rostrum/llm/text"
)

// leastSupport is the share of what a sentence speaks of that its evidence must have.
const leastSupport = 0.6

var (
	figure = regexp.MustCompile(`\d(?:[\d.,]*\d)?`)

	negations = setOf(`no not never none neither nor without cannot kein keine keinen nicht nie ohne ne pas jamais sans nunca ningún sin mai
		senza niet geen nooit zonder não sem`)

	// plain are the stems of words in which a comparison puts what others say; they need no evidence.
	plain = stemsOf(`both all each alone only while whereas unlike differ differs different difference agree agrees agreed disagree disagrees share shares
		same similar alike positive negative neutral mixed stance side sides statement statements say says said speak speaks spoken view views
		position positions emphasize emphasizes stress stresses focus focuses mention mentions theme themes take takes question nothing mostly
		also too instead against favour favor favours favors support supports oppose opposes see sees`)
)

// A negation turns so many words behind it, up to the end of its clause.
const (
	reach      = 4
	clauseEnds = ",;:.!?—–"
)

// stemsOf is the set of the stems of English words.
func stemsOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, stem := range text.Stems(words, "en") {
		set[stem] = true
	}
	return set
}

// faithful reports a statement that says no more than a quote: nothing new, no other figures, and nothing that the quote denies.
func faithful(statement, quote string) bool {
	return supported(statement, quote) && !turned(statement, quote)
}

// supported reports a sentence whose figures all stand in the evidence, or are given, and which speaks of little else than that does.
func supported(sentence, evidence string, given ...string) bool {
	known := figuresOf(evidence + " " + strings.Join(given, " "))
	for _, one := range figuresOf(sentence) {
		if !slices.Contains(known, one) {
			return false
		}
	}
	language := text.Language(evidence)
	if language == "" {
		language = "en"
	}
	there := text.Stems(evidence+" "+strings.Join(given, " "), language)
	asked, found := 0, 0
	for _, stem := range text.Stems(figure.ReplaceAllString(sentence, " "), language) {
		if plain[stem] {
			continue
		}
		asked++
		if slices.Contains(there, stem) {
			found++
		}
	}
	return float64(found) >= leastSupport*float64(asked)
}

// figuresOf lists the figures of a text without the marks between their groups.
func figuresOf(said string) []string {
	all := figure.FindAllString(said, -1)
	for i, one := range all {
		all[i] = strings.ReplaceAll(one, ",", "")
	}
	return all
}

// turned reports a statement that denies what its quote affirms, or affirms what that denies.
func turned(statement, quote string) bool {
	said := text.Words(statement)
	denies := slices.ContainsFunc(said, negates)
	words := text.Words(quote)
	if denies {
		return !slices.ContainsFunc(words, negates)
	}
	runes := []rune(quote)
	for i, word := range words {
		if !negates(word) {
			continue
		}
		end := word.End
		for _, denied := range words[i+1 : min(i+1+reach, len(words))] {
			if strings.ContainsAny(string(runes[end:denied.Start]), clauseEnds) {
				break
			}
			end = denied.End
			stem := text.Stems(denied.Text, "en")
			if len(stem) > 0 && slices.ContainsFunc(said, func(w text.Span) bool { return slices.Equal(text.Stems(w.Text, "en"), stem) }) {
				return true
			}
		}
	}
	return false
}

func negates(word text.Span) bool {
	lower := strings.ToLower(word.Text)
	return negations[lower] || strings.HasSuffix(lower, "n't") || strings.HasSuffix(lower, "n’t")
}
