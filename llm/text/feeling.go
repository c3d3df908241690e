package text

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

//go:embed feeling.txt
var feelingList string

// feelings are words of a language by what they do to a sentence: the stems of good and bad ones, and negations.
type feelings struct {
	worth map[string]float64
	not   map[string]bool
}

// A feeling's worth and the bound that sums are brought into are VADER's, so that all languages share a scale.
const (
	feelingWorth = 2.0
	feelingBound = 15.0
	negation     = -0.74
	negationSpan = 3 // words before a feeling in which a negation turns it
)

// foreign has the feelings of the languages that VADER does not know; a line of the list begins with the language, and + (good), - (bad) or
// ! (negation).
var foreign = sync.OnceValue(func() map[string]*feelings {
	lists := map[string]*feelings{}
	for line := range strings.Lines(feelingList) {
		head, words, _ := strings.Cut(line, ":")
		language, kind := head[:len(head)-1], head[len(head)-1]
		if lists[language] == nil {
			lists[language] = &feelings{worth: map[string]float64{}, not: map[string]bool{}}
		}
		lists[language].add(language, kind, words)
	}
	return lists
})

func (f *feelings) add(language string, kind byte, words string) {
	stem := newStemmer(language)
	for word := range strings.FieldsSeq(words) {
		root, _ := stem.of(word)
		switch kind {
		case '+':
			f.worth[root] = feelingWorth
		case '-':
			f.worth[root] = -feelingWorth
		case '!':
			f.not[word] = true
		}
	}
}

// compound is how a sentence feels, from -1 to 1.
func (f *feelings) compound(sentence, language string) float64 {
	stem := newStemmer(language)
	sum, turned := 0.0, 0 // turned is for how many words a negation still holds
	for _, word := range Words(sentence) {
		bare := strings.ToLower(word.Text)
		root, _ := stem.of(bare)
		worth := f.worth[root]
		if turned > 0 {
			worth *= negation
		}
		sum += worth
		turned--
		if f.not[bare] || strings.HasPrefix(bare, "n'") || strings.HasPrefix(bare, "n’") {
			turned = negationSpan
		}
	}
	return sum / math.Sqrt(sum*sum+feelingBound)
}
