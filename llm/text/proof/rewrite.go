package proof

import (
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text"
	"rostrum/llm/text/fact"
)

// leastShared is the share of a sentence's content words from which another sentence is its rewriting.
const leastShared = 0.5

// almostAll is the share from which a sentence says the same as another, or its contrary.
const almostAll = 0.9

// Rewritten returns why a new wording of a text says something else, or an empty text: it adds or
// leaves out a negation, exchanges who does what or who says what, has a new name, or is in another
// language. The sources may have further names and negations. Facts that were lost are
// fact.Missing's.
func Rewritten(before, after string, sources ...string) string {
	if fault := Enhanced(before, after, sources...); fault != "" {
		return fault
	}
	language := languageOf(before + "\n" + after)
	switch denied, denies := countDenials(before, language), countDenials(after, language); {
	case denies > denied:
		return "it adds a negation"
	case denies < denied:
		return "it leaves out a negation"
	}
	return ""
}

// Enhanced is Rewritten for a text that may say more than before, so that negations are not counted.
// A sentence with the words of one before has to keep its negation.
func Enhanced(before, after string, sources ...string) string {
	was, is := grammarOf(before), grammarOf(after)
	if was != "" && is != "" && was != is {
		return fmt.Sprintf("it is in another language: %s, not %s", is, was)
	}
	if name := newName(after, append(sources, before)...); name != "" {
		return fmt.Sprintf("it adds the name %s", name)
	}
	if quotation := movedQuotation(before, after); quotation != "" {
		return fmt.Sprintf("it gives %s to another speaker", quotation)
	}
	language := languageOf(before + "\n" + after)
	if lexicons()[language].phrases == nil {
		return ""
	}
	return exchanged(before, after, language)
}

// grammarOf returns the language of a text if its words of grammar show one alone, else an empty
// text.
func grammarOf(said string) string {
	if found := text.Language(said); found != "" && len([]rune(said)) >= sureRunes {
		return found
	}
	best, most, next := "", 0, 0
	for language, known := range lexicons() {
		count := 0
		for _, token := range text.Tokens(said, language) {
			if _, ok := known.phrases[strings.ToLower(token.Text)]; ok || token.Stop {
				count++
			}
		}
		switch {
		case count > most:
			best, most, next = language, count, most
		case count > next:
			next = count
		}
	}
	if most < fewStops || next*2 > most {
		return ""
	}
	return best
}

// sureRunes is the length of a text whose language is known without a look at its grammar.
const sureRunes = 200

// countDenials returns the number of negations of a text. "Not only" is none, and French has one of
// two words.
func countDenials(said, language string) (count int) {
	words := readWords(said, language)
	for i, w := range words {
		followed := i+1 < len(words) && (words[i+1].is("only") || words[i+1].lower == "just")
		if w.is("not") && !(language == "fr" && w.lower == "ne") && !followed {
			count++
		}
	}
	return count
}

// newName returns a name of a text that none of the sources has, or an empty text.
func newName(said string, sources ...string) string {
	known := strings.ToLower(strings.Join(sources, "\n"))
	for _, name := range text.Names(said) {
		for _, w := range text.Words(name.Text) {
			lower := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(w.Text), "'s"), "’s")
			if !strings.Contains(known, lower) {
				return name.Text
			}
		}
	}
	return ""
}

// movedQuotation returns a quotation that another person says than before, or an empty text.
func movedQuotation(before, after string) string {
	for _, quotation := range fact.Quotations(before) {
		was, is := namesBeside(before, quotation), namesBeside(after, quotation)
		if len(was) > 0 && len(is) > 0 && !slices.ContainsFunc(is, func(name string) bool { return slices.Contains(was, name) }) {
			return quotation
		}
	}
	return ""
}

// namesBeside returns the words of names in the sentences of a paragraph that have a quotation.
func namesBeside(said, quotation string) (names []string) {
	inner := strings.Trim(quotation, "\"“”„«»‘’ ")
	for _, sentence := range text.Sentences(said) {
		if !strings.Contains(sentence.Text, inner) {
			continue
		}
		for _, name := range text.Names(strings.ReplaceAll(sentence.Text, inner, "")) {
			for _, w := range text.Words(name.Text) {
				names = append(names, w.Text)
			}
		}
	}
	return names
}

// exchanged returns a fault if a sentence of the new text exchanges the roles in the sentence that
// it rewrites.
func exchanged(before, after, language string) string {
	old := text.Sentences(before)
	for _, sentence := range text.Sentences(after) {
		var nearest *claim
		origin := ""
		most := 0.0
		for _, one := range old {
			c := newClaim(sentence.Text, one.Text, language, nil)
			if share := c.shared(); share > most {
				nearest, origin, most = c, one.Text, share
			}
		}
		if most < leastShared {
			continue
		}
		if fault := nearest.changedRole(); fault != "" {
			return fault
		}
		if most >= almostAll && (countDenials(sentence.Text, language) > 0) != (countDenials(origin, language) > 0) {
			return "it adds or leaves out a negation"
		}
	}
	return ""
}

// shared returns the share of the sentence's content words that the quote has.
func (c *claim) shared() float64 {
	all, found := 0, 0
	for i := range c.said {
		if c.said[i].content {
			all++
			found += min(len(c.matches[i]), 1)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}
