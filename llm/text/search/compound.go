package search

import (
	"strings"

	"rostrum/llm/text"
)

// CompoundLanguages are the languages that join words into one.
var CompoundLanguages = []string{"da", "de", "nb", "nl", "nn", "no", "sv"}

const (
	// minPart is the least length of a stem that is searched in compounds, and minRest of what
	// remains of them.
	minPart, minRest = 4, 3
)

var (
	// links stand between the parts of a compound, as in Staatsschuld.
	links = []string{"", "e", "s", "n", "en", "er", "es", "ens", "ns", "-"}
	// derivations are endings that make another word, but no compound.
	derivations = wordSet("heit keit schaft ung ungen lich isch los bar sam ern end ten est ier iger igen ere eren erin")
)

// Bases returns the stems by which a word is found in compounds: none if it is too short.
func (w QueryWord) Bases() []string {
	if w.IsGram || !isName(w.Form) {
		return nil
	}
	var bases []string
	for _, stem := range stemsOf(token{form: w.Form, raw: w.raw}, "de") {
		if len(stem) >= minPart {
			bases = append(bases, stem)
		}
	}
	return bases
}

// Reversed returns a text from its end, as the list of words has stems.
func Reversed(text string) string { return reverse(text) }

// RestsOf returns what may be the other part of a compound that starts or ends with the base, in
// all forms that it may have in the list of words. Some of them are no words.
func RestsOf(base string, compound Word) []string {
	var rests []string
	add := func(rest string) {
		if len(rest) >= minRest && !derivations[rest] {
			rests = append(rests, rest, text.Stem(rest, "de"))
		}
	}
	if tail, ok := strings.CutPrefix(compound.Form, base); ok {
		for _, link := range links {
			if rest, ok := strings.CutPrefix(tail, link); ok {
				add(rest)
			}
		}
	}
	if head, ok := strings.CutSuffix(compound.Stem, base); ok {
		for _, link := range links {
			if rest, ok := strings.CutSuffix(head, link); ok {
				add(rest)
			}
		}
	}
	return rests
}
